"""Furnishing rooms: what belongs into a kitchen, chairs around a table, a low table before the sofa."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.models import size_of
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.rooms import CARPET, CHECKS, DARK_PLANKS, PLANKS, TILES, Room
from snellen.tasks.capacity.draw.space.solids import Spot, cosine, sine
from snellen.tasks.capacity.flats.layout import outer_walls
from snellen.tasks.capacity.flats.plan import Flat, Furniture
from snellen.tasks.capacity.flats.space import Space

ROOMS: Mapping[str, tuple[str, ...]] = {
    "living room": ("sofa", "television", "armchair", "bookshelf", "picture", "plant", "lamp"),
    "bedroom": ("bed", "wardrobe", "chest of drawers", "armchair", "picture", "lamp"),
    "kitchen": ("kitchen sink", "fridge", "stove", "table", "clock", "plant"),
    "bathroom": ("bathtub", "toilet", "washbasin", "washing machine"),
    "study": ("desk", "bookshelf", "armchair", "picture", "clock", "plant"),
    "dining room": ("round table", "chest of drawers", "wall shelf", "picture", "plant"),
}
"""What each kind of room is furnished with, the most important first."""
_HARD, _SOFT = (TILES, CHECKS), (PLANKS, DARK_PLANKS, CARPET)
SEVERAL = ("window", "chair", "plant", "lamp", "rug")
"""What a flat may have more than one of."""


def shifted(at: Spot, bearing: int, ahead: float, right: float = 0.0) -> Spot:
    """The place so many metres ahead and to the right of who looks that way."""
    s, c = sine(bearing), cosine(bearing)
    return round(at[0] + s * ahead + c * right, 3), round(at[1] + c * ahead - s * right, 3)


def around(space: Space, table: Furniture, chairs: int, kind: str = "chair") -> list[Furniture]:
    """Seats around a table, each turned to it."""
    if table.kind == "round table":
        first = space.rng.choice((0, 45))
        places = [(0.0, 0.62, first + 90 * number) for number in range(4)]
    else:
        places = [(0.37, 0.54, 0), (-0.37, 0.54, 180), (-0.37, 0.54, 0), (0.37, 0.54, 180)]
        places += [(0.0, 0.84, 90), (0.0, 0.84, 270)]
    seats = []
    for beside, away, bearing in places[:chairs]:
        out = (table.turn + bearing) % 360
        spot = shifted(table.at, out, away, beside if bearing % 180 == 0 else 0.0)
        seats.append(space.piece(kind, spot, out + 180))
    return seats


def table_set(space: Space, kind: str, chairs: int, seat: str = "chair", tries: int = 20) -> list[Furniture]:
    """A table with its chairs, clear of the walls; nothing if there is no room."""
    for _ in range(tries):
        table = space.piece(kind, space.somewhere(1.0), space.rng.choice((0, 90)))
        group = [table, *around(space, table, chairs, seat)]
        if space.free(group):
            return space.put(group)
    return []


def lounge(space: Space) -> list[Furniture]:
    """A sofa at a wall with a low table before it, on a rug."""
    sofa = space.against("sofa")
    if not sofa:
        return []
    front = size_of("sofa")[1][1]
    low = space.piece("coffee table", shifted(sofa.at, sofa.turn, front + 0.72), sofa.turn)
    space.passages.pop()  # the low table stands in the sofa's own passage
    if not space.free([low]):
        return [sofa]
    rug = space.piece("rug", low.at, sofa.turn)
    return [sofa, *space.put([low, *([rug] if space.rng.chance(0.7) else [])])]


def desk_set(space: Space) -> list[Furniture]:
    """A desk at a wall and a chair at it."""
    desk = space.against("desk")
    if not desk:
        return []
    chair = space.piece("chair", shifted(desk.at, desk.turn, 0.58), desk.turn + 180)
    return [desk, *space.put([chair])]


def _television(space: Space) -> list[Furniture]:
    """Opposite the sofa if it can be, else across a corner or at a wall."""
    sofa = next((piece for piece in space.pieces if piece.kind == "sofa"), None)
    if sofa:
        axis = 0 if sofa.turn % 180 == 0 else 1
        facing = space.along("television", sofa.turn, sofa.at[axis])
        if space.rng.chance(0.7) and space.free([facing]):
            return space.put([facing])
    television = space.corner("television", diagonal=True) if space.rng.chance(0.6) else None
    return _listed(television or space.against("television"))


def _armchair(space: Space) -> list[Furniture]:
    """In a corner, turned to the middle of the room, or else at a wall."""
    piece = space.corner("armchair", diagonal=True) if space.rng.chance(0.6) else None
    return _listed(piece or space.against("armchair"))


def _listed(piece: Furniture | None) -> list[Furniture]:
    return [piece] if piece else []


_GROUPS: Mapping[str, Callable[[Space], list[Furniture]]] = {
    "sofa": lounge,
    "television": _television,
    "armchair": _armchair,
    "plant": lambda space: _listed(space.corner("plant")),
    "lamp": lambda space: _listed(space.corner("lamp")),
    "desk": desk_set,
    "table": lambda space: table_set(space, "table", space.rng.choice((2, 4))),
    "round table": lambda space: table_set(space, "round table", space.rng.choice((3, 4))),
}


def furnish(rng: Stream, rooms: Sequence[Room]) -> Flat | None:
    """Each room as a room of another kind; of most kinds of things the flat has one. None if a bed or the like, what
    makes a room that kind of room, found no place."""
    kinds = rng.sample(tuple(ROOMS), len(rooms))
    if not {"living room", "bedroom"} & set(kinds):
        kinds[rng.below(len(kinds))] = rng.choice(("living room", "bedroom"))
    used: set[str] = set()
    colours: dict[str, Colour] = {}
    pieces: list[Furniture] = []
    rooms = floored(rng, rooms, kinds)
    for number, (room, kind) in enumerate(zip(rooms, kinds, strict=True)):
        space = Space(room, rng, outer_walls(rooms, number), colours)
        space.against("window", space.outer)
        for name in ROOMS[kind]:
            if name in used and name not in SEVERAL:
                continue
            group = _GROUPS[name](space) if name in _GROUPS else _listed(space.against(name))
            used |= {piece.kind for piece in group}
        if not any(piece.kind == ROOMS[kind][0] for piece in space.pieces):
            return None
        pieces += space.pieces
    return Flat(tuple(rooms), tuple(numbered(pieces)))


def floored(rng: Stream, rooms: Sequence[Room], kinds: Sequence[str]) -> list[Room]:
    """Tiles where water is, wood or carpet elsewhere; as different from room to room as can be."""
    hard, soft = list(_HARD), list(_SOFT)
    rng.shuffle(hard)
    rng.shuffle(soft)
    floored_rooms = []
    for room, kind in zip(rooms, kinds, strict=True):
        pool = hard if kind in ("kitchen", "bathroom") else soft
        floored_rooms.append(replace(room, floor=pool[0]))
        pool.append(pool.pop(0))
    return floored_rooms


def numbered(pieces: Iterable[Furniture]) -> list[Furniture]:
    """Things of which there are several get numbers: chair 1, chair 2, ..."""
    listed = list(pieces)
    many = {piece.kind: sum(other.kind == piece.kind for other in listed) for piece in listed}
    counts: dict[str, int] = {}
    named = []
    for piece in listed:
        counts[piece.kind] = counts.get(piece.kind, 0) + 1
        name = piece.kind if many[piece.kind] == 1 else f"{piece.kind} {counts[piece.kind]}"
        named.append(replace(piece, name=name))
    return named
