"""Mathematical: a panel follows from others by adding, taking away, joining or comparing."""

from functools import partial

from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.mathematical.games import corners, dice, dominoes, interleaved, relations
from snellen.tasks.marvel.patterns.mathematical.joining import OPERATIONS, growing, joining
from snellen.tasks.marvel.patterns.mathematical.sums import steps, sums
from snellen.tasks.marvel.patterns.mathematical.threes import threes

_ROWS = ("two-row", "matrix")

FAMILIES: tuple[PatternFamily, ...] = (
    PatternFamily("sums of numbers", sums),
    PatternFamily("steps by turns", steps, ("sequence",)),
    PatternFamily("relation of two numbers", relations),
    PatternFamily("adding one by one", growing, ("sequence",)),
    *(PatternFamily(operation.name, partial(joining, operation), _ROWS) for operation in OPERATIONS),
    PatternFamily("each of three once", threes, _ROWS),
    PatternFamily("dominoes", dominoes),
    PatternFamily("dice", dice, ("sequence",)),
    PatternFamily("two rows in one", interleaved, ("sequence",)),
    PatternFamily("dots and corners", corners),
)
