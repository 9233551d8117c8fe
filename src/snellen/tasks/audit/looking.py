"""What can be seen of a picture without understanding it: of its file, of its size, of its light and colour."""

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.item import Picture

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]

THUMBNAIL = 16
SHADES = 4
"""A colour histogram has so many steps of red, of green and of blue."""
_SAMPLED = 128
"""Colours are counted in at most so many rows and columns."""
_STACK = 256 << 20
"""Pixels are compared one by one in at most so many bytes."""
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Sight:
    """One picture as a simple observer sees it."""

    width: int
    height: int
    bytes: int
    metadata: str
    brightness: float
    colours: Floats = field(repr=False)
    thumbnail: Floats = field(repr=False)


def sight(picture: Picture) -> Sight:
    """Look at a picture once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(BytesIO(picture.data)) as image:
            metadata = _metadata(image)
            plain = image.convert("RGB")
    small = plain.resize((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX)
    return Sight(
        plain.width,
        plain.height,
        len(picture.data),
        metadata,
        round(float(np.asarray(plain.convert("L")).mean()), 3),
        _histogram(np.asarray(plain)),
        np.asarray(small, dtype=np.float64).ravel(),
    )


def _metadata(image: Image.Image) -> str:
    """What the file says beside its pixels: format, mode, comments, EXIF, whatever its reader gives.

    Blanks at the end are no content: an idle comment that brings files to one length says what the length would say.
    """
    entries = {**image.info, "exif": dict(image.getexif())}
    facts = [f"{name}={_brief(value)}" for name, value in sorted(entries.items(), key=lambda entry: str(entry[0]))]
    return " ".join([image.format or "", image.mode, *facts])


def _brief(value: object) -> str:
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    return text[:_LONGEST].strip()


def _histogram(pixels: Pixels) -> Floats:
    down, across = (max(1, side // _SAMPLED) for side in pixels.shape[:2])
    steps = (pixels[::down, ::across].reshape(-1, 3) // (256 // SHADES)).astype(np.int64)
    counts = np.bincount(steps @ np.array([SHADES * SHADES, SHADES, 1]), minlength=SHADES**3)
    return np.asarray(np.sqrt(counts / counts.sum()), np.float64)  # a root, so that a rare colour still counts


def words_of(text: str) -> list[str]:
    """The words of a text, for a bag of them."""
    return re.findall(r"\w+", text.lower())


def stacked(pictures: Sequence[Picture]) -> Pixels:
    """Every value of every pixel, a row a picture, of the corner that all of them have.

    In grey where colours would be too much to hold; and if even that is, only as many pixels as fit.
    """
    sizes = [_size(picture) for picture in pictures]
    width, height = (min(side) for side in zip(*sizes, strict=True))
    mode = "RGB" if 3 * width * height * len(pictures) <= _STACK else "L"
    height = max(1, min(height, _STACK // (width * len(pictures))))
    values = np.empty((len(pictures), width * height * len(mode)), np.uint8)
    for row, picture in enumerate(pictures):
        with Image.open(BytesIO(picture.data)) as image:
            values[row] = np.asarray(image.convert("RGB").convert(mode).crop((0, 0, width, height))).ravel()
    return values


def _size(picture: Picture) -> tuple[int, int]:
    with Image.open(BytesIO(picture.data)) as image:
        return image.size
