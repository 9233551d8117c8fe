"""Temporal movement: things move, turn or flip from panel to panel by the same rule."""

from snellen.tasks.marvel.patterns.family import Family
from snellen.tasks.marvel.patterns.temporal.carousel import carousel
from snellen.tasks.marvel.patterns.temporal.flips import flip
from snellen.tasks.marvel.patterns.temporal.gatherings import clock, row, stairs, step, tiles
from snellen.tasks.marvel.patterns.temporal.groups import offset, partner, turned
from snellen.tasks.marvel.patterns.temporal.orbits import orbit, ring
from snellen.tasks.marvel.patterns.temporal.slides import slide
from snellen.tasks.marvel.patterns.temporal.turning import hands, spin, strokes

FAMILIES = (
    Family("orbit", orbit),
    Family("ring", ring),
    Family("slide", slide),
    Family("hands", hands),
    Family("spin", spin),
    Family("strokes", strokes),
    Family("flip", flip),
    Family("turned", turned, ("group",)),
    Family("offset", offset, ("group",)),
    Family("partner", partner, ("group",)),
    Family("carousel", carousel),
    Family("clock", clock, ("group",)),
    Family("tiles", tiles, ("group",)),
    Family("step", step, ("group",)),
    Family("row", row, ("group",)),
    Family("stairs", stairs, ("group",)),
)
