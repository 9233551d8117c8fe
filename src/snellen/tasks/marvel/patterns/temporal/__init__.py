"""Temporal movement: things move, turn or flip from panel to panel by the same rule."""

from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.temporal.carousel import carousel
from snellen.tasks.marvel.patterns.temporal.flips import flip
from snellen.tasks.marvel.patterns.temporal.gatherings import clock, row, stairs, step, tiles
from snellen.tasks.marvel.patterns.temporal.groups import offset, partner, turned
from snellen.tasks.marvel.patterns.temporal.orbits import orbit, ring
from snellen.tasks.marvel.patterns.temporal.slides import slide
from snellen.tasks.marvel.patterns.temporal.turning import hands, spin, strokes

FAMILIES = (
    PatternFamily("orbit", orbit),
    PatternFamily("ring", ring),
    PatternFamily("slide", slide),
    PatternFamily("hands", hands),
    PatternFamily("spin", spin),
    PatternFamily("strokes", strokes),
    PatternFamily("flip", flip),
    PatternFamily("turned", turned, ("group",)),
    PatternFamily("offset", offset, ("group",)),
    PatternFamily("partner", partner, ("group",)),
    PatternFamily("carousel", carousel),
    PatternFamily("clock", clock, ("group",)),
    PatternFamily("tiles", tiles, ("group",)),
    PatternFamily("step", step, ("group",)),
    PatternFamily("row", row, ("group",)),
    PatternFamily("stairs", stairs, ("group",)),
)
