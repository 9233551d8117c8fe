"""Sheets with one capital letter, small or large, dark or light, anywhere: for a chart of letters some day."""

from functools import lru_cache
from string import ascii_uppercase

import numpy as np
from numpy.typing import NDArray

from recipes.small.labels import DARK, LIGHT, looks, things
from recipes.small.phrases import phrase
from recipes.small.sheets import PATCHES, SIDE, Said, Sheet
from snellen.draw.letters import coverage
from snellen.draw.scenes import COLUMNS, ROWS
from snellen.rng import Stream, stream

SMALLEST, LARGEST = 8, 80
"""Height of a letter in pixels as the model sees it."""
_CAPITAL = 1493 / 2048
"""Height of a capital as a share of the font's size."""
_LEAST_CONTRAST = 60


def letter_sheet(asked: bool, seed: int, number: int) -> Sheet:
    """The sheet of that number, with questions if `asked`."""
    rng = stream(seed, "small", "letter", number)
    letter = rng.choice(ascii_uppercase)
    height = round(SMALLEST * (LARGEST / SMALLEST) ** rng.between(0, 1))  # small ones are as frequent as large ones
    ink = _ink(letter, height)
    left, top = (rng.below(SIDE - side + 1) for side in reversed(ink.shape))
    ground, paint = _shades(rng)
    canvas = np.full((SIDE, SIDE), ground, np.int64)
    here = canvas[top : top + ink.shape[0], left : left + ink.shape[1]]
    here[:] = (here * (255 - ink) + paint * ink + 127) // 255
    x, y = left + ink.shape[1] // 2, top + ink.shape[0] // 2
    said = _asked(letter, x, y, paint < ground, rng) if asked else ()
    picture = np.repeat(canvas.astype(np.uint8)[:, :, None], 3, axis=2)
    return Sheet((picture,), said, *_labels(letter, (left, top), ink.shape, paint < ground))


@lru_cache(maxsize=1024)
def _ink(letter: str, height: int) -> NDArray[np.int64]:
    """How much of each pixel is covered, cut to the letter."""
    ink = coverage(letter, round(height / _CAPITAL), 1, 2 * height + 4)
    rows, columns = (np.flatnonzero(ink.any(axis=axis)) for axis in (1, 0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _shades(rng: Stream) -> tuple[int, int]:
    """Of ground and letter: dark on light or light on dark, often with full contrast."""
    if rng.chance():
        dark, light = 0, 255
    else:
        dark = rng.below(256 - _LEAST_CONTRAST)
        light = dark + _LEAST_CONTRAST + rng.below(256 - _LEAST_CONTRAST - dark)
    return (light, dark) if rng.chance() else (dark, light)


def _asked(letter: str, x: int, y: int, dark: bool, rng: Stream) -> tuple[Said, ...]:
    claimed = letter if rng.chance() else rng.choice(ascii_uppercase)
    row, column = ROWS[3 * y // SIDE], COLUMNS[3 * x // SIDE]
    place = "centre" if (row, column) == ("middle", "centre") else f"{row} {column}"
    return (
        Said("letter", (0, phrase(rng, "letter", "which")), letter, 2.0),
        Said("letter is", (0, phrase(rng, "letter", "is", letter=claimed)), "Yes" if claimed == letter else "No"),
        Said("letter place", (0, phrase(rng, "letter", "place")), place),
        Said("letter shade", (0, phrase(rng, "letter", "shade")), "darker" if dark else "lighter"),
    )


def _labels(
    letter: str, corner: tuple[int, int], shape: tuple[int, ...], dark: bool
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The letter at each patch whose middle is in its box, or in whose area the middle of its box is."""
    middles = (np.arange(PATCHES) + 0.5) * SIDE / PATCHES
    (left, top), (height, width) = corner, shape
    down = (middles >= top) & (middles < top + height)
    across = (middles >= left) & (middles < left + width)
    down[(top + height // 2) * PATCHES // SIDE] = across[(left + width // 2) * PATCHES // SIDE] = True
    here = np.ix_(down, across)
    what = np.zeros((PATCHES, PATCHES), np.int16)
    look = np.zeros((PATCHES, PATCHES), np.int16)
    what[here] = things()[letter]
    look[here] = looks()[DARK if dark else LIGHT]
    return what, look
