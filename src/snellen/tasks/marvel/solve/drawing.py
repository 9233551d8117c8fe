"""What can be read off a panel as a drawing: areas, crossings, corners, symmetries. Costly, so asked for last."""

from collections.abc import Callable, Iterator, Sequence
from math import hypot
from typing import Any

from snellen.tasks.marvel.solve.character import closed, reach
from snellen.tasks.marvel.solve.decide import Measurement, tells_apart
from snellen.tasks.marvel.solve.ink import InkDrawing, meetings, parts, regions
from snellen.tasks.marvel.solve.scene import PuzzleScene, Things
from snellen.tasks.marvel.solve.symmetry import symmetry
from snellen.tasks.marvel.solve.things import SolverThing

_CORNERS = {
    "triangle": 3, "square": 4, "rectangle": 4, "diamond": 4, "trapezoid": 4, "pentagon": 5, "hexagon": 6, "star": 10,
    "cross": 12, "arrow": 7, "line": 0,
}  # fmt: skip

Look = Callable[[Things, InkDrawing], Sequence[Any]]


def _meetings(panel: Things, drawing: InkDrawing) -> Sequence[Any]:
    met = meetings(drawing)
    return met.crossing, met.ending + met.joined, tuple(met)


def _corners(panel: Things, drawing: InkDrawing) -> Sequence[Any]:
    largest = max(panel, key=reach, default=None)
    return sum(map(corners, panel)), corners(largest) if largest else 0, bulges(largest) if largest else 0


def corners(thing: SolverThing) -> int:
    """How many corners an outline has; none if it is smooth."""
    if thing.shape == "path":
        return len(thing.mark["points"]) if closed(thing) and not thing.mark.get("curved") else 0
    return _CORNERS.get(thing.kind, 0)


def bulges(thing: SolverThing) -> int:
    """How many bulges a smooth closed line has: points farther out than those beside them."""
    if thing.shape != "path" or not (closed(thing) and thing.mark.get("curved")):
        return 0
    away = [hypot(x - thing.x, y - thing.y) for x, y in thing.mark["points"]]
    return sum(away[i - 1] < away[i] >= away[(i + 1) % len(away)] for i in range(len(away)))


def _symmetry(panel: Things, drawing: InkDrawing) -> Sequence[Any]:
    symmetries = symmetry(panel)
    axis = symmetries.axes[0] * 2 if len(symmetries.axes) == 1 else None
    half = symmetries.turns % 2 == 0
    return len(symmetries.axes), axis, (bool(symmetries.axes), half), bool(symmetries.axes), half, symmetries.turns


_LOOKS: tuple[tuple[Look, tuple[tuple[str, str, float, Any], ...]], ...] = (
    (
        _corners,
        (
            ("number of corners", "count", 1, 0),
            ("number of corners of the largest", "count", 1, 0),
            ("number of bulges of the largest", "count", 1, 0),
        ),
    ),
    (
        lambda panel, drawing: regions(drawing),
        (
            ("number of closed areas", "count", 0.5, 0),
            ("areas of one size", "symbol", 1, False),
        ),
    ),
    (
        _meetings,
        (
            ("number of crossings", "count", 1, 0),
            ("number of touching points", "count", 2, 0),
            ("how lines meet", "symbol", 1, (0, 0, 0)),
        ),
    ),
    (
        _symmetry,
        (
            ("number of axes", "count", 1, 0),
            ("direction of the axis", "angle", 1, None),
            ("kind of symmetry", "symbol", 1, (False, False)),
            ("mirrored onto itself", "symbol", 1.5, False),
            ("turned onto itself", "symbol", 1.5, False),
            ("number of turns onto itself", "count", 1.5, 1),
        ),
    ),
    (lambda panel, drawing: (parts(drawing),), (("number of parts", "count", 1.5, 1),)),
)


def drawings(scene: PuzzleScene) -> Iterator[list[Measurement]]:
    """One look after the other. The choices first: what they do not differ in need not be measured in the context."""
    options = [InkDrawing(panel) for panel in scene.choices]
    shown: list[InkDrawing] = []
    for look, names in _LOOKS:
        choices = [look(panel, drawing) for panel, drawing in zip(scene.choices, options, strict=True)]
        wanted = [
            Measurement(name, cost, sort, (i,), [values[i] for values in choices], plain)
            for i, (name, sort, cost, plain) in enumerate(names)
        ]
        wanted = [measured for measured in wanted if tells_apart(measured)]
        if wanted:
            shown = shown or [InkDrawing(panel) for panel in scene.context]
            context = [look(panel, drawing) for panel, drawing in zip(scene.context, shown, strict=True)]
            yield [measured._replace(values=[looked[measured.values[0]] for looked in context]) for measured in wanted]
