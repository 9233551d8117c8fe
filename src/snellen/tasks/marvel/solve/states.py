"""The state of particular things: where each is, how turned, how large, of which fill.

Things are followed from panel to panel by a role: a kind that every panel has once; else, within a line, a kind that
every panel of the line has once, largest first, so that lines with other shapes can be compared; else the largest, the
smallest, the only one of its fill.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from math import atan2, degrees, hypot
from typing import Any, NamedTuple

from snellen.tasks.marvel.solve.character import bundles, convex, curved, reach, run, slant
from snellen.tasks.marvel.solve.decide import Measurement
from snellen.tasks.marvel.solve.scene import CENTRE, PuzzleScene, Things
from snellen.tasks.marvel.solve.things import REPEATS, SolverThing

Way = Sequence[Sequence[int]]
Players = Sequence[SolverThing]


class Role(NamedTuple):
    """What it costs to think of it, and the thing that plays it in every context panel, then in every choice."""

    name: str
    cost: float
    players: Players


_ROLE_COST, _RANK_COST, _PICK_COST = 0.25, 0.75, 0.5
_CLEAR = 3  # pixels by which the largest must be larger than others
_ASTRAY = 14  # pixels: the middle of an outline wanders when it is turned


def roles(scene: PuzzleScene) -> Iterator[Role]:
    """The roles that things play in all panels of the puzzle."""
    panels = (*scene.context, *scene.choices)
    done: set[tuple[int, ...]] = set()
    for role in (
        *_kinds(scene.singles),
        *_in_place(panels, "the one"),
        *_picked(panels),
        # What is left of one panel need not be what is left of another: cores are not compared beyond kinds.
        *_kinds(scene.core_singles),
    ):
        who = tuple(map(id, role.players))
        if who not in done:
            done.add(who)
            yield role
    if sum(run(thing) is not None for thing in panels[0]) > 1:
        yield from _in_place([bundles(panel) for panel in panels], "the bundle")


def _kinds(singles: Sequence[dict[str, SolverThing]]) -> Iterator[Role]:
    for kind in sorted(set(singles[0]).intersection(*singles)):
        yield Role(f"the {kind}", _ROLE_COST, [single[kind] for single in singles])


def _picked(panels: Sequence[Things]) -> Iterator[Role]:
    ordered = [sorted([(reach(thing), i) for i, thing in enumerate(panel)]) for panel in panels]
    if all(sizes and (len(sizes) == 1 or sizes[-1][0] - sizes[-2][0] >= _CLEAR) for sizes in ordered):
        players = [panel[sizes[-1][1]] for panel, sizes in zip(panels, ordered, strict=True)]
        yield Role("the largest", _PICK_COST, players)
    if all(sizes and (len(sizes) == 1 or sizes[1][0] - sizes[0][0] >= _CLEAR) for sizes in ordered):
        players = [panel[sizes[0][1]] for panel, sizes in zip(panels, ordered, strict=True)]
        yield Role("the smallest", _PICK_COST, players)
    for fill in ("black", "grey", "striped", "white", "none"):
        filled = [[thing for thing in panel if thing.fill == fill] for panel in panels]
        if all(len(things) == 1 for things in filled):
            yield Role(f"the only {fill} one", _PICK_COST, [things[0] for things in filled])


def _line_roles(scene: PuzzleScene, lines: Sequence[int]) -> Iterator[Role]:
    """Kinds that every panel of a line has once, another kind in another line: the largest first."""
    number = max(lines) + 1
    for singles in (scene.singles, scene.core_singles):
        everywhere = set(singles[0]).intersection(*singles)
        in_line = [_ranked(singles, lines, line, everywhere) for line in range(number)]
        for rank in range(min(map(len, in_line))):
            players = [single[in_line[line][rank]] for single, line in zip(singles, lines, strict=True)]
            yield Role(f"kind {rank} of the line", _RANK_COST, players)


def _line_numbers(scene: PuzzleScene, way: Way) -> list[int]:
    """For each context panel, then each choice, the line it stands in."""
    line_of = {place: number for number, line in enumerate(way) for place in line}
    return [line_of[place] for place in range(len(scene.context))] + [len(way) - 1] * len(scene.choices)


def _in_place(panels: Sequence[Things], name: str) -> Iterator[Role]:
    """Things that stand in one place throughout; the more there are, the less one looks at each."""
    cost = _ROLE_COST * min(4, max(map(len, panels)))
    for model in panels[0]:
        players = []
        for panel in panels:
            near = [thing for thing in panel if abs(thing.x - model.x) < _ASTRAY and abs(thing.y - model.y) < _ASTRAY]
            if len(near) != 1:
                break
            players.append(near[0])
        else:
            yield Role(f"{name} at {round(model.x)}, {round(model.y)}", cost, players)


def _ranked(singles: Sequence[dict[str, SolverThing]], lines: Sequence[int], number: int, done: set[str]) -> list[str]:
    """Kinds that every panel of this line has once, and not every panel of the puzzle: the largest first."""
    of_line = [single for single, line in zip(singles, lines, strict=True) if line == number]
    kinds = set(of_line[0]).intersection(*of_line) - done
    return sorted(kinds, key=lambda kind: (-round(of_line[0][kind].size), of_line[0][kind].fill, kind))


def states(scene: PuzzleScene, cast: Sequence[Role]) -> Iterator[Measurement]:
    """Kind, fill, size, turn, place and form of the thing in each role, then how pairs of roles stand to each other."""
    number = len(scene.context)
    rings: list[tuple[Role, list[float]]] = []
    for role in cast:
        alike = len({thing.kind for thing in role.players}) == 1
        # Where the middle of an outline is can only be compared between outlines of one form.
        placed = alike or all(thing.shape != "path" for thing in role.players)
        places = _PLACES if placed and role.cost != _PICK_COST else _FAR_PLACES if placed else ()
        looks = (*_STATES[: None if role.cost <= _PICK_COST else 2], *(_SHAPE_STATES if alike else ()), *places)
        yield from _looked(role, looks, number)
        for name, sort, more, values in _around(role.players, placed=placed):
            yield Measurement(f"{name} of {role.name}", role.cost + more, sort, values[:number], values[number:])
            if name == "way around":
                rings.append((role, values))
    for (start, starts), (end, ends) in combinations(rings[:4], 2):
        apart = [(b - a) % 360 for a, b in zip(starts, ends, strict=True)]
        name, cost = f"angle from {start.name} to {end.name}", start.cost + end.cost
        yield Measurement(name, cost, "angle", apart[:number], apart[number:])


def line_states(scene: PuzzleScene, cast: Sequence[Role], way: Way) -> Iterator[Measurement]:
    """What can be compared along lines only: the states of kinds that differ from line to line."""
    if len(way) == 1:
        return
    number = len(scene.context)
    lines = _line_numbers(scene, way)
    done = {tuple(map(id, role.players)) for role in cast}
    for role in cast:
        kinds = {(thing.kind, line) for thing, line in zip(role.players, lines, strict=True)}
        if len(kinds) == len(way) and len({kind for kind, _ in kinds}) > 1:
            yield from _looked(role, (*_SHAPE_STATES, *_PLACES), number)
    for role in _line_roles(scene, lines):
        if tuple(map(id, role.players)) not in done:
            done.add(tuple(map(id, role.players)))
            yield from _looked(role, (*_STATES, *_SHAPE_STATES, *_PLACES), number)
            for name, sort, more, values in _around(role.players, placed=True):
                yield Measurement(f"{name} of {role.name}", role.cost + more, sort, values[:number], values[number:])


def _looked(role: Role, looks: Sequence["State"], number: int) -> Iterator[Measurement]:
    """The measurements that tell the choices apart: they are looked at first."""
    actors, options = role.players[:number], role.players[number:]
    for name, sort, more, read in looks:
        values = [read(thing) for thing in options]
        if values[0] == values[1] == values[2] == values[3]:
            continue
        yield Measurement(f"{name} of {role.name}", role.cost + more, sort, [read(thing) for thing in actors], values)


# What everybody knows about capital letters: their symmetry, the areas they enclose, the lines they are made of.
_UPRIGHT = frozenset("AHIMOTUVWXY")  # the same when left and right are exchanged
_LYING = frozenset("BCDEHIKOX")  # the same when top and bottom are exchanged
_HALF_TURN = frozenset("HINOSXZ")
_AREAS = {"A": 1, "B": 2, "D": 1, "O": 1, "P": 1, "Q": 1, "R": 1}
_STRAIGHT = frozenset("AEFHIKLMNTVWXYZ")


def _of_letter(read: Callable[[str], Any]) -> Callable[[SolverThing], Any]:
    return lambda thing: read(thing.mark["letter"]) if "letter" in thing.mark else None


State = tuple[str, str, float, Callable[[SolverThing], Any]]
_STATES: tuple[State, ...] = (
    # The first two of everything; what a thing is like besides only of those one looks at first.
    ("kind", "symbol", 0, lambda thing: thing.kind),
    ("fill", "symbol", 0, lambda thing: thing.fill),
    ("kind of line", "symbol", 0.25, curved),
    ("closed", "symbol", 0.25, lambda thing: bool(thing.mark.get("closed")) if thing.shape == "path" else None),
    ("bulging", "symbol", 0.25, convex),
    ("slant", "symbol", 0.25, slant),
    ("symmetry of the letter", "symbol", 0.25, _of_letter(lambda a: (a in _UPRIGHT, a in _LYING, a in _HALF_TURN))),
    ("areas of the letter", "symbol", 1, _of_letter(lambda a: _AREAS.get(a, 0))),
    ("straight lines of the letter", "symbol", 1, _of_letter(lambda a: a in _STRAIGHT)),
)
_PLACES: tuple[State, ...] = (
    ("x", "length", 0, lambda thing: thing.x),
    ("y", "length", 0, lambda thing: thing.y),
)
# The largest need not be the same thing everywhere: where it is tells less.
_FAR_PLACES: tuple[State, ...] = tuple((name, sort, 1, read) for name, sort, _, read in _PLACES)
_SHAPE_STATES: tuple[State, ...] = (
    # What cannot be compared between kinds. Turns are shares of what it takes to look the same again.
    ("turn", "angle", 0, lambda thing: thing.turn * 360 / REPEATS.get(thing.kind, 360)),
    ("mirror image", "symbol", 0, lambda thing: thing.flip),
    ("size", "length", 0, lambda thing: thing.size),
)


def _size_classes(players: Players) -> list[Any]:
    """Large or small, where sizes fall into two classes with a clear gap between them."""
    sizes = [reach(thing) for thing in players]
    ordered = sorted(sizes)
    gap, low, high = max(((b / max(a, 1), a, b) for a, b in pairwise(ordered)))
    if gap < 1.2 or gap < (low / ordered[0]) or gap < ordered[-1] / high:
        return [None] * len(players)
    return [size >= high for size in sizes]


def _around(players: Players, *, placed: bool) -> Iterator[tuple[str, str, float, list[Any]]]:
    """Where the thing is on its way around: on a ring, along the sides of a square, or through a grid and in again."""
    yield "large or small", "symbol", 0, _size_classes(players)
    if not placed:
        return
    spots = [(thing.x - CENTRE, thing.y - CENTRE) for thing in players]
    radii = [hypot(x, y) for x, y in spots]
    sides = [max(abs(x), abs(y)) for x, y in spots]
    if min(radii) > 8 and max(radii) - min(radii) <= 4:
        yield "way around", "angle", 0, [degrees(atan2(y, x)) % 360 for x, y in spots]
    if min(sides) > 8 and max(sides) - min(sides) <= 4:
        yield "way along the sides", "angle", 0, [_along(x, y) for x, y in spots]
    for name, at in (("column", 0), ("row", 1)):
        lattice = _lattice([spot[at] for spot in spots])
        if lattice:
            yield f"{name}, beginning anew", "angle", 0.75, lattice


def _along(x: float, y: float) -> float:
    """How far along the sides of a square around the middle, the whole way being 360."""
    side = max(abs(x), abs(y))
    if abs(y + side) < 3:
        place = x / side
    elif abs(x - side) < 3:
        place = 2 + y / side
    elif abs(y - side) < 3:
        place = 4 - x / side
    else:
        place = 6 - y / side
    return place % 8 * 45


def _lattice(places: Sequence[float]) -> list[float] | None:
    """Places as angles, the way through all of them being a whole turn, if they are evenly spaced around the middle."""
    different = sorted({round(place) for place in places})
    gaps = [b - a for a, b in pairwise(different) if b - a > 3]
    if not gaps:
        return None
    step = min(gaps)
    # The lattice is taken to be centred: what was seen on one side has its counterpart on the other.
    far = max(abs(different[0]), abs(different[-1]))
    number = round(2 * far / step) + 1
    steps = [(place + far) / step for place in places]
    if number > 7 or any(abs(many - round(many)) > 0.2 for many in steps):
        return None
    return [round(many) * 360 / number for many in steps]
