"""Lines of words for charts and labels: letters on one baseline, in two weights, at any size.

The bundled font is bold. The regular weight is made from it by taking away what lies near a letter's edge. Letters are
taken at the size of the font's design, where every machine agrees on their pixels (see `letters.py`), and sampled down.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from snellen.draw.canvas import WHOLE, Canvas, Cover, Ink
from snellen.draw.letters import font

_EM, _REDUCE = 2048, 8
_MASTER = _EM // _REDUCE
"""Letters are kept at 256 pixels per em: their baseline this far below the top of a window this high."""
_BASELINE, _HIGH = 240, 320
_THINNER = 9
"""What the regular weight takes from each side of a stroke."""
_FINE = 8


@dataclass(frozen=True, slots=True)
class LineCover:
    """A line of words as a cover: `baseline` rows below its top."""

    amount: NDArray[np.int64]
    baseline: int

    @property
    def width(self) -> int:
        return int(self.amount.shape[1])


@lru_cache(maxsize=256)
def _letter(letter: str, bold: bool) -> NDArray[np.bool_]:
    """A letter's ink at 256 pixels per em, as wide as its share of the line."""
    from scipy.ndimage import distance_transform_edt  # here, for whoever lists the tasks needs none of it

    advance = round(font(_EM).getlength(letter)) // _REDUCE
    canvas = Image.new("L", (advance * _REDUCE, _HIGH * _REDUCE))
    ImageDraw.Draw(canvas).text((0, _BASELINE * _REDUCE), letter, fill=255, font=font(_EM), anchor="ls")
    ink = np.asarray(canvas)[_REDUCE // 2 :: _REDUCE, _REDUCE // 2 :: _REDUCE] >= 128
    if bold or not ink.any():
        return ink
    thin = np.asarray(distance_transform_edt(ink) > _THINNER + 0.5)
    return thin[:, _THINNER // 2 : advance - _THINNER // 2]


@lru_cache(maxsize=2048)
def words(text: str, size: int, bold: bool = False) -> LineCover:
    """A line of words; `size` is pixels per em."""
    ink = np.concatenate([_letter(letter, bold) for letter in text], axis=1)
    height, width = (-(-extent * size // _MASTER) for extent in ink.shape)
    down, across = ((2 * np.arange(n * _FINE) + 1) * _MASTER // (2 * size * _FINE) for n in (height, width))
    padded = np.pad(
        ink, ((0, max(0, int(down[-1]) + 1 - ink.shape[0])), (0, max(0, int(across[-1]) + 1 - ink.shape[1])))
    )
    inked = padded[np.ix_(down, across)].reshape(height, _FINE, width, _FINE).sum(axis=(1, 3))
    amount = inked * WHOLE * 10 // (9 * _FINE**2)  # a little more than their share, so that thin strokes stay dark
    return LineCover(np.minimum(amount, WHOLE), -(-_BASELINE * size // _MASTER))


def write(canvas: Canvas, line: LineCover, x: float, baseline: float, ink: Ink, align: str = "left") -> None:
    """Put words on a canvas: x is their left end, middle or right end."""
    back = {"left": 0, "middle": line.width // 2, "right": line.width}[align]
    canvas.lay(Cover(line.amount, round(baseline) - line.baseline, round(x) - back), ink)
