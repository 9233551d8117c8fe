"""Spatial relationship: how figures stand to each other, whatever the figures are."""

from snellen.tasks.marvel.patterns.family import IN_LINES, PatternFamily
from snellen.tasks.marvel.patterns.spatial.arrows import arrows
from snellen.tasks.marvel.patterns.spatial.between import between
from snellen.tasks.marvel.patterns.spatial.blocks import block, order
from snellen.tasks.marvel.patterns.spatial.crossings import crossing
from snellen.tasks.marvel.patterns.spatial.insides import inside
from snellen.tasks.marvel.patterns.spatial.pairs import beside, pair

_ALL = (*IN_LINES, "group")

FAMILIES = (
    PatternFamily("inside", inside, _ALL),
    PatternFamily("pair", pair, _ALL),
    PatternFamily("beside", beside, _ALL),
    PatternFamily("block", block, _ALL),
    PatternFamily("order", order, _ALL),
    PatternFamily("crossing", crossing, _ALL),
    PatternFamily("arrows", arrows, _ALL),
    PatternFamily("between", between, _ALL),
)
