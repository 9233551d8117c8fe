"""Mathematical: a panel follows from others by adding, taking away, joining or comparing."""

from functools import partial

from snellen.tasks.marvel.patterns.family import Family
from snellen.tasks.marvel.patterns.mathematical.games import corners, dice, dominoes, interleaved
from snellen.tasks.marvel.patterns.mathematical.growing import growing
from snellen.tasks.marvel.patterns.mathematical.joining import OPERATIONS, joining
from snellen.tasks.marvel.patterns.mathematical.relations import relations
from snellen.tasks.marvel.patterns.mathematical.sums import steps, sums
from snellen.tasks.marvel.patterns.mathematical.threes import threes

_ROWS = ("two-row", "matrix")

FAMILIES: tuple[Family, ...] = (
    Family("sums of numbers", sums),
    Family("steps by turns", steps, ("sequence",)),
    Family("relation of two numbers", relations),
    Family("adding one by one", growing, ("sequence",)),
    *(Family(operation.name, partial(joining, operation), _ROWS) for operation in OPERATIONS),
    Family("each of three once", threes, _ROWS),
    Family("dominoes", dominoes),
    Family("dice", dice, ("sequence",)),
    Family("two rows in one", interleaved, ("sequence",)),
    Family("dots and corners", corners),
)
