"""A small town as plain data: what stands where, in which colours; and its model to be looked at.

The town lies around (0, 0), where its landmark stands on a square. Four streets, two along x and two along y, run
past the square on its four sides and on into the country, unless they end at a crossing. Metres; x east, y north.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import product
from typing import Any

from snellen.tasks.capacity.data import frozen, table
from snellen.tasks.capacity.draw.space import street
from snellen.tasks.capacity.draw.space.buildings import block, house, shop
from snellen.tasks.capacity.draw.space.light import Light, daylight
from snellen.tasks.capacity.draw.space.mesh import extent
from snellen.tasks.capacity.draw.space.models import LANDMARKS, STREET
from snellen.tasks.capacity.draw.space.paint import Paint
from snellen.tasks.capacity.draw.space.solids import Ball, Prism, SolidScene, SolidThing, Spot

CURB = street.ROAD / 2 + street.WALK
"""From the middle of a street to where the land beside it begins."""
FAR = 300.0
"""Where the land and its roads end, beyond what can be made out."""
ARMS = tuple((sx, sy, way) for sx in (-1, 1) for sy in (-1, 1) for way in "xy")
"""The eight parts of streets that may run outwards from a crossing: which crossing (west or east, south or north), and
along which axis they leave it."""

WALLS, ROOFS, CARS = (table("town")[part] for part in ("walls", "roofs", "cars"))
"""Colours by name."""
SQUARES: Mapping[str, Paint] = {"paved": street.PAVING, "gravelled": street.GRAVEL, "grassy": street.PARK}


@dataclass(frozen=True, slots=True)
class Building:
    """A dwelling: its front looks to the bearing `turn`; `wide` along the street, `deep` away from it.

    `roof` is the colour of the roof, of a shop the colour of its awning; flats have a roof like their walls.
    """

    kind: str
    x: float
    y: float
    turn: int
    wall: str
    roof: str
    wide: float
    deep: float
    storeys: int
    hip: float = 0.0

    def reach(self) -> Spot:
        """Half its extent along x and along y."""
        level = self.turn % 180 == 0
        return (self.wide / 2, self.deep / 2) if level else (self.deep / 2, self.wide / 2)


@dataclass(frozen=True, slots=True)
class Small:
    """A tree, a car, a lamp post, ...; colours matter for cars alone."""

    kind: str
    x: float
    y: float
    turn: int = 0
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Town:
    """`half` is the way from the landmark to the middle of each street around it; `arms` the parts of streets that run
    outwards; `turn` the bearing of the landmark's front; `sun` its bearing and height."""

    landmark: str
    turn: int
    half: float
    square: str
    arms: tuple[tuple[int, int, str], ...]
    park: str
    sun: tuple[int, int]
    buildings: tuple[Building, ...]
    smalls: tuple[Small, ...]
    zebras: tuple[tuple[float, float, int], ...]

    def light(self) -> Light:
        return daylight(*self.sun)


def write(town: Town) -> dict[str, Any]:
    """A town in JSON types; rows for what there is much of."""
    written = {name: value for name, value in asdict(town).items() if name not in ("buildings", "smalls")}
    written["buildings"] = [list(asdict(building).values()) for building in town.buildings]
    written["smalls"] = [list(asdict(small).values()) for small in town.smalls]
    return written


def read(written: Mapping[str, Any]) -> Town:
    """The town of what `write` gave."""
    buildings = tuple(Building(*row) for row in written["buildings"])
    smalls = tuple(Small(*row) for row in written["smalls"])
    return Town(**frozen(written) | {"buildings": buildings, "smalls": smalls})


PARKS: Mapping[str, Spot] = {"north": (0.0, 1.0), "east": (1.0, 0.0), "south": (0.0, -1.0), "west": (-1.0, 0.0)}
"""The block between the streets on one side of the square may be a park with a pond."""


def pond_at(town: Town) -> Spot:
    """The middle of the pond in the park."""
    x, y = PARKS[town.park]
    return x * (town.half + 20.0), y * (town.half + 20.0)


def scene(town: Town) -> SolidScene:
    """The model of a town. Buildings are called "house 1", "shop 2", ... by their place in the list."""
    return SolidScene((*_land(town), _woods(), *_buildings(town.buildings), *_smalls(town.smalls), landmark(town)))


def landmark(town: Town) -> SolidThing:
    return LANDMARKS[town.landmark].build().placed(town.landmark, (0.0, 0.0), town.turn)


def _land(town: Town) -> Iterator[SolidThing]:
    half, inner = town.half, town.half - CURB
    yield street.ground((-FAR, -FAR), (FAR, FAR))
    yield street.patch("square", (-inner, -inner), (inner, inner), SQUARES[town.square])
    if town.park:
        (x, y), inside = PARKS[town.park], (half + CURB, half + 60.0)
        spans = [(-inner, inner) if way == 0 else tuple(sorted((way * inside[0], way * inside[1]))) for way in (x, y)]
        low, high = zip(*spans, strict=True)
        yield street.patch("park", (low[0], low[1]), (high[0], high[1]), street.PARK)
        yield street.pond("pond", pond_at(town), 8.0)
    for side in (-1, 1):
        ends = {
            way: [end * (FAR if any(arm == _arm(way, side, end) for arm in town.arms) else half) for end in (-1, 1)]
            for way in "xy"
        }
        yield street.road(f"road x {side}", (ends["x"][0], side * half), (ends["x"][1], side * half))
        yield street.road(f"road y {side}", (side * half, ends["y"][0]), (side * half, ends["y"][1]))
        for other in (-1, 1):
            low, high = ((side * half + d, other * half + d) for d in (-CURB, CURB))
            yield street.patch(f"corner {side} {other}", low, high, street.PAVING)
            yield street.crossroads(f"crossing {side} {other}", (side * half, other * half))
    for number, (x, y, along) in enumerate(town.zebras):
        yield street.zebra(f"zebra {number}", (x, y), along)


_WOODS = {
    "tree": ((3.0, 150.0), (15.0, 141.0), (46.0, 136.0), (63.0, 146.0), (74.0, 130.0), (97.0, 138.0)),
    "conifer": ((9.0, 128.0), (22.0, 133.0), (55.0, 124.0), (88.0, 118.0), (110.0, 124.0)),
}


@cache
def _woods() -> SolidThing:
    """Trees far outside, that the land may have a horizon; the same on all sides and in all towns, so that they tell
    nothing."""
    spots = sorted((x, y, kind) for kind, places in _WOODS.items() for x, y in places)
    parts = []
    for x, y, kind in spots:
        for sx, sy in product((-1, 1), repeat=2):
            for at in ((sx * x, sy * y), (sx * y, sy * x)):
                parts += [
                    replace(part, at=(part.at[0] + at[0], part.at[1] + at[1], part.at[2]))
                    for part in STREET[kind].build().parts
                    if isinstance(part, Ball | Prism)
                ]
    return SolidThing("woods", tuple(parts), casts=False)


def _arm(way: str, side: int, end: int) -> tuple[int, int, str]:
    """The arm that leaves towards `end` along `way` on the street at that side."""
    return (end, side, "x") if way == "x" else (side, end, "y")


_MODELS: Mapping[str, Callable[[Building], SolidThing]] = {
    "house": lambda b: house(WALLS[b.wall], ROOFS[b.roof], b.wide, b.deep, b.storeys, b.hip),
    "block of flats": lambda b: block(WALLS[b.wall], b.wide, b.deep, b.storeys),
    "shop": lambda b: shop(WALLS[b.wall], ROOFS[b.roof]),
}
SHOP = (9.0, 7.0)
"""Width and depth of every shop."""


def names(buildings: Sequence[Building]) -> list[str]:
    return [f"{building.kind} {number + 1}" for number, building in enumerate(buildings)]


def height(building: Building) -> float:
    """Metres up to the top of its roof or chimney."""
    return extent(_MODELS[building.kind](building))[1][2]


def _buildings(buildings: Sequence[Building]) -> Iterator[SolidThing]:
    for name, building in zip(names(buildings), buildings, strict=True):
        yield _MODELS[building.kind](building).placed(name, (building.x, building.y), building.turn)


def _smalls(smalls: Sequence[Small]) -> Iterator[SolidThing]:
    for number, small in enumerate(smalls):
        model = STREET[small.kind].build(CARS.get(small.colour))
        yield model.placed(small_name(number, small), (small.x, small.y), small.turn)


def small_name(number: int, small: Small) -> str:
    return f"{small.kind} #{number}"
