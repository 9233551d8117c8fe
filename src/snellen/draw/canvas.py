"""A picture in full colour, painted with soft edges and saved with a palette of its own.

A **cover** says how much of each pixel a shape takes, in steps from 0 to `WHOLE`. Shapes are laid over one another in
one colour or in a colour that changes from top to bottom (`Fade`). Places are in pixels, x to the right and y down,
(0, 0) the outer corner of the first pixel. Whatever comes from sines or divisions is rounded to sixteenths of a pixel
before it becomes a cover, and all mixing is arithmetic of whole numbers: the same bytes on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from snellen.draw.icons.sprites import cutout
from snellen.draw.looks import Colour
from snellen.draw.pens import inside
from snellen.draw.png import encode

Pixels = NDArray[np.uint8]
Ints = NDArray[np.int64]
Point = tuple[float, float]

WHOLE = 16
_FINE = 4
"""Samples of a polygon to a pixel, each way."""
_COLOURS = 256


@dataclass(frozen=True, slots=True)
class Fade:
    """A colour that changes from `above` to `below` over the height of whatever is painted with it."""

    above: Colour
    below: Colour

    def rows(self, height: int) -> Ints:
        down, span = np.arange(height)[:, None], max(1, height - 1)
        top, bottom = np.array(self.above, np.int64), np.array(self.below, np.int64)
        mixed: Ints = (top * (span - down) + bottom * down + span // 2) // span
        return mixed[:, None, :]


Ink = Colour | Fade


@dataclass(frozen=True, slots=True)
class Cover:
    """How much a shape takes of each pixel of a window whose corner is at (top, left)."""

    amount: Ints
    top: int
    left: int


class Canvas:
    """A picture under construction."""

    def __init__(self, height: int, width: int, paper: Ink) -> None:
        self.rgb: Pixels = np.empty((height, width, 3), np.uint8)
        self.fill(0, 0, height, width, paper)

    @property
    def height(self) -> int:
        return int(self.rgb.shape[0])

    @property
    def width(self) -> int:
        return int(self.rgb.shape[1])

    def fill(self, top: int, left: int, height: int, width: int, ink: Ink) -> None:
        """A rectangle with hard edges."""
        self.rgb[top : top + height, left : left + width] = ink.rows(height) if isinstance(ink, Fade) else ink

    def lay(self, cover: Cover, ink: Ink | Pixels, strength: int = WHOLE) -> None:
        """Lay a colour, or pixels as large as the window, through a cover; what leaves the picture is cut off."""
        height, width = cover.amount.shape
        top, left = max(0, -cover.top), max(0, -cover.left)
        bottom, right = min(height, self.height - cover.top), min(width, self.width - cover.left)
        if top >= bottom or left >= right:
            return
        colour: NDArray[np.generic] = ink.rows(height) if isinstance(ink, Fade) else np.asarray(ink)
        if colour.ndim == 3:
            colour = colour[top:bottom, left if colour.shape[1] > 1 else 0 : right]
        share = cover.amount[top:bottom, left:right].astype(np.int16) * np.int16(strength) // WHOLE
        patch = self.rgb[cover.top + top : cover.top + bottom, cover.left + left : cover.left + right]
        rest, ink_there = WHOLE - share, colour.astype(np.int16)
        for channel in range(3):  # numpy is slow on a short last axis
            mixed = patch[:, :, channel] * rest
            mixed += ink_there[..., channel] * share
            mixed += WHOLE // 2
            patch[:, :, channel] = mixed // WHOLE

    def polygon(self, points: Sequence[Point], ink: Ink, strength: int = WHOLE) -> None:
        self.lay(polygon(points), ink, strength)

    def disc(self, x: float, y: float, radius: float, ink: Ink, strength: int = WHOLE) -> None:
        self.lay(ellipse((x, y), radius, radius), ink, strength)

    def ellipse(self, middle: Point, across: float, down: float, ink: Ink, turn: Point = (1, 0)) -> None:
        self.lay(ellipse(middle, across, down, turn), ink)

    def line(self, points: Sequence[Point], width: float, ink: Ink, strength: int = WHOLE) -> None:
        self.lay(line(points, width), ink, strength)

    def icon(self, name: str, x: int, y: int, side: int, *, turned: bool = False) -> None:
        """An icon, its middle at (x, y); `turned`: left and right exchanged."""
        ink, amount = cutout(name, side)
        if turned:
            ink, amount = ink[:, ::-1], amount[:, ::-1]
        self.lay(Cover((amount * WHOLE + 127) // 255, y - side // 2, x - side // 2), ink)

    def ground(self, heights: NDArray[np.float64], ink: Ink) -> None:
        """Everything below a skyline that gives a height (y) for every column."""
        edge = np.rint(heights * WHOLE).astype(np.int64)
        top = max(0, int(edge.min()) // WHOLE)
        rows = np.arange(top, self.height)[:, None]
        self.lay(Cover(np.clip((rows + 1) * WHOLE - edge, 0, WHOLE), top, 0), ink)

    def png(self) -> bytes:
        return encode(*indexed(self.rgb))


def polygon(points: Sequence[Point]) -> Cover:
    """The cover of a polygon."""
    rounded = np.rint(np.array(points, np.float64) * WHOLE) / WHOLE
    low = np.floor(rounded.min(axis=0)).astype(np.int64)
    high = np.ceil(rounded.max(axis=0)).astype(np.int64) + 1
    width, height = (high - low).tolist()
    return Cover(reduced(inside((height * _FINE, width * _FINE), (rounded - low) * _FINE)), int(low[1]), int(low[0]))


def reduced(mask: NDArray[np.bool_]) -> Ints:
    """The cover of a mask that has four by four samples to a pixel."""
    ink = np.asarray(mask, np.uint8)
    rows = ink[0::_FINE] + ink[1::_FINE] + ink[2::_FINE] + ink[3::_FINE]
    amount = rows[:, 0::_FINE] + rows[:, 1::_FINE] + rows[:, 2::_FINE] + rows[:, 3::_FINE]
    return np.asarray(amount, np.int64)


def ellipse(middle: Point, across: float, down: float, turn: Point = (1, 0)) -> Cover:
    """The cover of an ellipse with these half axes, the first along the direction `turn` (cosine and sine)."""
    x, y = (round(part * WHOLE) / WHOLE for part in middle)
    cosine, sine = (round(part * 1024) / 1024 for part in turn)
    reach = int(max(across, down)) + 2
    left, top = int(x) - reach, int(y) - reach
    right = np.arange(left, left + 2 * reach + 1)[None, :] + 0.5 - x
    below = np.arange(top, top + 2 * reach + 1)[:, None] + 0.5 - y
    along, off = (right * cosine + below * sine) / across, (below * cosine - right * sine) / down
    near = (1 - np.sqrt(along * along + off * off)) * min(across, down) + 0.5
    return Cover(np.clip(np.floor(near * WHOLE + 0.001), 0, WHOLE).astype(np.int64), top, left)


def line(points: Sequence[Point], width: float) -> Cover:
    """The cover of a line with round ends and corners."""
    path = np.rint(np.array(points, np.float64) * WHOLE) / WHOLE
    reach = int(width) + 2
    left, top = (np.floor(path.min(axis=0)).astype(np.int64) - reach).tolist()
    right, bottom = (np.ceil(path.max(axis=0)).astype(np.int64) + reach).tolist()
    x, y = np.arange(left, right)[None, :] + 0.5, np.arange(top, bottom)[:, None] + 0.5
    nearest = np.full((bottom - top, right - left), np.inf)
    for (ax, ay), (bx, by) in pairwise(path.tolist()):
        length = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-9)
        share = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1)
        away = (x - ax - share * (bx - ax)) ** 2 + (y - ay - share * (by - ay)) ** 2
        np.minimum(nearest, away, out=nearest)
    near = width / 2 - np.sqrt(nearest) + 0.5
    return Cover(np.clip(np.floor(near * WHOLE + 0.001), 0, WHOLE).astype(np.int64), top, left)


def mixed(first: Colour, second: Colour, percent: int) -> Colour:
    """The first colour moved so many per cent towards the second."""
    red, green, blue = ((a * (100 - percent) + b * percent + 50) // 100 for a, b in zip(first, second, strict=True))
    return red, green, blue


def indexed(rgb: Pixels) -> tuple[Pixels, Pixels]:
    """The picture in numbers of at most 256 colours, and those colours.

    Colours are cut to six bits a channel; where more than 256 are left, they are parted again and again in the middle
    of the group that is widest, weighed by how often its colours occur, and each group takes its mean.
    """
    red, green, blue = (rgb[:, :, channel].astype(np.int64) >> 2 for channel in range(3))
    codes = red << 12 | green << 6 | blue
    counts = np.bincount(codes.ravel(), minlength=1 << 18)
    used = np.flatnonzero(counts)
    channels = np.stack((used >> 12, used >> 6 & 63, used & 63))  # in rows: numpy is slow on a short last axis
    boxes = _boxes(channels, counts[used])
    table, palette = np.zeros(1 << 18, np.uint8), np.empty((len(boxes), 3), np.uint8)
    for number, box in enumerate(boxes):
        weight = counts[used[box]]
        total = int(weight.sum())
        palette[number] = (2 * 255 * (channels[:, box] * weight).sum(axis=1) + 63 * total) // (2 * 63 * total)
        table[used[box]] = number
    return table[codes], palette


def _boxes(channels: Ints, counts: Ints) -> list[Ints]:
    """The colours in at most 256 groups of like ones."""
    if len(counts) <= _COLOURS:
        return [np.array([number]) for number in range(len(counts))]
    boxes = [np.arange(len(counts))]
    worth = [_worth(channels, counts, boxes[0])]
    while len(boxes) < _COLOURS:
        widest = worth.index(max(worth))
        halves = _halves(channels, boxes[widest])
        boxes[widest], worth[widest] = halves[0], _worth(channels, counts, halves[0])
        boxes.append(halves[1])
        worth.append(_worth(channels, counts, halves[1]))
    return boxes


def _spreads(channels: Ints, box: Ints) -> Ints:
    part = channels.take(box, axis=1)
    spreads: Ints = part.max(axis=1) - part.min(axis=1)
    return spreads


def _worth(channels: Ints, counts: Ints, box: Ints) -> int:
    """How much is gained by parting a group; the root keeps large flat areas from taking all colours."""
    spread = int(_spreads(channels, box).max())
    return spread * spread * isqrt(int(counts[box].sum()))


def _halves(channels: Ints, box: Ints) -> tuple[Ints, Ints]:
    """A group parted in the middle of its widest channel."""
    axis = int(_spreads(channels, box).argmax())
    order = box[np.argsort(channels[axis, box], kind="stable")]
    values = channels[axis, order]
    middle = (int(values[0]) + int(values[-1])) // 2
    at = int(np.searchsorted(values, middle, side="right"))
    return order[:at], order[at:]
