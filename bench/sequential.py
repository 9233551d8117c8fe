"""Exams that stop when they know, against planted faults: what they cost, what they find, whom they charge.

Every task's own sequential design is gone through by the code that goes through real exams, with simulated answers in
place of calls; nothing is drawn but one item of each kind, to see how many answers it has to choose from. A subject's
figures are over 200 seeds:

    python -m bench sequential
    python -m bench.sequential --repeats 40 --tasks fixation bias --subjects ideal "eyes 40" --waiting

The second prints the tables of the documentation, with `--waiting` the cost of looking as well (see
`bench.sequential_waiting`).
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from multiprocessing import get_context
from statistics import fmean, median
from time import process_time
from typing import cast

from bench.sequential_subjects import Planted, SimulatedSitting, losses, subjects_of, unusual_subjects, usual_subjects
from snellen.item import Condition
from snellen.prompts import load
from snellen.sequential import Block, ItemScore, SequentialResult, replay, result_of
from snellen.tasks import task as find_task
from snellen.tasks.sequential import Draw, SequentialLadder, sequential_design

Row = tuple[str, str, str]
TASKS = ("fixation", "bias", "bongard", "winoground", "marvel", "capacity")
REPEATS = 200
CLOSE = 1e-9
WANTED = {
    **dict.fromkeys(("ideal", "habit 60"), 0.10),
    **dict.fromkeys(("eyes 40", "two faults"), 0.25),
    **dict.fromkeys(("thinking 40", "slips 30"), 0.50),
}
"""The median of calls that was aimed at, as a share of the usual design's."""


@cache
def ladder_of(task: str, seed: int) -> SequentialLadder:
    return cast(SequentialLadder, sequential_design(find_task(task), {}, None, None, seed).ladder)


@cache
def options_by_kind(task: str) -> dict[frozenset[tuple[str, str]], int]:
    """How many answers there are to choose from, of one item of each kind; 0 where the question is open."""
    known, ladder = find_task(task), ladder_of(task, 0)
    show, pack = known.unpictured or known.stimulus, load(known.prompts, known.name)
    plainest = {factor.name: factor.levels[0] for factor in known.factors if not factor.of_item}
    found = {}
    for place, kind in enumerate(ladder.kinds):
        if known.item is None:
            raise ValueError(f"{task} makes no single items")
        draw = Draw(place, 0, 0)
        condition = Condition({**plainest, **ladder.condition(draw, ladder.design().top, 0)})
        options = len(show(known.item(kind, 0, 0), condition, pack).question.options)
        found[frozenset(kind.items())] = options if options > 1 else 0
    return found


def sitting_of(task: str, planted: Planted, seed: int) -> SimulatedSitting:
    """The subject on its own items."""
    ladder, table = ladder_of(task, seed), options_by_kind(task)
    return SimulatedSitting(ladder, planted, [table[frozenset(kind.items())] for kind in ladder.kinds], seed)


# One exam


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one exam ended: calls as a share of the usual design's; which of the planted faults were shown, and which
    excluded; whether any other was shown; which intervals, of steps that have one, cover what was planted; and how many
    steps were left open."""

    share: float
    found: frozenset[str]
    missed: frozenset[str]
    falsely: bool
    covered: tuple[bool, ...]
    left_open: int


def held(task: str, planted: Planted, seed: int) -> Outcome:
    """An exam of one subject, to its end."""
    ladder, sitting = ladder_of(task, seed), sitting_of(task, planted, seed)
    blocks: list[Block] = []
    drawn: list[list[Draw]] = []

    def chosen(block: Block) -> None:
        blocks.append(block)
        drawn[:] = ladder.draws(blocks)

    def answered(number: int, place: int, rung: int) -> ItemScore | None:
        return sitting.score(drawn[number][place], rung)

    replayed = replay(ladder.design(), answered, chosen)
    if not replayed.over:
        raise RuntimeError(f"{task}, {planted.name}, seed {seed}: the exam did not end")
    return _outcome(result_of(replayed.test, replayed.path), planted, losses(ladder, planted), ladder.fixed)


def _outcome(result: SequentialResult, planted: Planted, truth: Sequence[float], usual: int) -> Outcome:
    shown = {name for step in result.steps if step.status == "shown" for name in step.faculties}
    excluded = {name for step in result.steps if step.status == "excluded" for name in step.faculties}
    steps = zip(result.steps, truth, strict=False)  # form, the last, has nothing planted
    return Outcome(
        share=result.calls / usual,
        found=planted.faults & shown,
        missed=planted.faults & excluded,
        falsely=bool(shown - planted.faults),
        covered=tuple(
            step.low - CLOSE <= loss <= step.high + CLOSE for step, loss in steps if step.status != "not measurable"
        ),
        left_open=sum(step.status == "open" for step in result.steps),
    )


# Many


@dataclass(frozen=True)
class SubjectTally:
    """A subject's exams of one task."""

    task: str
    planted: Planted
    outcomes: tuple[Outcome, ...]
    usual: int
    cpu: float

    @property
    def median(self) -> float:
        return median(one.share for one in self.outcomes)

    @property
    def ninety(self) -> float:
        """So many calls, or fewer, in 90 of 100 exams."""
        shares = sorted(one.share for one in self.outcomes)
        return shares[max(0, -(-9 * len(shares) // 10) - 1)]

    @property
    def falsely(self) -> float:
        return fmean(one.falsely for one in self.outcomes)

    @property
    def found(self) -> dict[str, float]:
        return {name: fmean(name in one.found for one in self.outcomes) for name in sorted(self.planted.faults)}

    @property
    def missed(self) -> float:
        """How often a planted fault was excluded."""
        return fmean(bool(one.missed) for one in self.outcomes)

    @property
    def covered(self) -> float:
        """Of all intervals that are shown."""
        return fmean([covers for one in self.outcomes for covers in one.covered] or [True])

    @property
    def left_open(self) -> float:
        """Steps an exam."""
        return fmean(one.left_open for one in self.outcomes)

    @property
    def row(self) -> Row:
        found = ", ".join(f"{name} {share:.0%}" for name, share in self.found.items()) or "nothing to find"
        wanted = WANTED.get(self.planted.name)
        return (
            f"{self.task}: {self.planted.name}",
            f"calls {self.median:.0%} (in 90 of 100 at most {self.ninety:.0%}) of {self.usual:,}; found: {found}"
            f" (excluded: {self.missed:.0%}); charged falsely {self.falsely:.1%}; covered {self.covered:.0%};"
            f" steps open {self.left_open:.2f}",
            f"median <= {wanted:.0%}" if wanted else "",
        )


def tally(task: str, planted: Planted, repeats: int) -> SubjectTally:
    begun = process_time()
    outcomes = tuple(held(task, planted, seed) for seed in range(repeats))
    return SubjectTally(task, planted, outcomes, ladder_of(task, 0).fixed, process_time() - begun)


def tallies(
    tasks: Sequence[str] = TASKS, subjects: Sequence[str] = (), repeats: int = REPEATS
) -> Iterator[SubjectTally]:
    """Of every task and subject (all that are not named otherwise), in turn, as they are there."""
    cells = [(t, who) for t in tasks for who in subjects_of(ladder_of(t, 0)) if not subjects or who.name in subjects]
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        yield from pool.map(tally, *zip(*cells, strict=True), [repeats] * len(cells))


def measure(repeats: int = REPEATS) -> list[Row]:
    """Every subject of every task; what all took; and what looking costs."""
    from bench import sequential_waiting

    rows, cpu = [], 0.0
    for one in tallies(repeats=repeats):
        rows.append(one.row)
        cpu += one.cpu
    return [*rows, (f"these exams, {repeats} seeds each", f"{cpu:.0f} s of CPU", ""), *sequential_waiting.measure()]


# As the documentation has it


def tables(found: Sequence[SubjectTally]) -> Iterator[str]:
    """Calls by subject and task; then, by task, what else is promised."""
    tasks = list(dict.fromkeys(one.task for one in found))
    by = {(one.task, one.planted.name): one for one in found}
    yield f"| subject | {' | '.join(tasks)} | aimed at |\n|---|{'---|' * len(tasks)}---|"
    for name in dict.fromkeys(one.planted.name for one in found):
        cells = [f"{100 * c.median:.0f} / {100 * c.ninety:.0f}" if (c := by.get((t, name))) else "" for t in tasks]
        yield f"| {name} | {' | '.join(cells)} | {f'{100 * WANTED[name]:.0f}' if name in WANTED else ''} |"
    yield ""
    yield "| task | subjects | charged falsely | faults found | intervals that cover | steps left open |"
    yield "|---|---|---|---|---|---|"
    groups = {"as expected": usual_subjects, "not as expected": unusual_subjects}
    for task, (says, group) in product(tasks, groups.items()):
        names = {who.name for who in group(ladder_of(task, 0))}
        if own := [one for one in found if one.task == task and one.planted.name in names]:
            yield f"| {task} | {says} | {' | '.join(_promises(own))} |"


def _promises(own: Sequence[SubjectTally]) -> Iterator[str]:
    exams = [one for cell in own for one in cell.outcomes]
    worst = max(own, key=lambda cell: cell.falsely)
    where = f" (at most {worst.falsely:.1%}: {worst.planted.name})" if worst.falsely else ""
    yield f"{fmean(one.falsely for one in exams):.1%}{where}"
    finds = [(share, cell.planted.name, name) for cell in own for name, share in cell.found.items()]
    less = "; ".join(f"{who}: {name} {share:.0%}" for share, who, name in sorted(finds) if share < 0.9)
    yield f"{fmean(share for share, _, _ in finds):.0%}{f' ({less})' if less else ''}" if finds else ""
    covers = [covered for one in exams for covered in one.covered]
    least = min(own, key=lambda cell: cell.covered)
    yield f"{fmean(covers):.1%} (at least {least.covered:.0%}: {least.planted.name})"
    most = max(own, key=lambda cell: cell.left_open)
    yield f"{fmean(one.left_open for one in exams):.2f}" + (
        f" (at most {most.left_open:.2f}: {most.planted.name})" if most.left_open else ""
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.sequential", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=REPEATS, help="exams of every subject")
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS, metavar="TASK")
    parser.add_argument("--subjects", nargs="+", default=(), metavar="NAME", help="by the names of the table")
    parser.add_argument("--waiting", action="store_true", help="the cost of looking, too")
    chosen = parser.parse_args()
    found = []
    for one in tallies(chosen.tasks, chosen.subjects, chosen.repeats):
        found.append(one)
        print(f"{' | '.join(one.row)} | {one.cpu:.0f} s", file=sys.stderr, flush=True)
    print("\n".join(tables(found)))
    print(f"\n{sum(one.cpu for one in found):.0f} s of CPU, {chosen.repeats} seeds")
    if chosen.waiting:
        from bench import sequential_waiting

        print("\n".join(f"| {' | '.join(row)} |" for row in sequential_waiting.measure()))


if __name__ == "__main__":
    main()
