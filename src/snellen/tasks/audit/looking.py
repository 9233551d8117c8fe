"""What can be seen of a picture without understanding it: of its file, of its size, of its light and colour.

Three looks at colour do not ask where it is, and so find a coloured dot in whatever place: the strongest red, green and
blue, how much there is of each of 4,096 colours, and how much of each of 27 colours lies in small spots.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops

from snellen.item import Picture
from snellen.tasks.audit.observer import Observation, Observer, Seen
from snellen.tasks.audit.wording import words_of

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
_SPOT = 64
"""A spot is less than one in so many of the picture's shorter side across, and at least two pixels may be."""


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
    extremes: Pixels = field(repr=False)
    shades: Pixels = field(repr=False)
    spots: Pixels = field(repr=False)


Look = Callable[[Picture], Sight]


def sight(picture: Picture) -> Sight:
    """Measure a picture once, for all observers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(BytesIO(picture.data)) as image:
            metadata = _metadata(image)
            plain = image.convert("RGB")
    small = plain.resize((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX)
    pixels = np.asarray(plain)
    return Sight(
        plain.width,
        plain.height,
        len(picture.data),
        metadata,
        round(float(np.asarray(plain.convert("L")).mean()), 3),
        _histogram(pixels),
        np.asarray(small, dtype=np.float64).ravel(),
        _extremes(plain),
        _amounts(_coded(pixels, 16).ravel(), 16**3),
        _spots(_coded(pixels, 3)),
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


def _extremes(image: Image.Image) -> Pixels:
    """The darkest and lightest red, green and blue, and how far each goes beyond each other one."""
    bands = image.split()
    beyond = [
        ImageChops.subtract(band, other).getextrema()[1] for band in bands for other in bands if band is not other
    ]
    return np.array([*np.ravel(image.getextrema()), *beyond], np.uint8)


def _coded(pixels: Pixels, steps: int) -> NDArray[np.uint16]:
    """Every pixel as one of steps x steps x steps colours."""
    step = (np.arange(256) * steps // 256).astype(np.uint16)
    red, green, blue = (step[pixels[..., band]] for band in range(3))
    return np.asarray((red * steps + green) * steps + blue, np.uint16)


def _amounts(codes: NDArray[np.uint16], size: int) -> Pixels:
    """How often there is each code, as a power of two: that a rare one is there at all shows most."""
    counts = np.bincount(codes, minlength=size)
    return np.ceil(np.log2(counts + 1)).astype(np.uint8)


def _spots(codes: NDArray[np.uint16]) -> Pixels:
    """How much of each of the 27 colours is in spots: has another colour within a few pixels on all four sides."""
    reach = max(2, min(codes.shape) // _SPOT)
    beyond = np.pad(codes, reach, constant_values=27)
    height, width = codes.shape
    spot = np.ones(codes.shape, np.bool_)
    for down, across in ((0, 1), (2, 1), (1, 0), (1, 2)):
        spot &= beyond[down * reach :][:height, across * reach :][:, :width] != codes
    return _amounts(codes[spot], 27)


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


LOOKS: dict[str, Callable[[Sight], Seen]] = {
    "width": lambda sight: sight.width,
    "height": lambda sight: sight.height,
    "file size": lambda sight: sight.bytes,
    "brightness": lambda sight: sight.brightness,
    "metadata": lambda sight: sight.metadata,
    "colour count": lambda sight: int(np.count_nonzero(sight.shades)),
    "colour histogram": lambda sight: sight.colours,
    "colour histogram (one colour)": lambda sight: (255 * sight.colours).astype(np.uint8),
    "colour extremes (one of them)": lambda sight: sight.extremes,
    "colour of any place (one colour)": lambda sight: sight.shades,
    "colour of spots (one colour)": lambda sight: sight.spots,
    "thumbnail 16 x 16": lambda sight: sight.thumbnail,
}


def picture_observers(name: str, place: int, look: Look) -> Iterator[Observer]:
    """The observers of the picture in this place, except those of raw pixels across pictures."""

    def seen(row: Observation) -> Sight:
        return look(row.pictures[place])

    for feature, measure in LOOKS.items():
        yield Observer.of(f"{name}: {feature}", seen, measure)
    yield Observer.of(f"{name}: metadata", seen, lambda sight: words_of(sight.metadata))
