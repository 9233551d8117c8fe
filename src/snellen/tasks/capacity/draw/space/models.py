"""Models of things, built of simple solids: `data/models.toml` has their parts, this module puts them together.

A row of `parts` is a solid with its arguments (see `solids`): `["box", at, size, paint, { taper = 0.9 }]`. Where a
coordinate of its place is a list, there is one such solid for each of the values. A paint is a colour, or a pattern of
two colours with its size: `["main", "232,214,178", "checks", 0.2, 0.2, 0]`. A colour is `main` (the colour the thing is
asked for in), a name of the table `colours`, or red, green and blue; `main*0.8` is darker, `main*1.2` lighter.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.space.mesh import extent
from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import (
    Ball,
    Gable,
    Point,
    Prism,
    Quad,
    Solid,
    SolidBox,
    SolidThing,
    cosine,
    plain,
    sine,
)

_TABLES = table("models")
COLOURS: Mapping[str, Colour] = _TABLES["colours"]


@dataclass(frozen=True, slots=True)
class Model:
    """A kind of thing.

    `colours` are the main colours it comes in (the first is as good as any). `evident`: up to how many degrees from
    straight before its front one can tell which way it faces; 0 where it has no front. `passage`: metres of floor kept
    free before it. `hangs`: on a wall, its back in the plane y = 0; it casts no shadow. `annex`: what stands beside a
    landmark, in words.
    """

    name: str
    parts: tuple[tuple[Any, ...], ...]
    colours: tuple[Colour, ...] = ()
    evident: int = 0
    passage: float = 0.0
    hangs: bool = False
    annex: str = ""

    def build(self, colour: Colour | None = None) -> SolidThing:
        """The thing in a main colour, the first of its own if none is given."""
        main = colour or next(iter(self.colours), (0, 0, 0))
        return SolidThing(self.name, tuple(_solids(self.parts, main)), casts=not self.hangs)


def _models(section: str) -> dict[str, Model]:
    models = {}
    for name, facts in _TABLES[section].items():
        colours = tuple(_colour(colour) for colour in facts.get("colours", ()))
        models[name] = Model(**facts | {"name": name, "colours": colours})
    return models


def shaded(colour: Colour, share: float) -> Colour:
    """The colour darkened (share < 1) or lightened."""
    red, green, blue = (min(255, int(value * share + 0.5)) for value in colour)
    return red, green, blue


def box(x: float, y: float, z: float, size: Point, colour: Colour) -> SolidBox:
    return SolidBox((x, y, z), size, plain(colour))


def disc(at: Point, radius: float, paint: Paint, sides: int = 20) -> Quad:
    """An upright disc that looks north."""
    x, y, z = at
    turns = [360.0 * i / sides for i in range(sides)]
    ring = ((round(x - radius * cosine(t), 6), y, round(z + radius * sine(t), 6)) for t in turns)
    return Quad(tuple(ring), paint)


_SOLIDS: Mapping[str, Callable[..., Solid]] = {
    "box": SolidBox,
    "prism": Prism,
    "ball": Ball,
    "gable": Gable,
    "quad": Quad,
    "disc": disc,
}


def _solids(rows: tuple[tuple[Any, ...], ...], main: Colour) -> Iterator[Solid]:
    for kind, place, *rest in rows:
        options = {name: _argument(value, main) for name, value in (rest.pop() if _has_options(rest) else {}).items()}
        arguments = [_argument(value, main) for value in rest]
        for at in [_argument(place, main)] if kind == "quad" else _places(place):
            yield _SOLIDS[kind](at, *arguments, **options)


def _has_options(rest: list[Any]) -> bool:
    return isinstance(rest[-1], dict)


def _places(at: tuple[Any, ...]) -> Iterator[Point]:
    """Every combination of the coordinates, one level after another, each from the west."""
    x, y, z = (value if isinstance(value, tuple) else (value,) for value in at)
    return ((across, along, level) for level, across, along in product(z, x, y))


def _argument(value: Any, main: Colour) -> Any:
    match value:
        case str():
            return plain(_colour(value, main))
        case [str(first), str(second), str(pattern), *size]:
            return Paint(_colour(first, main), _colour(second, main), pattern, tuple(size))
        case tuple():
            return tuple(_argument(part, main) for part in value)
    return value


def _colour(text: str, main: Colour = (0, 0, 0)) -> Colour:
    name, _, share = text.partition("*")
    names = {**COLOURS, "main": main}
    red, green, blue = names[name] if name in names else map(int, name.split(","))
    return shaded((red, green, blue), float(share)) if share else (red, green, blue)


FURNITURE = _models("furniture")
"""What stands or hangs in a flat."""
STREET = _models("street")
"""What stands in a street."""
LANDMARKS = _models("landmarks")
"""What a town is built around: each looks different from every side."""


@lru_cache(maxsize=256)
def built(kind: str, colour: Colour) -> SolidThing:
    """A piece of furniture in a colour."""
    return FURNITURE[kind].build(colour)


@lru_cache(maxsize=64)
def size_of(kind: str) -> tuple[Point, Point]:
    """The lowest and highest x, y and z of a piece of furniture that stands at the origin and looks north."""
    return extent(FURNITURE[kind].build())
