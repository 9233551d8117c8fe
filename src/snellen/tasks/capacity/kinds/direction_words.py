"""A walk through a flat in exact words, from where the first photo was taken: ahead and right, never a compass."""

from snellen.tasks.capacity.draw.space.models import FURNITURE
from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.draw.space.solids import Spot, cosine, sine
from snellen.tasks.capacity.flats.plan import Furniture, Photo, flat_of, photos_of
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.direction_making import front


def plan_in_words(truth: Truth) -> str:
    flat, photos = flat_of(truth), photos_of(truth)
    seen = [
        [photo for photo, things in enumerate(truth["shown"], 1) if thing in things]
        for thing in range(len(flat.pieces))
    ]
    lines = [
        "A plan of the flat. Places are (ahead, right): metres ahead of the camera of photo 1 and metres to its right, "
        "negative behind it and to its left. Angles are degrees clockwise, seen from above, from the way photo 1 "
        "looks: 0 is that way, 90 is to its right, 180 is back, 270 is to its left.",
        *(_room(room, photos[0]) for room in flat.rooms),
        "Things, with the angle they face (what facing means is said below) and the photos that show them:",
        *(_thing(piece, photos[0], where) for piece, where in zip(flat.pieces, seen, strict=True) if where),
        *(_photo(number, photo, photos[0]) for number, photo in enumerate(photos, 1)),
    ]
    return "\n".join(lines)


def _place(at: Spot, start: Photo) -> str:
    east, north = at[0] - start.at[0], at[1] - start.at[1]
    s, c = sine(start.yaw), cosine(start.yaw)
    return f"({round(east * s + north * c, 1) + 0.0:.1f}, {round(east * c - north * s, 1) + 0.0:.1f})"


def _room(room: Room, start: Photo) -> str:
    (x0, y0), (x1, y1) = room.low, room.high
    corners = ", ".join(_place(corner, start) for corner in ((x0, y0), (x0, y1), (x1, y1), (x1, y0)))
    spots = []
    for opening in room.openings:
        sides = {0: (opening.at, y1), 90: (x1, opening.at), 180: (opening.at, y0), 270: (x0, opening.at)}
        spots.append(_place(sides[opening.wall], start))
    return f"Room {int(room.name) + 1}: corners {corners}; doorways at {', '.join(spots)}."


def _thing(piece: Furniture, start: Photo, shown: list[int]) -> str:
    facing = f"faces {(front(piece) - start.yaw) % 360}, " if FURNITURE[piece.kind].evident else ""
    return f"- {piece.name} at {_place(piece.at, start)}, {facing}photos {', '.join(map(str, shown))}"


def _photo(number: int, photo: Photo, start: Photo) -> str:
    return f"Photo {number}: taken from {_place(photo.at, start)}, looks to {(photo.yaw - start.yaw) % 360}."
