"""What can stand or hang in a flat: how it is built, its colours, and whether one can tell which way it faces."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from snellen.tasks.capacity.draw.space.fixtures import FIXTURES, WALL
from snellen.tasks.capacity.draw.space.furniture import BLACK, FURNITURE, OAK, WALNUT, WHITE
from snellen.tasks.capacity.draw.space.mesh import extent
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.solids import Point, Prism, SolidThing, plain

CLAY: Colour = (188, 100, 66)


def pot(colour: Colour = CLAY) -> SolidThing:
    """A flower pot with nothing in it."""
    return SolidThing(
        "flower pot",
        "flower pot",
        (Prism((0, 0, 0), 0.17, 0.34, plain(colour), sides=14, taper=1.3, top=plain((74, 54, 40))),),
    )


@dataclass(frozen=True, slots=True)
class Model:
    """A kind of thing.

    `colours` are the main colours it comes in (the first is as good as any). `evident`: up to how many degrees from
    straight before its front one can tell which way it faces; 0 where it has no front. `passage`: metres of floor kept
    free before it.
    """

    build: Callable[..., SolidThing]
    colours: tuple[Colour, ...]
    evident: int = 0
    passage: float = 0.0
    hangs: bool = False


_WOODS = (OAK, WALNUT, WHITE)
_CLOTHS: tuple[Colour, ...] = (
    *((70, 110, 150), (186, 84, 66), (92, 132, 96)),
    *((206, 164, 74), (120, 90, 140), (128, 132, 138)),
)

MODELS: Mapping[str, Model] = MappingProxyType(
    {
        "chair": Model(FURNITURE["chair"], (OAK, WALNUT, (206, 202, 194), (96, 122, 148)), 180),
        "stool": Model(FURNITURE["stool"], ((200, 70, 60), (64, 116, 160), (228, 180, 70))),
        "armchair": Model(FURNITURE["armchair"], _CLOTHS, 180, 0.45),
        "sofa": Model(FURNITURE["sofa"], _CLOTHS, 180, 0.45),
        "table": Model(FURNITURE["table"], _WOODS),
        "round table": Model(FURNITURE["round table"], (WHITE, OAK, WALNUT)),
        "coffee table": Model(FURNITURE["coffee table"], _WOODS),
        "desk": Model(FURNITURE["desk"], (OAK, WALNUT, (222, 216, 204)), 62, 0.75),
        "bed": Model(FURNITURE["bed"], _CLOTHS, 180, 0.45),
        "bookshelf": Model(FURNITURE["bookshelf"], (OAK, WALNUT, (222, 216, 204)), 62, 0.6),
        "wardrobe": Model(FURNITURE["wardrobe"], ((214, 196, 164), (168, 120, 80), (206, 212, 214)), 62, 0.7),
        "chest of drawers": Model(FURNITURE["chest of drawers"], (WHITE, OAK, (150, 176, 170)), 62, 0.6),
        "lamp": Model(FURNITURE["lamp"], ((248, 226, 160), (236, 150, 96), (214, 226, 232))),
        "plant": Model(FURNITURE["plant"], ((72, 138, 70),)),
        "flower pot": Model(pot, (CLAY,)),
        "rug": Model(FURNITURE["rug"], ((164, 64, 64), (64, 96, 140), (96, 120, 84))),
        "fridge": Model(FIXTURES["fridge"], ((222, 226, 230), (186, 70, 62), (120, 160, 170)), 62, 0.7),
        "stove": Model(FIXTURES["stove"], ((236, 236, 234),), 62, 0.7),
        "kitchen sink": Model(FIXTURES["kitchen sink"], ((146, 168, 150), (168, 132, 96), (150, 160, 178)), 62, 0.7),
        "washbasin": Model(FIXTURES["washbasin"], ((250, 250, 250),), 62, 0.6),
        "toilet": Model(FIXTURES["toilet"], ((250, 250, 250),), 180, 0.5),
        "bathtub": Model(FIXTURES["bathtub"], ((250, 250, 250),), 0, 0.4),
        "television": Model(FIXTURES["television"], (WALNUT, OAK, WHITE), 62, 0.6),
        "washing machine": Model(FIXTURES["washing machine"], ((242, 242, 242),), 62, 0.6),
        "window": Model(WALL["window"], (WHITE,), 66, hangs=True),
        "door": Model(WALL["door"], ((150, 104, 66), (190, 190, 186)), 66, 0.8, hangs=True),
        "picture": Model(WALL["picture"], ((78, 128, 168), (170, 90, 70), (86, 136, 90)), 66, hangs=True),
        "clock": Model(WALL["clock"], ((196, 60, 52), BLACK, (60, 110, 150)), 66, hangs=True),
        "wall shelf": Model(WALL["wall shelf"], (OAK, WALNUT), 62, hangs=True),
    }
)


@lru_cache(maxsize=256)
def built(kind: str, colour: Colour) -> SolidThing:
    return MODELS[kind].build(colour)


@lru_cache(maxsize=64)
def size_of(kind: str) -> tuple[Point, Point]:
    """The lowest and highest x, y and z of a kind that stands at the origin and looks north."""
    return extent(built(kind, MODELS[kind].colours[0]))
