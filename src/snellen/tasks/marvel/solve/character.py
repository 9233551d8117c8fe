"""What a thing is like, whichever it is: how far it reaches, of which lines it is made, whether it bulges out."""

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import Any

from snellen.tasks.marvel.solve.things import SolverThing

_CURVED = frozenset({"circle", "ellipse", "heart", "moon"})
_MIXED = frozenset({"drop"})
_DENTED = frozenset({"star", "cross", "heart", "moon", "arrow"})
_BESIDE = 30  # pixels between lines of one bundle
_FLAT = 0.02  # what a corner of a polygon may bend the other way by rounding, in parts of its sides


def reach(thing: SolverThing) -> float:
    """Half the larger side of what one sees of a thing; of an open line, half its length."""
    if thing.shape != "path":
        return thing.size
    points = thing.mark["points"]
    if not thing.mark.get("closed"):
        return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)) / 2
    xs, ys = zip(*points, strict=True)
    return float(max(max(xs) - min(xs), max(ys) - min(ys))) / 2


def curved(thing: SolverThing) -> Any:
    """ "straight" or "curved"; None for what has both or cannot be told."""
    shape = thing.shape
    if shape == "path":
        return "curved" if thing.mark.get("curved") and len(thing.mark["points"]) > 2 else "straight"
    if shape in _MIXED or shape in ("letter", "grid"):
        return None
    return "curved" if shape in _CURVED else "straight"


def closed(thing: SolverThing) -> bool:
    shape = thing.shape
    return bool(thing.mark.get("closed")) if shape == "path" else shape != "line"


def convex(thing: SolverThing) -> Any:
    """Whether a closed outline bulges outwards everywhere; None for open lines."""
    if not closed(thing) or thing.shape in ("letter", "grid"):
        return None
    if thing.shape != "path":
        return thing.kind not in _DENTED
    points = [complex(x, y) for x, y in thing.mark["points"]]
    sides = [b - a for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    bends = [
        (a.conjugate() * b).imag / max(abs(a) * abs(b), 1) for a, b in zip(sides, [*sides[1:], sides[0]], strict=True)
    ]
    return min(bends) > -_FLAT or max(bends) < _FLAT


def slant(thing: SolverThing) -> Any:
    """Whether a line lies, stands upright or slants; None for anything else."""
    angle = run(thing)
    if angle is None:
        return None
    if min(angle, 180 - angle) < 12:
        return "lying"
    return "upright" if abs(angle - 90) < 12 else "slanting"


def run(thing: SolverThing) -> float | None:
    """The direction from end to end of an open line, in degrees from 0 to 180; None for anything else."""
    mark = thing.mark
    if mark["shape"] == "line":
        x, y = mark["x2"] - mark["x"], mark["y2"] - mark["y"]
    elif mark["shape"] == "path" and not mark.get("closed"):
        (x, y), (x2, y2) = mark["points"][0], mark["points"][-1]
        x, y = x2 - x, y2 - y
    else:
        return None
    return degrees(atan2(y, x)) % 180


def bundles(panel: Sequence[SolverThing]) -> list[SolverThing]:
    """Open lines that run side by side, each bundle as one thing in its middle."""
    lines = [(thing, angle) for thing in panel for angle in [run(thing)] if angle is not None]
    groups: list[list[tuple[SolverThing, float]]] = []
    for thing, angle in lines:
        near = [bundle for bundle in groups if any(_beside(thing, angle, *other) for other in bundle)]
        groups = [bundle for bundle in groups if bundle not in near]
        groups.append([(thing, angle), *(member for bundle in near for member in bundle)])
    merged = []
    for bundle in groups:
        if len(bundle) > 1:
            x, y = (
                sum(values) / len(bundle) for values in zip(*((thing.x, thing.y) for thing, _ in bundle), strict=True)
            )
            merged.append(bundle[0][0]._replace(kind="line", x=x, y=y, turn=bundle[0][1], flip=False))
    return merged


def _beside(line: SolverThing, runs: float, other: SolverThing, runs_too: float) -> bool:
    """Whether two lines are near each other and parallel."""
    return hypot(line.x - other.x, line.y - other.y) < _BESIDE and abs((runs - runs_too + 90) % 180 - 90) < 8
