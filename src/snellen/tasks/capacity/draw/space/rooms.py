"""Rooms: floor, ceiling and walls with openings to other rooms.

A room's walls are seen from inside only, so that a look from straight above shows the room as a plan. Rooms that share
a wall leave its thickness between them; an opening reaches through half of it on either side.
"""

from dataclasses import dataclass

from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import Point, Quad, Solid, SolidThing, Spot, ceiling, floor, plain, turned

THICK = 0.12
"""Metres between rooms on two sides of a wall."""
PLANKS = Paint((204, 164, 118), (142, 102, 64), "planks", (0.16, 1.6, 0.012))
DARK_PLANKS = Paint((150, 108, 74), (92, 62, 40), "planks", (0.14, 1.4, 0.010))
TILES = Paint((222, 222, 218), (168, 168, 164), "tiles", (0.4, 0.4, 0.012))
CHECKS = Paint((232, 230, 224), (104, 112, 120), "checks", (0.35, 0.35, 0.0))
CARPET = Paint((172, 168, 158), (150, 146, 138), "grain", (0.02, 0.5, 0.5))
FLOORS = (PLANKS, TILES, DARK_PLANKS, CHECKS, CARPET)
IVORY: Colour = (238, 232, 216)


@dataclass(frozen=True, slots=True)
class Opening:
    """A doorway without a door. `wall` is the bearing of the wall it is in (0, 90, 180, 270); `at` is the x (walls
    to the north and south) or y (west, east) of its middle."""

    wall: int
    at: float
    wide: float = 0.9
    high: float = 2.05


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle from `low` (south-west) to `high` (north-east)."""

    name: str
    low: Spot
    high: Spot
    floor: Paint = PLANKS
    wall: Colour = IVORY
    openings: tuple[Opening, ...] = ()
    tall: float = 2.6

    @property
    def middle(self) -> Spot:
        return (self.low[0] + self.high[0]) / 2, (self.low[1] + self.high[1]) / 2


def shell(room: Room) -> tuple[SolidThing, ...]:
    """The room's floor, walls and ceiling as three things: `<name> floor`, `<name> walls`, `<name> ceiling`."""
    grounds: list[Solid] = [floor(room.low, room.high, room.floor)]
    walls: list[Solid] = []
    for bearing in (0, 90, 180, 270):
        walls += _wall(room, bearing)
        for opening in room.openings:
            if opening.wall == bearing:
                walls += _jambs(room, opening)
                grounds.append(_threshold(room, opening))
    top = ceiling(room.low, room.high, plain((284, 284, 278)), room.tall)
    return (
        SolidThing(f"{room.name} floor", tuple(grounds), casts=False),
        SolidThing(f"{room.name} walls", tuple(walls), casts=False),
        SolidThing(f"{room.name} ceiling", (top,), casts=False),
    )


def _frame(room: Room, bearing: int) -> tuple[float, float, float]:
    """Seen from the room's middle towards the wall: half its length, its distance, and how `at` is counted."""
    (x0, y0), (x1, y1) = room.low, room.high
    if bearing % 180 == 0:
        return (x1 - x0) / 2, (y1 - y0) / 2, 1.0 if bearing == 0 else -1.0
    return (y1 - y0) / 2, (x1 - x0) / 2, -1.0 if bearing == 90 else 1.0


def _quad(room: Room, bearing: int, corners: tuple[Point, ...], paint: Paint) -> Quad:
    """A polygon given as if the wall were the north wall of a room around the origin."""
    return Quad(tuple(turned(corner, bearing, (*room.middle, 0.0)) for corner in corners), paint)


def _span(room: Room, opening: Opening) -> tuple[float, float]:
    """The opening's left and right end, counted from the wall's middle, seen from inside."""
    _, _, sign = _frame(room, opening.wall)
    middle = room.middle[0] if opening.wall % 180 == 0 else room.middle[1]
    at = (opening.at - middle) * sign
    return at - opening.wide / 2, at + opening.wide / 2


def _wall(room: Room, bearing: int) -> list[Quad]:
    """The pieces between, beside and above the openings, a skirting board along their feet, and the wall's top."""
    half, away, _ = _frame(room, bearing)
    paint, foot = plain(room.wall), plain((250, 250, 246))
    holes = sorted((*_span(room, opening), opening.high) for opening in room.openings if opening.wall == bearing)
    pieces, start = [], -half
    for left, right, high in holes:
        pieces += [(start, left, 0.0), (left, right, high)]
        start = right
    pieces.append((start, half, 0.0))
    quads = []
    for left, right, low in pieces:
        if right - left < 1e-6:
            continue
        quads.append(_quad(room, bearing, _upright(left, right, away, low, room.tall), paint))
        if not low:
            quads.append(_quad(room, bearing, _upright(left, right, away - 0.012, 0.0, 0.08), foot))
    edge = ((-half, away, room.tall), (half, away, room.tall))
    beyond = ((half + THICK / 2, away + THICK / 2, room.tall), (-half - THICK / 2, away + THICK / 2, room.tall))
    quads.append(_quad(room, bearing, (*edge, *beyond), plain((92, 92, 96))))
    return quads


def _upright(left: float, right: float, away: float, low: float, high: float) -> tuple[Point, ...]:
    """A rectangle of the north wall, corners anticlockwise for who looks north."""
    return ((left, away, low), (right, away, low), (right, away, high), (left, away, high))


def _jambs(room: Room, opening: Opening) -> list[Quad]:
    """The sides and the head of an opening, half of the wall's thickness deep, and a frame around it."""
    _, away, _ = _frame(room, opening.wall)
    left, right = _span(room, opening)
    deep, high, paint = away + THICK / 2, opening.high, plain((236, 232, 224))
    sides: list[tuple[Point, ...]] = [
        ((left, away, 0.0), (left, deep, 0.0), (left, deep, high), (left, away, high)),
        ((right, deep, 0.0), (right, away, 0.0), (right, away, high), (right, deep, high)),
        ((left, away, high), (left, deep, high), (right, deep, high), (right, away, high)),
    ]
    near, rim = away - 0.013, 0.07
    sides += [
        _upright(left - rim, left, near, 0.0, high + rim),
        _upright(right, right + rim, near, 0.0, high + rim),
        _upright(left, right, near, high, high + rim),
    ]
    return [_quad(room, opening.wall, corners, paint) for corners in sides]


def _threshold(room: Room, opening: Opening) -> Quad:
    _, away, _ = _frame(room, opening.wall)
    left, right = _span(room, opening)
    deep = away + THICK / 2
    corners = ((left, away, 0.0), (right, away, 0.0), (right, deep, 0.0), (left, deep, 0.0))
    return _quad(room, opening.wall, corners, plain((150, 120, 90)))
