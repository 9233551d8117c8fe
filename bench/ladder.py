"""The ladder against planted faults: does it find what was put in, and charge nobody else?

Exams are simulated in numpy at the sizes of the quick designs and judged by the code that judges real ones. The
simulation draws what a subject has of each item, of each unit of it and of each call; it knows nothing of the
estimator. `bench.power` uses the same simulation to check the stated power.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.ladder.case import LadderEvidence, case_of
from snellen.analysis.ladder.rungs import LadderResult, LadderSpec, RungResult
from snellen.analysis.ladder.verdict import judge
from snellen.faculties import Faculty
from snellen.ladder import Rung

Row = tuple[str, str, str]
Bools = NDArray[np.bool_]
REPEATS = 8
QUARTER, HALF = 0.25, 0.5
LABELS = ("A", "B", "C", "D")
CLOSE = 1e-9
SIGNATURE = ("usual number", "as far the other way")
ATTENTION: tuple[Faculty, ...] = ("attention",)
THINKING: tuple[Faculty, ...] = (*ATTENTION, "thinking")
EYES: tuple[Faculty, ...] = (*THINKING, "eyes")
HABIT: tuple[Faculty, ...] = (*EYES, "habit")


@dataclass(frozen=True, slots=True)
class RungShape:
    """A rung as it is asked: how many units of an item (0: all), how many items have it (0: all), whether it stands
    beside the line and is taken into the tree, and whether habit has a signature on it."""

    name: str
    demands: tuple[Faculty, ...]
    units: int = 0
    items: int = 0
    joint: bool = False
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A task's quick design: items, units of an item, its rungs, and among how many options so many items are guessed
    (0: nothing to guess from)."""

    task: str
    items: int
    units: int
    rungs: tuple[RungShape, ...]
    options: tuple[tuple[int, int], ...]

    @property
    def line(self) -> tuple[RungShape, ...]:
        return tuple(rung for rung in self.rungs if not rung.joint)

    @property
    def adds(self) -> tuple[Faculty, ...]:
        """The faculty that each rung of the line adds."""
        return self.line[-1].demands

    def share_of(self, faculty: Faculty) -> float:
        """The share of the items that can show a loss."""
        rung = next(rung for rung in self.line if faculty in rung.demands)
        return rung.items / self.items if rung.items else 1.0


_FREE = (RungShape("told", ATTENTION), RungShape("words", THINKING), RungShape("pictures", EYES))
_BONGARD: tuple[Faculty, ...] = ("attention", "applying", "finding", "eyes")
_BIAS: tuple[Faculty, ...] = (*EYES, "clutter", "habit")
SHAPES = (
    Shape(
        "fixation",
        60,
        2,
        (
            RungShape("told", ATTENTION, units=1),
            *_FREE[1:],
            RungShape("inverse in words", (*THINKING, "habit"), joint=True),
            RungShape("inverse", HABIT),
        ),
        ((60, 2),),
    ),
    Shape("bongard", 80, 2, tuple(RungShape(name, _BONGARD[: k + 1]) for k, name in enumerate(_BONGARD)), ((80, 2),)),
    Shape("winoground", 60, 4, (RungShape("told", ATTENTION, units=2), *_FREE[1:]), ((60, 2),)),
    Shape("marvel", 90, 1, (*_FREE, RungShape("words beside the picture", THINKING, joint=True)), ((90, 4),)),
    Shape("capacity", 110, 1, (*_FREE, RungShape("against habit", HABIT, items=24)), ((90, 0), (20, 4))),
    Shape(
        "bias",
        60,
        1,
        (*_FREE, RungShape("anonymous", _BIAS[:4]), RungShape("counterfactual", _BIAS, signed=True)),
        ((60, 0),),
    ),
)
BY_TASK = {shape.task: shape for shape in SHAPES}


@dataclass(frozen=True, slots=True)
class Fault:
    """How often each faculty fails where all before it did not. `by_unit`: faculties that fail on units and not on
    whole items."""

    name: str
    fails: dict[Faculty, float] = field(default_factory=dict)
    by_unit: tuple[Faculty, ...] = ()


def faults(shape: Shape) -> Iterator[Fault]:
    """The grid: no fault, each alone on a quarter and on half of the items (or units), each with the next, and all
    together."""
    yield Fault("no fault")
    for faculty in shape.adds:
        yield Fault(f"{faculty} 25 %", {faculty: QUARTER})
        yield Fault(f"{faculty} 50 %", {faculty: HALF})
        if shape.units > 1 and faculty != "attention":
            yield Fault(f"{faculty} 25 % of the units", {faculty: QUARTER}, (faculty,))
    for one, other in pairwise(shape.adds):
        yield Fault(f"{one} 25 %, {other} 40 %", {one: QUARTER, other: 0.4})
    yield Fault("all 15 %", dict.fromkeys(shape.adds, 0.15))


def planted(shape: Shape, fault: Fault) -> dict[Faculty, float]:
    """What the fault costs at each step, as a share of the items that have its rung."""
    left, losses = 1.0, dict[Faculty, float]()
    for faculty in shape.adds:
        losses[faculty] = left * fault.fails.get(faculty, 0.0)
        left -= losses[faculty]
    return losses


# Simulated exams


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a subject with a fault has of each item (items x units), by faculty, and how often it slips."""

    fails: dict[Faculty, Bools]
    slips: float

    def answers(self, rung: RungShape, luck: NDArray[np.float64], rng: np.random.Generator) -> tuple[Bools, Bools]:
        """Which units are right on a rung, and which are wrong by habit."""
        others = [self.fails[name] for name in rung.demands if name not in ("attention", "habit")]
        failed = np.any(others, 0) if others else np.zeros(1, dtype=bool)
        shape = self.fails["habit"].shape
        known = ~failed & (rng.random(shape) >= self.slips)
        by_habit = known & self.fails["habit"] if "habit" in rung.demands else np.zeros(shape, dtype=bool)
        return np.where(known, ~by_habit, rng.random(shape) < luck[:, None]), by_habit


def simulated(shape: Shape, fault: Fault, rng: np.random.Generator) -> LadderResult:
    """One subject with the fault on the ladder."""
    n, units = shape.items, shape.units
    options = np.repeat([k for _, k in shape.options], [count for count, _ in shape.options])
    luck = np.where(options > 1, 1 / np.maximum(options, 1), 0.0)
    fails = {}
    for faculty in dict.fromkeys((*shape.adds, "habit")):
        each = units if faculty in fault.by_unit else 1
        fails[faculty] = np.repeat(rng.random((n, each)) < fault.fails.get(faculty, 0.0), units // each, axis=1)
    subject = _Subject(fails, fault.fails.get("attention", 0.0))
    results = []
    for rung in shape.rungs:
        right, by_habit = subject.answers(rung, luck, rng)
        asked = np.zeros((n, units), dtype=bool)
        asked[: rung.items or n, : rung.units or units] = True
        results.append(_result(rung, shape, options, asked, right, by_habit, rng))
    names = tuple(f"{item} | {unit}" for item in range(n) for unit in range(units))
    items = np.repeat(np.arange(n), units)
    spec = LadderSpec(shape.task, tuple(result.rung for result in results), {})
    line, beside = (tuple(result for result in results if result.rung.on_line == on) for on in (True, False))
    trials = pl.concat([result.trials for result in results])
    return LadderResult("planted", spec, names, items, items, np.repeat(luck, units), line, beside, trials)


def _result(
    of: RungShape,
    shape: Shape,
    options: NDArray[np.int64],
    asked: Bools,
    right: Bools,
    by_habit: Bools,
    rng: np.random.Generator,
) -> RungResult:
    items, units = np.nonzero(asked)
    trials = pl.DataFrame(
        {
            "item": [str(item) for item in items],
            "unit": [f"{item} | {unit}" for item, unit in zip(items, units, strict=True)],
            "outcome": np.where(right[asked], "right", "wrong"),
            "reason": "",
            "mechanism": _mechanisms(right[asked], by_habit[asked], rng),
            **_answers(options[items], right[asked], rng),
        },
        schema_overrides={"labels": pl.List(pl.String)},
    ).with_columns(cluster=pl.col("item"))
    signature = SIGNATURE if of.signed else None
    rung = Rung(of.name, "", of.demands, (), on_line=not of.joint, joint=of.joint, signature=signature)
    replies = asked.ravel().astype(np.float64)
    has = np.repeat(np.arange(shape.items) < (of.items or shape.items), shape.units)
    return RungResult(rung, trials, replies, replies, replies * right.ravel(), np.zeros(len(replies)), has)


def _mechanisms(right: Bools, by_habit: Bools, rng: np.random.Generator) -> list[str]:
    """Whoever errs by habit says the usual number; other errors go either way."""
    either = rng.choice([*SIGNATURE, ""], len(right), p=(0.4, 0.4, 0.2))
    return [str(kind) for kind in np.where(right, "", np.where(by_habit, SIGNATURE[0], either))]


def _answers(options: NDArray[np.int64], right: Bools, rng: np.random.Generator) -> dict[str, Any]:
    """Keys at random, wrong answers at random: nobody leans."""
    many = np.where(options > 1, options, 30)
    keys = rng.integers(0, many)
    others = (keys + rng.integers(1, many)) % many
    names = [LABELS[:k] if k > 1 else [str(number) for number in range(30)] for k in options]
    said = np.where(right, keys, others)
    return {
        "key": [own[key] for own, key in zip(names, keys, strict=True)],
        "answer": [own[answer] for own, answer in zip(names, said, strict=True)],
        "labels": [list(LABELS[:k]) if k > 1 else [] for k in options],
    }


# What comes of them


@dataclass(frozen=True, slots=True)
class Tally:
    """Over the repeats, for each faculty: how often its loss lay in its interval, and how often it was named; how often
    anybody was charged who should not have been, how often all faults were named, and how often the verdict was
    unclear."""

    covered: dict[Faculty, float]
    named: dict[Faculty, float]
    falsely: float
    every: float
    unclear: float


def tally(shape: Shape, fault: Fault, repeats: int = REPEATS) -> Tally:
    """The fault planted so many times, judged each time."""
    rng = np.random.default_rng([shape.items, *fault.name.encode()])
    losses = planted(shape, fault)
    covered, named = dict.fromkeys(shape.adds, 0), dict.fromkeys(shape.adds, 0)
    falsely = every = unclear = 0
    for _ in range(repeats):
        case = case_of(simulated(shape, fault, rng), 0)
        judgement = judge(case)
        for faculty in covers(case, losses):
            covered[faculty] += 1
        for faculty in shape.adds:
            named[faculty] += faculty in judgement.named
        falsely += any(losses.get(faculty, 0.0) == 0 for faculty in judgement.named)  # type: ignore[call-overload]
        every += set(fault.fails) <= set(judgement.named)
        unclear += judgement.verdict == "unclear"
    covering, naming = ({name: count / repeats for name, count in counts.items()} for counts in (covered, named))
    return Tally(covering, naming, falsely / repeats, every / repeats, unclear / repeats)


def covers(case: LadderEvidence, losses: dict[Faculty, float]) -> Iterator[Faculty]:
    """The faculties whose planted loss lies in its interval."""
    for loss in case.losses:
        share = loss.among or loss.share
        if len(loss.faculties) == 1 and share.low is not None and share.high is not None:
            faculty: Faculty = loss.faculties[0]  # type: ignore[assignment]
            if faculty in losses and share.low - CLOSE <= losses[faculty] <= share.high + CLOSE:
                yield faculty


def must_be_named(shape: Shape, fault: Fault) -> bool:
    """Whether a verdict must name the fault: it is the only one, and on at least a quarter of the items."""
    return len(fault.fails) == 1 and all(rate >= QUARTER for rate in fault.fails.values())


PAIRS = {
    "eyes 30 %, slips 30 %": Fault("eyes 30 %, slips 30 %", {"eyes": 0.3, "attention": 0.3}),
    "thinking 30 %, eyes 30 %": Fault("thinking 30 %, eyes 30 %", {"thinking": 0.3, "eyes": 0.3}),
}
"""Two faults at once, the second on so much of what the first leaves."""


def measure(repeats: int = REPEATS) -> list[Row]:
    """Some rows for each task: what is covered, named, charged falsely and left unclear; then pairs of faults."""
    grid = [row for shape in SHAPES for row in _rows(shape, repeats)]
    return [*grid, *(row for task in ("fixation", "winoground", "marvel") for row in pairs(BY_TASK[task], repeats))]


def _rows(shape: Shape, repeats: int) -> Iterator[Row]:
    where = f"{shape.task}, {shape.items} items"
    tallies = [(fault, tally(shape, fault, repeats)) for fault in faults(shape)]
    cells = [share for _, found in tallies for share in found.covered.values()]
    yield (
        f"{where}: planted losses covered, mean and lowest of {len(cells)} cells",
        f"{fmean(cells):.0%}, {min(cells):.0%}",
        "lowest >= 90 %",
    )
    due = [(faculty, found) for fault, found in tallies if must_be_named(shape, fault) for faculty in fault.fails]
    yield f"{where}: the only fault named, on 25 % and 50 % of the items and 25 % of the units", _named(due), ">= 90 %"
    falsely, unclear = (fmean(getattr(found, what) for _, found in tallies) for what in ("falsely", "unclear"))
    yield f"{where}: verdicts that charge falsely; that are unclear", f"{falsely:.1%}; {unclear:.1%}", "<= 5 %"


def _named(due: Sequence[tuple[Faculty, Tally]]) -> str:
    by_faculty: dict[Faculty, list[str]] = {}
    for faculty, found in due:
        by_faculty.setdefault(faculty, []).append(f"{found.named[faculty]:.0%}")
    return "; ".join(f"{faculty} {', '.join(shares)}" for faculty, shares in by_faculty.items())


def pairs(shape: Shape, repeats: int) -> Iterator[Row]:
    """Two faults at once: how often both are named, and how often anything else is."""
    for name, fault in PAIRS.items():
        found = tally(shape, fault, repeats)
        named = ", ".join(f"{faculty} {found.named[faculty]:.0%}" for faculty in fault.fails)
        yield f"{shape.task}: {name}: both named", f"{found.every:.0%} ({named})", ">= 90 %"
        yield f"{shape.task}: {name}: anything else named; unclear", f"{found.falsely:.0%}; {found.unclear:.0%}", "0 %"


def main() -> None:
    """`python -m bench.ladder 40`: the same with more repeats."""
    for row in measure(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS):
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
