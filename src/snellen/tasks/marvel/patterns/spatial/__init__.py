"""Spatial relationship: how figures stand to each other, whatever the figures are."""

from snellen.tasks.marvel.patterns.family import IN_LINES, PatternFamily
from snellen.tasks.marvel.patterns.spatial.several import between, block, order
from snellen.tasks.marvel.patterns.spatial.two import arrows, beside, crossing, inside, pair

_MAKERS = {
    "inside": inside,
    "pair": pair,
    "beside": beside,
    "block": block,
    "order": order,
    "crossing": crossing,
    "arrows": arrows,
    "between": between,
}
FAMILIES = tuple(PatternFamily(name, make, (*IN_LINES, "group")) for name, make in _MAKERS.items())
