"""Thin lettering for captions and indices, fitted to the boxes the published puzzles have.

The bundled font is bold; the published puzzles are labelled in a regular weight. So letters are taken at the size
of the font's design (see `letters.py`: there every machine agrees on their pixels), made thinner by taking away
what lies near their edge, put side by side and fitted to the box of ink wanted, all in whole numbers.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from snellen.draw.letters import font
from snellen.draw.pens import Mask

_EM, _REDUCE = 2048, 8
_ACROSS, _DOWN = 10, 8
"""How much is taken from each side of a stroke, upright and level, at 256 pixels per em."""
_GAP = 20
_STEP = 17
"""From one shade of grey to the next."""
_FINE = 8
"""Samples of a letter to a pixel, each way."""


@lru_cache(maxsize=32)
def _thin(letter: str) -> Mask:
    """A letter, 256 pixels per em, with thinner strokes: as wide as its ink, as high as the whole line."""
    from scipy.ndimage import distance_transform_edt  # here, for whoever lists the tasks needs none of it

    width = int(font(_EM).getlength(letter))
    canvas = Image.new("L", (-(-width // 64) * 64 + 128, _EM * 5 // 4))
    ImageDraw.Draw(canvas).text((64, _EM), letter, fill=255, font=font(_EM), anchor="ls")
    bold = np.asarray(canvas)[_REDUCE // 2 :: _REDUCE, _REDUCE // 2 :: _REDUCE] >= 128
    # Distances to the edge in a measure in which a stroke loses _ACROSS columns and _DOWN rows on each side.
    far = distance_transform_edt(bold, sampling=(_ACROSS, _DOWN))
    thin = np.asarray(far > _ACROSS * _DOWN + 0.5)
    columns = np.flatnonzero(thin.any(axis=0))
    return thin[:, columns[0] : columns[-1] + 1]


@lru_cache(maxsize=64)
def caption(text: str, width: int, height: int) -> NDArray[np.uint8]:
    """Shades of grey (255 white) of a word whose ink fills exactly this box."""
    letters = [_thin(letter) for letter in text]
    gap = np.zeros((len(letters[0]), _GAP), bool)
    word = np.concatenate([part for letter in letters for part in (gap, letter)][1:], axis=1)
    rows = np.flatnonzero(word.any(axis=1))
    word = word[rows[0] : rows[-1] + 1]
    sizes = zip((height, width), word.shape, strict=True)
    down, across = ((2 * np.arange(n * _FINE) + 1) * m // (2 * n * _FINE) for n, m in sizes)
    inked = word[np.ix_(down, across)].reshape(height, _FINE, width, _FINE).sum(axis=(1, 3))
    # A little more than its share, so that thin strokes stay black. The shades next to black belong to the colours.
    grey: NDArray[np.uint8] = (
        255 - _STEP * np.minimum(inked * 5 * (255 // _STEP) // (4 * _FINE**2), 255 // _STEP)
    ).astype(np.uint8)
    grey.setflags(write=False)
    return grey
