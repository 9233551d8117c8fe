"""What all readers of pictures share: colours of pixels, letters of the font, and two places of a picture exchanged."""

from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from snellen.draw.letters import FONT

Colour = Sequence[int]
Pixels = NDArray[np.int64]
Mask = NDArray[np.bool_]
Amount = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""Top, left, height and width."""

_LARGE = 256
_SIDE = 32


def pixels_of(data: bytes) -> Pixels:
    return np.asarray(Image.open(BytesIO(data)).convert("RGB")).astype(np.int64)


def png_of(pixels: Pixels) -> bytes:
    out = BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def exchanged(data: bytes, one: Box, other: Box) -> bytes:
    """The picture with two places of one size exchanged."""
    pixels = pixels_of(data)
    first, second = ((slice(top, top + high), slice(left, left + wide)) for top, left, high, wide in (one, other))
    kept = pixels[first].copy()
    pixels[first], pixels[second] = pixels[second], kept
    return png_of(pixels)


def near(pixels: Pixels, colour: Colour, within: int = 6) -> Mask:
    """Which pixels have a colour, no channel of which is further off."""
    close = np.abs(pixels - np.array(colour)) <= within
    return np.asarray(close[..., 0] & close[..., 1] & close[..., 2])


def amount(pixels: Pixels, paper: Colour, ink: Colour) -> Amount:
    """How far each pixel is on the way from paper (0) to ink (1)."""
    way = np.array(ink, np.float64) - np.array(paper)
    return np.clip((pixels - np.array(paper)) @ way / (way @ way), 0, 1)


def starts(mask: Mask) -> list[int]:
    """Where runs begin along a line."""
    return [begin for begin, _ in runs(mask)]


def runs(mask: Mask) -> list[tuple[int, int]]:
    """Where runs begin and end along a line."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]


def extent(mask: Mask) -> Box:
    """The box around everything that is set."""
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(down[0]), int(across[0]), int(down[-1] - down[0] + 1), int(across[-1] - across[0] + 1)


def cropped(mask: NDArray[np.generic], around: Box) -> NDArray[np.generic]:
    top, left, high, wide = around
    return mask[top : top + high, left : left + wide]


@cache
def _large(sign: str) -> Amount:
    """A sign of the font, large, cut to its ink."""
    font = ImageFont.truetype(FONT, _LARGE, layout_engine=ImageFont.Layout.BASIC)
    image = Image.new("L", (2 * _LARGE, 2 * _LARGE))
    ImageDraw.Draw(image).text((_LARGE // 2, _LARGE // 2), sign, fill=255, font=font)
    ink = np.asarray(image) / 255
    return np.asarray(cropped(ink, extent(ink > 0.5)), np.float64)


def _square(ink: Amount) -> Amount:
    image = Image.fromarray((255 * ink).astype(np.uint8))
    return np.asarray(image.resize((_SIDE, _SIDE), Image.Resampling.BOX), np.float64) / 255


@cache
def _shape(sign: str) -> tuple[Amount, float]:
    ink = _large(sign)
    return _square(ink), ink.shape[1] / ink.shape[0]


def sign_in(ink: Amount, signs: Iterable[str]) -> str:
    """Which of these signs of the font a piece of a picture shows, in whatever size."""
    tight = np.asarray(cropped(ink, extent(ink > 0.5)), np.float64)
    seen, wide = _square(tight), tight.shape[1] / tight.shape[0]

    def unlike(sign: str) -> float:
        shape, own = _shape(sign)
        return float(np.abs(shape - seen).mean()) + 0.3 * abs(np.log(wide / own))

    return min(signs, key=unlike)
