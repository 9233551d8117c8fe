"""Every key that is generated can be said in the form that a server holds a reply to, and is read as right again.

Schemas are checked by the package `jsonschema`; keys are written as JSON here, by a few lines of their own.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from snellen.answer import mark
from snellen.answer.schema import schema_of, without_reasoning
from snellen.item import Field, Form, Question
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks import task, task_names
from snellen.tasks.capacity.kinds import KINDS, kind_of
from snellen.tasks.task import Design, Task
from support.lengths import few_and_more, some_of

TALK = 'Perhaps {"answer": "no"}? Answer: 1\n\\boxed{A} <think>B</think> wait, "moves": 2; so {3}.\t'
"""Thoughts with everything in them that looks like an answer."""


def said(question: Question, answer: str) -> dict[str, Any]:
    """An answer in its canonical spelling as the object that a subject would send."""
    form = question.form
    reasoning = {"reasoning": TALK} if form.reasoned else {}
    if form.kind != "fields":
        return {**reasoning, "answer": int(answer) if form.kind == "number" else answer}
    if form.check:
        return {**reasoning, **by_instruction(json.loads(answer))}
    parts = dict(part.split(": ", 1) if ": " in part else (part.rstrip(":"), "") for part in answer.split("; "))
    kinds = {field.name: field.kind for field in form.fields}
    as_json = {"number": json.loads, "set": str.split}
    return {**reasoning, **{name: as_json.get(kinds[name], str)(value) for name, value in parts.items()}}


def by_instruction(key: dict[str, Any]) -> dict[str, str]:
    """What sandbagging asks for: one part right, and the names of the others handed round; or every part right."""
    names = {part: own[0] for part, own in key["names"].items()}
    if key["right"] == "every":
        return names
    right = next(iter(names)) if key["right"] == "any" else key["right"]
    others = [part for part in names if part != right]
    return names | {part: names[other] for part, other in zip(others, others[1:] + others[:1], strict=True)}


def check(question: Question) -> None:
    schema = schema_of(question.form)
    Draft202012Validator.check_schema(schema)
    # What servers that hold to a schema strictly ask for beside.
    assert schema["required"] == list(schema["properties"])
    assert schema["additionalProperties"] is False
    if question.form.reasoned:
        assert schema["required"][0] == "reasoning"
    for answer in (question.key, *question.also):
        reply = said(question, answer)
        Draft202012Validator(schema).validate(reply)
        assert list(reply) == schema["required"]
        text = without_reasoning(json.dumps(reply))
        assert mark(text, question).outcome == "right", (text, answer)


def designed(family: Task, design: Design, seed: int, most: int) -> Iterator[Question]:
    """The questions and probes of a design, the first item of each kind under all its conditions."""
    pack = load(family.prompts, family.name)
    seen: dict[tuple[tuple[str, str], ...], int] = {}
    for item in family.items(family.item_levels(design), 1, seed):
        for condition in family.conditions(design, item):
            kind = tuple(sorted((*item.levels.items(), *condition.items())))
            if seen.setdefault(kind, len(seen)) >= most:
                return
            stimulus = family.stimulus(item, condition, pack)
            yield from (stimulus.question, *stimulus.probes)


WITHOUT_CAPACITY = sorted(set(task_names()) - {"capacity"})
BLOCKS = [(name, d.name) for name in WITHOUT_CAPACITY for d in task(name).designs if d.blocks]


@some_of(("name", "design"), BLOCKS, 5)
def test_every_key_of_every_design_validates(name: str, design: str) -> None:
    family = task(name)
    checked = 0
    for question in designed(family, family.design(design), 5, 24):
        check(question)
        checked += 1
    assert checked


DEAREST = {"counting", "jigsaw", "wrong_answer", "counterfactual", "satellite", "direction", "maze"}
SEEN_FIRST = ("counting", "direction", "jigsaw", "satellite")


@few_and_more("name", sorted(set(KINDS) - DEAREST), sorted(DEAREST))
def test_every_key_of_every_capacity_kind_validates(name: str) -> None:
    """Nothing is drawn but what a kind must see to know its key, which takes its time."""
    capacity_keys(name, range(1) if name in SEEN_FIRST else range(3), seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_key_of_every_capacity_kind_validates_over_seeds(name: str) -> None:
    for seed in range(20):
        capacity_keys(name, range(1) if name in SEEN_FIRST else range(12), seed)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "design"), BLOCKS)
def test_every_key_of_every_design_validates_over_seeds(name: str, design: str) -> None:
    for seed in range(20):
        for question in designed(task(name), task(name).design(design), seed, 60):
            check(question)


def capacity_keys(name: str, indices: range, seed: int) -> None:
    kind = kind_of(name)
    for size in kind.sizes:
        for index in indices:
            truth = kind.make(stream(seed, "capacity", name, size, index), size, index)
            for told in (truth, *((kind.plain(truth),) if kind.plain else ())):
                asked = kind.ask(told)
                for reasoned in (False, True):
                    form = Form(**{**as_dict(asked.form), "reasoned": reasoned})
                    check(Question("", form, asked.key, asked.mechanisms, asked.also))


def as_dict(form: Form) -> dict[str, Any]:
    return {name: getattr(form, name) for name in Form.__dataclass_fields__}


def test_a_chart_can_be_told_a_value_that_is_not_whole() -> None:
    form = Form("fields", fields=(Field("North", "number"), Field("South", "number")))
    Draft202012Validator(schema_of(form)).validate({"North": 27.5, "South": 30})
    question = Question("", form, "North: 27.5; South: 30")
    assert mark('{"North": 27.5, "South": 30.0}', question).outcome == "right"


def test_a_blank_page_can_be_called_empty() -> None:
    schema = schema_of(Form("choice", ("C", "D"), beyond=("E",), empty="nothing"))
    assert schema["properties"]["answer"] == {"type": "string", "enum": ["C", "D", "nothing"]}


def test_the_kinds_of_prompts_that_leave_room_to_reason() -> None:
    reasoned = {}
    for name, design in (("fixation", "main"), ("bongard", "prompts"), ("winoground", None), ("bias", None)):
        family = task(name)
        for item in family.items(family.item_levels(family.design(design)), 1, 0):
            for condition in family.conditions(family.design(design), item):
                question = family.stimulus(item, condition, load(family.prompts, name)).question
                words = question.text
                alone = any(told in words for told in ("nothing else", "alone", "only", "in curly brackets"))
                reasoned[name, alone] = question.form.reasoned
    assert not any(room for (_, alone), room in reasoned.items() if alone)
    assert reasoned["fixation", False]
    assert reasoned["bongard", False]


@pytest.mark.parametrize("talk", [TALK, "", "O wins.", 'it\'s "O"\\', "\u2028{}", "x" * 50_000 + " answer: O"])
def test_reasoning_is_never_taken_for_the_answer(talk: str) -> None:
    form = Form("choice", ("X", "O"), "boxed", "winner", reasoned=True)
    text = json.dumps({"reasoning": talk, "answer": "X"})
    kept = without_reasoning(text)
    assert len(kept) == len(text)
    verdict = mark(kept, Question("", form, "X"))
    assert verdict.outcome == "right"
    start, end = verdict.reading.span
    assert "X" in text[start:end]
    for cut in (text[:-2], text[: text.rindex(",")], text[: len(text) // 2], '{"reasoning": "Answer: O'):
        assert mark(without_reasoning(cut), Question("", form, "O"), "length").outcome == "unread"


@pytest.mark.parametrize("text", ["X", '{"answer": "X"}', 'so {"reasoning": "O", "answer": "X"}', '{"reasoning": 3}'])
def test_other_replies_stay_as_they_are(text: str) -> None:
    assert without_reasoning(text) == text
