"""What two things have to do with each other: where one is seen from the other, inside or outside, touching or apart.

Panels with two things are compared as pairs; the first of a pair is the larger, else the one with the darker fill, else
whichever (then only what does not depend on the order is told). Of panels with more things: which of them are alike and
where those stand, how all of them are lined up.
"""

from cmath import phase
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import atan2, degrees, hypot
from typing import Any

import numpy as np

from snellen.tasks.marvel.solve.character import reach
from snellen.tasks.marvel.solve.decide import Measurement, tells_apart
from snellen.tasks.marvel.solve.ink import Floats, thing_strokes
from snellen.tasks.marvel.solve.scene import PuzzleScene, Things
from snellen.tasks.marvel.solve.things import SolverThing

_TOUCH = 3.0  # pixels by which outlines that touch may miss or enter each other
_DARK = {"black": 0, "grey": 1, "striped": 2, "white": 3, "none": 3}
_LARGER = 1.25
_UPRIGHT = 0.3  # sideways in parts of down, for a row that runs from top to bottom
_FEW = 6  # things; in a crowd nobody looks at single ones

Look = Callable[[SolverThing, SolverThing], Any]


def pairs(scene: PuzzleScene) -> Iterator[Measurement]:
    """What can be read off two things, where every panel has two; or off more, where every panel has more."""
    panels = [*scene.context, *scene.choices]
    if all(len(panel) == 2 for panel in panels):
        context, choices = ([sorted(panel, key=_rank) for panel in some] for some in (scene.context, scene.choices))
        yield from _told(_PAIR_LOOKS, context, choices)
        yield from _images_told(context, choices)
    elif all(2 < len(panel) <= _FEW for panel in panels):
        yield from _told(_CROWD_LOOKS, [(panel,) for panel in scene.context], [(panel,) for panel in scene.choices])


def _told(
    looks: Sequence[tuple[str, float, Callable[..., Any]]],
    context: Sequence[Sequence[Any]],
    choices: Sequence[Sequence[Any]],
) -> Iterator[Measurement]:
    """What the looks measure that tell the choices apart: those are looked at first."""
    for name, cost, read in looks:
        measured = Measurement(name, cost, "symbol", (), [read(*panel) for panel in choices], plain=False)
        if tells_apart(measured):
            yield measured._replace(values=[read(*panel) for panel in context])


def _images_told(context: Sequence[Things], choices: Sequence[Things]) -> Iterator[Measurement]:
    options = [images(*pair) for pair in choices]
    if len(set(options)) > 1:
        shown = [images(*pair) for pair in context]
        yield Measurement(
            "images", 0.5, "symbol", [moves or None for moves in shown], [moves or None for moves in options]
        )
        for move in _MOVES:
            values, named = ([move in moves for moves in panels] for panels in (shown, options))
            yield Measurement(f"second is first, {move}", 0.5, "symbol", values, named, plain=False)


def _rank(thing: SolverThing) -> tuple[Any, ...]:
    return (-round(reach(thing) / 4), _DARK[thing.fill], round(thing.x), round(thing.y))


def _closeness(first: SolverThing, second: SolverThing) -> Any:
    """Apart, touching, overlapping, or one in the other; None for open lines."""
    here, there = _outline(first), _outline(second)
    return None if here is None or there is None else closeness(here, there)


def _outline(thing: SolverThing) -> Floats | None:
    strokes = thing_strokes(thing)
    return strokes[0].line if len(strokes) == 1 and strokes[0].closed else None


def closeness(here: Floats, there: Floats) -> str:
    """How two closed outlines stand to each other."""
    low, high = np.maximum(here.min(axis=0), there.min(axis=0)), np.minimum(here.max(axis=0), there.max(axis=0))
    if (low - high).max() > _TOUCH:  # not even their boxes meet
        return "apart"
    deepest = -np.inf
    for points, outline in ((here, there), (there, here)):
        depths = _depths(points, outline)
        if depths.min() >= -_TOUCH:
            return "one in the other"
        deepest = max(deepest, depths.max())
        if deepest > _TOUCH:
            return "overlapping"
    if _crossed(here, there):
        return "overlapping"
    return "touching" if deepest >= -_TOUCH else "apart"


def _depths(points: Floats, outline: Floats) -> Floats:
    """How far inside the outline each point is; negative outside."""
    start, end = outline, np.roll(outline, -1, axis=0)
    along = end - start
    apart = points[:, None, :] - start[None]
    length = np.maximum((along**2).sum(axis=1), 1e-9)
    share = np.clip((apart * along[None]).sum(axis=2) / length, 0, 1)
    gaps = np.sqrt(((apart - share[:, :, None] * along[None]) ** 2).sum(axis=2)).min(axis=1)
    above, below = start[:, 1][None] <= points[:, 1:], end[:, 1][None] <= points[:, 1:]
    rise = np.where(along[:, 1] == 0, 1e-9, along[:, 1])
    cut = start[:, 0] + (points[:, 1:] - start[:, 1]) / rise * along[:, 0]
    inside = ((above != below) & (points[:, :1] < cut)).sum(axis=1) % 2 == 1
    return np.asarray(np.where(inside, gaps, -gaps))


def _crossed(here: Floats, there: Floats) -> bool:
    """Whether two outlines cross deeply without a corner of either in the other (a plus of two bars)."""
    middle = (here + np.roll(here, -1, axis=0)) / 2
    return bool(_depths(middle, there).max() > _TOUCH)


def _direction(first: SolverThing, second: SolverThing) -> Any:
    """In which of eight directions the second is seen from the first; of four, where they are of equal rank."""
    x, y = second.x - first.x, second.y - first.y
    if hypot(x, y) < 8:
        return None
    eighth = round(degrees(atan2(y, x)) / 45)
    alike = _rank(first)[:2] == _rank(second)[:2]
    return ("axis", eighth % 4) if alike else ("way", eighth % 8)


def _by_fill(first: SolverThing, second: SolverThing) -> Any:
    """In which of eight directions the lighter is seen from the darker, whichever is larger."""
    if _DARK[first.fill] == _DARK[second.fill]:
        return None
    if _DARK[first.fill] > _DARK[second.fill]:
        first, second = second, first
    return round(degrees(atan2(second.y - first.y, second.x - first.x)) / 45) % 8


def _darker_larger(first: SolverThing, second: SolverThing) -> Any:
    if _DARK[first.fill] == _DARK[second.fill] or reach(first) < _LARGER * reach(second):
        return None
    return _DARK[first.fill] < _DARK[second.fill]


def at_corner(first: SolverThing, second: SolverThing) -> Any:
    """Whether the smaller is seen, from the middle of the larger, towards a corner or towards the middle of a side."""
    if first.kind not in ("square", "triangle", "pentagon", "hexagon", "diamond", "rectangle", "trapezoid"):
        return None
    corners = thing_strokes(first)[0].corners
    middle = sum(corners) / len(corners)
    way = complex(second.x, second.y) - middle
    if not way:
        return None
    sides = [(a + b) / 2 for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    return min(_off(way, corner - middle) for corner in corners) < min(_off(way, side - middle) for side in sides)


def _off(here: complex, other: complex) -> float:
    """The angle between two directions."""
    return abs(phase(here * other.conjugate()))


_PAIR_LOOKS: tuple[tuple[str, float, Look], ...] = (
    ("closeness", 0.25, _closeness),
    ("direction", 0.25, _direction),
    ("axis", 0.5, lambda first, second: _axis(second.x - first.x, second.y - first.y)),
    ("direction from the darker", 0.25, _by_fill),
    ("the darker is larger", 0.25, _darker_larger),
    ("at a corner", 0.5, at_corner),
    ("of one kind", 0.5, lambda first, second: first.kind == second.kind),
    ("of one fill", 0.5, lambda first, second: first.fill == second.fill),
)

_MOVES: dict[str, Callable[[complex], complex]] = {
    "shifted": lambda p: p,
    "turned by half": lambda p: -p,
    "left and right exchanged": lambda p: complex(-p.real, p.imag),
    "top and bottom exchanged": lambda p: p.conjugate(),
    "turned right": lambda p: p * 1j,
    "turned left": lambda p: p * -1j,
    "mirrored about the falling diagonal": lambda p: complex(p.imag, p.real),
    "mirrored about the rising diagonal": lambda p: complex(-p.imag, -p.real),
}


def images(first: SolverThing, second: SolverThing) -> frozenset[str]:
    """The moves that make the second look like the first (or the left one like the right one)."""
    if first.x > second.x + 3 or (abs(first.x - second.x) <= 3 and first.y > second.y):
        first, second = second, first
    here, there = _corners(first), _corners(second)
    if len(here) != len(there) or len(here) < 3:
        return frozenset()
    return frozenset(name for name, move in _MOVES.items() if _covers([move(p) for p in here], there))


def _corners(thing: SolverThing) -> list[complex]:
    strokes = thing_strokes(thing)
    if len(strokes) != 1:
        return []
    middle = sum(strokes[0].corners) / len(strokes[0].corners)
    return [corner - middle for corner in strokes[0].corners]


def _covers(here: Sequence[complex], there: Sequence[complex]) -> bool:
    return all(min(abs(p - q) for q in there) < _TOUCH for p in here)


def _alike(panel: Things) -> list[SolverThing]:
    """The things of the only kind that occurs twice."""
    number = Counter(thing.kind for thing in panel)
    twice = [kind for kind, many in number.items() if many == 2]
    return [thing for thing in panel if thing.kind == twice[0]] if len(twice) == 1 else []


def _of_alike(panel: Things, look: Look) -> Any:
    alike = _alike(panel)
    return look(*alike) if alike else None


def alike_places(panel: Things) -> Any:
    return _of_alike(panel, lambda *alike: frozenset((_side(thing.x), _side(thing.y)) for thing in alike))


def _side(at: float) -> int:
    return (at > 78) + (at > 102)


def _axis(x: float, y: float) -> int:
    return round(degrees(atan2(y, x)) / 45) % 4


def line_up(panel: Things) -> tuple[float, list[SolverThing]] | None:
    """The direction in which all things are lined up (0 to 180 degrees), and the things in order; None if not."""
    ends = max(
        ((a, b) for a in panel for b in panel),
        key=lambda there: hypot(there[1].x - there[0].x, there[1].y - there[0].y),
    )
    (x, y), (x2, y2) = ((end.x, end.y) for end in ends)
    upright = abs(x2 - x) < _UPRIGHT * abs(y2 - y)
    if (y2 < y) if upright else (x2 < x):  # from left to right, or from top to bottom
        x, y, x2, y2 = x2, y2, x, y
    dx, dy = x2 - x, y2 - y
    far = hypot(dx, dy)
    if far < 30 or any(abs((thing.x - x) * dy - (thing.y - y) * dx) / far > 6 for thing in panel):
        return None
    along = sorted(panel, key=lambda thing: (thing.x - x) * dx + (thing.y - y) * dy)
    return degrees(atan2(dy, dx)) % 180, along


def _odd_place(panel: Things) -> Any:
    """Which place in line the only thing of its fill has."""
    line = line_up(panel)
    if line is None:
        return None
    number = Counter(thing.fill for thing in panel)
    return next((i for i, thing in enumerate(line[1]) if number[thing.fill] == 1), None)


_CROWD_LOOKS: tuple[tuple[str, float, Callable[[Things], Any]], ...] = (
    ("places of the two that are alike", 0.5, alike_places),
    (
        "direction of the two that are alike",
        0.75,
        lambda panel: _of_alike(panel, lambda a, b: _axis(b.x - a.x, b.y - a.y)),
    ),
    (
        "fill of the two that are alike",
        0.5,
        lambda panel: _of_alike(panel, lambda a, b: a.fill if a.fill == b.fill else None),
    ),
    ("direction in which all are lined up", 0.5, lambda panel: (line := line_up(panel)) and round(line[0] / 45) % 4),
    ("place in line of the odd one", 0.5, _odd_place),
)
