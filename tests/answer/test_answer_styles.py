"""Every task, every condition, five ways of speaking: none is read less often under one condition than under another,
and what is read is what was said."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

import pytest
from speaking_styles import STYLES, replies

from snellen.answer import mark
from snellen.item import Item, Question
from snellen.prompts import load
from snellen.tasks import Design, Task, task

DESIGNS = {
    "fixation": ("main", "controls", "api"),
    "bias": ("naming", "notice", "paper"),
    "bongard": ("prompts", "examples"),
    "winoground": ("quick",),
    "marvel": ("ladder", "looks"),
    "acuity": ("constant", "resolution", "same"),
    "capacity": ("describe",),
}
ITEMS = {"fixation": 4, "marvel": 6, "capacity": 6}
"""How many kinds of items are asked about; pictures take their time."""
PROBES = 5
ANSWERS = 4
APART = 0.02
LEAST = 0.9


def items(family: Task, design: Design, most: int) -> Iterator[Item]:
    """One item of each of some kinds, from all over the task."""
    levels = family.item_levels(design)
    if family.item is None:
        yield from islice(family.items(levels, 1, 5), most)
        return
    kinds = [kind for kind, _ in family.counts(levels, family.design().n)]
    yield from (family.item(kind, 0, 5) for kind in kinds[:: max(1, len(kinds) // most)][:most])


def questions(name: str) -> Iterator[tuple[dict[str, str], Question]]:
    """The questions of a task with the conditions they are asked under; perception questions are one, too."""
    family = task(name)
    pack = load(family.prompts, family.name)
    for design in (family.design(each).whole for each in DESIGNS[name]):
        for item in items(family, design, ITEMS.get(name, 12)):
            for condition in family.conditions(design, item):
                stimulus = family.probed(family.stimulus(item, condition, pack))
                yield {**condition, "asked": "the item"}, stimulus.question
                yield from (({**condition, "asked": "probe"}, probe) for probe in stimulus.probes[:PROBES])


def answers(question: Question) -> list[str]:
    """The key and some others."""
    form = question.form
    if form.kind == "choice":
        return [question.key, *(label for label in form.labels if label != question.key)][:ANSWERS]
    return [question.key, str(int(question.key) + 1)] if form.kind == "number" else [question.key]


@dataclass
class Readings:
    """Replies that were read as something else, and the share that was read: by style and factor, then by level."""

    false: list[tuple[str, str, str, str]] = field(default_factory=list)
    shares: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)


@lru_cache
def readings(name: str) -> Readings:
    found = Readings()
    known: dict[tuple[str, str], bool] = {}
    put: Counter[tuple[str, str, str]] = Counter()
    read: Counter[tuple[str, str, str]] = Counter()
    for levels, question in questions(name):
        if question.form.check == "one-of-four":
            continue  # nobody would say four names in other ways
        for x in answers(question):
            for style, reply in replies(question, x):
                if (question.text, reply) not in known:
                    verdict = mark(reply, replace(question, key=x, also=()))
                    known[question.text, reply] = verdict.outcome == "right"
                    if verdict.outcome == "wrong":
                        found.false.append((question.text[-200:], reply, x, verdict.reading.answer))
                for factor, level in levels.items():
                    put[style, factor, level] += 1
                    read[style, factor, level] += known[question.text, reply]
    for (style, factor, level), many in put.items():
        found.shares.setdefault((style, factor), {})[level] = read[style, factor, level] / many
    return found


@pytest.mark.soak
@pytest.mark.parametrize("name", DESIGNS)
def test_what_is_read_is_what_was_said(name: str) -> None:
    found = readings(name)
    assert found.false == []
    assert {style for style, _ in found.shares} == set(STYLES)


@pytest.mark.soak
@pytest.mark.parametrize("name", DESIGNS)
def test_every_condition_is_read_alike(name: str) -> None:
    shares = readings(name).shares
    low = {where: each for where, each in shares.items() if min(each.values()) < LEAST}
    apart = {where: each for where, each in shares.items() if max(each.values()) - min(each.values()) > APART}
    assert not low, low
    assert not apart, apart
