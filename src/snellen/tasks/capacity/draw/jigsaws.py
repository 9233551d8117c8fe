"""Jigsaw pieces: how a picture is cut, what each piece covers, and pictures of a puzzle with holes and of loose pieces.

A piece is a square with a **side** each way: straight, a tab (a knob that sticks out) or a blank (room for one). Knobs
have one of four shapes and one of three places along the side. Masks are made of samples, four by four to a pixel; a
tab and the blank it fits are the same samples, so that pieces fit without gap or overlap.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from snellen.draw.canvas import WHOLE, Canvas, Cover, Pixels, reduced
from snellen.draw.looks import Colour
from snellen.draw.pens import inside
from snellen.tasks.capacity.draw.lettering import words, write

Mask = NDArray[np.bool_]
Place = tuple[int, int]
"""Column and row of a piece, from 0."""

FINE = 4
SIDES = ("top", "right", "bottom", "left")
STEP = 13
"""How far from the middle of a side a knob may be, in hundredths of the side; so are the measures below."""
REACH = 23
"""No knob is longer."""

Corners = tuple[tuple[float, float], ...]


def _rounded(corners: Corners, radius: float) -> Corners:
    """An open line with its corners rounded off."""
    line = [corners[0]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        (ax, ay), (bx, by) = (_towards(corner, other, radius) for other in (before, after))
        for t in (0, 0.25, 0.5, 0.75, 1):
            near, far, middle = (1 - t) ** 2, t**2, 2 * t * (1 - t)
            line.append((near * ax + middle * corner[0] + far * bx, near * ay + middle * corner[1] + far * by))
    return (*line, corners[-1])


def _towards(corner: tuple[float, float], other: tuple[float, float], far: float) -> tuple[float, float]:
    right, down = other[0] - corner[0], other[1] - corner[1]
    share = min(0.5, far / sqrt(right * right + down * down))
    return corner[0] + share * right, corner[1] + share * down


_CIRCLE = tuple((10.5 * sin(a), 12 - 10.5 * cos(a)) for a in (-pi * (0.19 + k * 0.81 / 12) for k in range(25)))
KNOBS: Mapping[str, Corners] = {
    "round": ((-5.5, -1), (-5.5, 4), *_CIRCLE, (5.5, 4), (5.5, -1)),
    "dovetail": _rounded(((-6, -1), (-13, 21), (13, 21), (6, -1)), 3),
    "arrow": _rounded(((-5, -1), (-5, 7), (-13.5, 7), (0, 24), (13.5, 7), (5, 7), (5, -1)), 2),
    "hammer": _rounded(((-5, -1), (-5, 10), (-13, 10), (-13, 21), (13, 21), (13, 10), (5, 10), (5, -1)), 3),
}
"""Outlines: along the side from the middle, and out from it."""


@dataclass(frozen=True, slots=True)
class JigsawSide:
    """One side of a piece. `place`: -1, 0 or 1, the knob towards the left or top, in the middle, or the other way."""

    kind: str
    knob: str = ""
    place: int = 0

    @property
    def mate(self) -> "JigsawSide":
        """The side that fits it."""
        return JigsawSide({"tab": "blank", "blank": "tab", "straight": "straight"}[self.kind], self.knob, self.place)


STRAIGHT = JigsawSide("straight")
Outline = tuple[JigsawSide, JigsawSide, JigsawSide, JigsawSide]
"""A piece's sides: top, right, bottom, left."""


@lru_cache(maxsize=64)
def _knob(knob: str, place: int, cell: int) -> Mask:
    """The samples of a knob: rows outward from the side, columns along it."""
    points = np.array([(50 + STEP * place + along, out) for along, out in KNOBS[knob]])
    scaled = np.rint(points * cell * FINE * 4 / 100) / 4
    above = cell * FINE // 8  # the outline begins inside the piece, where it does not count
    mask = inside((above + cell * FINE * REACH // 100 + FINE, cell * FINE), scaled + np.array((0, above)))
    return mask[above:]


def margin(cell: int) -> int:
    """How many pixels a piece's window is wider than its square, on each side."""
    return cell * REACH // 100 + 2


@lru_cache(maxsize=64)
def samples(outline: Outline, cell: int) -> Mask:
    """The samples a piece covers, in a window that is wider than its square by `margin` on each side."""
    edge, side = margin(cell) * FINE, cell * FINE
    window = np.zeros((side + 2 * edge, side + 2 * edge), bool)
    window[edge : edge + side, edge : edge + side] = True
    for number, part in enumerate(outline):
        if part.kind == "straight":
            continue
        knob = _knob(part.knob, part.place, cell)
        # Seen so that the side in hand is the top one: rows count from the side outward or inward.
        seen = window if number in (0, 2) else window.T
        rows = seen[::-1] if number in (1, 2) else seen
        out = rows[edge - len(knob) : edge][::-1] if part.kind == "tab" else rows[edge : edge + len(knob)]
        out[:, edge : edge + side][knob] = part.kind == "tab"
    window.setflags(write=False)
    return window


@lru_cache(maxsize=256)
def mask(outline: Outline, cell: int) -> Mask:
    """The pixels a piece covers by half or more."""
    covered = np.asarray(reduced(samples(outline, cell)) * 2 >= WHOLE)
    covered.setflags(write=False)
    return covered


@dataclass(frozen=True, slots=True)
class Cut:
    """How a picture is cut: the outline of each piece, row by row."""

    columns: int
    rows: int
    cell: int
    outlines: tuple[Outline, ...]

    def outline(self, place: Place) -> Outline:
        return self.outlines[place[1] * self.columns + place[0]]


def window(picture: Pixels, place: Place, cell: int) -> Pixels:
    """What the picture shows in a piece's window; beyond the picture its border goes on."""
    edge = margin(cell)
    starts = (place[1] * cell - edge, place[0] * cell - edge)
    ends = [start + cell + 2 * edge for start in starts]
    beyond = [
        (max(0, -start), max(0, end - size)) for start, end, size in zip(starts, ends, picture.shape, strict=False)
    ]
    inner = picture[max(0, starts[0]) : ends[0], max(0, starts[1]) : ends[1]]
    return np.pad(inner, (*beyond, (0, 0)), mode="edge")


TABLE: Colour = (226, 222, 214)
HOLE: Colour = (208, 202, 191)
"""Dull, so that nothing painted is taken for a hole."""
_INK: Colour = (38, 40, 52)
_SHADE: Colour = (92, 86, 78)
BORDER = 34


def board(picture: Pixels, cut: Cut, holes: Sequence[Place]) -> Canvas:
    """The puzzle with holes, numbered from 1 in the order given."""
    height, width, _ = picture.shape
    canvas = Canvas(height + 2 * BORDER, width + 2 * BORDER, TABLE)
    for spread in (5, 3, 1):
        canvas.lay(
            Cover(np.full((height + 2 * spread, width + 2 * spread), 3), BORDER + 2 - spread, BORDER + 2 - spread),
            _SHADE,
        )
    canvas.rgb[BORDER : BORDER + height, BORDER : BORDER + width] = picture
    lines = _cuts(cut)
    canvas.lay(Cover(lines[:-1, :-1], BORDER + 1, BORDER + 1), (255, 255, 255), 4)  # lit, so that they show in the dark
    canvas.lay(Cover(lines, BORDER, BORDER), (24, 24, 32), 10)
    edge = margin(cut.cell)
    for number, hole in enumerate(holes, 1):
        top, left = BORDER + hole[1] * cut.cell, BORDER + hole[0] * cut.cell
        covered = samples(cut.outline(hole), cut.cell)
        canvas.lay(Cover(reduced(covered), top - edge, left - edge), HOLE)
        canvas.lay(Cover(reduced(_rim(covered, 2 * FINE)), top - edge, left - edge), _INK, 13)
        label = words(str(number), cut.cell * 32 // 100, bold=True)
        write(canvas, label, left + cut.cell / 2, top + cut.cell * 0.62, _INK, "middle")
    return canvas


def _cuts(cut: Cut) -> NDArray[np.int64]:
    """The lines between pieces, as a cover of the whole picture."""
    edge, side = margin(cut.cell) * FINE, cut.cell * FINE
    shape = cut.rows * side + 2 * edge, cut.columns * side + 2 * edge
    numbers = np.zeros(shape, np.min_scalar_type(len(cut.outlines)))  # millions of samples: a byte each, as a rule
    for number, outline in enumerate(cut.outlines, 1):
        row, column = divmod(number - 1, cut.columns)
        part = numbers[row * side : (row + 1) * side + 2 * edge, column * side : (column + 1) * side + 2 * edge]
        np.copyto(part, number, where=samples(outline, cut.cell))
    inner = numbers[edge:-edge, edge:-edge]
    lines = np.zeros(inner.shape, bool)
    for drawn, pieces in ((lines, inner), (lines.T, inner.T)):
        begins = pieces[1:] != pieces[:-1]
        for wide in range(3):  # a line is three samples wide from where the next piece begins
            drawn[1 + wide :] |= begins[: len(begins) - wide]
    return reduced(lines)


def _rim(covered: Mask, width: int) -> Mask:
    """What of a mask lies within so many samples of its edge. The window has room for that around the mask."""
    core = covered.copy()
    high, wide = covered.shape
    for number in range(16):
        down, right = round(width * sin(number * pi / 8)), round(width * cos(number * pi / 8))
        here = slice(max(0, down), high + min(0, down)), slice(max(0, right), wide + min(0, right))
        core[here] &= covered[max(0, -down) : high - max(0, down), max(0, -right) : wide - max(0, right)]
    return covered & ~core


@dataclass(frozen=True, slots=True)
class JigsawPiece:
    """A loose piece: its outline and the pixels of its window."""

    outline: Outline
    pixels: Pixels


def tray(pieces: Sequence[JigsawPiece], labels: Sequence[str], cell: int) -> Canvas:
    """Loose pieces side by side, each with its label below."""
    across = 4 if len(pieces) in (4, 7, 8) else 3
    gap, below = 14, cell * 40 // 100
    side = cell + 2 * margin(cell)
    rows = -(-len(pieces) // across)
    canvas = Canvas(rows * (side + below + gap) + gap, across * (side + gap) + gap, TABLE)
    for number, (piece, label) in enumerate(zip(pieces, labels, strict=True)):
        row, column = divmod(number, across)
        short = (across - min(across, len(pieces) - row * across)) * (side + gap) // 2  # a last row in the middle
        left, top = gap + short + column * (side + gap), gap + row * (side + below + gap)
        covered = samples(piece.outline, cell)
        amount = reduced(covered)
        for down in (5, 3):
            canvas.lay(Cover(amount, top + down, left + down - 1), _SHADE, 4)
        canvas.lay(Cover(amount, top, left), piece.pixels)
        canvas.lay(Cover(reduced(_rim(covered, FINE + 2)), top, left), (24, 24, 32), 10)
        line = words(label, cell * 27 // 100, bold=True)
        write(canvas, line, left + side / 2, top + side + below * 0.68, _INK, "middle")
    return canvas
