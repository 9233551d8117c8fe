"""Finding good places for photos, and saying what a photo shows: how many pixels of a thing, and how much of it.

Views are searched at a small scale, where only the things' numbers are drawn; pixels are always counted as those of the
finished photo. What share of a thing is seen is its pixels over those it would have alone, frame and furniture away.
While photos are searched that whole is guessed from measured outlines; what is chosen is proven with drawn ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import atan, atan2, degrees, hypot, radians, sqrt, tan

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.camera import Camera
from snellen.tasks.capacity.draw.space.light import INDOORS
from snellen.tasks.capacity.draw.space.models import FURNITURE, size_of
from snellen.tasks.capacity.draw.space.render import RenderedStage, covered, glances, outlines, prepare
from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.draw.space.solids import SolidScene, Spot, cosine, sine
from snellen.tasks.capacity.flats.furnish import shifted
from snellen.tasks.capacity.flats.plan import EYE, WIDE, Flat, Furniture, Photo, inside
from snellen.tasks.capacity.flats.space import AxisBox, block_of

UNSEEN = 250
"""Pixels up to which a thing counts as not seen in a photo."""
_SMALL = (160, 120)
_MANY = (WIDE // _SMALL[0]) ** 2
"""Pixels of the photo to a pixel of the small view."""
_WIDER = 3
"""How many times as wide and high the screen is on which a thing's whole outline is measured."""
_SHOULDERS = 0.3
"""Metres a photographer keeps from furniture and walls."""
_STEP = 0.3
"""Metres between the distances for which outlines are measured."""
_SIDE = 15
"""Degrees between the sides from which they are."""


def bearing(start: Spot, end: Spot) -> int:
    """The bearing from one place to another, in whole degrees."""
    return round(round(degrees(atan2(end[0] - start[0], end[1] - start[1])), 3)) % 360


def between(first: int, second: int) -> int:
    """The angle between two bearings, 0 to 180."""
    apart = abs(first - second) % 360
    return min(apart, 360 - apart)


def distance(first: Spot, second: Spot) -> float:
    return hypot(first[0] - second[0], first[1] - second[1])


@lru_cache(maxsize=1024)
def _covered(kind: str, steps: int) -> tuple[float, ...]:
    """The solid angles of a kind of thing so many steps away, seen from each of 24 sides."""
    stage = _by_itself(kind)
    low, high = size_of(kind)
    away = steps * _STEP
    up = round(degrees(atan2((low[2] + high[2]) / 2 - EYE, away)))
    cameras = [
        Camera((away * sine(around), away * cosine(around), EYE), (around + 180) % 360, up, 100.0)
        for around in range(0, 360, _SIDE)
    ]
    seen = covered(stage, stage.scene.things[0].name, cameras, 160, 160)
    return tuple(max(1, many) / cameras[0].focus(160) ** 2 for many in seen)


@lru_cache(maxsize=64)
def _by_itself(kind: str) -> RenderedStage:
    return prepare(SolidScene((FURNITURE[kind].build(),)), INDOORS)


@lru_cache(maxsize=16)
def _outlines(photo: Photo) -> dict[Furniture, float]:
    """The photo's pixels that each thing alone would cover on an endless screen, as far as they were measured."""
    return {}


def _measured(flat: Flat, photo: Photo, names: Collection[str]) -> dict[Furniture, float]:
    """The outlines of these things of a flat, measured together: each costs little once all are projected."""
    known = _outlines(photo)
    pieces = {piece.name: piece for piece in flat.pieces if piece.name in names and piece not in known}
    if pieces:
        field = round(2 * degrees(atan(_WIDER * tan(radians(photo.field / 2)))), 4)
        camera = Camera(photo.camera.eye, photo.yaw, photo.pitch, field)
        wide, high = (_WIDER * side for side in _SMALL)
        for name, pixels in outlines(flat.stage, list(pieces), camera, wide, high).items():
            known[pieces[name]] = max(1, pixels) * _MANY
    return known


@dataclass(frozen=True)
class FlatPhoto:
    """What a photo taken in a flat shows."""

    flat: Flat
    photo: Photo
    pixels: Mapping[str, int]
    """The photo's pixels by thing, walls and floors included."""
    fine: bool = False
    """Counted at half the photo's scale rather than at a quarter."""

    @cached_property
    def shares(self) -> dict[str, float]:
        return {}

    def of(self, name: str) -> int:
        return self.pixels.get(name, 0)

    def share(self, name: str) -> float:
        """How much of the thing's outline is seen, neither hidden nor cut off."""
        if not self.of(name):
            return 0.0
        if name not in self.shares:
            self.shares[name] = round(min(1.0, self.of(name) / self._whole(self.flat.piece(name))), 3)
        return self.shares[name]

    def _whole(self, piece: Furniture) -> float:
        """The pixels the thing alone would have on an endless screen: guessed in a search, drawn for a proof."""
        return self._drawn(piece) if self.fine else self._guessed(piece)

    def _drawn(self, piece: Furniture) -> float:
        return _measured(self.flat, self.photo, self.pixels)[piece]

    def _guessed(self, piece: Furniture) -> float:
        """From the angles it covers: off the middle of the screen these take up more pixels."""
        away = max(0.6, distance(self.photo.at, piece.at))
        side = (bearing(piece.at, self.photo.at) - piece.turn) % 360
        low, high = size_of(piece.kind)
        x, y, z = piece.at[0] - self.photo.at[0], piece.at[1] - self.photo.at[1], (low[2] + high[2]) / 2 - EYE
        forward = self.photo.camera.forward
        ahead = (x * forward[0] + y * forward[1] + z * forward[2]) / sqrt(x * x + y * y + z * z)
        steps = max(3, round(away / _STEP))
        covered = _covered(piece.kind, steps)[round(side / _SIDE) % 24] * (steps * _STEP / away) ** 2
        return covered * self.photo.camera.focus(WIDE) ** 2 / max(ahead, 0.3) ** 3

    def clear(self, name: str, pixels: int, share: float) -> bool:
        return self.of(name) >= pixels and self.share(name) >= share

    def evident(self, piece: Furniture) -> bool:
        """Whether one can tell from here which way the thing faces."""
        return between(piece.turn, bearing(piece.at, self.photo.at)) <= FURNITURE[piece.kind].evident

    @cached_property
    def room(self) -> str:
        """The room the photo is taken in."""
        return next(room.name for room in self.flat.rooms if inside(room, self.photo.at))

    @cached_property
    def things(self) -> frozenset[str]:
        """The names of furniture that is seen at all."""
        return frozenset(piece.name for piece in self.flat.pieces if piece.name in self.pixels)


def standing(rng: Stream, room: Room, flat: Flat, tries: int = 12) -> Iterator[Spot]:
    """Places in a room where one can stand, one after another."""
    (x0, y0), (x1, y1) = room.low, room.high
    bodies = [block_of(piece) for piece in flat.pieces if piece.room == room.name and piece.kind != "rug"]
    for _ in range(tries):
        x = round(rng.between(x0 + _SHOULDERS, x1 - _SHOULDERS), 2)
        y = round(rng.between(y0 + _SHOULDERS, y1 - _SHOULDERS), 2)
        person = AxisBox(x - _SHOULDERS, y - _SHOULDERS, 0.0, x + _SHOULDERS, y + _SHOULDERS, 1.8)
        if not person.meets(bodies):
            yield x, y


def doorstep(room: Room, number: int, back: float) -> tuple[Spot, int]:
    """A place before a doorway of a room, so many metres inside, and the bearing through it."""
    opening = room.openings[number]
    (x0, y0), (x1, y1) = room.low, room.high
    middle = {0: (opening.at, y1), 90: (x1, opening.at), 180: (opening.at, y0), 270: (x0, opening.at)}[opening.wall]
    return shifted(middle, opening.wall, -back), opening.wall


def photos_in(rng: Stream, flat: Flat, room: Room, many: int) -> Iterator[Photo]:
    """Photos in a room: from afar on one of its things (rather on one that stands askew), or near a doorway in or
    through it."""
    here = [piece for piece in flat.pieces if piece.room == room.name and piece.kind != "rug"]
    targets = [piece.at for piece in here for _ in range(3 if piece.turn % 90 and piece.kind != "chair" else 1)]
    for _ in range(many):
        if room.openings and rng.chance(0.45):
            spot, through = doorstep(room, rng.below(len(room.openings)), rng.choice((0.25, 0.6, 1.2, 2.0, 2.6)))
            inwards = rng.chance(0.5) and distance(spot, room.middle) > 0.8
            yaw = through + (180 if inwards else 0) + rng.choice((-35, -20, 0, 20, 35))
            free = [spot] if _can_stand(spot, flat, room) else []
        else:
            target = rng.choice(targets or [room.middle])
            free = sorted(list(standing(rng, room, flat))[:5], key=lambda at: -distance(at, target))[:1]
            yaw = bearing(free[0], target) + rng.below(31) - 15 if free else 0
        if free:
            yaw = round(yaw / 45) * 45 if rng.chance(0.4) else yaw
            yield Photo(free[0], yaw % 360, -rng.choice((8, 10, 12)))


def _can_stand(at: Spot, flat: Flat, room: Room) -> bool:
    if not inside(room, at):
        return False
    x, y = at
    person = AxisBox(x - 0.2, y - 0.2, 0.0, x + 0.2, y + 0.2, 1.8)
    bodies = (block_of(piece) for piece in flat.pieces if piece.room == room.name and piece.kind != "rug")
    return not person.meets(bodies)


def looked(flat: Flat, photos: Sequence[Photo], fine: bool = False) -> tuple[FlatPhoto, ...]:
    """What these photos show, counted for all together; fine: at twice the scale."""
    scale = 2 if fine else 1
    seen = glances(flat.stage, [photo.camera for photo in photos], _SMALL[0] * scale, _SMALL[1] * scale)
    return tuple(
        FlatPhoto(flat, photo, {name: many * _MANY // scale**2 for name, many in counts.items()}, fine)
        for photo, counts in zip(photos, seen, strict=True)
    )


def sights(rng: Stream, flat: Flat, per_room: int) -> list[FlatPhoto]:
    """Candidates from every room that show something of it: no wall right before the lens, no thing that fills all."""
    showing = []
    for sight in looked(flat, [photo for room in flat.rooms for photo in photos_in(rng, flat, room, per_room)]):
        sizes = [sight.of(name) for name in sight.things]
        if sum(size >= 1600 for size in sizes) >= 2 and max(sizes) <= 90_000 and sum(sizes) >= 27_000:
            showing.append(sight)
    return showing


def shown(photos: Sequence[FlatPhoto]) -> list[list[int]]:
    """The numbers (from 0) of the things that each photo shows."""
    return [
        [number for number, piece in enumerate(sight.flat.pieces) if sight.of(piece.name) > UNSEEN] for sight in photos
    ]
