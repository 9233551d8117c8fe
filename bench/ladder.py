"""The ladder against planted faults: does it find what was put in, name what it promises, and charge nobody else?

Climbs are simulated in numpy at the sizes of the quick designs and judged by the very code that judges exams. The
simulation draws what a subject has of each item and each call; it knows nothing of the estimator.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.ladder.case import Case, case_of
from snellen.analysis.ladder.climb import Climb, Outline, Stand
from snellen.analysis.ladder.verdict import judge
from snellen.tasks.ladder import Faculty, Rung

Row = tuple[str, str, str]
Bools = NDArray[np.bool_]
REPEATS = 14
QUARTER, HALF = 0.25, 0.5
LABELS = ("A", "B", "C", "D")
CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Shape:
    """A task's quick design as the ladder sees it: items, calls an item on each rung, the faculty each rung adds, and
    among how many options a guess falls (0: none to guess from). `against`: the items that have a habit to go against.
    """

    task: str
    items: int
    calls: tuple[int, ...]
    adds: tuple[Faculty, ...]
    options: int
    against: int = 0

    @property
    def luck(self) -> float:
        return 1 / self.options if self.options else 0.0


SHAPES = (
    Shape("fixation", 60, (1, 2, 2, 2), ("attention", "thinking", "eyes", "habit"), 2, 60),
    Shape("bongard", 80, (2, 2, 2, 2), ("attention", "applying", "finding", "eyes"), 2),
    Shape("winoground", 60, (2, 4, 4), ("attention", "thinking", "eyes"), 2),
    Shape("marvel", 90, (1, 1, 1), ("attention", "thinking", "eyes"), 4),
    Shape("capacity", 110, (1, 1, 1, 1), ("attention", "thinking", "eyes", "habit"), 0, 24),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """How often each faculty fails where all before it did not. `by_call`: faculties that fail call by call and not
    item by item, though the tree takes them to."""

    name: str
    fails: dict[Faculty, float] = field(default_factory=dict)
    by_call: tuple[Faculty, ...] = ()


def faults(shape: Shape) -> Iterator[Fault]:
    """The grid: no fault, each alone on a quarter and on half of the items, each with the next, and all together."""
    yield Fault("no fault")
    for faculty in shape.adds:
        yield Fault(f"{faculty} 25 %", {faculty: QUARTER})
        yield Fault(f"{faculty} 50 %", {faculty: HALF})
    for one, other in pairwise(shape.adds):
        yield Fault(f"{one} 25 %, {other} 40 %", {one: QUARTER, other: 0.4})
    yield Fault("all 15 %", dict.fromkeys(shape.adds, 0.15))
    if "applying" in shape.adds:
        yield Fault("applying 25 %, call by call", {"applying": QUARTER}, ("applying",))


def planted(shape: Shape, fault: Fault) -> dict[Faculty, float]:
    """What the fault costs at each step, as a share of the items."""
    left, losses = 1.0, dict[Faculty, float]()
    for faculty in shape.adds:
        reach = shape.against / shape.items if faculty == "habit" else 1.0
        losses[faculty] = left * fault.fails.get(faculty, 0.0) * reach
        left -= losses[faculty]
    return losses


# Simulated climbs


def simulated(shape: Shape, fault: Fault, rng: np.random.Generator) -> Climb:
    """One subject with the fault on the ladder."""
    n = shape.items
    known = np.ones(n, dtype=bool)
    always = rng.random() < 0.5  # a habit is the item's in half of the subjects, the call's in the others
    stands: list[Stand] = []
    demands: list[Faculty] = []
    by_call: float = 0.0
    for faculty, calls in zip(shape.adds, shape.calls, strict=True):
        demands.append(faculty)
        rate = fault.fails.get(faculty, 0.0)
        if faculty in fault.by_call:
            by_call = rate
        elif faculty not in ("attention", "habit"):
            known &= rng.random(n) >= rate
        right = np.zeros((n, calls), dtype=bool)
        habitual = rng.random(n) < rate
        for call in range(calls):
            solved = known & (rng.random(n) >= by_call)
            slips = rng.random(n) < fault.fails.get("attention", 0.0)
            right[:, call] = np.where(solved & ~slips, True, rng.random(n) < shape.luck)
            if faculty == "habit":
                errs = habitual if always else rng.random(n) < rate
                right[:, call] &= ~(solved & ~slips & errs)
        stand = _stand(shape, tuple(demands), right, rng)
        stands.append(_where_against(shape, stand, stands[-1]) if faculty == "habit" else stand)
    ladder = tuple(stand.rung for stand in stands)
    names = tuple(map(str, range(n)))
    luck = np.full(n, shape.luck)
    whole = pl.concat([stand.trials for stand in stands])
    return Climb("planted", Outline(shape.task, ladder, {}), names, np.arange(n), luck, tuple(stands), (), whole)


def _stand(shape: Shape, demands: tuple[Faculty, ...], right: Bools, rng: np.random.Generator) -> Stand:
    items, calls = right.shape
    trials = pl.DataFrame(
        {
            "item": np.repeat(np.arange(items), calls).astype(str),
            "outcome": np.where(right.ravel(), "right", "wrong"),
            "reason": "",
            **_answers(shape, right.ravel(), rng),
        }
    ).with_columns(cluster=pl.col("item"))
    rung = Rung(demands[-1], "", demands, ())
    return Stand(rung, trials, np.full(items, float(calls)), right.sum(1).astype(np.float64))


def _answers(shape: Shape, right: Bools, rng: np.random.Generator) -> dict[str, list[str] | list[list[str]]]:
    """Keys at random, wrong answers at random: nobody leans."""
    labels = list(LABELS[: shape.options or 1])
    keys = rng.integers(0, len(labels), len(right))
    others = (keys + rng.integers(1, max(len(labels), 2), len(right))) % len(labels)
    said = np.where(right, keys, others)
    return {
        "key": [labels[key] for key in keys],
        "answer": [labels[answer] for answer in said],
        "labels": [labels if shape.options else []] * len(right),
    }


def _where_against(shape: Shape, stand: Stand, below: Stand) -> Stand:
    """An item without a habit to go against stays where the rung below has it."""
    against = np.arange(shape.items) < shape.against
    read, right = np.where(against, stand.read, below.read), np.where(against, stand.right, below.right)
    kept = stand.trials.filter(pl.col("item").cast(pl.Int64) < shape.against)
    return Stand(stand.rung, kept, read, right, for_all=shape.against == shape.items)


# What comes of them


@dataclass(frozen=True, slots=True)
class Tally:
    """Over the repeats, for each faculty: how often its loss lay in its interval, and how often it was named; how often
    anybody was charged who should not have been, and how often there was no clear verdict."""

    covered: dict[Faculty, float]
    named: dict[Faculty, float]
    falsely: float
    unclear: float


def tally(shape: Shape, fault: Fault, repeats: int = REPEATS) -> Tally:
    """The fault planted so many times, judged each time."""
    rng = np.random.default_rng([shape.items, *fault.name.encode()])
    losses = planted(shape, fault)
    covered, named = dict.fromkeys(shape.adds, 0), dict.fromkeys(shape.adds, 0)
    falsely = unclear = 0
    for _ in range(repeats):
        case = case_of(simulated(shape, fault, rng), 0)
        charged = shown(case)
        for loss in case.losses:
            (faculty,) = loss.faculties if len(loss.faculties) == 1 else ("",)
            if faculty in losses and loss.share.low is not None and loss.share.high is not None:
                covered[faculty] += loss.share.low - CLOSE <= losses[faculty] <= loss.share.high + CLOSE
        for faculty in shape.adds:
            named[faculty] += faculty in charged
        falsely += any(losses[faculty] == 0 for faculty in charged)
        unclear += judge(case).verdict == "unclear"
    return Tally(
        {faculty: count / repeats for faculty, count in covered.items()},
        {faculty: count / repeats for faculty, count in named.items()},
        falsely / repeats,
        unclear / repeats,
    )


def shown(case: Case) -> set[Faculty]:
    """The faculties that a verdict names."""
    return set(judge(case).named)  # type: ignore[arg-type]


def promised(shape: Shape) -> dict[Faculty, float]:
    """What a subject without fault is told: the smallest fault of each faculty that would have been named."""
    case = case_of(simulated(shape, Fault("no fault"), np.random.default_rng(shape.items)), 0)
    return {loss.faculties[0]: loss.smallest for loss in case.losses if loss.smallest}  # type: ignore[misc]


def kept(shape: Shape, repeats: int = REPEATS) -> Iterator[tuple[Faculty, float, float]]:
    """Faults of just the promised sizes: each faculty, the size, and how often it was named."""
    for faculty, size in promised(shape).items():
        rate = size * shape.items / shape.against if faculty == "habit" else size
        if rate <= 1:
            yield faculty, size, tally(shape, Fault(f"{faculty} promised", {faculty: rate}), repeats).named[faculty]


def measure(repeats: int = REPEATS) -> list[Row]:
    """Some rows for each task: what is covered, named, charged falsely, left unclear and promised."""
    return [row for shape in SHAPES for row in _rows(shape, repeats)]


def _rows(shape: Shape, repeats: int) -> Iterator[Row]:
    where = f"{shape.task}, {shape.items} items"
    tallies = {fault.name: (fault, tally(shape, fault, repeats)) for fault in faults(shape)}
    as_supposed = [(fault, found) for fault, found in tallies.values() if not fault.by_call]
    cells = [share for _, found in as_supposed for share in found.covered.values()]
    yield (
        f"{where}: planted losses covered, mean and lowest of {len(cells)} cells",
        f"{fmean(cells):.0%}, {min(cells):.0%}",
        "lowest >= 90 %",
    )
    due = [(faculty, found) for fault, found in as_supposed if must_be_named(shape, fault) for faculty in fault.fails]
    yield f"{where}: a fault on a quarter of the items named, or on half", _named(due), ">= 90 %"
    falsely, unclear = (fmean(getattr(found, what) for _, found in as_supposed) for what in ("falsely", "unclear"))
    yield f"{where}: verdicts that charge falsely; that are unclear", f"{falsely:.1%}; {unclear:.1%}", "<= 5 %"
    told = "; ".join(f"{faculty} {100 * size:.0f}: {rate:.0%}" for faculty, size, rate in kept(shape, repeats))
    yield f"{where}: smallest fault promised (of 100 items), and named", told, ">= 85 %"
    for fault, found in (pair for pair in tallies.values() if pair[0].by_call):
        words = f"covered {min(found.covered.values()):.0%}, unclear {found.unclear:.0%}, falsely {found.falsely:.0%}"
        yield f"{where}: {fault.name}", words, ""


def _named(due: Sequence[tuple[Faculty, Tally]]) -> str:
    by_faculty: dict[Faculty, list[str]] = {}
    for faculty, found in due:
        by_faculty.setdefault(faculty, []).append(f"{found.named[faculty]:.0%}")
    return "; ".join(f"{faculty} {', '.join(shares)}" for faculty, shares in by_faculty.items())


def must_be_named(shape: Shape, fault: Fault) -> bool:
    """Whether a verdict must name the fault: it is the only one, and on at least a quarter of the items."""
    return len(fault.fails) == 1 and max(planted(shape, fault).values()) >= QUARTER


def main() -> None:
    """`python -m bench.ladder 40`: the same with more repeats."""
    for row in measure(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS):
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
