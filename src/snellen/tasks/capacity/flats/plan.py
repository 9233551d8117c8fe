"""A flat and the photos taken in it, as plain values: from and to JSON, and as a scene that can be drawn.

The flat has its own axes (metres, walls along x and y). Which way north is, a question says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from snellen.item import Picture
from snellen.tasks.capacity.data import frozen
from snellen.tasks.capacity.draw.space.camera import Camera
from snellen.tasks.capacity.draw.space.light import INDOORS
from snellen.tasks.capacity.draw.space.models import built
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.render import RenderedStage, prepare, render
from snellen.tasks.capacity.draw.space.rooms import FLOORS, Opening, Room, shell
from snellen.tasks.capacity.draw.space.solids import SolidScene, SolidThing, Spot

EYE = 1.5
"""Metres above the floor from which photos are taken."""
WIDE, HIGH = 640, 480


@dataclass(frozen=True, slots=True)
class Furniture:
    """A thing in a room. `turn` is the bearing it faces in the flat's own axes; the name is its identity."""

    name: str
    kind: str
    at: Spot
    turn: int
    colour: Colour
    room: str

    @property
    def thing(self) -> SolidThing:
        return built(self.kind, self.colour).placed(self.name, self.at, self.turn)


@dataclass(frozen=True, slots=True)
class Photo:
    """Where a photo is taken from, and the bearing it looks to in the flat's own axes."""

    at: Spot
    yaw: int
    pitch: int = -10
    field: int = 80
    eye: float = EYE

    @property
    def camera(self) -> Camera:
        return Camera((*self.at, self.eye), self.yaw, self.pitch, self.field)


@dataclass(frozen=True)
class Flat:
    rooms: tuple[Room, ...]
    pieces: tuple[Furniture, ...]

    def room(self, name: str) -> Room:
        return next(room for room in self.rooms if room.name == name)

    def piece(self, name: str) -> Furniture:
        return next(piece for piece in self.pieces if piece.name == name)

    @cached_property
    def stage(self) -> RenderedStage:
        """Kept with the flat: to look it up by all that is in the flat would take a while for each look."""
        shells = (thing for room in self.rooms for thing in shell(room))
        return prepare(SolidScene((*shells, *(piece.thing for piece in self.pieces))), INDOORS)


def inside(room: Room, at: Spot) -> bool:
    return room.low[0] <= at[0] <= room.high[0] and room.low[1] <= at[1] <= room.high[1]


def taken(flat: Flat, photos: Sequence[Photo]) -> tuple[Picture, ...]:
    """The photos, drawn."""
    stage = flat.stage
    views = (render(stage, photo.camera, WIDE, HIGH) for photo in photos)
    return tuple(Picture(view.png(), alt=f"photo {number} of a flat") for number, view in enumerate(views, 1))


def told(flat: Flat, photos: Sequence[Photo]) -> dict[str, Any]:
    """Both in JSON types."""
    return {
        "rooms": [_room_told(room) for room in flat.rooms],
        "things": [
            [piece.name, piece.kind, *piece.at, piece.turn, list(piece.colour), piece.room] for piece in flat.pieces
        ],
        "photos": [
            [*photo.at, photo.yaw, photo.pitch, photo.field, *([photo.eye] if photo.eye != EYE else [])]
            for photo in photos
        ],
    }


def _room_told(room: Room) -> dict[str, Any]:
    return {
        "name": room.name,
        "low": list(room.low),
        "high": list(room.high),
        "floor": FLOORS.index(room.floor),
        "wall": list(room.wall),
        "openings": [[opening.wall, opening.at, opening.wide] for opening in room.openings],
    }


def flat_of(truth: Mapping[str, Any]) -> Flat:
    """The flat that `told` wrote down."""
    rooms = (
        Room(
            **{name: room[name] for name in ("name", "low", "high", "wall")},
            floor=FLOORS[room["floor"]],
            openings=tuple(Opening(*opening) for opening in room["openings"]),
        )
        for room in frozen(truth["rooms"])
    )
    pieces = (
        Furniture(name, kind, (x, y), turn, colour, room)
        for name, kind, x, y, turn, colour, room in frozen(truth["things"])
    )
    return Flat(tuple(rooms), tuple(pieces))


def photos_of(truth: Mapping[str, Any]) -> tuple[Photo, ...]:
    return tuple(Photo((x, y), *rest) for x, y, *rest in truth["photos"])
