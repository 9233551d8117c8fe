"""3D geometry: a net is folded into a solid, and one of four views shows it.

`bodies` the solids, `designs` and `faces` what their faces carry, `nets` how they lie flat, `drawing` panels and words,
`making` the four choices.
"""

from functools import partial

from snellen.tasks.marvel.patterns.family import Family
from snellen.tasks.marvel.patterns.solid.bodies import SOLIDS
from snellen.tasks.marvel.patterns.solid.making import make

FAMILIES: tuple[Family, ...] = tuple(
    Family(solid.name, partial(make, solid=solid), ("reassembling",), ("geometric",)) for solid in SOLIDS
)
