"""What can be read off a panel's things at little cost: how many of what, and the state of each.

A measurement gives one value a panel. Its `sort` says what can be done with the values: symbols are equal or not,
numbers can be added, lengths too but are off by a pixel or two, angles begin anew after a whole turn, sets can be
joined and cut. `level` is how far-fetched it is to look at this at all. None means: this panel has no such value.

Things are followed from panel to panel by a role: a kind that every panel has once; else, within a line, a kind that
every panel of the line has once, largest first, so that lines with other shapes can be compared; else the largest, the
smallest, the only one of its fill.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import atan2, degrees, hypot
from typing import Any, NamedTuple

from snellen.tasks.marvel.solve.scene import Scene, Things
from snellen.tasks.marvel.solve.things import REPEATS, Thing

CENTRE = 90


class Measurement(NamedTuple):
    """`values` has one entry a context panel, `choices` one a choice. `turn` is where angles begin anew."""

    name: str
    level: int
    sort: str
    values: Sequence[Any]
    choices: Sequence[Any]
    turn: float = 360


Role = Callable[[int, Things], Thing | None]
"""The thing that plays this role in a panel (of that line)."""


def counts(scene: Scene) -> Iterator[Measurement]:
    """How many things, of each kind, of each fill, of each kind and fill; how many kinds."""
    yield from _counts(scene.core_context, scene.core_choices, "")
    yield from _counts(scene.context, scene.choices, " in all")


def _counts(panels: Sequence[Things], options: Sequence[Things], where: str) -> Iterator[Measurement]:
    context = [_tally(panel) for panel in panels]
    choices = [_tally(panel) for panel in options]
    names: Counter[object] = Counter(name for tally in context for name in tally)
    for name, often in sorted(names.items(), key=str):
        # A kind that few panels have is one of many that come and go: that a choice has it too says nothing.
        if 2 * often >= len(context):
            values, found = [tally[name] for tally in context], [tally[name] for tally in choices]
            yield Measurement(f"number of {name}{where}", 0 if isinstance(name, str) else 1, "number", values, found)
    for what, read in _SETS:
        sets = [frozenset(map(read, panel)) for panel in (*panels, *options)]
        yield Measurement(f"the {what}{where}", 0, "symbol", sets[: len(context)], sets[len(context) :])


_SETS: tuple[tuple[str, Callable[[Thing], str]], ...] = (
    ("kinds", lambda thing: thing.kind),
    ("fills", lambda thing: thing.fill),
)


def _tally(panel: Things) -> Counter[object]:
    tally: Counter[object] = Counter()
    tally["things"] = len(panel)
    for thing in panel:
        tally[f"fill {thing.fill}"] += 1
        if thing.mark["shape"] in ("line", "path"):
            bent, closed = bool(thing.mark.get("curved")), bool(thing.mark.get("closed"))
            tally["curves" if bent else "straight lines"] += 1
            tally["closed lines" if closed else "open lines"] += 1
            tally["open curves" if bent and not closed else "other lines"] += 1
        if not thing.kind.startswith("form"):
            tally[f"kind {thing.kind}"] += 1
            tally[thing.kind, thing.fill] += 1
    tally["kinds"] = len({thing.kind for thing in panel})
    tally["fills"] = len({thing.fill for thing in panel})
    return tally


def roles(scene: Scene, way: Sequence[Sequence[int]]) -> dict[str, Sequence[Thing | None]]:
    """For each role the thing that plays it in every context panel, then in every choice."""
    panels = [*scene.core_context, *scene.core_choices]
    line_of = {place: number for number, line in enumerate(way) for place in line}
    lines = [line_of[place] for place in range(len(scene.context))] + [len(way) - 1] * len(scene.choices)
    singles = [_singles(panel) for panel in panels]
    everywhere = set.intersection(*(set(single) for single in singles))
    found: dict[str, Sequence[Thing | None]] = {}
    for kind in sorted(everywhere):
        found[f"the {kind}"] = [single[kind] for single in singles]
    in_line = [_ranked(singles, lines, number, everywhere) for number in range(len(way))]
    for rank in range(min(map(len, in_line))):
        found[f"kind {rank} of the line"] = [
            single[in_line[line][rank]] for single, line in zip(singles, lines, strict=True)
        ]
    for name, pick in _PICKS.items():
        players = [pick(panel) for panel in panels]
        if all(player is not None for player in players) and players not in found.values():
            found[name] = players
    return found


def _singles(panel: Things) -> dict[str, Thing]:
    """Things that are the only ones of their kind."""
    number = Counter(thing.kind for thing in panel)
    return {thing.kind: thing for thing in panel if number[thing.kind] == 1}


def _ranked(singles: Sequence[dict[str, Thing]], lines: Sequence[int], number: int, done: set[str]) -> list[str]:
    """Kinds that every panel of this line has once, and not every panel of the puzzle: the largest first."""
    mine = [single for single, line in zip(singles, lines, strict=True) if line == number]
    kinds = set.intersection(*(set(single) for single in mine)) - done
    return sorted(kinds, key=lambda kind: (-round(mine[0][kind].size), mine[0][kind].fill, kind))


def _largest(panel: Things) -> Thing | None:
    return _first(panel, lambda thing: -thing.size)


def _smallest(panel: Things) -> Thing | None:
    return _first(panel, lambda thing: thing.size)


def _first(panel: Things, key: Callable[[Thing], float]) -> Thing | None:
    """The thing with the least key, unless another one has the same."""
    ordered = sorted(panel, key=key)
    if not ordered or len(ordered) > 1 and abs(key(ordered[0]) - key(ordered[1])) < 2:
        return None
    return ordered[0]


def _only(fill: str) -> Callable[[Things], Thing | None]:
    def pick(panel: Things) -> Thing | None:
        found = [thing for thing in panel if thing.fill == fill]
        return found[0] if len(found) == 1 else None

    return pick


_PICKS: dict[str, Callable[[Things], Thing | None]] = {
    "the largest": _largest,
    "the smallest": _smallest,
    **{f"the only {fill} one": _only(fill) for fill in ("black", "grey", "striped", "white", "none")},
}


def states(scene: Scene, way: Sequence[Sequence[int]]) -> Iterator[Measurement]:
    """Kind, fill, size, turn and place of the thing in each role."""
    number = len(scene.context)
    cast = roles(scene, way)
    for role, players in cast.items():
        level = 0 if role.startswith("the ") else 1
        for name, sort, read in _STATES:
            values = [None if thing is None else read(thing) for thing in players]
            yield Measurement(f"{name} of {role}", level, sort, values[:number], values[number:])
        yield from _around(role, level, players, number)


_STATES: tuple[tuple[str, str, Callable[[Thing], Any]], ...] = (
    ("kind", "symbol", lambda thing: thing.kind),
    ("fill", "symbol", lambda thing: thing.fill),
    ("colour", "symbol", lambda thing: thing.colour),
    ("mirror image", "symbol", lambda thing: thing.flip),
    ("size", "length", lambda thing: thing.size),
    # As a share of what it takes to look the same again, a whole being 360.
    ("turn", "angle", lambda thing: thing.turn * 360 / REPEATS.get(thing.kind, 360)),
    ("x", "length", lambda thing: thing.x),
    ("y", "length", lambda thing: thing.y),
)


def _around(role: str, level: int, players: Sequence[Thing | None], number: int) -> Iterator[Measurement]:
    """Where the thing is on its way around the middle: on a ring, or along the sides of a square."""
    spots = [(thing.x - CENTRE, thing.y - CENTRE) for thing in players if thing is not None]
    if len(spots) != len(players):
        return
    radii = [hypot(x, y) for x, y in spots]
    sides = [max(abs(x), abs(y)) for x, y in spots]
    if min(radii) > 8 and max(radii) - min(radii) <= 4:
        angles = [degrees(atan2(y, x)) % 360 for x, y in spots]
        yield Measurement(f"way around of {role}", level, "angle", angles[:number], angles[number:])
    if min(sides) > 8 and max(sides) - min(sides) <= 4:
        along = [_along(x, y) for x, y in spots]
        yield Measurement(f"way along the sides of {role}", level, "angle", along[:number], along[number:])


def _along(x: float, y: float) -> float:
    """How far along the sides of a square around the middle, the whole way being 360."""
    side = max(abs(x), abs(y))
    if y == -side or (abs(y + side) < 3 and abs(x) <= side):
        place = x / side
    elif abs(x - side) < 3:
        place = 2 + y / side
    elif abs(y - side) < 3:
        place = 4 - x / side
    else:
        place = 6 - y / side
    return place % 8 * 45
