"""Quantities: the rule is about a number that can be counted in each panel."""

from functools import partial

from snellen.tasks.marvel.patterns.family import IN_LINES, PatternFamily
from snellen.tasks.marvel.patterns.quantities.lines import areas, corners, crossings, curves, strokes
from snellen.tasks.marvel.patterns.quantities.puzzles import quantity_puzzle
from snellen.tasks.marvel.patterns.quantities.symbols import black, kinds, symbols

_ALL = (*IN_LINES, "group")
_PLANS = {
    "number of symbols": symbols,
    "number of black symbols": black,
    "number of kinds": kinds,
    "number of strokes": strokes,
    "number of curved strokes": curves,
    "number of crossings": crossings,
    "closed areas": areas,
    "number of corners": corners,
}

FAMILIES: tuple[PatternFamily, ...] = tuple(
    PatternFamily(name, partial(quantity_puzzle, name=name, plan_for=plan), _ALL) for name, plan in _PLANS.items()
)
