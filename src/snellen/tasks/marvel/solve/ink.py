"""Lines on paper: the strokes of a panel, where they cross, what they enclose.

A stroke is one line drawn without lifting the pen: a straight line, an open or closed path, a figure's outline. Areas
and connected parts are counted on a small picture of the strokes; crossings by cutting every piece of line with every
other.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from snellen.tasks.marvel.draw.figures import outline
from snellen.tasks.marvel.solve.scene import Things
from snellen.tasks.marvel.solve.things import SolverThing

Floats = NDArray[np.float64]

_SIDE, _SHRUNK = 60, 3  # the small picture, a third as wide as a panel
_EQUAL = 1.25  # areas that differ less are of one size
_SPECK = 4  # areas of fewer pixels are gaps that drawing left
_ROUND = frozenset({"circle", "ellipse", "heart", "moon", "drop"})
_COARSE = 4  # of the short pieces of a curve, so many are taken for one
_NEAR = 1.5  # pixels around a stroke; two that are nearer than that twice may touch
_BOW = 6  # pixels that a curve may swing beyond its points
_TURNED = 1.42  # what a turned figure may reach beyond its size
_TIP = 5.5  # pixels from its end that still count as the end of a stroke
_AROUND = np.ones((3, 3))


class InkStroke(NamedTuple):
    """`corners` are what it is defined by; `line` is how it runs, in straight pieces."""

    corners: list[complex]
    line: Floats
    closed: bool
    curved: bool
    fill: str


class InkDrawing:
    """A panel as a drawing. `together` are the things that may have to do with one another, as their boxes overlap."""

    def __init__(self, panel: Things) -> None:
        self.things = panel
        boxes = [_box(thing) for thing in panel]
        self.together = [
            thing
            for i, (thing, (left, top, right, bottom)) in enumerate(zip(panel, boxes, strict=True))
            if any(
                left <= right2 and left2 <= right and top <= bottom2 and top2 <= bottom
                for j, (left2, top2, right2, bottom2) in enumerate(boxes)
                if i != j
            )
        ]

    @cached_property
    def strokes(self) -> list[InkStroke]:
        """The strokes of the things that are together."""
        return [stroke for thing in self.together for stroke in thing_strokes(thing)]


def _box(thing: SolverThing) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a thing, with some room for what may still touch it."""
    mark, room = thing.mark, _NEAR
    if mark["shape"] == "path":
        xs, ys = zip(*mark["points"], strict=True)
        room += _BOW if mark.get("curved") else 0
        return min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room
    if mark["shape"] == "line":
        (x, x2), (y, y2) = sorted((mark["x"], mark["x2"])), sorted((mark["y"], mark["y2"]))
        return x - room, y - room, x2 + room, y2 + room
    reach = thing.size * (1 if not thing.turn else _TURNED) + room
    return thing.x - reach, thing.y - reach, thing.x + reach, thing.y + reach


def thing_strokes(thing: SolverThing) -> list[InkStroke]:
    """The strokes of a thing: none for a letter."""
    mark, shape = thing.mark, thing.shape
    if shape == "line":
        ends = [complex(mark["x"], mark["y"]), complex(mark["x2"], mark["y2"])]
        return [InkStroke(ends, _flat(ends), closed=False, curved=False, fill="none")]
    if shape == "path":
        corners = [complex(x, y) for x, y in mark["points"]]
        closed, curved = bool(mark.get("closed")), bool(mark.get("curved")) and len(corners) > 2
        line = np.array(mark["points"], np.float64)
        if curved:
            line = _bent(line, closed)
        return [InkStroke(corners, line, closed, curved, thing.fill)]
    if thing.kind.startswith("grid"):
        return _grid_strokes(thing)
    if shape in ("grid", "letter"):
        return []
    middle = complex(thing.x, thing.y)
    points, outer = _figure(shape, thing.size, mark.get("turn", 0))
    corners = [middle + point for point in points]
    return [
        InkStroke(corners, outer + np.array((thing.x, thing.y)), closed=True, curved=shape in _ROUND, fill=thing.fill)
    ]


# A Catmull-Rom spline, as curves are drawn, at four places between two of its points: shares of the four points around.
_PLACES = np.arange(4) / 4
_SHARES = 0.5 * np.stack(
    (
        -_PLACES + 2 * _PLACES**2 - _PLACES**3,
        2 - 5 * _PLACES**2 + 3 * _PLACES**3,
        _PLACES + 4 * _PLACES**2 - 3 * _PLACES**3,
        -(_PLACES**2) + _PLACES**3,
    ),
    axis=1,
)


@lru_cache(maxsize=64)
def _neighbours(number: int, closed: bool) -> NDArray[np.int64]:
    """For each piece of a curve through so many points, the places of the four points that shape it."""
    if closed:
        return (np.arange(number)[:, None] + np.arange(-1, 3)[None, :]) % number
    return np.arange(number - 1)[:, None] + np.arange(4)[None, :]


def _bent(points: Floats, closed: bool) -> Floats:
    """A smooth line through the points, in a few straight pieces from point to point."""
    number = len(points)
    around = (
        points if closed else np.concatenate((2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]))
    )
    places = _neighbours(number, closed)
    smooth: Floats = (_SHARES @ around[places]).reshape(-1, 2)
    return smooth if closed else np.concatenate((smooth, points[-1:]))


@lru_cache(maxsize=4096)
def _figure(shape: str, size: float, turn: int) -> tuple[tuple[complex, ...], Floats]:
    points = outline(shape, size, turn)
    line = points[:: _COARSE if shape in _ROUND else 1]
    return tuple(complex(x, y) for x, y in line.tolist()), line


def _flat(points: Sequence[complex]) -> Floats:
    return np.array([(point.real, point.imag) for point in points])


def _grid_strokes(thing: SolverThing) -> list[InkStroke]:
    mark = thing.mark
    left, top, cell = mark["x"], mark["y"], mark["cell"]
    tall, wide = len(mark["rows"]), len(mark["rows"][0])
    right, bottom = left + wide * cell, top + tall * cell
    lines = [[complex(left, top + i * cell), complex(right, top + i * cell)] for i in range(tall + 1)]
    lines += [[complex(left + i * cell, top), complex(left + i * cell, bottom)] for i in range(wide + 1)]
    return [InkStroke(ends, _flat(ends), closed=False, curved=False, fill="none") for ends in lines]


class Regions(NamedTuple):
    """Closed areas that the lines enclose, and whether they are of one size."""

    areas: int
    equal: bool


def regions(drawing: InkDrawing) -> Regions:
    together = set(map(id, drawing.together))
    # Things that keep to themselves enclose what they enclose.
    alone = sum(_encloses(thing) for thing in drawing.things if id(thing) not in together)
    if not together:
        return Regions(alone, equal=False)
    labels, number = _labelled(_inked(drawing.strokes) == 0)
    sizes = np.bincount(labels.ravel(), minlength=number + 1)[1:].tolist()
    outside = int(labels[0, 0]) - 1
    inner = [size for i, size in enumerate(sizes) if size >= _SPECK and i != outside]
    return Regions(alone + len(inner), len(inner) > 1 and max(inner) < _EQUAL * min(inner))


def _encloses(thing: SolverThing) -> int:
    """How many areas a thing encloses all by itself."""
    if thing.fill == "black" or thing.shape in ("line", "letter"):
        return 0
    if thing.shape == "grid":
        return len(thing.mark["rows"]) * len(thing.mark["rows"][0]) if thing.kind.startswith("grid") else 0
    if thing.shape == "path" and not thing.mark.get("closed"):
        # An open curve may cross itself.
        return _labelled(_inked(thing_strokes(thing)) == 0)[1] - 1 if thing.mark.get("curved") else 0
    return 1


def parts(drawing: InkDrawing) -> int:
    """How many parts of ink hang together."""
    alone = len(drawing.things) - len(drawing.together)
    return alone + (_labelled(_inked(drawing.strokes), _AROUND)[1] if drawing.together else 0)


def _labelled(mask: NDArray[Any], around: NDArray[Any] | None = None) -> tuple[NDArray[Any], int]:
    """Areas that hang together, numbered, and how many there are."""
    from scipy.ndimage import label  # here, for whoever lists the tasks needs none of it

    labels, number = label(mask, around)
    return labels, int(number)


def _inked(strokes: Sequence[InkStroke]) -> NDArray[np.uint8]:
    picture = Image.new("L", (_SIDE, _SIDE), 0)
    pen = ImageDraw.Draw(picture)
    for stroke in strokes:
        # Whole numbers, rounded twice: neither the last digit of a sine nor the version of Pillow may matter.
        spots = np.rint(np.round(stroke.line / _SHRUNK, 3)).astype(int).ravel().tolist()
        if stroke.closed:
            spots += spots[:2]
        if stroke.fill == "black":
            pen.polygon(spots, fill=1)
        pen.line(spots, fill=1)
    return np.asarray(picture)


class StrokeMeetings(NamedTuple):
    """Points where strokes cross, where one ends on another, and where two end together."""

    crossing: int
    ending: int
    joined: int


def meetings(drawing: InkDrawing) -> StrokeMeetings:
    if len(drawing.strokes) < 2:
        return StrokeMeetings(0, 0, 0)
    spots, tips = _cuts(drawing.strokes)
    distinct: list[complex] = []
    kinds = [0, 0, 0]
    near = [min(2, sum(abs(tip - spot) < _TIP for tip in tips)) for spot in spots]
    for spot, ends in sorted(zip(spots, near, strict=True), key=lambda pair: pair[1]):
        if all(abs(spot - other) > _TIP for other in distinct):
            distinct.append(spot)
            kinds[ends] += 1
    return StrokeMeetings(*kinds)


def _cuts(strokes: Sequence[InkStroke]) -> tuple[list[complex], list[complex]]:
    """Where pieces of different strokes meet, and where open strokes end."""
    pieces, owners, tips = [], [], []
    for number, stroke in enumerate(strokes):
        line = np.concatenate((stroke.line, stroke.line[:1])) if stroke.closed else stroke.line
        if not stroke.closed:
            tips += [complex(*line[0]), complex(*line[-1])]
        pieces.append(np.concatenate((line[:-1], line[1:] - line[:-1]), axis=1))
        owners.append(np.full(len(line) - 1, number))
    x, y, dx, dy = np.concatenate(pieces).T
    owner = np.concatenate(owners)
    # p + t r = q + u s; crosswise products give t and u.
    bend = dx[:, None] * dy - dy[:, None] * dx
    bend[np.abs(bend) < 1e-9] = np.inf  # parallels do not meet
    apart_x, apart_y = x - x[:, None], y - y[:, None]
    here = (apart_x * dy - apart_y * dx) / bend
    there = (apart_x * dy[:, None] - apart_y * dx[:, None]) / bend
    slack = 2.5 / np.maximum(np.hypot(dx, dy), 1e-9)  # ends may stop a little short of the line they touch
    off_here, off_there = np.abs(here - 0.5) - 0.5, np.abs(there - 0.5) - 0.5
    met = (owner[:, None] < owner) & (off_here <= slack[:, None]) & (off_there <= slack) & np.isfinite(bend)
    rows, columns = np.nonzero(met)
    share = here[rows, columns]
    return [complex(*spot) for spot in zip(x[rows] + share * dx[rows], y[rows] + share * dy[rows], strict=True)], tips
