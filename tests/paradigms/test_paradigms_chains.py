"""Chains of thought: what exactly is asked of whom, what they see, where notes stand, and what a pack may change."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

import snellen
from fakes import teaching
from fakes.matchers import Matcher
from fakes.minds import toss
from snellen.call import Call, Reply
from snellen.errors import UserError
from snellen.examine import estimate_plan, make_plan
from snellen.examine.findings import table
from snellen.item import Condition, Picture, Stimulus
from snellen.paradigms import PARADIGMS, WORDING
from snellen.prompts import Pack, load
from snellen.tasks import task, task_names
from support.fakes import FakeSubject

OURS = load(WORDING, "paradigms", fallback=WORDING)
CHAINS = ("ddcot", "ccot", "cocot")
TWO_STEPS = (("ccot", "graph", "with_graph"), ("cocot", "compare", "with_comparison"))

Asked = list[tuple[str, tuple[Any, ...], Any]]


def stimulus(name: str, **levels: str) -> Stimulus:
    known = task(name)
    design = known.changed(known.designs[0], {factor: (level,) for factor, level in levels.items()})
    return next(known.stimuli(design, 1, 0, load(known.prompts, known.name)))


def asked(paradigm: str, shown: Stimulus, pack: Pack = OURS) -> Asked:
    """Every call that the paradigm makes: the role, what is put to it, and the form that is wanted."""
    calls: Asked = []

    async def ask(role: str, *parts: Any, form: Any = None, **settings: Any) -> Reply:
        calls.append((role, parts, form))
        return Reply(f"{{plan}} words number {len(calls)}")

    def say(piece: str, **values: str) -> str:
        return pack.say(piece, Condition(), values)

    asyncio.run(cast(Any, PARADIGMS[paradigm].run(shown, ask, say)))
    return calls


def pictures(parts: tuple[Any, ...]) -> tuple[Picture, ...]:
    return tuple(part for part in parts if isinstance(part, Picture))


@pytest.mark.parametrize(("paradigm", "first", "then"), TWO_STEPS)
@pytest.mark.parametrize("name", ["bongard", "winoground"])
def test_something_is_worked_out_with_the_question_in_mind_and_stands_beside_the_pictures(
    name: str, paradigm: str, first: str, then: str
) -> None:
    shown = stimulus(name)
    working, answering = asked(paradigm, shown)
    assert working == ("describer", (*shown.parts, OURS.say(first, Condition(), {})), None)
    role, parts, form = answering
    assert (role, form) == ("reasoner", shown.question.form)
    notes = OURS.say(then, Condition(), {"notes": "{plan} words number 1"})
    assert "{plan} words number 1" in notes
    assert parts == (*shown.parts[:-1], notes, shown.parts[-1])
    assert pictures(parts) == shown.pictures


@pytest.mark.parametrize("name", ["bongard", "winoground"])
def test_the_planner_sees_nothing_the_describer_is_told_the_plan_the_reasoner_has_all(name: str) -> None:
    shown = stimulus(name)
    planning, looking, answering = asked("ddcot", shown)
    assert planning[0] == "planner"
    ((unseen,), *_) = (planning[1],)
    assert unseen.count(OURS.say("unseen", Condition(), {})) == len(shown.pictures)
    assert shown.question.text in unseen
    assert unseen.endswith(OURS.say("divide", Condition(), {}))
    assert looking[0] == "describer"
    assert looking[1][:-1] == shown.parts
    assert "words number 1" in looking[1][-1]
    role, parts, form = answering
    assert (role, form) == ("reasoner", shown.question.form)
    assert pictures(parts) == shown.pictures
    notes = parts[-2]
    assert "words number 1" in notes
    assert "words number 2" in notes
    assert parts[-1] == shown.parts[-1]


@pytest.mark.parametrize("paradigm", CHAINS)
def test_notes_come_last_where_the_question_comes_before_the_picture(paradigm: str) -> None:
    shown = stimulus("fixation", order="text_first")
    assert isinstance(shown.parts[-1], Picture)
    *_, (_, parts, _) = asked(paradigm, shown)
    assert parts[:-1] == shown.parts
    assert "words number" in parts[-1]


@pytest.mark.parametrize(
    ("paradigm", "pieces"),
    [
        ("cocot", {"compare": "", "with_comparison": "Likeness first, then differences.{notes}"}),
        ("ccot", {"graph": "", "with_graph": "A graph first.{notes}"}),
        ("ddcot", {"divide": "", "look": "", "with_findings": "Sub-questions first.{plan}{seen}"}),
    ],
)
def test_a_step_without_words_is_left_out_so_that_all_can_be_asked_in_one_go(
    tmp_path: Path, paradigm: str, pieces: dict[str, str]
) -> None:
    file = tmp_path / "pack.toml"
    own = {**dict.fromkeys(PARADIGMS[paradigm].words, "?"), **pieces}
    file.write_text("[paradigms]\n" + "\n".join(f'{name} = "{words}"' for name, words in own.items()))
    shown = stimulus("winoground")
    ((role, parts, _),) = asked(paradigm, shown, load(file, "paradigms"))
    assert role == "reasoner"
    assert parts[-2] in ("Likeness first, then differences.", "A graph first.", "Sub-questions first.")


@pytest.mark.parametrize("paradigm", CHAINS)
@pytest.mark.parametrize(("name", "levels"), [("bongard", {}), ("winoground", {"given": "caption_0"})])
def test_who_sees_how_many_pictures_is_what_is_declared(paradigm: str, name: str, levels: dict[str, str]) -> None:
    shown = stimulus(name, **levels)
    for role, parts, _ in asked(paradigm, shown):
        assert PARADIGMS[paradigm].pictures(role, shown) == len(pictures(parts)), role


@pytest.mark.parametrize(
    ("paradigm", "calls"),
    [("ccot", 12 * 2), ("cocot", 12 * 2), ("ddcot", 12 * 3 - 3)],  # unseen, two pictures with the same captions are one
)
def test_a_dry_run_counts_every_step_once(tmp_path: Path, paradigm: str, calls: int) -> None:
    plan = make_plan("openai/gpt-x", tasks="winoground", design="paper", paradigms=paradigm, n=3)
    assert plan.size == 12
    assert estimate_plan(plan, tmp_path / "none.sqlite").total.to_make == calls


@pytest.mark.parametrize("name", [name for name in task_names() if name not in ("bongard", "winoground")])
def test_where_there_is_nothing_to_compare_one_line_says_so(name: str) -> None:
    with pytest.raises(UserError, match=f"cannot be used with task {name}") as refused:
        make_plan("sim/ideal", tasks=name, paradigms="cocot", n=1)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["bongard", "winoground"])
def test_the_ladder_has_them_beside_the_line_demanding_what_pictures_do(name: str) -> None:
    ladder = task(name).ladder
    (top,) = [rung for rung in ladder if rung.name == "pictures"]
    rungs = {put.paradigms[0]: rung for rung in ladder for put in rung.puts}
    for paradigm in CHAINS:
        assert rungs[paradigm].demands == top.demands
        assert not rungs[paradigm].on_line
        (put,) = rungs[paradigm].puts
        assert set(put.cast) == set(PARADIGMS[paradigm].roles)


def note_taker(seen: dict[str, str]) -> FakeSubject:
    """A fake that names what it sees when asked to work something out, and reasons from words, but never from a
    picture: only notes help it."""
    reason = Matcher()

    def reply(call: Call) -> str:
        words = "\n".join(part for part in call.messages[-1].parts if isinstance(part, str))
        if words.endswith("for now."):
            return "\n".join(seen[picture.digest] for picture in call.pictures) or "LOOK"
        return reason(words) if '{"' in words else toss(words, words.split()[-6:-3:2])

    return FakeSubject(reply, name="fake")


def test_what_notes_bring_is_a_paired_contrast_and_no_verdict(tmp_path: Path) -> None:
    exam = snellen.exam(
        note_taker(teaching.retinas(teaching.stimuli("winoground", 12))),
        tasks="winoground",
        design="paper",
        n=12,
        paradigms=["direct", *CHAINS],
        store=tmp_path / "s.sqlite",
    )
    right = {name: own["outcome"].eq("right").mean() for (name,), own in exam.rows.group_by("paradigm")}
    assert [right[name] for name in CHAINS] == [1, 1, 1]
    assert right["direct"] < 0.8
    group = [row for row in table(exam.rows, "winoground-contrasts").rows if row[4] == "group"]
    assert {(row[2], row[3]) for row in group} == {(name, "direct") for name in CHAINS}
    (diagnosis,) = exam.findings.diagnoses
    assert not [loss for loss in diagnosis.beside if loss.shown]
    assert {rung.rung for rung in diagnosis.rungs if not rung.on_line} == {
        "sub-questions first",
        "scene graph first",
        "comparison first",
    }
