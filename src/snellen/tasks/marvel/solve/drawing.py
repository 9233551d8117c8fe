"""What can be read off a panel as a drawing: areas, crossings, corners, symmetries. Costly, so asked for last."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from snellen.tasks.marvel.solve.decide import tells_apart
from snellen.tasks.marvel.solve.ink import crossings, regions
from snellen.tasks.marvel.solve.measure import Measurement
from snellen.tasks.marvel.solve.scene import Scene, Things
from snellen.tasks.marvel.solve.symmetry import symmetry

_CORNERS = {
    "triangle": 3, "square": 4, "rectangle": 4, "diamond": 4, "trapezoid": 4, "pentagon": 5, "hexagon": 6, "star": 10,
    "cross": 12, "arrow": 7, "line": 0,
}  # fmt: skip

Look = Callable[[Things], Sequence[Any]]


def _regions(panel: Things) -> Sequence[Any]:
    found = regions(panel)
    return found.areas, found.parts


def _corners(panel: Things) -> Sequence[Any]:
    largest = max(panel, key=lambda thing: thing.size, default=None)
    return sum(map(corners, panel)), corners(largest) if largest else 0


def corners(thing: Any) -> int:
    """How many corners; of a smooth closed line, how many points lead it."""
    if thing.mark["shape"] == "path":
        return len(thing.mark["points"]) - (0 if thing.mark.get("closed") else 2)
    return _CORNERS.get(thing.kind, 0)


def _symmetry(panel: Things) -> Sequence[Any]:
    found = symmetry(panel)
    axis = found.axes[0] * 2 if len(found.axes) == 1 else None
    half = found.turns % 2 == 0
    return len(found.axes), axis, (bool(found.axes), half), bool(found.axes), half, found.turns


_LOOKS: tuple[tuple[Look, int, tuple[tuple[str, str], ...]], ...] = (
    (_corners, 1, (("number of corners", "number"), ("number of corners of the largest", "number"))),
    (_regions, 1, (("number of closed areas", "number"), ("number of parts", "number"))),
    (crossings, 1, (("number of crossings", "number"), ("number of touching points", "number"))),
    (
        _symmetry,
        2,
        (
            ("number of axes", "number"),
            ("direction of the axis", "angle"),
            ("kind of symmetry", "symbol"),
            ("mirrored onto itself", "symbol"),
            ("turned onto itself", "symbol"),
            ("number of turns onto itself", "number"),
        ),
    ),
)


def drawings(scene: Scene, level: int) -> Iterator[Measurement]:
    """All of this level. The choices first: what they do not differ in need not be measured in the context."""
    for look, at, names in _LOOKS:
        if at != level:
            continue
        choices = [look(panel) for panel in scene.choices]
        wanted = [
            i
            for i, (name, sort) in enumerate(names)
            if tells_apart(Measurement(name, level, sort, [], [values[i] for values in choices]))
        ]
        if wanted:
            context = [look(panel) for panel in scene.context]
            for i in wanted:
                values = [found[i] for found in context]
                yield Measurement(names[i][0], level, names[i][1], values, [found[i] for found in choices])
