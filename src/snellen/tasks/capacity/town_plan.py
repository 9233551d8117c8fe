"""Thinking of a town: houses along its streets, a park, trees, lamps and cars; room is kept where people will stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.solids import Spot
from snellen.tasks.capacity.draw.space.street import ROAD
from snellen.tasks.capacity.town import (
    CARS,
    CURB,
    PARKS,
    ROOFS,
    SHOP,
    SQUARES,
    WALLS,
    Building,
    Small,
    Town,
)

Rect = tuple[float, float, float, float]
"""Left, bottom, right, top."""
EDGE = 88.0
"""The town ends so far from its middle."""
_LANDMARK_ROOM = 15.0
_STAND_ROOM = 8.0
"""No car, tree or lamp nearer than this to where someone stands."""
_GARDEN = ("tree", "tree", "tree", "conifer", "bush")


@dataclass(frozen=True, slots=True)
class Site:
    """What is settled before houses are built: the landmark and its turn, the streets, where people will stand."""

    landmark: str
    turn: int
    half: float
    arms: tuple[tuple[int, int, str], ...]
    stands: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class _Front:
    """A side of a block along a street: from `corner` on along `way`, the block lying towards `inward`."""

    corner: Spot
    way: Spot
    inward: Spot
    length: float

    def place(self, along: float, deep: float) -> Spot:
        x = self.corner[0] + self.way[0] * along + self.inward[0] * deep
        y = self.corner[1] + self.way[1] * along + self.inward[1] * deep
        return round(x, 1), round(y, 1)

    def facing(self) -> int:
        return {(0, -1): 0, (-1, 0): 90, (0, 1): 180, (1, 0): 270}[int(self.inward[0]), int(self.inward[1])]


@dataclass(slots=True)
class _Ground:
    """What is taken so far."""

    buildings: list[Building] = field(default_factory=list)
    smalls: list[Small] = field(default_factory=list)
    taken: list[Rect] = field(default_factory=list)

    def free(self, x: float, y: float, reach: Spot, margin: float) -> bool:
        a, b = reach[0] + margin, reach[1] + margin
        return all(
            x + a <= left or right <= x - a or y + b <= bottom or top <= y - b
            for left, bottom, right, top in self.taken
        )

    def take(self, x: float, y: float, reach: Spot) -> None:
        self.taken.append((x - reach[0], y - reach[1], x + reach[0], y + reach[1]))


def plan(rng: Stream, site: Site) -> Town:
    """A town on that site."""
    ground = _Ground()
    for rect in _streets(site):
        ground.taken.append(rect)
    park = rng.choice(tuple(PARKS))
    fronts = list(_fronts(site, park))
    rng.shuffle(fronts)
    for front in fronts:
        _build(rng, ground, front)
    _plant(rng, ground, site, park)
    _furnish(rng, ground, site)
    zebras = _zebras(rng, site)
    _drive(rng, ground, site, zebras)
    return Town(
        site.landmark,
        site.turn,
        site.half,
        rng.choice(tuple(SQUARES)),
        site.arms,
        park,
        (110 + 10 * rng.below(15), 38 + 4 * rng.below(5)),
        tuple(ground.buildings),
        tuple(ground.smalls),
        zebras,
    )


def _streets(site: Site) -> Iterator[Rect]:
    """The streets and the square, where nothing is built."""
    outer = site.half + CURB
    yield -outer, -outer, outer, outer
    for sx, sy, way in site.arms:
        x, y = sx * site.half, sy * site.half
        if way == "x":
            yield min(sx * outer, sx * EDGE), y - CURB, max(sx * outer, sx * EDGE), y + CURB
        else:
            yield x - CURB, min(sy * outer, sy * EDGE), x + CURB, max(sy * outer, sy * EDGE)


def _fronts(site: Site, park: str) -> Iterator[_Front]:
    """Both sides of every arm, and the sides of the square that are no park."""
    half, outer, inner = site.half, site.half + CURB, site.half - CURB
    for x, y in PARKS.values():
        if (x, y) != PARKS[park]:
            way = (y, -x)
            corner = (x * outer - way[0] * inner, y * outer - way[1] * inner)
            yield _Front((corner[0] + 4 * way[0], corner[1] + 4 * way[1]), way, (x, y), 2 * inner - 8)
    for sx, sy, way_name in site.arms:
        along = (float(sx), 0.0) if way_name == "x" else (0.0, float(sy))
        aside = (0.0, float(sy)) if way_name == "x" else (float(sx), 0.0)
        for out in (1.0, -1.0):
            x, y = sx * half + along[0] * (CURB + 3), sy * half + along[1] * (CURB + 3)
            x, y = x + aside[0] * CURB * out, y + aside[1] * CURB * out
            inward = (aside[0] * out, aside[1] * out)
            if out > 0 or PARKS[park] != along:
                yield _Front((x, y), along, inward, EDGE - half - CURB - 6)


def _build(rng: Stream, ground: _Ground, front: _Front) -> None:
    """Houses one beside another along a street, as far as there is room."""
    along = rng.between(0.0, 2.0)
    while True:
        building = _building(rng, front, along)
        along_end = along + building.wide
        if along_end > front.length:
            return
        if ground.free(building.x, building.y, building.reach(), 1.6) and abs(building.x) < EDGE > abs(building.y):
            ground.buildings.append(building)
            ground.take(building.x, building.y, building.reach())
            along = along_end + rng.between(3.0, 7.5)
        else:
            along += 2.0


def _building(rng: Stream, front: _Front, along: float) -> Building:
    kind = rng.choice(("house",) * 6 + ("shop", "block of flats"))
    wide, deep, storeys, hip = 0.5 * rng.between(17, 25), 0.5 * rng.between(14, 18), 1 + rng.below(2), 0.0
    if kind == "shop":
        (wide, deep), storeys = SHOP, 1
    elif kind == "block of flats":
        wide, deep, storeys = rng.between(12, 15), rng.between(9, 11), 3
    elif rng.chance(0.35):
        hip = round(deep * 0.4, 1)
    wide, deep = round(wide, 1), round(deep, 1)
    x, y = front.place(along + wide / 2, rng.between(1.8, 4.0) + deep / 2)
    roof = "" if kind == "block of flats" else rng.choice(tuple(ROOFS))
    return Building(kind, x, y, front.facing(), rng.choice(tuple(WALLS)), roof, wide, deep, storeys, hip)


def _away(x: float, y: float, stands: Sequence[Spot], room: float) -> bool:
    return all((x - a) ** 2 + (y - b) ** 2 >= room**2 for a, b in stands)


def _plant(rng: Stream, ground: _Ground, site: Site, park: str) -> None:
    """Trees: some on the square, many in gardens, a grove in the park around its pond."""
    inner, outer = site.half - CURB, site.half + CURB
    px, py = PARKS[park]
    grove = (_span(px, inner - 3, outer + 3, EDGE), _span(py, inner - 3, outer + 3, EDGE))
    areas = [
        (6, (2 - inner, inner - 2), (2 - inner, inner - 2), ("tree", "conifer", "bench", "bush")),
        (12, *grove, _GARDEN),
        (110, (-EDGE, EDGE), (-EDGE, EDGE), _GARDEN),
    ]
    forbidden = [((0.0, 0.0), _LANDMARK_ROOM), ((px * (site.half + 20.0), py * (site.half + 20.0)), 11.0)]
    forbidden += [(stand, _STAND_ROOM) for stand in site.stands]
    for many, across, along, kinds in areas:
        on_square = across[1] < inner and along[1] < inner
        for _ in range(many):
            x, y, kind = round(rng.between(*across), 1), round(rng.between(*along), 1), rng.choice(kinds)
            if all(_away(x, y, [spot], room) for spot, room in forbidden) and (
                on_square or ground.free(x, y, (1.8, 1.8), 0.6)
            ):
                ground.smalls.append(Small(kind, x, y, 90 * rng.below(4)))
                ground.take(x, y, (1.8, 1.8))


def _span(way: float, side: float, near: float, far: float) -> Spot:
    return (-side, side) if way == 0 else (min(way * near, way * far), max(way * near, way * far))


def _furnish(rng: Stream, ground: _Ground, site: Site) -> None:
    """One or two things that the square has but once, and lamps along the streets."""
    inner = site.half - CURB - 4.0
    for kind in rng.sample(("fountain", "statue", "market stall", "bus stop"), 2):
        for _ in range(20):
            x, y = round(rng.between(-inner, inner), 1), round(rng.between(-inner, inner), 1)
            others = [(small.x, small.y) for small in ground.smalls]
            room = _away(x, y, [(0.0, 0.0)], 18.0) and _away(x, y, site.stands, _STAND_ROOM)
            if room and _away(x, y, others, 5.0):
                ground.smalls.append(Small(kind, x, y, 90 * rng.below(4)))
                break
    edge = ROAD / 2 + 0.6
    for sx, sy, way in site.arms:
        for step in range(2):
            along, aside = site.half + 13.0 + 22.0 * step, site.half - edge
            x, y = (sx * along, sy * aside) if way == "x" else (sx * aside, sy * along)
            if _away(x, y, site.stands, 10.0):
                ground.smalls.append(Small("lamp post", round(x, 1), round(y, 1)))


def _zebras(rng: Stream, site: Site) -> tuple[tuple[float, float, int], ...]:
    """Crossings for walkers over some arms, next to the crossroads."""
    out = site.half + 7.5
    zebras = []
    for sx, sy, way in rng.sample(site.arms, 3):
        zebras.append((sx * out, sy * site.half, 90) if way == "x" else (sx * site.half, sy * out, 0))
    return tuple(zebras)


def _drive(rng: Stream, ground: _Ground, site: Site, zebras: Sequence[tuple[float, float, int]]) -> None:
    """Cars on the right-hand side of their streets."""
    cars: list[Spot] = [(x, y) for x, y, _ in zebras]
    for _ in range(40):
        if len(cars) >= len(zebras) + 7:
            return
        heading, along = 90 * rng.below(4), round(rng.between(-site.half - 38, site.half + 38), 1)
        side = rng.choice((-1, 1)) * site.half
        lane = side + (1.9 if heading in (0, 270) else -1.9)
        x, y = (along, lane) if heading in (90, 270) else (lane, along)
        if not _on_street(site, x, y) or not _away(x, y, site.stands, _STAND_ROOM + 1) or not _away(x, y, cars, 9.0):
            continue
        cars.append((x, y))
        ground.smalls.append(Small("car", round(x, 1), round(y, 1), heading, rng.choice(tuple(CARS))))


def _on_street(site: Site, x: float, y: float) -> bool:
    """Whether a car stands on a street, not on a crossing nor where a street has been left out."""
    a, b = abs(x), abs(y)
    if abs(a - site.half) < 6 and abs(b - site.half) < 6:
        return False
    if max(a, b) <= site.half + 3:
        return True
    way = "x" if a > b else "y"
    return (1 if x > 0 else -1, 1 if y > 0 else -1, way) in site.arms
