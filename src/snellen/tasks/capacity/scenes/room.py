"""A furnished room in one photo, on which everything that can be seen is seen clearly.

The room gets more than it needs. Once the photo is chosen, whatever it shows only partly is taken away, and what is
left is looked at again; so the number of chairs is never in doubt. Tables and rugs stay, half hidden or not: nobody
asks for them.
"""

from collections.abc import Mapping, Sequence

from snellen.item import Picture
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.space.models import COLOURS
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.render import look
from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.english import with_article
from snellen.tasks.capacity.flats.furnish import floored, numbered
from snellen.tasks.capacity.flats.gather import Gathering
from snellen.tasks.capacity.flats.layout import Measures, rooms_of
from snellen.tasks.capacity.flats.plan import HIGH, WIDE, Flat, Photo, flat_of, photos_of, taken, told
from snellen.tasks.capacity.flats.space import AxisBox, Space
from snellen.tasks.capacity.flats.views import FlatPhoto, distance, looked
from snellen.tasks.capacity.scenes.facts import Choice, Facts, halves
from snellen.tasks.capacity.scenes.setting import Description, SceneSetting, SceneWish

_LISTS = table("scenes")["room"]
CLOTHS: Mapping[str, Colour] = _LISTS["cloths"]
_CALLED: Mapping[tuple[int, ...], str] = {colour: name for name, colour in CLOTHS.items()}
DYED, SINGLE, SCENERY = _LISTS["dyed"], _LISTS["single"], _LISTS["scenery"]
_UNDYED: Mapping[str, Colour] = {
    "fridge": (222, 226, 230),
    "rug": (200, 190, 172),
    "clock": COLOURS["black"],
    "lamp": (240, 240, 236),
    "chair": COLOURS["oak"],
}
COUNTED: Mapping[str, tuple[str, ...]] = _LISTS["counted"]
"""What may be counted, followed by what is not beside it."""
CLEAR = (280, 0.55)
"""Pixels of a thing that must be seen, and the share of its outline."""
_COUNTED_CLEAR = (400, 0.75)
"""The same for what is counted: a lamp before a lamp might be taken for one."""
_LOUNGE = Measures((7.2, 8.0), (5.8, 6.6))
_SPARE = 3
_PHOTOS, _ROUNDS = 2, 4
_BACK, _AISLE = 0.3, 2.5
"""Metres from the wall from which photos are taken, and how far from it nothing stands."""
_LEAST = {1: 5, 2: 3}
"""Things of which there is one that a photo must show, by how many kinds are counted."""


def make(rng: Stream, wish: SceneWish) -> Description:
    counts = wish.counts or (2 + rng.below(3),)
    kinds = _counted(rng, len(counts), wish)
    wanted = dict(zip(kinds, counts, strict=True))
    while True:
        flat = _furnished(rng, wanted, wish)
        for photo in _photos(rng, flat.rooms[0]):
            sight = _cleared(rng, flat, photo, wanted)
            if sight and _granted(sight, wish, _LEAST[len(counts)]) and (described := _written(sight, kinds)):
                return described


def _counted(rng: Stream, many: int, wish: SceneWish) -> list[str]:
    named = {wish.has, wish.lacks}
    while True:
        kinds = rng.sample(tuple(COUNTED), many)
        involved = {kind for plural in kinds for kind in COUNTED[plural]}
        if not named & involved and not any(COUNTED[a][0] in COUNTED[b][1:] for a in kinds for b in kinds):
            return kinds


def _furnished(rng: Stream, wanted: Mapping[str, int], wish: SceneWish) -> Flat:
    (room,) = floored(rng, rooms_of(rng, 1, _LOUNGE), ["living room"])
    space = Space(room, rng, colours=_colours(rng))
    space.passages.append(_aisle(room))
    hall = Gathering(rng, [space])
    hall.add("window")
    counted = {COUNTED[plural][0] for plural in wanted}
    without = {wish.lacks, *counted, *(kind for plural in wanted for kind in COUNTED[plural][1:])}
    singles = [kind for kind in rng.sample(SINGLE, len(SINGLE)) if kind not in without and kind != wish.has]
    singles.sort(key=lambda kind: kind not in DYED[:3])  # what is large goes first, while there is room for it
    first = [wish.has] if wish.has else []
    for kind in (*first, *singles[:5]):
        hall.add(kind)
    for plural, number in wanted.items():
        kind = COUNTED[plural][0]
        if kind == "chair":
            hall.seat(kind, number + _SPARE)
        hall.fill((kind,), number + _SPARE)
    for kind in singles[5:]:
        hall.add(kind)
    return Flat((room,), tuple(numbered(space.pieces)))


def _colours(rng: Stream) -> dict[str, Colour]:
    dyes = rng.sample(tuple(CLOTHS.values()), len(DYED))
    return dict(_UNDYED) | dict(zip(DYED, dyes, strict=True))


def _photos(rng: Stream, room: Room) -> list[Photo]:
    """From the middle of a short wall along the room, now a little to the left, now to the right."""
    along = 1 - _long(room)
    middle, low = room.middle[along], room.low[1 - along]
    photos = []
    for _ in range(_PHOTOS):
        at = (round(middle + rng.between(-0.5, 0.5), 2), round(low + _BACK, 2))
        yaw = (0 if along == 0 else 90) + rng.below(13) - 6
        photos.append(Photo(at if along == 0 else at[::-1], yaw % 360, -10, 84))
    return photos


def _long(room: Room) -> int:
    """The axis along which the room is longer."""
    return 0 if room.high[0] - room.low[0] >= room.high[1] - room.low[1] else 1


def _aisle(room: Room) -> AxisBox:
    """The air along the wall that photos are taken from: whatever stood there would be too near or not seen."""
    (x0, y0), (x1, y1) = room.low, room.high
    return (
        AxisBox(x0, y0, 0.0, x0 + _AISLE, y1, 2.6) if _long(room) == 0 else AxisBox(x0, y0, 0.0, x1, y0 + _AISLE, 2.6)
    )


def _cleared(rng: Stream, flat: Flat, photo: Photo, wanted: Mapping[str, int]) -> FlatPhoto | None:
    """The photo of the flat without what the photo shows partly, and with as many of what is counted as wanted."""
    counted = {COUNTED[plural][0]: number for plural, number in wanted.items()}
    for _ in range(_ROUNDS):
        (sight,) = looked(flat, (photo,), True)
        away = {
            piece.name
            for piece in flat.pieces
            if sight.of(piece.name)
            and not sight.clear(piece.name, *(_COUNTED_CLEAR if piece.kind in counted else CLEAR))
            and (piece.kind not in SCENERY or piece.kind in counted)
        }
        for kind, number in counted.items():
            there = [piece.name for piece in flat.pieces if piece.kind == kind and sight.of(piece.name)]
            clear = [name for name in there if name not in away]
            if len(clear) < number:
                return None
            away |= set(rng.sample(clear, len(clear) - number))
        if not away:
            return sight
        flat = Flat(flat.rooms, tuple(piece for piece in flat.pieces if piece.name not in away))
    return None


def _granted(sight: FlatPhoto, wish: SceneWish, least: int) -> bool:
    single = set(_single([piece.kind for piece in sight.flat.pieces if sight.of(piece.name)]))
    return len(single) >= least and (not wish.has or wish.has in single)


def _single(kinds: Sequence[str]) -> list[str]:
    """The things of which there is one."""
    return [kind for kind in SINGLE if kinds.count(kind) == 1]


def _written(sight: FlatPhoto, kinds: Sequence[str]) -> Description | None:
    """The flat and the photo, with what is seen where: kind, box and metres from the camera. None where the photo
    shows a sliver of something that was too thin to be noticed while the room was cleared."""
    view = look(sight.flat.stage, sight.photo.camera, WIDE, HIGH)
    unspoken = set(SCENERY) - {COUNTED[plural][0] for plural in kinds}
    seen = []
    for piece in sight.flat.pieces:
        box = view.box(piece.name)
        if box and sight.of(piece.name):
            seen.append([piece.name, piece.kind, *box, round(distance(sight.photo.at, piece.at), 1)])
        elif box and piece.kind not in unspoken:
            return None
    return {**told(sight.flat, [sight.photo]), "counted": list(kinds), "seen": seen}


def draw(described: Description) -> Picture:
    (photo,) = taken(flat_of(described), photos_of(described))
    return Picture(photo.data, photo.media_type, "Photo of a furnished room")


def facts(described: Description) -> Facts:
    kinds = [kind for _, kind, *_ in described["seen"]]
    single = {kind: (tuple(box), far) for _, kind, *box, far in described["seen"] if kind in _single(kinds)}
    boxes = {kind: box for kind, (box, _) in single.items()}
    painted = {kind: _called(colour) for _, kind, _, _, _, colour, _ in described["things"]}
    colours = {kind: painted[kind] for kind in single if kind in DYED}
    sides = ("left", "right")
    return Facts(
        frame=(WIDE, HIGH),
        boxes=boxes,
        counts={plural: kinds.count(COUNTED[plural][0]) for plural in described["counted"]},
        colours=colours,
        names=[
            Choice(
                f"Which piece of furniture is {colour}?",
                kind,
                [other for other in colours if other != kind],
                frozenset({colour}),
            )
            for kind, colour in colours.items()
        ],
        positions=[
            Choice(
                f"In which half of the picture is the {kind}?",
                f"the {side} half",
                [f"the {sides[1 - sides.index(side)]} half"],
                frozenset({kind}),
            )
            for kind, side in halves(boxes, WIDE).items()
        ],
        depths={kind: far for kind, (_, far) in single.items()},
    )


def _called(colour: Sequence[int]) -> str:
    """The name of a cloth or paint; none for wood, white and black."""
    return _CALLED.get(tuple(colour), "")


def words(described: Description) -> str:
    lines = [
        f"A photo of a room, {WIDE} by {HIGH} pixels, x to the right and y down, shows these things, each with the "
        "middle of what is seen of it and with its distance from the camera:"
    ]
    colours = {name: _called(colour) for name, _, _, _, _, colour, _ in described["things"]}
    for name, kind, left, top, right, bottom, far in described["seen"]:
        told = " ".join(filter(None, (colours[name], kind)))
        lines.append(
            f"- {with_article(told)}, from x {left} to {right}, "
            f"middle at ({(left + right) // 2}, {(top + bottom) // 2}), {far} m away"
        )
    return "\n".join(lines)


ROOM = SceneSetting(
    make=make,
    draw=draw,
    words=words,
    facts=facts,
    things=lambda described: len(described["seen"]),
    # Other tables and chairs may be there, and a desk has a screen and drawers.
    pool=tuple(kind for kind in SINGLE if kind not in ("desk", "armchair", "television", "chest of drawers")),
    most=4,
)
