"""The stated power against simulated exams: is a fault of the stated size named as often as is said?

For every quick design and faculty one fault is planted on whole items (slips: on calls) at the smallest size that the
exam is said to find with 90 % power, and a third below and above it. `python -m bench.power 200` holds as many repeats.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bench.ladder import SHAPES, Fault, Row, Shape, simulated
from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.joint import SHOWN_LOW, SHOWN_SIZE
from snellen.analysis.ladder.power import TreeDesign, power, power_by_step, smallest_by_step, smallest_fault
from snellen.analysis.ladder.tree import tree_of
from snellen.analysis.ladder.verdict import judge
from snellen.faculties import Faculty

REPEATS = 20
AROUND = (2 / 3, 1.0, 4 / 3)


@dataclass(frozen=True, slots=True)
class Held:
    """A planted fault: how likely it is said to be named, and how often it was."""

    task: str
    faculty: Faculty
    size: float
    stated: float
    named: float


def design_for(shape: Shape, faculty: Faculty) -> tuple[TreeDesign, int]:
    """The design on the items that have the faculty's rung, and the faculty's step."""
    step = shape.adds.index(faculty)
    items = shape.line[step].items or shape.items
    line = [rung for rung in shape.line if not rung.items or rung is shape.line[step]]
    rungs = [*line, *(rung for rung in shape.rungs if rung.joint)]
    ways = []
    first = 0
    for count, options in shape.options:
        here = max(min(items, first + count) - first, 0)
        first += count
        if here:
            ways.append((here, 1 / options if options > 1 else 0.0))
    asked = np.array([[float(unit < (rung.units or shape.units)) for rung in rungs] for unit in range(shape.units)])
    adds = [(shape.adds[k],) for k in range(len(line))]
    tree = tree_of(adds, [rung.demands for rung in rungs[len(line) :]], nested=False)
    luck, number = (np.array([way[k] for way in ways]) for k in (1, 0))
    return TreeDesign(tree, np.repeat(asked[None], len(ways), axis=0), luck, number.astype(np.float64)), step


def held(shape: Shape, faculty: Faculty, around: float, repeats: int) -> Held | None:
    """A fault of so many times the smallest that is said to be found; None if none is."""
    design, step = design_for(shape, faculty)
    signed = any(rung.signed for rung in shape.rungs)
    smallest = (
        smallest_by_step(shape.items, SHOWN_LOW, SHOWN_SIZE)
        if signed
        else smallest_fault(design, step, SHOWN_LOW, SHOWN_SIZE)
    )
    if smallest is None or smallest * around > 1:
        return None
    size = smallest * around
    rng = np.random.default_rng([shape.items, step, int(1000 * size)])
    fault = Fault(f"{faculty} {size:.0%}", {faculty: size})
    named = [faculty in judge(case_of(simulated(shape, fault, rng), 0)).named for _ in range(repeats)]
    by_step = power_by_step(shape.items, size, SHOWN_LOW, SHOWN_SIZE)
    stated = by_step if signed else power(design, step, size, SHOWN_LOW, SHOWN_SIZE)
    return Held(shape.task, faculty, size, stated, float(np.mean(named)))


def measure(repeats: int = REPEATS) -> list[Row]:
    return list(_rows(repeats))


def _rows(repeats: int) -> Iterator[Row]:
    for shape in SHAPES:
        for faculty in shape.adds:
            found = [one for around in AROUND if (one := held(shape, faculty, around, repeats))]
            words = ", ".join(f"{100 * one.size:.0f} of 100: {one.named:.0%}" for one in found)
            stated = ", ".join(f"{one.stated:.0%}" for one in found)
            yield f"{shape.task}: {faculty} faults named, {repeats} exams each", words, stated


def main() -> None:
    for row in _rows(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS):
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
