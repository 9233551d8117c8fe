"""Indoor direction: which way do things face that are seen from other rooms, when one direction is given?

The photos of a walk through a flat each show a landmark that the next shows too. The compass is given for the first
photo and must be carried along; the flat may lie any way to north.
"""

from collections.abc import Iterator, Mapping

from snellen.item import Field, Form, Picture
from snellen.tasks.capacity.draw.space.models import FURNITURE
from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.draw.space.solids import Spot, cosine, sine
from snellen.tasks.capacity.flats.plan import Furniture, Photo, flat_of, photos_of, taken
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.direction_making import DIRECTIONS, front, make, word

_TURNS = {45: "rotated 45", 90: "rotated 90 clockwise", 135: "rotated 135", 180: "rotated 180"}
_TURNS |= {225: "rotated 135", 270: "rotated 90 counterclockwise", 315: "rotated 45"}


def show(truth: Truth) -> tuple[Picture, ...]:
    return taken(flat_of(truth), photos_of(truth))


def ask(truth: Truth) -> KindQuestion:
    fields = tuple(Field(label(name), "label", DIRECTIONS) for name, _, _ in truth["asked"])
    key = "; ".join(f"{label(name)}: {way}" for name, _, way in truth["asked"])
    what, way = truth["given"]
    given = f"In photo 1 the camera looks exactly {way}: what is in the middle of photo 1 lies {way} of the camera."
    if what != "camera":
        given = f"The {label(what)} in photo 1 faces {way}."
    values = {
        "views": str(truth["views"]),
        "given": given,
        "things": "\n".join(f"- the {label(name)} in photo {number}" for name, number, _ in truth["asked"]),
        "lines": "\n".join(f"{label(name)}: (direction)" for name, _, _ in truth["asked"]),
    }
    return KindQuestion(Form("fields", fields=fields), key, values, _mechanisms(truth), twin=plan_in_words(truth))


def label(name: str) -> str:
    """A thing's name without its number: no photo it is asked in shows another of its kind."""
    return name.rstrip("0123456789 ")


def _mechanisms(truth: Truth) -> Mapping[str, str]:
    """What wrong directions betray: first of all things together (a direction may be wrong for several reasons, but who
    turns everything by a quarter has one), then of each by itself, what is most telling keeping its name."""
    named: dict[str, str] = {}
    for mechanism, answer in _wrong_alike(truth):
        named.setdefault(answer, mechanism)
    for number, (name, _, way) in enumerate(truth["asked"]):
        right = DIRECTIONS.index(way) * 45
        wrong = {own_frame(truth, number): "own frame of the photo"}
        wrong.setdefault(word(360 - right), "mirrored")
        for angle, mechanism in _TURNS.items():
            wrong.setdefault(word(right + angle), mechanism)
        named |= {f"{label(name)}={wrong_way}": mechanism for wrong_way, mechanism in wrong.items() if wrong_way != way}
    return named


def _wrong_alike(truth: Truth) -> Iterator[tuple[str, str]]:
    """Answers in which everything is wrong in the same way, with what they betray."""
    rights = [DIRECTIONS.index(way) * 45 for _, _, way in truth["asked"]]
    ways = [
        ("own frame of the photo", [own_frame(truth, number) for number in range(len(rights))]),
        ("mirrored", [word(360 - right) for right in rights]),
        *((mechanism, [word(right + angle) for right in rights]) for angle, mechanism in _TURNS.items()),
    ]
    for mechanism, answers in ways:
        if all(way != right for way, (_, _, right) in zip(answers, truth["asked"], strict=True)):
            yield mechanism, "; ".join(f"{label(a[0])}: {way}" for a, way in zip(truth["asked"], answers, strict=True))


def own_frame(truth: Truth, number: int) -> str:
    """The answer of someone who takes every photo to look the way the first one does."""
    name, photo, _ = truth["asked"][number]
    photos = photos_of(truth)
    return word(front(flat_of(truth).piece(name)) - photos[photo - 1].yaw + photos[0].yaw + truth["compass"])


def plan_in_words(truth: Truth) -> str:
    """A walk in exact words, from where the first photo was taken: ahead and right, never a compass."""
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


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    what, way = truth["given"]
    return {
        "given": "camera" if what == "camera" else "thing",
        "given direction": way,
        "first thing": label(truth["asked"][0][0]),
        "second thing": label(truth["asked"][1][0]),
        "photo of the first thing": truth["asked"][0][1],
        "photo of the second thing": truth["asked"][1][1],
        "rooms": len(truth["rooms"]),
        "views": truth["views"],
    }


KIND = CapacityKind("direction", 113, make, show, ask, captions=("direction_photo",), observe=observe)
