"""The rungs below a task: what exactly is asked, that no picture is shown, and to what they do not apply."""

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest

from snellen.call import CallFailed, Reply
from snellen.errors import UserError
from snellen.examine import make_plan
from snellen.item import Condition, Picture, Stimulus
from snellen.paradigms import PARADIGMS, WORDING
from snellen.prompts import load
from snellen.subjects.answers import in_plain_words
from snellen.subjects.oracles import concept_of
from snellen.tasks import task, task_names

PACK = load(WORDING, "paradigms", fallback=WORDING)


def say(piece: str, **values: str) -> str:
    return PACK.say(piece, Condition(), values)


def stimulus(name: str, **levels: str) -> Stimulus:
    known = task(name)
    design = known.changed(known.designs[0], {factor: (level,) for factor, level in levels.items()})
    return next(known.stimuli(design, 1, 0, load(known.prompts, known.name)))


def asked(paradigm: str, shown: Stimulus) -> list[tuple[str, tuple[Any, ...], Any]]:
    """Every call that the paradigm makes: the role, what is put to it, and the form that is wanted."""
    calls: list[tuple[str, tuple[Any, ...], Any]] = []

    async def ask(role: str, *parts: Any, form: Any = None, **settings: Any) -> Reply:
        calls.append((role, parts, form))
        return Reply(f"words number {len(calls)}")

    asyncio.run(cast(Any, PARADIGMS[paradigm].run(shown, ask, cast(Any, say))))
    return calls


def no_picture(parts: tuple[Any, ...]) -> bool:
    return not any(isinstance(part, Picture) for part in parts)


@pytest.mark.parametrize("name", task_names())
def test_told_states_the_answer_then_asks_and_shows_nothing(name: str) -> None:
    shown = stimulus(name)
    ((role, parts, form),) = asked("told", shown)
    assert role == "subject"
    assert no_picture(parts)
    (words,) = parts
    answer = in_plain_words(shown.question)
    stated, question = words.index(f"\n\n{answer}\n\n"), words.rindex(shown.question.text)
    assert words.startswith("No. ")
    assert words.index(say("told")) < stated
    assert stated < question
    assert words.endswith(f"{shown.question.text}\n\n{say('told_end', answer=answer)}")
    assert words.endswith(answer), "small models go by what they read last"
    assert form == shown.question.form


def test_told_ends_with_the_question_where_a_pack_leaves_the_end_empty() -> None:
    async def ask(role: str, *parts: Any, **settings: Any) -> Reply:
        return Reply(parts[0])

    def brief(piece: str, **values: str) -> str:
        return "" if piece == "told_end" else say(piece, **values)

    shown = stimulus(task_names()[0])
    reply = asyncio.run(cast(Any, PARADIGMS["told"].run(shown, ask, cast(Any, brief))))
    assert reply.text.endswith(shown.question.text)


@pytest.mark.parametrize("name", task_names())
def test_words_stand_in_the_pictures_places(name: str) -> None:
    shown = stimulus(name)
    ((role, parts, form),) = asked("words", shown)
    (words,) = parts
    assert role == "subject"
    assert words.startswith(say("in_words"))
    assert shown.question.text in words
    assert form == shown.question.form
    twins = [picture.twin for picture in shown.pictures]
    assert all(twin in words for twin in twins) if all(twins) else shown.twin in words


def test_the_board_in_words_keeps_its_rule() -> None:
    ((_, (words,), _),) = asked("words", stimulus("fixation", rule="inverse"))
    ((_, (usual,), _),) = asked("words", stimulus("fixation", rule="standard"))
    assert words != usual


def test_the_rule_is_given_in_place_of_the_examples() -> None:
    shown = stimulus("bongard")
    ((role, parts, _),) = asked("rule", shown)
    assert role == "subject"
    assert sum(isinstance(part, Picture) for part in parts) == 1 < len(shown.pictures)
    assert any(concept_of(shown.item) in part for part in parts if isinstance(part, str))


def test_the_rule_in_words_shows_no_picture() -> None:
    shown = stimulus("bongard")
    ((_, (words,), _),) = asked("rule-words", shown)
    (query,) = [part for part in asked("rule", shown)[0][1] if isinstance(part, Picture)]
    assert query.twin in words
    assert concept_of(shown.item) in words
    assert sum(picture.twin in words for picture in shown.pictures) < len(shown.pictures)


def test_the_rule_and_ones_own_words() -> None:
    describing, reasoning = asked("rule-ca", stimulus("bongard"))
    assert describing[0] == "describer"
    assert sum(isinstance(part, Picture) for part in describing[1]) == 1
    role, parts, _ = reasoning
    assert role == "reasoner"
    assert no_picture(parts)
    assert "words number 1" in parts[0]


@pytest.mark.parametrize("paradigm", ["words", "rule-words"])
def test_without_exact_words_nothing_is_made_up(paradigm: str) -> None:
    shown = stimulus("bongard")
    bare = [replace(part, twin="") if isinstance(part, Picture) else part for part in shown.parts]
    scripts = {
        name: tuple(replace(part, twin="") if isinstance(part, Picture) else part for part in parts)
        for name, parts in shown.scripts.items()
    }
    with pytest.raises(CallFailed, match="no twin"):
        asked(paradigm, replace(shown, parts=tuple(bare), twin="", scripts=scripts))


@pytest.mark.parametrize("paradigm", ["rule", "rule-words", "rule-ca"])
def test_without_a_concept_there_is_no_rule_to_give(paradigm: str) -> None:
    shown = stimulus("bongard")
    truth = {name: value for name, value in shown.item.truth.items() if name != "concept"}
    with pytest.raises(CallFailed, match="no known concept"):
        asked(paradigm, replace(shown, item=replace(shown.item, truth=truth)))


def test_a_rung_that_a_task_has_not_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="cannot be used with task winoground"):
        make_plan("sim/ideal", tasks="winoground", paradigms="rule", n=1)


@pytest.mark.parametrize(
    ("name", "trials"), [("fixation", 1020), ("bongard", 640), ("winoground", 600), ("marvel", 720), ("capacity", 354)]
)
def test_quick_designs_contain_their_ladder(name: str, trials: int) -> None:
    plan = make_plan("sim/ideal", tasks=name)
    assert plan.size == trials
    asked_by = {way.paradigm.name for part in plan.parts for way in part.ways}
    for rung in task(name).ladder:
        if rung.on_line:
            assert any(set(put.paradigms) & asked_by for put in rung.puts), rung.name
