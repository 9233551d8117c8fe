"""Subjects for simulated exams that stop when they know: what each has of an item, and what it then answers.

Written apart from what the package expects of subjects: a subject has or lacks faculties item by item, and an answer
follows from what the rung demands. Some do what the package's expectation takes for granted; the others break it: their
faults sit in some kinds of items, on hard items or under one of an item's questions only, their slips come in runs,
their guesses at the questions of an item are one guess, or they say the first option.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Literal

from snellen.sequential import ItemScore
from snellen.tasks.sequential import Draw, SequentialLadder

Where = Literal["any item", "some kinds", "hard items", "one question"]
FORM = "form"
TWENTY = 0.2
RUN = 12
"""Calls that a run of slips lasts, on average."""


@dataclass(frozen=True)
class Planted:
    """What a subject lacks. `fails`: faculties with the share of items that fail, of those that nothing before failed.
    `slips`: of all calls, in runs of `run` calls on average. `leaning`: the share of calls that get the first option.
    `where` its faults sit. `one_guess`: guesses at an item are all right or all wrong."""

    name: str
    fails: tuple[tuple[str, float], ...] = ()
    slips: float = 0.0
    run: int = 1
    leaning: float = 0.0
    where: Where = "any item"
    one_guess: bool = False

    @property
    def faults(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.fails) | ({"attention"} if self.slips or self.leaning else set())


def usual_subjects(ladder: SequentialLadder) -> Iterator[Planted]:
    """Those that do what is expected of subjects."""
    adds = [names[0] for names in ladder.design().faculties]
    thinks = "thinking" if "thinking" in adds else "finding"
    yield Planted("ideal")
    if "habit" in adds:
        yield Planted("habit 60", (("habit", 0.6),))
    yield Planted("eyes 40", (("eyes", 0.4),))
    second = (("eyes", 0.4), ("habit", 0.7)) if "habit" in adds else ((thinks, 0.4), ("eyes", 0.4))
    yield Planted("two faults", second)
    yield Planted("thinking 40", ((thinks, 0.4),))
    yield Planted("slips 30", slips=0.3)
    yield Planted("guesser", slips=1.0)
    for name in adds:
        alone = Planted(f"{name} 20", ((name, TWENTY),))
        yield Planted("slips 20", slips=TWENTY) if name == "attention" else alone


def unusual_subjects(ladder: SequentialLadder) -> Iterator[Planted]:
    """Those that break what is expected."""
    adds = [names[0] for names in ladder.design().faculties]
    thinks = "thinking" if "thinking" in adds else "finding"
    if len(ladder.kinds) > 1:
        yield Planted("eyes in some kinds", (("eyes", 0.4),), where="some kinds")
    yield Planted("thinking on hard items", ((thinks, 0.4),), where="hard items")
    yield Planted("slips in runs", slips=0.3, run=RUN)
    yield Planted("says the first option", leaning=0.5)
    yield Planted("one guess an item", (("eyes", 0.4),), one_guess=True)
    if ladder.design().questions > 1:
        yield Planted("eyes under one question", (("eyes", 0.6),), where="one question")


def subjects_of(ladder: SequentialLadder) -> list[Planted]:
    return [*usual_subjects(ladder), *unusual_subjects(ladder)]


def losses(ladder: SequentialLadder, planted: Planted) -> list[float]:
    """What is lost at each step, as a share of the items that have its rung (of their questions, where only one of them
    fails): what fails there of what nothing before failed."""
    fails, left, found = dict(planted.fails), 1.0, []
    for names in ladder.design().faculties:
        share = _share(ladder, planted, fails.get(names[0], 0.0))
        found.append(left * share)
        left -= left * share
    if planted.where == "one question":
        found = [loss / ladder.design().questions for loss in found]
    found[0] = planted.slips or planted.leaning or found[0]
    return [loss if k == 0 or planted.slips < 1 else 0.0 for k, loss in enumerate(found)]


def _share(ladder: SequentialLadder, planted: Planted, share: float) -> float:
    return _bad_kinds(ladder, share) / len(ladder.kinds) if planted.where == "some kinds" and share else share


def _bad_kinds(ladder: SequentialLadder, share: float) -> int:
    return max(1, round(share * len(ladder.kinds)))


@dataclass
class _Item:
    """What a subject has of an item: by faculty whether it fails, question by question; whether the first option is
    right; and whether its guess is, where it has only one."""

    fails: dict[str, tuple[bool, ...]]
    first: tuple[bool, ...]
    lucky: bool


class SimulatedSitting:
    """A subject in one exam. `options`: by kind how many answers there are to choose from, 0 for open questions."""

    def __init__(self, ladder: SequentialLadder, planted: Planted, options: Sequence[int], seed: int) -> None:
        self._ladder, self._planted, self.options = ladder, planted, options
        self._questions = ladder.design().questions
        self._rng = Random(f"{planted.name} {ladder.rungs[-1].name} {seed}")
        kinds = len(ladder.kinds)
        order = self._rng.sample(range(kinds), kinds)
        self._hardness = [(place + 0.5) / kinds for place in order]
        self._bad = {name: set(order[: _bad_kinds(ladder, share)]) for name, share in planted.fails}
        self._hard_from = {name: _hard_from(self._hardness, share) for name, share in planted.fails}
        self._slipping = self._rng.random() < planted.slips
        self._items: dict[int, _Item] = {}

    def answer(self, draw: Draw, rung: int, question: int) -> tuple[bool, int]:
        """Whether an answer is right, and on which side of the key it errs: 1 where a habit does."""
        item = self._items.get(draw.number) or self._items.setdefault(draw.number, self._meet(draw))
        return self._answer(item, self._ladder.rungs[rung].demands, question, self.options[draw.kind])

    def score(self, draw: Draw, rung: int) -> ItemScore:
        """An item on a rung, all its questions."""
        answers = [self.answer(draw, rung, question) for question in range(self._questions)]
        right = [is_right for is_right, _ in answers]
        signs = sum(sign for _, sign in answers) if self._ladder.rungs[rung].signature else 0
        chance = 1 / self.options[draw.kind] if self.options[draw.kind] else 0.0
        return ItemScore(all(right), sum(right) / len(right), chance, (signs > 0) - (signs < 0))

    def _meet(self, draw: Draw) -> _Item:
        options, rng = self.options[draw.kind], self._rng
        fails = {name: self._fails(name, share, draw.kind) for name, share in self._planted.fails}
        first = rng.random() < 1 / max(options, 1) and options > 1
        # The two questions of an item have opposite answers, so whoever says the first option is right on one of them.
        return _Item(fails, (first, not first)[: self._questions], options > 1 and rng.random() < 1 / options)

    def _fails(self, name: str, share: float, kind: int) -> tuple[bool, ...]:
        lot, where = self._rng.random(), self._planted.where
        if where == "some kinds":
            return (kind in self._bad[name],) * self._questions
        if where == "hard items":
            return (self._hardness[kind] + lot > self._hard_from[name],) * self._questions
        if where == "one question":
            return (lot < share, *(False,) * (self._questions - 1))
        return (lot < share,) * self._questions

    def _answer(self, item: _Item, demands: Sequence[str], question: int, options: int) -> tuple[bool, int]:
        slips, planted = self._slips(), self._planted
        if planted.leaning and self._rng.random() < planted.leaning:
            return item.first[question], 0
        if slips:
            return self._guess(item, options)
        for name in demands:
            if name in item.fails and item.fails[name][question]:
                return (False, 1) if name == "habit" else self._guess(item, options)
        return True, 0

    def _guess(self, item: _Item, options: int) -> tuple[bool, int]:
        lucky = item.lucky if self._planted.one_guess else options > 1 and self._rng.random() < 1 / options
        return lucky, 0 if lucky else self._rng.choice((-1, 0, 1))

    def _slips(self) -> bool:
        """Whether this call is a slip: runs of so many calls, as rare as makes up the share."""
        slips, run = self._planted.slips, self._planted.run
        if run == 1 or slips in (0.0, 1.0):
            return self._rng.random() < slips
        changes = 1 / run if self._slipping else slips / (1 - slips) / run
        self._slipping ^= self._rng.random() < changes
        return self._slipping


def _hard_from(hardness: Sequence[float], share: float) -> float:
    """Where hard items begin, if an item is as hard as its kind and a lot of its own from 0 to 1 together, and so many
    of all are hard."""
    low, high = 0.0, 2.0
    for _ in range(40):
        middle = (low + high) / 2
        is_more = fmean(min(max(1 - middle + kind, 0.0), 1.0) for kind in hardness) > share
        low, high = (middle, high) if is_more else (low, middle)
    return low
