"""The part of a picture where something is, as eyes see it: a letter on a large page is looked at, not the page.

A glimpse is exactly what `sight.look` shows in that window. How large the window is says nothing: it is wide enough for
all that blur and patches can do.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snellen.subjects.ground import ground
from snellen.tasks.acuity.eyes import scaling
from snellen.tasks.acuity.eyes.scaling import Edges, Shown, Size
from snellen.tasks.acuity.eyes.sight import Eyesight, arriving, through

Pixels = NDArray[np.uint8]


class PixelSpan(NamedTuple):
    """A stretch along one side of a picture as it arrives, in its pixels."""

    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Glimpse:
    """What is seen in a window, whose corner is at (`down.start`, `across.start`) of the picture as it arrives in
    `size`; it was sent in `page`. Both are width and height."""

    seen: Shown
    below: Shown
    sight: Eyesight
    page: Size
    size: Size
    down: PixelSpan
    across: PixelSpan

    @property
    def scale(self) -> float:
        """How many pixels that arrive are one that was sent."""
        return sqrt(self.size[0] / self.page[0] * (self.size[1] / self.page[1]))

    @cached_property
    def grey(self) -> NDArray[np.float32]:
        """How far from the ground what is seen is, lighter above 0 and darker below."""
        away: NDArray[np.float32] = (self.seen - self.below).mean(axis=2)
        return away

    def of(self, pixels: Pixels) -> Shown:
        """Another picture of the same size in the same window."""
        return _through(pixels, self.below, self.sight, self.size, self.down, self.across)

    def alone(self, x: float, y: float, half: float) -> "Glimpse":
        """What is no further than `half` from a point (in pixels of the window) to any side, and the ground around it;
        the window is cut where patches begin."""
        seen = np.broadcast_to(self.below, self.seen.shape).copy()
        near = np.s_[max(0, round(y - half)) : round(y + half), max(0, round(x - half)) : round(x + half)]
        seen[near] = self.seen[near]
        down = _whole_patches(self.down, y, half, self.sight)
        across = _whole_patches(self.across, x, half, self.sight)
        return replace(self, seen=seen)._part(down, across)

    def near(self, x: float, y: float, half: float) -> "Glimpse":
        """What is about so near to a place of the picture as it was sent, whatever else is there."""
        across, down = (got / sent for got, sent in zip(self.size, self.page, strict=True))
        left, top = x * across - self.across.start, y * down - self.down.start
        return self._part(
            _whole_patches(self.down, top, half * down, self.sight),
            _whole_patches(self.across, left, half * across, self.sight),
        )

    def _part(self, down: PixelSpan, across: PixelSpan) -> "Glimpse":
        """A smaller window of the same, given from this window's corner."""
        return replace(
            self,
            seen=self.seen[down.start : down.stop, across.start : across.stop],
            down=PixelSpan(self.down.start + down.start, self.down.start + down.stop),
            across=PixelSpan(self.across.start + across.start, self.across.start + across.stop),
        )


_FAINTEST = 0.01
"""In grey levels: what rounding on the way leaves is less, one grey level spread by blur is more."""


def glimpse(pixels: Pixels, sight: Eyesight) -> Glimpse | None:
    """What is seen where something is; None where nothing is seen."""
    below = ground(pixels)
    red, green, blue = (pixels[:, :, channel] != below[channel] for channel in range(3))
    inked = red | green | blue  # five times as fast as `any` over three
    if not inked.any():
        return None
    page = pixels.shape[1], pixels.shape[0]
    size = arriving(page, sight)
    across, down = (
        _window(np.flatnonzero(inked.any(axis=axis)), sent, got, sight)
        for axis, sent, got in ((0, page[0], size[0]), (1, page[1], size[1]))
    )
    floor_ = below.astype(np.float32)
    seen = _through(pixels, floor_, sight, size, down, across)
    if np.abs(seen - floor_).max() < _FAINTEST:
        return None
    return Glimpse(seen, floor_, sight, page, size, down, across)


def _through(pixels: Pixels, below: Shown, sight: Eyesight, size: Size, down: PixelSpan, across: PixelSpan) -> Shown:
    """What is seen of a picture in a window, which it is cut to first."""
    page = pixels.shape[1], pixels.shape[0]
    wide, tall = (
        _stretch(sent, got, span) for sent, got, span in ((page[0], size[0], across), (page[1], size[1], down))
    )
    cut = pixels[floor(tall[0]) : ceil(tall[-1]), floor(wide[0]) : ceil(wide[-1])].astype(np.float32)
    if size != page:
        cut = scaling.resampled(cut, scaling.averaging(_pixels(tall), tall), scaling.averaging(_pixels(wide), wide))
    return through(cut, sight, below)


def _window(inked: NDArray[np.int64], sent: int, got: int, sight: Eyesight) -> PixelSpan:
    """The stretch that ink reaches at most. Patches are taken whole and in pairs, as every other one is torn alike."""
    return _widened(int(inked[0]) * got / sent, (int(inked[-1]) + 1) * got / sent, got, sight)


def _widened(start: float, stop: float, end: int, sight: Eyesight) -> PixelSpan:
    reach = ceil(4 * sight.blur) + 2 * sight.jitter + 2
    step = 2 * (sight.patch or 1)
    return PixelSpan(max(0, (floor(start) - reach) // step * step), min(end, -(-(ceil(stop) + reach) // step) * step))


def _whole_patches(window: PixelSpan, middle: float, half: float, sight: Eyesight) -> PixelSpan:
    """The stretch around a place in a window, given from the window's corner."""
    at = window.start + middle
    wide = _widened(at - half, at + half, window.stop, sight)
    return PixelSpan(max(0, wide.start - window.start), wide.stop - window.start)


def _stretch(sent: int, got: int, span: PixelSpan) -> Edges:
    """Where the pixels of a stretch, as they arrive, begin and end among those that were sent."""
    return scaling.even(sent, got)[span.start : span.stop + 1]


def _pixels(edges: Edges) -> Edges:
    """The pixels that were sent in a stretch; the first and the last may be cut."""
    first, last = floor(edges[0]) + 1, ceil(edges[-1])
    return np.concatenate(([edges[0]], np.arange(first, last, dtype=np.float64), [edges[-1]]))
