"""Spatial relationship: how figures stand to each other, whatever the figures are."""

from snellen.tasks.marvel.patterns.family import IN_LINES, Family
from snellen.tasks.marvel.patterns.spatial.arrows import arrows
from snellen.tasks.marvel.patterns.spatial.between import between
from snellen.tasks.marvel.patterns.spatial.blocks import block, order
from snellen.tasks.marvel.patterns.spatial.crossings import crossing
from snellen.tasks.marvel.patterns.spatial.insides import inside
from snellen.tasks.marvel.patterns.spatial.pairs import beside, pair

_ALL = (*IN_LINES, "group")

FAMILIES = (
    Family("inside", inside, _ALL),
    Family("pair", pair, _ALL),
    Family("beside", beside, _ALL),
    Family("block", block, _ALL),
    Family("order", order, _ALL),
    Family("crossing", crossing, _ALL),
    Family("arrows", arrows, _ALL),
    Family("between", between, _ALL),
)
