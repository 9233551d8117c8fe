"""A hall full of furniture in one photo, taken from above the heads: forty things and more, many partly behind others.

What is counted is of one kind and colour ("red chairs"); beside it are others of the kind in other colours, and other
things of that colour. The hall gets more than it needs. Once the photo is chosen, whatever it shows too little of is
taken away, and what is left is looked at again; so the number of red chairs is never in doubt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from snellen.item import Picture
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.space.models import COLOURS, FURNITURE
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.render import look
from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.english import with_article
from snellen.tasks.capacity.flats.furnish import floored, numbered, table_set
from snellen.tasks.capacity.flats.gather import Gathering
from snellen.tasks.capacity.flats.layout import Measures, rooms_of
from snellen.tasks.capacity.flats.plan import HIGH, WIDE, Flat, Furniture, Photo, flat_of, photos_of, taken, told
from snellen.tasks.capacity.flats.space import AxisBox, Space
from snellen.tasks.capacity.flats.views import FlatPhoto, distance, looked
from snellen.tasks.capacity.scenes.facts import Choice, Facts, in_halves
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
}
COUNTED: Mapping[str, tuple[str, str]] = _LISTS["counted"]
"""What may be counted: its kind, and its colour, if it is of one."""
CLEAR = (200, 0.45)
"""Pixels of a thing that must be seen, and the share of its outline."""
_COUNTED_CLEAR = (200, 0.5)
"""The same for chairs, stools and whatever else is counted."""
_LARGEST = 16_000
"""Pixels of a thing at most: it would hide half the hall."""
_HALL = Measures((11.0, 12.0), (8.0, 8.8))
_SEATS = {"chair": 20, "stool": 12}
_PICTURES, _POTS, _TABLES = 7, 9, 3
_SPARE = 3
_PHOTOS, _ROUNDS = 2, 7
_EYE, _DOWN = 2.35, -23
_BACK, _AISLE = 0.3, 2.2
"""Metres from the wall from which photos are taken, and how far from it nothing stands."""
_TRIES = 40
LEAST = {False: 40, True: 46}
"""Things that a photo must show, as usual and in the large size."""
_LEAST_SINGLE = 6
"""Those of them of which there is one."""


def make(rng: Stream, wish: SceneWish) -> Description:
    counts = wish.counts or (2 + rng.below(3),)
    kinds = _counted(rng, len(counts), wish)
    wanted = dict(zip(kinds, counts, strict=True))
    while True:
        flat = _furnished(rng, wanted, wish)
        for photo in _photos(rng, flat.rooms[0]):
            sight = _cleared(rng, flat, photo, wanted)
            if sight and _granted(sight, wish) and (described := _written(sight, kinds)):
                return described


def _counted(rng: Stream, many: int, wish: SceneWish) -> list[str]:
    while True:
        kinds = rng.sample(tuple(COUNTED), many)
        if not {wish.has, wish.lacks} & {COUNTED[plural][0] for plural in kinds}:
            return kinds


def is_counted(piece: Furniture, plural: str) -> bool:
    kind, colour = COUNTED[plural]
    return piece.kind == kind and (not colour or _called(piece.colour) == colour)


def _furnished(rng: Stream, wanted: Mapping[str, int], wish: SceneWish) -> Flat:
    (room,) = floored(rng, rooms_of(rng, 1, _HALL), ["living room"])
    space = Space(room, rng, colours=_colours(rng))
    space.passages.append(_aisle(room))
    hall = Gathering(rng, [space])
    for _ in range(2):
        hall.add("window")
    without = {wish.lacks, *({"armchair"} if any("chairs" in plural for plural in wanted) else ())}
    singles = [kind for kind in rng.sample(SINGLE, len(SINGLE)) if kind not in without and kind != wish.has]
    singles.sort(key=lambda kind: kind not in DYED)  # those with colours go first, while there is room for them
    for kind in (*([wish.has] if wish.has else []), *singles):
        if not space.against(kind) and not FURNITURE[kind].hangs:
            _anywhere(space, kind)
    for _ in range(_PICTURES):
        hall.add("picture")
    for _ in range(_TABLES):
        table_set(space, rng.choice(("table", "round table")), 3)
    for kind, many in (*_SEATS.items(), ("flower pot", _POTS)):
        for _ in range(_TRIES):
            if hall.number((kind,)) < many:
                _anywhere(space, kind)
    return Flat((room,), tuple(numbered(_dyed(rng, space.pieces, wanted))))


def _anywhere(space: Space, kind: str) -> None:
    """A thing somewhere in the hall, if there is room for it; all but seats face the camera."""
    for _ in range(6):
        turn = 15 * space.rng.below(24) if kind in _SEATS else 270 - 90 * _long(space.room)
        piece = space.piece(kind, space.somewhere(0.5), turn)
        if space.free([piece]):
            space.put([piece])
            return


def _dyed(rng: Stream, pieces: Sequence[Furniture], wanted: Mapping[str, int]) -> list[Furniture]:
    """Seats in the cloths: of what is counted a few more than are wanted, the others in other colours."""
    decks: dict[str, list[str]] = {}
    for kind in _SEATS:
        asked = {COUNTED[plural][1]: many for plural, many in wanted.items() if COUNTED[plural][0] == kind}
        deck = [colour for colour, many in asked.items() for _ in range(many + _SPARE)]
        own = [piece for piece in pieces if piece.kind == kind]
        others = [colour for colour in CLOTHS if colour not in asked]
        deck += [rng.choice(others) for _ in own[len(deck) :]]
        rng.shuffle(deck)
        decks[kind] = deck
    return [
        replace(piece, colour=CLOTHS[decks[piece.kind].pop()]) if piece.kind in decks else piece for piece in pieces
    ]


def _colours(rng: Stream) -> dict[str, Colour]:
    dyes = rng.sample(tuple(CLOTHS.values()), len(DYED))
    return dict(_UNDYED) | dict(zip(DYED, dyes, strict=True))


def _photos(rng: Stream, room: Room) -> list[Photo]:
    """From the middle of a short wall along the hall, now a little to the left, now to the right."""
    along = 1 - _long(room)
    middle, low = room.middle[along], room.low[1 - along]
    photos = []
    for _ in range(_PHOTOS):
        at = (round(middle + rng.between(-0.5, 0.5), 2), round(low + _BACK, 2))
        yaw = (0 if along == 0 else 90) + rng.below(13) - 6
        photos.append(Photo(at if along == 0 else at[::-1], yaw % 360, _DOWN, 84, _EYE))
    return photos


def _long(room: Room) -> int:
    """The axis along which the hall is longer."""
    return 0 if room.high[0] - room.low[0] >= room.high[1] - room.low[1] else 1


def _aisle(room: Room) -> AxisBox:
    """The air along the wall that photos are taken from: whatever stood there would be too near or not seen."""
    (x0, y0), (x1, y1) = room.low, room.high
    return (
        AxisBox(x0, y0, 0.0, x0 + _AISLE, y1, 2.6) if _long(room) == 0 else AxisBox(x0, y0, 0.0, x1, y0 + _AISLE, 2.6)
    )


def _cleared(rng: Stream, flat: Flat, photo: Photo, wanted: Mapping[str, int]) -> FlatPhoto | None:
    """The photo of the flat without what the photo shows too little of, and with as many of what is counted as
    wanted."""
    kinds = {*_SEATS, *(COUNTED[plural][0] for plural in wanted)}
    for _ in range(_ROUNDS):
        (sight,) = looked(flat, (photo,), True)
        away = {
            piece.name
            for piece in flat.pieces
            if sight.of(piece.name)
            and not sight.clear(piece.name, *(_COUNTED_CLEAR if piece.kind in kinds else CLEAR))
            and piece.kind not in SCENERY
        } | {piece.name for piece in flat.pieces if sight.of(piece.name) > _LARGEST}
        for plural, number in wanted.items():
            there = [piece.name for piece in flat.pieces if is_counted(piece, plural) and sight.of(piece.name)]
            clear = [name for name in there if name not in away]
            if len(clear) < number:
                return None
            away |= set(rng.sample(clear, len(clear) - number))
        if not away:
            return sight
        flat = Flat(flat.rooms, tuple(piece for piece in flat.pieces if piece.name not in away))
    return None


def _granted(sight: FlatPhoto, wish: SceneWish) -> bool:
    kinds = [piece.kind for piece in sight.flat.pieces if sight.of(piece.name)]
    single = set(_single(kinds))
    return len(kinds) >= LEAST[wish.large] and len(single) >= _LEAST_SINGLE and (not wish.has or wish.has in single)


def _single(kinds: Sequence[str]) -> list[str]:
    """The things of which there is one."""
    return [kind for kind in SINGLE if kinds.count(kind) == 1]


def _written(sight: FlatPhoto, kinds: Sequence[str]) -> Description | None:
    """The flat and the photo, with what is seen where: kind, box and metres from the camera. None where the photo
    shows a sliver of something that was too thin to be noticed while the room was cleared."""
    view = look(sight.flat.stage, sight.photo.camera, WIDE, HIGH)
    seen = []
    for piece in sight.flat.pieces:
        box = view.box(piece.name)
        if box and sight.of(piece.name):
            seen.append([piece.name, piece.kind, *box, round(distance(sight.photo.at, piece.at), 1)])
        elif box and piece.kind not in SCENERY:
            return None
    return {**told(sight.flat, [sight.photo]), "counted": list(kinds), "seen": seen}


def draw(described: Description) -> Picture:
    (photo,) = taken(flat_of(described), photos_of(described))
    return Picture(photo.data, photo.media_type, "Photo of a furnished hall")


def facts(described: Description) -> Facts:
    kinds, shown = [kind for _, kind, *_ in described["seen"]], {name for name, *_ in described["seen"]}
    single = {kind: (tuple(box), far) for _, kind, *box, far in described["seen"] if kind in _single(kinds)}
    boxes = {kind: box for kind, (box, _) in single.items()}
    painted = {kind: _called(colour) for _, kind, _, _, _, colour, _ in described["things"]}
    colours = {kind: painted[kind] for kind in single if kind in DYED}
    return Facts(
        frame=(WIDE, HIGH),
        boxes=boxes,
        counts={
            plural: sum(is_counted(piece, plural) for piece in flat_of(described).pieces if piece.name in shown)
            for plural in described["counted"]
        },
        colours=colours,
        names=[
            Choice(
                f"Which of these two is {colour}: the {min(kind, other)} or the {max(kind, other)}?",
                kind,
                [other],
                frozenset({colour, colours[other]}),
            )
            for kind, colour in colours.items()
            for other in colours
            if other != kind
        ],
        positions=in_halves(boxes, WIDE),
        depths={kind: far for kind, (_, far) in single.items()},
    )


def _called(colour: Sequence[int]) -> str:
    """The name of a cloth or paint; none for wood, white and black."""
    return _CALLED.get(tuple(colour), "")


def words(described: Description) -> str:
    lines = [
        f"A photo of a hall, {WIDE} by {HIGH} pixels, x to the right and y down, shows these things, partly behind one "
        "another, each with the middle of what is seen of it and with its distance from the camera:"
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
    # A wardrobe has doors, and a desk has a screen and drawers.
    pool=tuple(kind for kind in SINGLE if kind not in ("door", "desk", "armchair", "television", "chest of drawers")),
    most=5,
)
