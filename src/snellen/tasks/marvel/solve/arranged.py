"""What several things in a panel make together: where one points, what lies between, how a row turns, which way
things grow, what halves hold.

Each look says something of a panel or nothing (None), from its things alone.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import Any

from snellen.tasks.marvel.solve.character import closed, reach
from snellen.tasks.marvel.solve.decide import Measurement, tells_apart
from snellen.tasks.marvel.solve.drawing import corners
from snellen.tasks.marvel.solve.pairs import line_up
from snellen.tasks.marvel.solve.scene import CENTRE, PuzzleScene, Things
from snellen.tasks.marvel.solve.things import REPEATS

_SMALLER = 1.5
_EVEN = 8  # degrees
_GROWN, _OUT, _ROUND = 1.25, 30, 1.2
"""How much larger, how far out at least (pixels), and how much further out one of them may be."""


def arranged(scene: PuzzleScene) -> Iterator[Measurement]:
    """The looks that tell the choices apart; these are looked at first."""
    for name, cost, sort, read in _LOOKS:
        options = [read(panel) for panel in scene.choices]
        measured = Measurement(name, cost, sort, (), options)
        if any(option is not None for option in options) and tells_apart(measured):
            yield measured._replace(values=[read(panel) for panel in scene.context])


def pointing(panel: Things) -> int | None:
    """In quarters clockwise: which way an arrow points, seen from the direction in which the only other thing is."""
    arrows = [thing for thing in panel if thing.kind == "arrow"]
    others = [thing for thing in panel if thing.kind != "arrow"]
    if len(arrows) != 1 or len(others) != 1 or not closed(others[0]):
        return None
    arrow, other = arrows[0], others[0]
    away = degrees(atan2(other.x - arrow.x, arrow.y - other.y))
    near = round((arrow.turn - away) / 90)
    return near % 4 if abs(arrow.turn - away - 90 * near) <= _EVEN else None


BETWEEN = ("between the other two", "beyond the solid one", "beyond the white one", "off to one side")


def between(panel: Things) -> str | None:
    """Where the smallest of three is: between the black and the white one, beyond one of them, or beside."""
    if len(panel) != 3 or not all(map(closed, panel)):
        return None
    small, *large = sorted(panel, key=reach)
    black, white = ([thing for thing in large if thing.fill in fills] for fills in (("black",), ("white", "none")))
    if len(black) != 1 or len(white) != 1 or reach(large[0]) < _SMALLER * reach(small):
        return None
    start, end = black[0], white[0]
    x, y = end.x - start.x, end.y - start.y
    far = hypot(x, y)
    if far == 0:
        return None
    along = ((small.x - start.x) * x + (small.y - start.y) * y) / far**2
    aside = abs((small.x - start.x) * y - (small.y - start.y) * x) / far
    if aside > 2 * reach(small):
        return BETWEEN[3] if 0.2 < along < 0.8 else None
    return BETWEEN[1] if along < 0 else BETWEEN[2] if along > 1 else BETWEEN[0]


def row_turn(panel: Things) -> int | None:
    """By how many degrees each of three or more alike things in a row is turned against the one before it."""
    if len(panel) < 3 or len({thing.kind for thing in panel}) > 1 or panel[0].shape in ("grid", "line"):
        return None
    line = line_up(panel)
    if line is None:
        return None
    repeat = REPEATS.get(line[1][0].kind, 360)
    steps = {round((b.turn - a.turn) % repeat) for a, b in pairwise(line[1])}
    return steps.pop() if len(steps) == 1 else None


def stairs(panel: Things) -> int | None:
    """By how many columns the one filled cell of each row of a grid stands to the right of the one above it."""
    cells = sorted((thing for thing in panel if thing.kind.endswith(" cell")), key=lambda cell: cell.y)
    if len(cells) < 3 or len({round(cell.y) for cell in cells}) < len(cells):
        return None
    steps = {round((b.x - a.x) / (b.size * 2)) for a, b in pairwise(cells)}
    return steps.pop() if len(steps) == 1 else None


def growth(panel: Things) -> int | None:
    """By how many degrees, clockwise around the middle, each of three things alike is on from the next smaller one."""
    # The points of a small outline are rounded too much to compare its form with that of a large one.
    kinds = {(len(thing.mark["points"]) if thing.shape == "path" else thing.kind, thing.fill) for thing in panel}
    if len(panel) != 3 or len(kinds) > 1 or not all(map(closed, panel)):
        return None
    ordered = sorted(panel, key=reach)
    out = [hypot(thing.x - CENTRE, thing.y - CENTRE) for thing in panel]
    grows = all(reach(b) > _GROWN * reach(a) for a, b in pairwise(ordered))
    if not grows or min(out) < _OUT or max(out) > _ROUND * min(out):
        return None
    angles = [degrees(atan2(thing.y - CENTRE, thing.x - CENTRE)) for thing in ordered]
    first, second = ((b - a) % 360 for a, b in pairwise(angles))
    on = round(first / 45) % 8
    return 45 * on if max(abs((step - 45 * on + 180) % 360 - 180) for step in (first, second)) <= _EVEN else None


def pips(panel: Things) -> tuple[int, int] | None:
    """How many dots there are above and below the line through the middle of a domino."""
    dots = [thing for thing in panel if thing.kind == "circle" and thing.fill == "black"]
    lines = [thing for thing in panel if thing.kind == "line" and abs(thing.y - CENTRE) < 3 and thing.turn < 3]
    if len(lines) != 1 or len(dots) != len(panel) - 2:
        return None
    return sum(dot.y < CENTRE for dot in dots), sum(dot.y > CENTRE for dot in dots)


def corners_and_dots(panel: Things) -> tuple[int, int] | None:
    """How many corners the outline has, and how many dots there are besides it."""
    outline = max(panel, key=reach, default=None)
    dots = [thing for thing in panel if thing.kind == "circle" and thing.fill == "black"]
    if outline is None or not dots or len(dots) != len(panel) - 1 or corners(outline) < 3:
        return None
    return corners(outline), len(dots)


def _of_pair(
    pair: Callable[[Things], tuple[int, int] | None], read: Callable[[int, int], int]
) -> Callable[[Things], Any]:
    """What is read off the pair of numbers of a panel, if it has one."""

    def look(panel: Things) -> int | None:
        numbers = pair(panel)
        return None if numbers is None else read(*numbers)

    return look


_LOOKS: Sequence[tuple[str, float, str, Callable[[Things], Any]]] = (
    ("where the arrow points", 0.5, "symbol", pointing),
    ("what the small one is between", 0.5, "symbol", between),
    ("turn from one to the next", 0.5, "symbol", row_turn),
    ("steps of the cells", 0.5, "symbol", stairs),
    ("way round as things grow", 0.5, "symbol", growth),
    ("pips above", 0.25, "count", _of_pair(pips, lambda above, below: above)),
    ("pips below", 0.25, "count", _of_pair(pips, lambda above, below: below)),
    ("corners and dots together", 0.75, "count", _of_pair(corners_and_dots, lambda corners, dots: corners + dots)),
    ("dots less corners", 0.75, "count", _of_pair(corners_and_dots, lambda corners, dots: dots - corners)),
)
