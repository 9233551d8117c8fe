"""The free space of a room while it is being furnished: what stands where, and what must stay free.

Bodies are the boxes of things; passages are boxes of air that nothing may stand in: before doorways, before the doors
of a wardrobe. Two passages may overlap; a body may touch neither.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.mesh import micro, turned_extent
from snellen.tasks.capacity.draw.space.models import FURNITURE, built, size_of
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.draw.space.solids import Spot, cosine, sine
from snellen.tasks.capacity.flats.layout import rounded
from snellen.tasks.capacity.flats.plan import Furniture

WALLS = (0, 90, 180, 270)
_GAP = 0.06
"""Metres between things, at least."""
_WALL_GAP = 0.2
"""The same for what hangs on walls."""
_OFF = 0.02
"""Metres between a thing's back and the wall."""


class AxisBox(NamedTuple):
    """A box along the axes."""

    x0: float
    y0: float
    z0: float
    x1: float
    y1: float
    z1: float

    def meets(self, others: "Iterable[AxisBox]", gap: float = 0.0) -> bool:
        """Whether it overlaps any of them, or is nearer to one than the gap. A plain loop: nothing is asked as often
        while a flat is furnished."""
        left, back, low, right, front, high = self
        right, front = right + gap, front + gap
        for x0, y0, z0, x1, y1, z1 in others:
            if left < x1 + gap and x0 < right and back < y1 + gap and y0 < front and low < z1 and z0 < high:
                return True
        return False


@lru_cache(maxsize=4096)
def block_of(piece: Furniture) -> AxisBox:
    """The box of a thing where it stands. A thing is turned the same way wherever it is put, so the box of the turned
    thing is kept and only shifted: thousands of places are tried for a flat."""
    x0, y0, z0, x1, y1, z1 = _turned(piece.kind, piece.colour, piece.turn)
    x, y = piece.at
    return AxisBox(micro(x0 + x), micro(y0 + y), z0, micro(x1 + x), micro(y1 + y), z1)


@lru_cache(maxsize=4096)
def _turned(kind: str, colour: Colour, turn: int) -> AxisBox:
    (x0, y0, z0), (x1, y1, z1) = turned_extent(built(kind, colour), turn)
    return AxisBox(x0, y0, micro(z0), x1, y1, micro(z1))  # it stands on the floor wherever it is put


def passage_before(piece: Furniture, body: AxisBox) -> AxisBox | None:
    """The air before a thing's front, as wide as the thing."""
    deep = FURNITURE[piece.kind].passage
    if not deep or piece.turn % 90:
        return None
    x, y = round(sine(piece.turn)), round(cosine(piece.turn))
    x0, x1 = (body.x1, body.x1 + deep) if x > 0 else (body.x0 - deep, body.x0) if x < 0 else (body.x0, body.x1)
    y0, y1 = (body.y1, body.y1 + deep) if y > 0 else (body.y0 - deep, body.y0) if y < 0 else (body.y0, body.y1)
    return AxisBox(x0 + 0.01, y0 + 0.01, 0.05, x1 - 0.01, y1 - 0.01, 2.0)


def doorways(room: Room) -> Iterator[AxisBox]:
    """The air inside a room before its doorways."""
    (x0, y0), (x1, y1), deep = room.low, room.high, 1.0
    for opening in room.openings:
        low, high = opening.at - opening.wide / 2 - 0.15, opening.at + opening.wide / 2 + 0.15
        across = {0: (y1 - deep, y1), 180: (y0, y0 + deep), 90: (x1 - deep, x1), 270: (x0, x0 + deep)}[opening.wall]
        if opening.wall % 180 == 0:
            yield AxisBox(low, across[0], 0.0, high, across[1], 2.2)
        else:
            yield AxisBox(across[0], low, 0.0, across[1], high, 2.2)


@dataclass
class Space:
    """A room that is being furnished."""

    room: Room
    rng: Stream
    outer: tuple[int, ...] = WALLS
    colours: dict[str, Colour] = field(default_factory=dict)
    pieces: list[Furniture] = field(default_factory=list)
    bodies: list[AxisBox] = field(default_factory=list)
    passages: list[AxisBox] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.passages += doorways(self.room)

    def colour(self, kind: str) -> Colour:
        """All things of a kind have the same colour in a flat, so that only their place tells them apart."""
        return self.colours.setdefault(kind, self.rng.choice(FURNITURE[kind].colours))

    def piece(self, kind: str, at: Spot, turn: int) -> Furniture:
        x, y = at
        return Furniture(kind, kind, (round(x, 3), round(y, 3)), turn % 360, self.colour(kind), self.room.name)

    def free(self, group: Iterable[Furniture]) -> bool:
        """Whether these things can stand there together: inside the room, in nobody's way."""
        for piece in group:
            body = block_of(piece)
            (x0, y0), (x1, y1) = self.room.low, self.room.high
            if body.x0 < x0 - 0.001 or body.y0 < y0 - 0.001 or body.x1 > x1 + 0.001 or body.y1 > y1 + 0.001:
                return False
            gap = _WALL_GAP if FURNITURE[piece.kind].hangs else _GAP
            if body.meets(self.bodies, gap) or body.meets(self.passages):
                return False
            passage = passage_before(piece, body)
            if passage and passage.meets(self.bodies):
                return False
        return True

    def put(self, group: Iterable[Furniture]) -> list[Furniture]:
        """The things, now there."""
        placed = list(group)
        for piece in placed:
            self.pieces.append(piece)
            if piece.kind != "rug":
                body = block_of(piece)
                self.bodies.append(body)
                passage = passage_before(piece, body)
                self.passages += [passage] if passage else []
        return placed

    def along(self, kind: str, wall: int, at: float) -> Furniture:
        """A thing with its back to a wall, or hung on it, at that x or y."""
        (x0, y0), (x1, y1) = self.room.low, self.room.high
        off = 0.0 if FURNITURE[kind].hangs else _OFF - size_of(kind)[0][1]
        spot = {0: (at, y1 - off), 90: (x1 - off, at), 180: (at, y0 + off), 270: (x0 + off, at)}[wall]
        return self.piece(kind, spot, wall + 180)

    def reach(self, kind: str, wall: int) -> tuple[float, float]:
        """From where to where the middle of a thing can be along a wall."""
        axis = 0 if wall % 180 == 0 else 1
        low, high = size_of(kind)
        half = max(-low[0], high[0]) + 0.03
        return self.room.low[axis] + half, self.room.high[axis] - half

    def against(self, kind: str, walls: Iterable[int] = WALLS, tries: int = 14) -> Furniture | None:
        """A thing put with its back to one of these walls, wherever there is room for it."""
        choice = list(walls)
        for _ in range(tries if choice else 0):
            wall = self.rng.choice(choice)
            low, high = self.reach(kind, wall)
            if high < low:
                continue
            piece = self.along(kind, wall, rounded(self.rng.between(low, high)))
            if self.free([piece]):
                return self.put([piece])[0]
        return None

    def corner(self, kind: str, tries: int = 8, diagonal: bool = False) -> Furniture | None:
        """A thing put into a corner; diagonal: turned towards the middle of the room."""
        low, high = size_of(kind)
        half = max(-low[0], -low[1], high[0], high[1])
        off = round(half * (1.36 if diagonal else 1.0) + 0.08, 2)
        (x0, y0), (x1, y1) = self.room.low, self.room.high
        corners = {45: (x0 + off, y0 + off), 315: (x1 - off, y0 + off), 135: (x0 + off, y1 - off)}
        corners[225] = (x1 - off, y1 - off)
        for _ in range(tries):
            bearing = self.rng.choice(tuple(corners))
            piece = self.piece(kind, corners[bearing], bearing if diagonal else 0)
            if self.free([piece]):
                return self.put([piece])[0]
        return None

    def somewhere(self, margin: float) -> Spot:
        """A place in the room at least so far from its walls."""
        spot = []
        for low, high in zip(self.room.low, self.room.high, strict=True):
            start, end = low + margin, high - margin
            spot.append(rounded(self.rng.between(start, end) if start < end else (low + high) / 2))
        return spot[0], spot[1]
