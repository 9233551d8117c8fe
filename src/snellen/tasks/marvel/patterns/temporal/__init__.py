"""Temporal movement: things move, turn or flip from panel to panel by the same rule."""

from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.temporal.flips import flip, partner, turned
from snellen.tasks.marvel.patterns.temporal.gatherings import clock, offset, row, stairs, step, tiles
from snellen.tasks.marvel.patterns.temporal.orbits import carousel, orbit, ring, slide
from snellen.tasks.marvel.patterns.temporal.trails import trail
from snellen.tasks.marvel.patterns.temporal.turning import hands, spin, strokes

_GROUP = ("group",)
FAMILIES = (
    PatternFamily("orbit", orbit),
    PatternFamily("ring", ring),
    PatternFamily("slide", slide),
    PatternFamily("hands", hands),
    PatternFamily("spin", spin),
    PatternFamily("strokes", strokes),
    PatternFamily("flip", flip),
    PatternFamily("turned", turned, _GROUP),
    PatternFamily("offset", offset, _GROUP),
    PatternFamily("partner", partner, _GROUP),
    PatternFamily("carousel", carousel),
    PatternFamily("clock", clock, _GROUP),
    PatternFamily("tiles", tiles, _GROUP),
    PatternFamily("step", step, _GROUP),
    PatternFamily("row", row, _GROUP),
    PatternFamily("stairs", stairs, _GROUP),
    PatternFamily("trail", trail, _GROUP),
)
