"""3D geometry: a net is folded into a solid, and one of four views shows it.

`bodies` the solids, `designs` and `faces` what their faces carry, `nets` how they lie flat, `drawing` panels
and words, `making` the four choices.
"""

from functools import partial

from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.solid.bodies import CUBE, SOLIDS
from snellen.tasks.marvel.patterns.solid.designs import STOCKS
from snellen.tasks.marvel.patterns.solid.making import make

_WHERE = (("reassembling",), ("geometric",))
FAMILIES: tuple[PatternFamily, ...] = (
    *(PatternFamily(solid.name, partial(make, solid=solid), *_WHERE) for solid in SOLIDS),
    *(
        PatternFamily(name, partial(make, solid=CUBE, stock=stock, family=name), *_WHERE)
        for name, stock in STOCKS.items()
    ),
)
