"""Testing a ladder while it is being asked: bets that may be looked at after every batch, and what to ask next.

    design = SequentialDesign(("told", "words", "pictures"), (("attention",), ("thinking",), ("eyes",)))
    test = LadderTest(design)
    while block := next_block(test, calls left):
        test.feed(block.rungs, scores of asking so many new items on these rungs)
    result = result_of(test)

Knows no task: items are numbers, rungs are places on a line.
"""

from snellen.sequential.choosing import Block, next_block
from snellen.sequential.comparing import COMPARED, Comparison, ComparisonResult, compare
from snellen.sequential.design import ItemScore, Scores, SequentialDesign, Status
from snellen.sequential.outcome import FORM, SEQUENTIAL, UNFINISHED, SequentialResult, SequentialStep, result_of
from snellen.sequential.replaying import ALL, Replay, replay
from snellen.sequential.testing import LadderTest

__all__ = [
    "ALL",
    "COMPARED",
    "FORM",
    "SEQUENTIAL",
    "UNFINISHED",
    "Block",
    "Comparison",
    "ComparisonResult",
    "ItemScore",
    "LadderTest",
    "Replay",
    "Scores",
    "SequentialDesign",
    "SequentialResult",
    "SequentialStep",
    "Status",
    "compare",
    "next_block",
    "replay",
    "result_of",
]
