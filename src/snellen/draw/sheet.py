"""What all charts share: the page, the two greys of ink and ground, and drawn pixels on their way to a picture.

Contrast is measured on pixel values, because these are what a model is given: one grey level of 255 is the least
there is, however a screen would show it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.draw.coverage import FINE, FineCover
from snellen.draw.looks import Colour
from snellen.draw.png import encode
from snellen.errors import unknown
from snellen.item import Picture

Pixels = NDArray[np.uint8]
Ints = NDArray[np.int64]

SMALLEST, LARGEST = 256, 4096
POLARITIES = ("dark", "light")
_WHITE = 255
_GREYS: Pixels = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)


@dataclass(frozen=True, slots=True)
class ChartPage:
    """The canvas of a chart, in pixels."""

    width: int = 512
    height: int = 512

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if not SMALLEST <= side <= LARGEST:
                raise ValueError(f"a page is {SMALLEST} to {LARGEST} px a side, not {self.width} x {self.height}")

    @property
    def middle(self) -> tuple[float, float]:
        return self.width / 2, self.height / 2

    @property
    def shorter(self) -> int:
        return min(self.width, self.height)

    def __str__(self) -> str:
        return f"{self.width} x {self.height} px"


USUAL = ChartPage()


@dataclass(frozen=True, slots=True)
class InkTone:
    """The grey of the ground and the grey of what is drawn on it."""

    ground: int = _WHITE
    ink: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.ground <= _WHITE and 0 <= self.ink <= _WHITE):
            raise ValueError(f"greys go from 0 to 255, not {self.ground} and {self.ink}")

    @property
    def contrast(self) -> float:
        """The difference as a share of the lighter grey: Weber's contrast where the ground is the lighter."""
        return abs(self.ink - self.ground) / max(self.ink, self.ground, 1)

    @property
    def polarity(self) -> str:
        return "dark" if self.ink <= self.ground else "light"

    def __str__(self) -> str:
        return f"grey {self.ink} on grey {self.ground}"


BLACK = InkTone()
"""Black on white."""


def tone(contrast: float, polarity: str = "dark") -> InkTone:
    """The two greys of a contrast, to the nearest grey level and at least one; `light` is the same pair exchanged."""
    if polarity not in POLARITIES:
        raise unknown("polarity", polarity, POLARITIES)
    if not 0 < contrast <= 1:
        raise ValueError(f"contrast goes from above 0 to 1, not {contrast}")
    dark = _WHITE - max(1, round(_WHITE * contrast))
    return InkTone(_WHITE, dark) if polarity == "dark" else InkTone(dark, _WHITE)


@dataclass(frozen=True, eq=False)
class IndexedPixels:
    """Drawn pixels as numbers of colours, and the colours. In a grey chart the numbers are the greys themselves."""

    numbers: Pixels
    palette: Pixels

    @property
    def rgb(self) -> Pixels:
        return self.palette[self.numbers]


def grey(pixels: Pixels) -> IndexedPixels:
    """A chart in greys."""
    return IndexedPixels(pixels, _GREYS)


def enlarged(drawn: IndexedPixels, times: float) -> IndexedPixels:
    """The middle of a chart in greys, cut out and enlarged to the size of the whole (bicubic, as programs do it)."""
    high, wide = drawn.numbers.shape
    side = [max(1, round(length / times)) for length in (wide, high)]
    left, top = (wide - side[0]) // 2, (high - side[1]) // 2
    part = Image.fromarray(drawn.numbers[top : top + side[1], left : left + side[0]])
    return grey(np.asarray(part.resize((wide, high), Image.Resampling.BICUBIC)))


def inked(page: ChartPage, cover: FineCover, tone: InkTone) -> IndexedPixels:
    """A page with one shape: each pixel as much ink as the shape covers of it."""
    pixels = np.full((page.height, page.width), tone.ground, np.uint8)
    part = cover.within(page.height, page.width)
    rows, columns = part.amount.shape
    mixed = _mixed(part.amount, tone.ground, tone.ink)
    pixels[part.top : part.top + rows, part.left : part.left + columns] = mixed
    return grey(pixels)


def _mixed(share: Ints, ground: int, ink: int) -> Ints:
    return (2 * FINE * ground + 2 * share * (ink - ground) + FINE) // (2 * FINE)


_STEPS = 16


def two_inks(
    page: ChartPage, below: FineCover, above: FineCover, colours: tuple[Colour, Colour], ground: Colour
) -> IndexedPixels:
    """A page with two shapes, each in its colour, the second over the first; covers in fifteenths."""
    shares = [(cover.on(page.height, page.width) * (_STEPS - 1) + FINE // 2) // FINE for cover in (below, above)]
    steps = np.arange(_STEPS)[:, None]
    first = _faded(np.array(ground, np.int64)[None, :], colours[0], steps)
    palette = _faded(first[:, None, :], colours[1], steps[None, :, :]).reshape(-1, 3)
    return IndexedPixels((shares[0] * _STEPS + shares[1]).astype(np.uint8), palette.astype(np.uint8))


def _faded(under: Ints, ink: Colour, steps: Ints) -> Ints:
    whole = _STEPS - 1
    mixed: Ints = (2 * (under * (whole - steps) + np.array(ink, np.int64) * steps) + whole) // (2 * whole)
    return mixed


def picture(drawn: IndexedPixels, alt: str, twin: str) -> Picture:
    """The picture a subject gets. `alt` must not give the answer away; `twin` does."""
    return Picture(encode(drawn.numbers, drawn.palette), "image/png", alt, twin)
