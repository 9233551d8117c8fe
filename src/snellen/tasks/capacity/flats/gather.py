"""Furnishing rooms with many things of a few kinds, to be counted, among things of which there is one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.flats.furnish import desk_set, floored, lounge, numbered, shifted, table_set
from snellen.tasks.capacity.flats.layout import outer_walls
from snellen.tasks.capacity.flats.plan import Flat, Furniture
from snellen.tasks.capacity.flats.space import WALLS, Space

SINGLE = (
    *("sofa", "television", "bed", "desk", "chest of drawers", "wardrobe"),
    *("bookshelf", "fridge", "washing machine", "clock", "wall shelf", "door"),
)
"""Things of which a flat has one: they tell one place from another."""
_TABLES = ("table", "round table")


@dataclass
class Gathering:
    """A flat that is being filled: `spaces` are its rooms."""

    rng: Stream
    spaces: list[Space] = field(default_factory=list)

    def number(self, kinds: Iterable[str]) -> int:
        wanted = set(kinds)
        return sum(piece.kind in wanted for space in self.spaces for piece in space.pieces)

    def add(self, kind: str) -> bool:
        """One more of a kind somewhere; whether there was room for it."""
        order = self.rng.sample(self.spaces, len(self.spaces))
        return any(_PUT.get(kind, _at_a_wall(kind))(space) for space in order)

    def fill(self, kinds: Sequence[str], wanted: int, tries: int = 40) -> None:
        """Until there are so many of these kinds, or no room."""
        for _ in range(tries):
            if self.number(kinds) >= wanted:
                return
            self.add(self.rng.choice(kinds))

    def seat(self, kind: str, wanted: int) -> None:
        """Tables with seats of a kind around them, up to so many seats."""
        for _ in range(6):
            missing = wanted - self.number((kind,))
            if missing < 2:
                return
            space, table = self.rng.choice(self.spaces), self.rng.choice(_TABLES)
            table_set(space, table, min(missing, self.rng.choice((2, 3, 4))), kind)


def _at_a_wall(kind: str) -> Callable[[Space], bool]:
    return lambda space: space.against(kind, WALLS) is not None


def _cornered(kind: str, diagonal: bool = False) -> Callable[[Space], bool]:
    """Into a corner or, as often, to a wall."""

    def put(space: Space) -> bool:
        piece = space.corner(kind, diagonal=diagonal) if space.rng.chance() else None
        return (piece or space.against(kind)) is not None

    return put


def _window(space: Space) -> bool:
    return space.against("window", space.outer) is not None


def _stool(space: Space) -> bool:
    """Alone or two side by side, at a wall."""
    first = space.against("stool")
    if first and space.rng.chance():
        for right in (0.5, -0.5):
            second = space.piece("stool", shifted(first.at, first.turn, 0.0, right), first.turn)
            if space.free([second]):
                space.put([second])
                break
    return first is not None


def _coffee_table(space: Space) -> bool:
    """Somewhere in the room."""
    for _ in range(10):
        table = space.piece("coffee table", space.somewhere(0.9), space.rng.choice((0, 90)))
        if space.free([table]):
            space.put([table])
            return True
    return False


def _bare_table(kind: str) -> Callable[[Space], bool]:
    return lambda space: bool(table_set(space, kind, space.rng.choice((0, 1, 2))))


_PUT: Mapping[str, Callable[[Space], bool]] = {
    "plant": _cornered("plant"),
    "lamp": _cornered("lamp"),
    "flower pot": _cornered("flower pot"),
    "armchair": _cornered("armchair", diagonal=True),
    "window": _window,
    "stool": _stool,
    "coffee table": _coffee_table,
    "table": _bare_table("table"),
    "round table": _bare_table("round table"),
    "sofa": lambda space: bool(lounge(space)),
    "desk": lambda space: bool(desk_set(space)),
}


def gather(rng: Stream, rooms: Sequence[Room], wanted: Mapping[tuple[str, ...], int]) -> Flat:
    """A flat with as many things of each group of kinds as wanted, if there is room, and with landmarks."""
    rooms = floored(rng, rooms, [""] * len(rooms))
    colours: dict[str, Colour] = {}
    spaces = [Space(room, rng, outer_walls(rooms, number), colours) for number, room in enumerate(rooms)]
    hall = Gathering(rng, spaces)
    named = {kind for kinds in wanted for kind in kinds}
    if "window" not in named:
        for space in spaces:
            space.against("window", space.outer)
    landmarks = [kind for kind in SINGLE if kind not in named]
    for kind in rng.sample(landmarks, min(len(landmarks), 3 + 2 * len(rooms))):
        if not hall.number((kind,)):
            hall.add(kind)
    for kinds, many in wanted.items():
        if kinds[0] in ("chair", "stool"):
            hall.seat(kinds[0], many)
    for kinds, many in wanted.items():
        hall.fill(kinds, many)
    pieces: list[Furniture] = [piece for space in spaces for piece in space.pieces]
    return Flat(tuple(rooms), tuple(numbered(pieces)))
