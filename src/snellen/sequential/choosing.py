"""What to ask next: the rungs, and on how many new items, that close what is open at the lowest expected cost."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil

from snellen.sequential.bets import DIGITS
from snellen.sequential.cover import cheapest
from snellen.sequential.design import FloatArray, SequentialDesign
from snellen.sequential.testing import LadderTest

FIRST, LEAST, NEW, TOGETHER = 4, 4, 4, 48
"""Number of items in the first block, the fewest in any block, and in one with a rung that was hardly asked before; and
the most calls of a block."""
EXPLORED, MUCH = 4, 0.9
"""A rung with fewer items than this is unexplored. Where less than `MUCH` is solved on a rung, the one below it must be
explored."""
TAIL = 8
"""The next block is chosen before the last 1/TAIL of a block is answered."""
PACE = 0.45
"""The part of the items thought to be needed that are asked before looking again."""
_HOPELESS = 1e-4


@dataclass(frozen=True, slots=True)
class Block:
    """So many new items, to be asked on these rungs."""

    rungs: tuple[int, ...]
    items: int

    @property
    def head(self) -> range:
        """The places of the items that must be answered before the next block is chosen."""
        return range(self.items - self.items // TAIL)

    @property
    def tail(self) -> range:
        return range(self.head.stop, self.items)


def next_block(test: LadderTest, calls: int) -> Block | None:
    """The next block, of so many calls at the most; None when every step is closed, or there are too few."""
    design = test.design
    if not test.open:
        return None
    rungs, items = ((design.top,), FIRST) if not test.items else _best(test)
    left = calls // (len(rungs) * design.questions)
    items = min(items, max(LEAST, TOGETHER // (len(rungs) * design.questions)), left)
    return Block(rungs, items) if items > 0 else None


def _best(test: LadderTest) -> tuple[tuple[int, ...], int]:
    if unexplored := _unexplored(test):
        return (unexplored[-1], unexplored[-1] + 1), NEW
    ways = _ways(test.design)
    progress = [[_progress(test, step, rungs) for step in test.open] for rungs in ways]
    goals = [k for k in range(len(test.open)) if any(row[k] > 0 for row in progress)]
    if not goals:
        return tuple(range(test.design.top + 1)), FIRST
    times = cheapest([float(len(rungs)) for rungs in ways], [[row[k] for k in goals] for row in progress])
    calls = [round(count * len(rungs), 6) for count, rungs in zip(times, ways, strict=True)]
    worth = [count * sum(row[k] > 0 for k in goals) for count, row in zip(calls, progress, strict=True)]
    best = worth.index(max(worth))  # what advances many goals comes first
    items = max(LEAST, ceil(round(PACE * times[best], 6)))
    rungs = ways[best]
    new = [EXPLORED - test.expectation.asked[rung] for rung in rungs if test.expectation.asked[rung] < EXPLORED]
    return rungs, min([items, *(max(NEW, number) for number in new)])


def _unexplored(test: LadderTest) -> list[int]:
    """Rungs that were hardly asked, below one on which much is lost at a step that is still open: where it is lost
    decides what is worth asking."""
    design, expected = test.design, test.expectation
    return [
        step - 1
        for step in test.open
        if 0 < step < design.steps
        and not design.is_partial(step - 1)
        and expected.asked[step - 1] < EXPLORED
        and expected.asked[step]
        and expected.solved_alone(step) < MUCH
    ]


@cache
def _ways(design: SequentialDesign) -> list[tuple[int, ...]]:
    """Every set of rungs that may be asked together."""
    rungs = range(design.steps)
    return [way for size in range(1, design.steps + 1) for way in combinations(rungs, size)]


def _progress(test: LadderTest, step: int, rungs: tuple[int, ...]) -> float:
    """The part of the way to a closed step that an item on these rungs is expected to go."""
    design, expected = test.design, test.expectation
    if step == test.form:
        read = _part(expected.gain_against_unread(), test.excluded_at - test.against_loss[step].log)
        return max(read, _part(expected.gain_against_none(step), test.shown_at(step) - test.against_none[step].log))
    parts = [0.0]
    if (upper := design.above(step, rungs)) is not None:
        gain = expected.gain_against_loss(step, design.below(step, rungs), upper)
        parts.append(_part(gain, test.excluded_at - test.against_loss[step].log))
    if step in rungs and (step == 0 or step - 1 in rungs):
        parts.append(_part(expected.gain_against_none(step), test.shown_at(step) - test.against_none[step].log))
    for rung in rungs:
        if rung < step and not design.is_partial(rung):
            parts.append(_part(expected.gain_against_use(rung), test.useless_at - test.against_use[rung].log))
    return round(max(parts), DIGITS)


def _part(gain: FloatArray, missing: float) -> float:
    best = float(gain.max())
    return best / max(missing, 0.3) if best > _HOPELESS else 0.0
