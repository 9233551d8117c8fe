"""Replaying a sequential exam from its recorded answers: what is asked next depends on nothing else.

The last eighth of a block is still out when the next one is chosen, so that some calls are always under way. Which
items those are is fixed by their place in the block, not by whose answer is late: an exam that was interrupted, or
whose answers came in another order, asks the same.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from snellen.sequential.choosing import Block, next_block
from snellen.sequential.design import ItemScore, SequentialDesign
from snellen.sequential.outcome import Evidence
from snellen.sequential.testing import LadderTest

Answered = Callable[[int, int, int], ItemScore | None]
"""The score of an item of a block on a rung, by the number of the block, the place of the item in it, and the rung;
None where an answer is missing."""

BlockMemory = dict[Hashable, Block | None]
"""The next block, by the number of calls planned and the scores seen so far."""

ALL = 100.0
"""Evidence that closes a step, in percent."""


class Replay(NamedTuple):
    """A test as far as the answers reach; the blocks that were chosen, of which the last two may lack answers; after
    each batch of answers the calls so far and the evidence; whether another block may follow the answers that are
    missing; and whether nothing is left to ask or to wait for."""

    test: LadderTest
    blocks: Sequence[Block]
    path: Sequence[tuple[int, Evidence]]
    waits: bool
    over: bool


def replay(
    design: SequentialDesign,
    answered: Answered,
    chosen: Callable[[Block], None] = lambda _: None,
    memory: BlockMemory | None = None,
) -> Replay:
    """Go through the exam. `answered` is asked for scores; `chosen` is told every block before its first; `memory`
    holds the blocks that earlier replays of the same design chose, so that none is computed twice."""
    memory = {} if memory is None else memory
    heard: tuple[Hashable, ...] = ()
    test = LadderTest(design)
    blocks: list[Block] = []
    path: list[tuple[int, Evidence]] = []

    def following() -> Block | None:
        state = planned, heard
        if state not in memory:
            memory[state] = next_block(test, design.most - planned)
        return memory[state]

    def settle(number: int, places: range) -> bool:
        """Feed some items of a block to the test; False if an answer is missing."""
        nonlocal heard
        block = blocks[number]
        items = []
        for place in places:
            scores = {rung: score for rung in block.rungs if (score := answered(number, place, rung)) is not None}
            if len(scores) < len(block.rungs):
                return False
            items.append(scores)
        if items:
            test.feed(block.rungs, items)
            heard += tuple(tuple(scores.items()) for scores in items)
            path.append((test.calls, _evidence(test)))
        return True

    planned = 0
    while (block := following()) is not None:
        blocks.append(block)
        chosen(block)
        planned += len(block.rungs) * block.items * design.questions
        number = len(blocks) - 1
        if not (number == 0 or settle(number - 1, blocks[number - 1].tail)) or not settle(number, block.head):
            return Replay(test, blocks, path, waits=True, over=False)
    return Replay(test, blocks, path, waits=False, over=not blocks or settle(len(blocks) - 1, blocks[-1].tail))


def _evidence(test: LadderTest) -> Evidence:
    return tuple(
        (
            _percent(test.against_none[step].log / test.shown_at(step), status == "shown"),
            _percent(test.against_loss[step].log / test.excluded_at, status == "excluded"),
        )
        for step, status in enumerate(test.status)
    )


def _percent(share: float, closed: bool) -> float:
    return ALL if closed else round(100 * min(max(share, 0.0), 1.0), 1)
