"""Pattern "2d": what figures are like in the plane, whatever they show: symmetry, outline, form."""

from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.plane import outline_kinds, pairs, symmetry
from snellen.tasks.marvel.patterns.plane.assemble import family_maker

CONFIGURATIONS = ("sequence", "two-row", "matrix", "group")
FAMILIES: tuple[PatternFamily, ...] = (
    *(
        PatternFamily(kind.name, family_maker(kind), CONFIGURATIONS)
        for kind in (*symmetry.KINDS, *outline_kinds.KINDS, *pairs.KINDS)
    ),
    PatternFamily(pairs.LETTERS_KIND.name, family_maker(pairs.LETTERS_KIND), CONFIGURATIONS, ("geometric",)),
)
