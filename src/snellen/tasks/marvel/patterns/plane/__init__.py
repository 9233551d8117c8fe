"""Pattern "2d": what figures are like in the plane, whatever they show: symmetry, outline, form."""

from functools import partial

from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.plane import outline_kinds, pairs, symmetry
from snellen.tasks.marvel.patterns.plane.assemble import make
from snellen.tasks.marvel.puzzle import SHAPES

CONFIGURATIONS = ("sequence", "two-row", "matrix", "group")
FAMILIES: tuple[PatternFamily, ...] = tuple(
    PatternFamily(
        kind.name, partial(make, kind=kind), CONFIGURATIONS, ("geometric",) if kind is pairs.LETTERS_KIND else SHAPES
    )
    for kind in (*symmetry.KINDS, *outline_kinds.KINDS, *pairs.KINDS, pairs.LETTERS_KIND)
)
