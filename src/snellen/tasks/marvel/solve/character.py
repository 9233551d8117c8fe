"""What a thing is like, whichever it is: how far it reaches, of which lines it is made, whether it bulges everywhere."""

from math import atan2, degrees, hypot
from typing import Any

from snellen.tasks.marvel.solve.things import Thing

_CURVED = frozenset({"circle", "ellipse"})
_MIXED = frozenset({"heart", "moon", "drop"})
_DENTED = frozenset({"star", "cross", "heart", "moon", "arrow"})
_FLAT = 0.02  # what a corner of a polygon may bend the other way by rounding, in parts of its sides


def reach(thing: Thing) -> float:
    """Half the larger side of what one sees of a thing; of an open line, half its length."""
    if thing.mark["shape"] != "path":
        return thing.size
    points = thing.mark["points"]
    if not thing.mark.get("closed"):
        return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:], strict=False)) / 2
    xs, ys = zip(*points, strict=True)
    return (max(max(xs) - min(xs), max(ys) - min(ys))) / 2


def curved(thing: Thing) -> Any:
    """ "straight" or "curved"; None for what has both or cannot be told."""
    shape = thing.mark["shape"]
    if shape == "path":
        return "curved" if thing.mark.get("curved") and len(thing.mark["points"]) > 2 else "straight"
    if shape in _MIXED or shape in ("letter", "grid"):
        return None
    return "curved" if shape in _CURVED else "straight"


def closed(thing: Thing) -> bool:
    shape = thing.mark["shape"]
    return bool(thing.mark.get("closed")) if shape == "path" else shape != "line"


def convex(thing: Thing) -> Any:
    """Whether a closed outline bulges outwards everywhere; None for open lines."""
    if not closed(thing) or thing.mark["shape"] in ("letter", "grid"):
        return None
    if thing.mark["shape"] != "path":
        return thing.kind not in _DENTED
    points = [complex(x, y) for x, y in thing.mark["points"]]
    sides = [b - a for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    bends = [
        (a.conjugate() * b).imag / max(abs(a) * abs(b), 1) for a, b in zip(sides, [*sides[1:], sides[0]], strict=True)
    ]
    return min(bends) > -_FLAT or max(bends) < _FLAT


def slant(thing: Thing) -> Any:
    """Whether a line lies, stands upright or slants; None for anything else."""
    if closed(thing) or thing.mark["shape"] not in ("line", "path"):
        return None
    mark = thing.mark
    start, end = ((mark["x"], mark["y"]), (mark["x2"], mark["y2"])) if "x2" in mark else (mark["points"][0], mark["points"][-1])
    angle = degrees(atan2(end[1] - start[1], end[0] - start[0])) % 180
    if min(angle, 180 - angle) < 12:
        return "lying"
    return "upright" if abs(angle - 90) < 12 else "slanting"
