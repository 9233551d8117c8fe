"""Things scattered over a scene, so that nothing about it is in doubt: each in a cell of its own, clear of the others.

What is asked about a scene must hold by a clear margin. `clearly_left` and `clearly_above` say so for two things.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from snellen.draw.plates import GROUNDS
from snellen.draw.tints import HUES
from snellen.rng import Stream
from snellen.tasks.capacity.draw.tableaux import CELL, COLUMNS, ROWS
from snellen.tasks.capacity.things import NamedThing, countable, thing_of, unlike

Cell = tuple[int, int]
Entry = Mapping[str, Any]

CELLS: tuple[Cell, ...] = tuple(product(range(ROWS), range(COLUMNS)))
CORNERS: Mapping[str, Cell] = {
    "top left": (0, 0),
    "top right": (0, COLUMNS - 1),
    "bottom left": (ROWS - 1, 0),
    "bottom right": (ROWS - 1, COLUMNS - 1),
}
SMALL, MEDIUM, LARGE = 70, 106, 132
_JITTER = {SMALL: 22, MEDIUM: 12, LARGE: 4}
_CLEAR = 170
"""So many pixels apart two middles must be for one thing to be beside or above the other beyond doubt."""


def pick(rng: Stream, many: int, without: Iterable[NamedThing] = (), dyed: bool | None = None) -> list[NamedThing]:
    """Things that share no name with one another or with those given; only such as can be dyed, or only such as cannot,
    if `dyed` is given."""
    taken = list(without)
    pool = [thing for thing in countable() if dyed is None or (thing.icon in HUES) == dyed]
    picked: list[NamedThing] = []
    while len(picked) < many:
        thing = rng.choice(pool)
        if thing not in taken and unlike((*taken, thing)):
            picked.append(thing)
            taken.append(thing)
    return picked


def cells(rng: Stream, many: int, free: Collection[Cell] = CELLS) -> list[Cell]:
    return rng.sample(sorted(free), many)


def put(
    rng: Stream, thing: NamedThing, cell: Cell, side: int = MEDIUM, colour: str = "", frame: str = ""
) -> dict[str, Any]:
    """A thing in a cell, a little off its middle unless a frame holds it there."""
    reach = 0 if frame else _JITTER[side]
    y, x = (step * CELL + CELL // 2 + rng.below(2 * reach + 1) - reach for step in cell)
    entry = {"icon": thing.icon, "x": x, "y": y, "side": side, "colour": colour, "frame": frame}
    return {what: value for what, value in entry.items() if value != ""}


def scene(rng: Stream, entries: Sequence[Entry]) -> dict[str, Any]:
    """The scene of these things; the order in which they are told says nothing."""
    told = sorted(entries, key=lambda entry: (entry["y"] // CELL, entry["x"]))
    return {"ground": rng.choice(tuple(GROUNDS)), "things": told}


def clearly_left(entry: Entry, other: Entry) -> bool:
    return bool(other["x"] - entry["x"] >= _CLEAR)


def clearly_above(entry: Entry, other: Entry) -> bool:
    return bool(other["y"] - entry["y"] >= _CLEAR)


def words(described: Mapping[str, Any]) -> str:
    """What a scene shows, in exact words."""
    lines = (
        f"- {_adjectives(entry)}{thing_of(entry['icon']).name}, middle at ({entry['x']}, {entry['y']}), "
        f"width {entry['side']}{_framed(entry)}"
        for entry in described["things"]
    )
    opening = f"A picture of {COLUMNS * CELL} by {ROWS * CELL} pixels, x to the right and y down, shows these things:"
    return "\n".join((opening, *lines))


def _adjectives(entry: Entry) -> str:
    return f"{entry['colour']} " if "colour" in entry else ""


def _framed(entry: Entry) -> str:
    return f", inside a {entry['frame']} frame" if "frame" in entry else ""
