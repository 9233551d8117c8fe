"""Thinking of a walk through a flat: photos that each share a landmark with the next, and two things to ask for.

A landmark is a thing of which the flat has one, which stands square to the walls, and whose front is plain in both
photos: it carries the compass from one photo to the next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.models import FURNITURE
from snellen.tasks.capacity.flats.furnish import furnish
from snellen.tasks.capacity.flats.layout import rooms_of
from snellen.tasks.capacity.flats.plan import Flat, Furniture, told
from snellen.tasks.capacity.flats.views import UNSEEN, FlatPhoto, between, distance, looked, shown, sights
from snellen.tasks.capacity.kind import Truth

DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
VIEWS = (3, 4, 5)
STYLES = ("camera", "thing")
LANDMARK = (2200, 0.45)
"""So many pixels of a landmark and such a share of it are seen in both photos."""
ASKED = (2600, 0.55)
_APART = (90, 270, 180, 45, 90, 0, 270, 135, 180, 90, 225, 270, 0, 315)
"""Degrees from the first asked thing's facing to the second's, in turns."""
_PHOTOS_PER_ROOM = 16
_WALKS = 60


@dataclass(frozen=True, slots=True)
class PhotoWalk:
    """Photos in order, and the asked things with the number (from 0) of the photo each is asked in."""

    photos: tuple[FlatPhoto, ...]
    asked: tuple[tuple[Furniture, int], ...]


def plan(index: int) -> tuple[int, int, int, str]:
    """The bearings the two asked things face, how many photos, and what is given: all take turns."""
    first = 45 * (index % 8)
    second = first + _APART[(index // 8 + index) % len(_APART)]
    return first, second % 360, VIEWS[index % 3], STYLES[(index // 3) % 2]


def make(rng: Stream, size: str, index: int) -> Truth:
    first, second, views, style = plan(index)
    apart = (second - first) % 360
    for flat in _flats(rng, views):
        if apart % 90 and not any(_askew(piece) for piece in flat.pieces):
            continue
        for walk in _walks(rng, sights(rng, flat, _PHOTOS_PER_ROOM), views, style):
            chosen = _asked(rng, walk, apart)
            given = _given(rng, chosen, style) if chosen else None
            proven = _proven(chosen, given) if chosen and given else None
            if proven and given:
                return {"size": size, **_written(proven, given, first)}
    raise AssertionError("flats never end")


def _flats(rng: Stream, views: int) -> Iterator[Flat]:
    while True:
        rooms = rooms_of(rng, rng.choice({3: (2, 3), 4: (2, 3, 4), 5: (3, 4)}[views]))
        flat = furnish(rng, rooms)
        if flat:
            yield flat


def _askew(piece: Furniture) -> bool:
    return bool(piece.turn % 90) and piece.kind != "chair" and bool(FURNITURE[piece.kind].evident)


def front(piece: Furniture) -> int:
    """The bearing a thing faces in the flat's axes; a window faces out."""
    return (piece.turn + (180 if piece.kind == "window" else 0)) % 360


def landmarks(sight: FlatPhoto) -> frozenset[str]:
    """What of a photo can carry the compass to another."""
    flat = sight.flat
    return frozenset(
        piece.name
        for piece in flat.pieces
        if piece.name == piece.kind
        and piece.kind != "chair"
        and FURNITURE[piece.kind].evident
        and piece.turn % 90 == 0
        and sight.evident(piece)
        and sight.clear(piece.name, *LANDMARK)
    )


def _walks(rng: Stream, seen: Sequence[FlatPhoto], views: int, style: str) -> Iterator[tuple[FlatPhoto, ...]]:
    """Some walks of so many photos from room to room, each linked to the next."""
    marks = {id(sight): landmarks(sight) for sight in seen}
    linked = [sight for sight in seen if marks[id(sight)]]
    starts = [sight for sight in linked if style != "camera" or sight.photo.yaw % 45 == 0]
    for _ in range(_WALKS if starts else 0):
        walk = [rng.choice(starts)]
        while len(walk) < views:
            here = walk[-1]
            onward = [
                sight
                for sight in linked
                if marks[id(sight)] & marks[id(here)] and all(_unlike(sight, other) for other in walk)
            ]
            fresh = [sight for sight in onward if not marks[id(sight)] & marks[id(walk[0])]]
            pool = fresh if fresh and rng.chance(0.7) else onward
            if not pool:
                break
            walk.append(rng.choice(pool))
        if len(walk) == views and not marks[id(walk[-1])] & marks[id(walk[0])]:
            yield tuple(walk)


def _unlike(sight: FlatPhoto, other: FlatPhoto) -> bool:
    """Whether two photos are taken from clearly different places or in different directions."""
    away, apart = distance(sight.photo.at, other.photo.at), between(sight.photo.yaw, other.photo.yaw)
    return away >= 0.7 and (apart >= 25 or away >= 1.6)


def _asked(rng: Stream, walk: Sequence[FlatPhoto], apart: int) -> PhotoWalk | None:
    """Two things, the first photo showing neither, that face so many degrees apart; one of them in the last photo and
    in another room than the first photo."""
    start, last = walk[0], len(walk) - 1
    far = [piece for piece in _askable(walk, last) if piece.room != start.room]
    near = [(piece, number) for number in range(1, last + 1) for piece in _askable(walk, number)]
    pairs = []
    for piece in far:
        for other, number in near:
            if other.kind == piece.kind:
                continue
            if (front(other) - front(piece)) % 360 == apart:
                pairs.append(((piece, last), (other, number)))
            if (front(piece) - front(other)) % 360 == apart:
                pairs.append(((other, number), (piece, last)))
    rarer = [pair for pair in pairs if "window" not in (pair[0][0].kind, pair[1][0].kind)]
    pairs = rarer if rarer and rng.chance(0.8) else pairs
    pool = [pair for pair in pairs if min(pair[0][1], pair[1][1]) < last] or pairs
    return PhotoWalk(tuple(walk), rng.choice(pool)) if pool else None


def _askable(walk: Sequence[FlatPhoto], number: int) -> Iterator[Furniture]:
    """What can be asked of a photo: seen well, facing plain, alone of its kind there, and not seen in the first."""
    sight, start = walk[number], walk[0]
    if between(sight.photo.yaw, start.photo.yaw) < 30:
        return
    for piece in sight.flat.pieces:
        kind = [other.name for other in sight.flat.pieces if other.kind == piece.kind]
        if (
            FURNITURE[piece.kind].evident
            and piece.kind != "chair"
            and sight.evident(piece)
            and start.of(piece.name) < UNSEEN
            and sight.clear(piece.name, *ASKED)
            and sum(sight.of(name) > 0 for name in kind) == 1
        ):
            yield piece


def _given(rng: Stream, walk: PhotoWalk, style: str) -> Furniture | str | None:
    """What is given of the first photo: the way the camera looks, or a thing's facing."""
    if style == "camera":
        return "camera"
    start = walk.photos[0]
    things = [piece for piece in start.flat.pieces if piece.name in landmarks(start)]
    return rng.choice(things) if things else None


def _proven(walk: PhotoWalk, given: Furniture | str) -> PhotoWalk | None:
    """The walk with all that was found at the small scale found once more at a finer one."""
    fine = looked(walk.photos[0].flat, [sight.photo for sight in walk.photos], True)
    marks = [landmarks(sight) for sight in fine]
    holds = (
        all(mark & following for mark, following in pairwise(marks))
        and not marks[0] & marks[-1]
        and (isinstance(given, str) or given.name in marks[0])
        and all(piece.name in {askable.name for askable in _askable(fine, number)} for piece, number in walk.asked)
    )
    return PhotoWalk(fine, walk.asked) if holds else None


def _written(walk: PhotoWalk, given: Furniture | str, first: int) -> dict[str, Any]:
    flat, photos = walk.photos[0].flat, [sight.photo for sight in walk.photos]
    compass = (first - front(walk.asked[0][0])) % 360
    bearing = photos[0].yaw if isinstance(given, str) else front(given)
    rooms = {sight.room for sight in walk.photos}
    return {
        **told(flat, photos),
        "shown": shown(walk.photos),
        "views": len(photos),
        "compass": compass,
        "given": ["camera" if isinstance(given, str) else given.name, word(bearing + compass)],
        "asked": [[piece.name, number + 1, word(front(piece) + compass)] for piece, number in walk.asked],
        "links": [sorted(landmarks(sight) & landmarks(following)) for sight, following in pairwise(walk.photos)],
        "difficulty": len(photos) + len(rooms) - 1,
    }


def word(bearing: float) -> str:
    """The nearest of the eight directions."""
    return DIRECTIONS[int(bearing % 360 / 45 + 0.5) % 8]
