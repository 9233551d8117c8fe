"""What people bring to an exam: subjects, tasks and paradigms as objects, under names of their own."""

import asyncio
from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

import snellen
from snellen.call import Abilities, Call, Message, Reply
from snellen.errors import UserError
from snellen.examine import make_plan, run_plan
from snellen.item import Picture
from snellen.ladder import SPARING
from snellen.paradigms import PARADIGMS, Paradigm
from snellen.tasks import task, task_names
from support.fakes import FakeSubject
from support.lengths import some_of

LAMPS = Path(__file__).parents[2] / "docs" / "examples" / "lamps.py"
ONE: dict[str, Any] = {"n": 1, "levels": {"game": ("tictactoe",)}}
TRIALS = 12 + 4 + 1
"""Of one board: three prompts, two rules and two targets; in words without the prompts; told once."""
PLAIN: dict[str, Any] = {**ONE, "design": "main", "levels": {**ONE["levels"], "rendering": ("base",)}}
"""A design without rungs of its own."""


def always_x(parts: list[Any]) -> str:
    return "X"


def test_anything_that_can_be_a_subject(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    exam = snellen.exam([always_x, "sim/ideal", FakeSubject("O", name="mine")], store=store, **ONE)
    assert exam.subjects == ("always_x", "sim/ideal", "mine")
    assert exam.rows["subject"].unique(maintain_order=True).to_list() == ["always_x", "sim/ideal", "mine"]
    assert exam.rows.group_by("subject").len()["len"].to_list() == [TRIALS] * 3


def test_short_names(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    first = snellen.exam("sim/ideal", store=store, **ONE)
    assert first.rows["subject"].unique().to_list() == ["sim/ideal"]
    named = snellen.exam({"best": "sim/ideal", "worst": always_x}, store=store, **ONE)
    assert set(named.rows["subject"]) == {"best", "worst"}
    assert set(snellen.Exam(store).rows["subject"]) == {"best", "worst"}, "the last name given is the one they go by"
    assert named.summary is not None
    same = snellen.exam("best=sim/ideal", store=store, **ONE)
    assert same.summary is not None
    assert (same.summary.done, same.summary.skipped) == (0, TRIALS)


def test_short_names_name_players_too() -> None:
    roles = {"describer": "eye=sim/nearsighted", "reasoner": "mind=sim/ideal"}
    plan = make_plan("sim/ideal", n=1, design="main", paradigms="describe", roles=roles)
    assert plan.labels == ("mind [describer=eye]",)
    again = make_plan("eye=sim/nearsighted", n=1, paradigms="describe", roles={"reasoner": "eye"})
    assert again.labels == ("eye",), "a short name can be used where a subject is wanted"


@pytest.mark.parametrize(
    ("subjects", "words"),
    [
        (["a=sim/ideal", "b=sim/ideal"], "called both a and b"),
        (["a=sim/ideal", "a=sim/blind"], "both sim/ideal and sim/blind are called a"),
        ([FakeSubject(name="x"), FakeSubject(name="x", settings={"v": 2})], "two subjects are called x"),
        ([], "no subject"),
        ([3], "got int"),
    ],
)
def test_names_that_do_not_tell_subjects_apart(subjects: list[Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        make_plan(subjects, n=1)


def test_the_same_subject_twice_is_one() -> None:
    assert make_plan(["sim/ideal", "sim/ideal"], n=1).size == make_plan("sim/ideal", n=1).size


def test_tasks_as_names_objects_files_or_one_string(tmp_path: Path) -> None:
    lamps = task(str(LAMPS))
    for given in ("fixation", ["fixation"], task("fixation"), [task("fixation")]):
        assert make_plan("sim/ideal", tasks=given, n=1).size == 4 * TRIALS
    both = make_plan("sim/ideal", tasks=["fixation", lamps], n=1)
    assert [part.task.name for part in both.parts] == ["fixation", "lamps"]
    exam = snellen.exam("sim/ideal", tasks=lamps, n=3, store=tmp_path / "s.sqlite")
    assert exam.rows.height == 3 * (2 + 2)
    with pytest.raises(UserError, match="got dict"):
        make_plan("sim/ideal", tasks=cast(Any, {"fixation": 3}))


def test_choices_by_task() -> None:
    plan = make_plan(
        "sim/ideal",
        tasks="fixation,winoground",
        n={"fixation": 2, "": 3},
        design={"fixation": "controls"},
        levels={"fixation.game": "reversi", "given": ("image_0",)},
    )
    fixation, winoground = plan.parts
    assert (fixation.order.n, fixation.order.design.name) == (2, "controls")
    assert (winoground.order.n, winoground.task.size(winoground.order.design, 3)) == (3, 3)
    assert {trial.item.levels["game"] for trial in plan.trials() if trial.part is fixation} == {"reversi"}


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"n": {"marvel": 2}}, "task 'marvel' in --n"),
        ({"design": {"fixasion": "main"}}, "did you mean fixation"),
        ({"levels": {"marvel.question": ("fine",)}}, "task 'marvel' in --set"),
        ({"levels": {"fixation.given": ("image_0",)}}, "factor 'given' of task fixation"),
        ({"levels": {"rul": ("inverse",)}}, "factor 'rul' of these tasks; did you mean rule"),
        ({"samples": 0.5}, "--samples"),
        ({"samples": 5000}, "--samples"),
        ({"paradigms": 3}, "got int"),
    ],
)
def test_choices_that_concern_nobody(choices: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        make_plan("sim/ideal", tasks=["fixation", "winoground"], **choices)


# Paradigms


async def reconsider(stimulus: Any, ask: Any, say: Any) -> Reply:
    """Asked once more, with its own answer before it."""
    first = await ask("subject", *stimulus.parts)
    before = (Message("user", stimulus.parts), Message("assistant", (first.text,)))
    return await ask("subject", "Are you sure? Answer once more.", after=before, temperature=1)


def test_a_paradigm_of_ones_own_with_several_turns_and_settings_of_its_own(tmp_path: Path) -> None:
    calls: list[Call] = []

    def heard(call: Call) -> str:
        calls.append(call)
        return "X" if len(call.messages) == 1 else "O"

    subject = FakeSubject(heard, name="mine", settings={"temperature": 0})
    exam = snellen.exam(subject, paradigms=reconsider, store=tmp_path / "s.sqlite", **PLAIN)
    assert set(exam.rows["answer"]) == {"O"}
    assert set(exam.rows["paradigm"]) == {"reconsider"}
    assert exam.rows["calls"].list.len().unique().to_list() == [2]
    second = next(call for call in calls if len(call.messages) == 3)
    assert [message.role for message in second.messages] == ["user", "assistant", "user"]
    assert second.settings == {"temperature": 1}


def test_a_paradigm_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "twice.py"
    path.write_text(
        "async def twice(stimulus, ask, say):\n"
        "    await ask('subject', 'Look closely.', *stimulus.parts)\n"
        "    return await ask('subject', *stimulus.parts)\n"
    )
    exam = snellen.exam("sim/ideal", paradigms=str(path), store=tmp_path / "s.sqlite", **PLAIN)
    assert set(exam.rows["paradigm"]) == {"twice"}
    before = [trial.key for trial in make_plan("sim/ideal", paradigms=str(path), **PLAIN).trials()]
    path.write_text(path.read_text().replace("closely", "again"))
    after = [trial.key for trial in make_plan("sim/ideal", paradigms=str(path), **PLAIN).trials()]
    assert not set(before) & set(after), "a changed paradigm makes other trials"


def test_a_paradigm_of_an_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def load(self) -> Any:
            return reconsider

    monkeypatch.setattr("snellen.paradigms.published", lambda group: {"reconsider": Point()})
    assert make_plan("sim/ideal", paradigms="reconsider", n=1).parts[0].ways[0].paradigm.name == "reconsider"


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (always_x, "the function always_x, which is not async"),
        ("./nowhere.py", "no such file"),
    ],
)
def test_what_is_no_paradigm(thing: Any, words: str) -> None:
    with pytest.raises(UserError, match=words):
        make_plan("sim/ideal", paradigms=thing, n=1)


async def breaks(stimulus: Any, ask: Any, say: Any) -> Reply:
    raise ValueError("no such board")


async def gives_up(stimulus: Any, ask: Any, say: Any) -> Reply:
    raise asyncio.CancelledError


async def returns_words(stimulus: Any, ask: Any, say: Any) -> str:
    return str((await ask("subject", *stimulus.parts)).text)


async def asks_nobody(stimulus: Any, ask: Any, say: Any) -> Any:
    return await ask("umpire", *stimulus.parts)


@pytest.mark.parametrize(
    ("procedure", "words"),
    [
        (breaks, r"paradigm breaks: ValueError: no such board \(test_examine_objects.py, line \d+\)"),
        (gives_up, "paradigm gives_up: CancelledError"),
        (returns_words, r"paradigm returns_words: returned str; expected a reply, as ask\(...\) gives it"),
        (asks_nobody, "unknown role 'umpire' in paradigm asks_nobody; known: subject"),
        (Paradigm("mine", "", ("subject",), breaks), "paradigm mine: ValueError"),
    ],
)
def test_a_paradigm_that_breaks_is_one_line(procedure: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=words):
        snellen.exam("sim/ideal", paradigms=procedure, store=tmp_path / "s.sqlite", **ONE)


def test_a_paradigm_object_is_told_apart_by_its_procedure() -> None:
    def keys(procedure: Any) -> set[bytes]:
        plan = make_plan("sim/ideal", paradigms=Paradigm("mine", "", ("subject",), procedure), **ONE)
        return {trial.key for trial in plan.trials() if trial.way.paradigm.name == "mine"}

    assert keys(reconsider) == keys(reconsider)
    assert not keys(reconsider) & keys(breaks)


# The key stays out of reach


class Spy:
    """Looks for anything in a call that a model must not know."""

    name = "spy"
    settings: dict[str, Any] = {}
    abilities = Abilities()

    def __init__(self) -> None:
        self.calls = 0

    async def __aenter__(self) -> "Spy":
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def answer(self, call: Call) -> Reply:
        self.calls += 1
        assert call.about is None
        for part in (part for message in call.messages for part in message.parts):
            assert type(part) in (str, Picture)
            if isinstance(part, Picture):
                assert (part.twin, part.alt) == ("", "")
        return Reply("Rule: none\nX")


WAYS = [
    *((name, paradigm) for name in task_names() for paradigm in task(name).paradigms),
    *(("bongard", paradigm) for paradigm in SPARING),
]


@some_of(("name", "paradigm"), WAYS, 3)
def test_nobody_is_told_the_key_who_does_not_declare_to_need_it(name: str, paradigm: str, tmp_path: Path) -> None:
    spy = Spy()
    n = 11 if name == "capacity" else 1
    levels = {"kind": ("maze", "chart")} if name == "capacity" else {}
    roles = {"judge": spy, "reader": spy}
    plan = make_plan(spy, tasks=name, n=min(n, 2), paradigms=paradigm, roles=roles, levels=levels)
    run_plan(plan, tmp_path / "s.sqlite")
    assert spy.calls > 0


def test_every_paradigm_there_is_was_spied_on() -> None:
    assert {paradigm for _, paradigm in WAYS} == set(PARADIGMS)


def test_paradigms_cannot_give_the_truth_away_either(tmp_path: Path) -> None:
    async def careless(stimulus: Any, ask: Any, say: Any) -> Reply:
        return await ask("subject", *(part for part in stimulus.parts))

    spy = Spy()
    run_plan(make_plan(spy, paradigms=Paradigm("careless", "", ("subject",), careless), **ONE), tmp_path / "s.sqlite")
    assert spy.calls == TRIALS


# Samples and settings


def test_samples_are_calls_of_their_own_and_the_first_is_the_old_one(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    subject = FakeSubject(lambda call: "XO"[call.sample % 2], name="mine")
    snellen.exam(subject, store=store, **ONE)
    more = snellen.exam(subject, store=store, samples=3, **ONE)
    assert more.summary is not None
    assert (more.summary.done, more.summary.skipped) == (2 * TRIALS, TRIALS)
    assert more.rows["sample"].unique().sort().to_list() == [0, 1, 2]
    assert set(more.rows.filter(pl.col("sample") == 1)["answer"]) == {"O"}
    table = dict(zip(*_samples(more), strict=True))
    assert (table["samples"], table["trials"]) == (3, 12), "of the item as it is, without the rungs below"
    assert table["agreement %"].value == pytest.approx(100 / 3)
    assert table["majority %"].value == pytest.approx(50), "X is said twice of three times, and right half of the time"
    assert table["best of all %"].value == 100
    assert table["all right %"].value == 0


def _samples(exam: snellen.Exam) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    from snellen.examine.findings import table

    found = table(exam.rows, "samples")
    return found.columns, found.rows[0]


def test_a_setting_can_be_a_factor(tmp_path: Path) -> None:
    def my_model(parts: list[Any], effort: str = "low") -> str:
        return "X" if effort == "low" else "O"

    exam = snellen.exam(my_model, n=2, levels={"game": ("tictactoe",), "effort": ("low", "high")}, store=tmp_path / "s")
    said = exam.rows.group_by("setting_effort", maintain_order=True).agg(pl.col("answer").unique())
    assert dict(said.iter_rows()) == {"low": ["X"], "high": ["O"]}
    assert {d.subject for d in exam.findings.diagnoses} == {"my_model (effort=low)", "my_model (effort=high)"}
    from snellen.examine.findings import table

    [row] = table(exam.rows, "settings").rows
    assert row[:4] == ("my_model", "fixation", "effort", "low → high")
    assert row[4] == 24
    with pytest.raises(UserError, match="factor 'effort' of task fixation"):
        make_plan("sim/ideal", levels={"effort": ("low",)}, n=1)


def test_a_setting_is_varied_for_whoever_answers_and_nobody_else(tmp_path: Path) -> None:
    heard: dict[str, set[str]] = {"eye": set(), "mind": set()}

    def eye(parts: list[Any], effort: str = "low") -> str:
        heard["eye"].add(effort)
        return "a board"

    def mind(parts: list[Any], effort: str = "low") -> str:
        heard["mind"].add(effort)
        return "X"

    levels = {**PLAIN["levels"], "effort": ("low", "high")}
    snellen.exam(
        mind, **{**PLAIN, "levels": levels}, paradigms="describe", roles={"describer": eye}, store=tmp_path / "s"
    )
    assert heard == {"eye": {"low"}, "mind": {"low", "high"}}


def test_the_form_is_sent_along_where_a_subject_is_held_to_it(tmp_path: Path) -> None:
    heard: list[Call] = []

    def structured(call: Call) -> str:
        heard.append(call)
        return '{"answer": "O"}'

    subject = FakeSubject(structured, name="mine", settings={"structured": "json"})
    exam = snellen.exam(subject, store=tmp_path / "s.sqlite", **ONE)
    assert set(exam.rows["answer"]) == {"O"}
    assert heard[0].settings["schema"]["properties"] == {"answer": {"type": "string", "enum": ["X", "O"]}}
    assert heard[0].settings["schema"]["required"] == ["answer"]


def test_a_step_by_step_prompt_leaves_room_for_reasoning_which_is_not_the_answer(tmp_path: Path) -> None:
    heard: list[Call] = []
    text = '{"reasoning": "X has three in a row.\\nAnswer: X, so \\\\boxed{X}", "answer": "O"}'

    def structured(call: Call) -> str:
        heard.append(call)
        return text

    subject = FakeSubject(structured, name="mine", settings={"structured": "json"})
    chosen: dict[str, Any] = {**ONE, "levels": {**ONE.get("levels", {}), "response": ("cot",)}}
    exam = snellen.exam(subject, store=tmp_path / "s.sqlite", **chosen)
    thinking = exam.rows.filter(exam.rows["response"] == "cot")
    assert thinking.height
    assert set(thinking["answer"]) == {"O"}
    start, end = thinking["span_start"][0], thinking["span_end"][0]
    assert text[start:end].endswith('"answer": "O"}')
    schemas = {tuple(call.settings["schema"]["required"]) for call in heard}
    assert schemas == {("reasoning", "answer")}


def test_it_works_in_a_loop_that_is_running(tmp_path: Path) -> None:
    async def notebook() -> int:
        return snellen.exam(always_x, store=tmp_path / "s.sqlite", **ONE).rows.height

    assert asyncio.run(notebook()) == TRIALS


def test_a_choice_that_does_not_exist_is_not_ignored(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="unknown choice 'level'; did you mean levels"):
        snellen.exam("sim/ideal", level={"rule": "inverse"}, store=tmp_path / "s.sqlite")  # type: ignore[call-arg]
