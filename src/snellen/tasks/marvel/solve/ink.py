"""Lines on paper: the strokes of a panel, where they cross, what they enclose.

A stroke is one line drawn without lifting the pen: a side-to-side line, an open or closed path, a figure's outline.
Areas and connected parts are counted on a small picture of the strokes; crossings by cutting every piece of line with
every other.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

from snellen.draw.figures import outline
from snellen.draw.pens import curve
from snellen.tasks.marvel.solve.scene import Things
from snellen.tasks.marvel.solve.things import Thing

_SIDE = 90  # the small picture, half as wide as a panel
_SPECK = 6  # areas of fewer pixels are gaps that drawing left
_ROUND = frozenset({"circle", "ellipse", "heart", "moon", "drop"})


class Stroke(NamedTuple):
    """`corners` are what it is defined by; `line` is how it runs, in short straight pieces."""

    corners: list[complex]
    line: NDArray[np.float64]
    closed: bool
    curved: bool


def strokes(thing: Thing) -> list[Stroke]:
    """The strokes of a thing: none for a letter."""
    mark = thing.mark
    if thing.kind == "line":
        ends = [complex(mark["x"], mark["y"]), complex(mark["x2"], mark["y2"])]
        return [Stroke(ends, _flat(ends), closed=False, curved=False)]
    if thing.kind.startswith("form"):
        corners = [complex(x, y) for x, y in mark["points"]]
        closed, curved = bool(mark.get("closed")), bool(mark.get("curved")) and len(corners) > 2
        line = curve(_flat(corners), closed) if curved else _flat(corners)
        return [Stroke(corners, line, closed, curved)]
    if thing.kind.startswith("grid"):
        return _grid_strokes(thing)
    if thing.kind == "cell" or thing.kind.startswith("letter"):
        return []
    middle = complex(thing.x, thing.y)
    points = _outline(mark["shape"], mark["size"], mark.get("turn", 0))
    corners = [middle + point for point in points]
    return [Stroke(corners, _flat(corners), closed=True, curved=thing.kind in _ROUND)]


@lru_cache(maxsize=4096)
def _outline(shape: str, size: int, turn: int) -> tuple[complex, ...]:
    return tuple(complex(x, y) for x, y in outline(shape, size, turn).tolist())


def _flat(points: Sequence[complex]) -> NDArray[np.float64]:
    return np.array([(point.real, point.imag) for point in points])


def _grid_strokes(thing: Thing) -> list[Stroke]:
    mark = thing.mark
    left, top, cell = mark["x"], mark["y"], mark["cell"]
    tall, wide = len(mark["rows"]), len(mark["rows"][0])
    right, bottom = left + wide * cell, top + tall * cell
    lines = [(complex(left, top + i * cell), complex(right, top + i * cell)) for i in range(tall + 1)]
    lines += [(complex(left + i * cell, top), complex(left + i * cell, bottom)) for i in range(wide + 1)]
    return [Stroke([a, b], _flat([a, b]), closed=False, curved=False) for a, b in lines]


class Regions(NamedTuple):
    """Closed areas within the lines, and parts of ink that hang together."""

    areas: int
    parts: int


def regions(panel: Things) -> Regions:
    picture = Image.new("L", (_SIDE, _SIDE), 0)
    pen = ImageDraw.Draw(picture)
    for thing in panel:
        for stroke in strokes(thing):
            spots = [(x / 2, y / 2) for x, y in stroke.line.tolist()]
            if stroke.closed:
                spots.append(spots[0])
            if thing.fill == "black":
                pen.polygon(spots, fill=1)
            pen.line(spots, fill=1, width=2)
    ink = np.asarray(picture)
    parts = int(ndimage.label(ink, np.ones((3, 3)))[1])
    areas, number = ndimage.label(ink == 0)
    sizes = np.bincount(areas.ravel(), minlength=number + 1)[1:]
    return Regions(int((sizes >= _SPECK).sum()) - 1, parts)


def crossings(panel: Things) -> tuple[int, int]:
    """How many points where strokes cross, and where they only touch (an end of one lies on the other)."""
    lines = [stroke for thing in panel for stroke in strokes(thing)]
    starts, ends, owners, tips = _pieces(lines)
    if len(lines) < 2:
        return 0, 0
    spots, touching = _cuts(starts, ends, owners, tips)
    crossed: list[complex] = []
    touched: list[complex] = []
    for spot, touch in sorted(zip(spots, touching, strict=True), key=lambda pair: pair[1]):
        if all(abs(spot - other) > 5 for other in crossed) and all(abs(spot - other) > 5 for other in touched):
            (touched if touch else crossed).append(spot)
    return len(crossed), len(touched)


def _pieces(lines: Sequence[Stroke]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """All straight pieces: where they start and end, whose they are, and the open ends of strokes."""
    starts, ends, owners, tips = [], [], [], []
    for number, stroke in enumerate(lines):
        points = stroke.line[:, 0] + 1j * stroke.line[:, 1]
        if stroke.closed:
            points = np.append(points, points[0])
        else:
            tips += [points[0], points[-1]]
        starts.append(points[:-1])
        ends.append(points[1:])
        owners.append(np.full(len(points) - 1, number))
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(owners), np.array(tips, dtype=complex)


def _cuts(
    starts: NDArray[Any], ends: NDArray[Any], owners: NDArray[Any], tips: NDArray[Any]
) -> tuple[list[complex], list[bool]]:
    """Where pieces of different strokes meet, and whether an open end lies there."""
    along = ends - starts
    apart = starts[None, :] - starts[:, None]
    bend = (along[:, None].conj() * along[None, :]).imag
    with np.errstate(divide="ignore", invalid="ignore"):
        here = (apart.conj() * along[None, :]).imag / bend
        there = (apart.conj() * along[:, None]).imag / bend
        slack = 2.5 / np.maximum(np.abs(along), 1e-9)  # ends may stop a little short of the line they touch
        met = (
            (owners[:, None] < owners[None, :])
            & (np.abs(bend) > 1e-9)
            & (here >= -slack[:, None])
            & (here <= 1 + slack[:, None])
            & (there >= -slack[None, :])
            & (there <= 1 + slack[None, :])
        )
    rows, columns = np.nonzero(met)
    spots = starts[rows] + here[rows, columns] * along[rows]
    touching = [bool(len(tips) and np.abs(tips - spot).min() < 5) for spot in spots]
    return [complex(spot) for spot in spots], touching
