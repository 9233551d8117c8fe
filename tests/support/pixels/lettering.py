"""Reads lines of words and numbers of which it is known where they begin, stand in the middle or end."""

from collections.abc import Iterable
from functools import cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import distance_transform_edt

from snellen.draw.letters import FONT
from support.pixels.looking import Amount, Mask

_EM, _BASE, _HIGH = 256, 240, 320
_THIN = 9.5
"""The regular weight is the bold one with so much taken from either side of a stroke."""
_BLANK = 4
"""Pixels before and behind a line in which nothing else may stand."""


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _letter(letter: str, bold: bool) -> Mask:
    wide = round(_font(2048).getlength(letter)) // 8
    image = Image.new("L", (4 * wide, 4 * _HIGH))
    ImageDraw.Draw(image).text((0, 4 * _BASE), letter, fill=255, font=_font(4 * _EM), anchor="ls")
    ink = np.asarray(image.reduce(4)) >= 128
    if bold or not ink.any():
        return ink
    return np.asarray(distance_transform_edt(ink) > _THIN)[:, 4 : wide - 4]


@cache
def line_of(text: str, size: int, bold: bool) -> Amount:
    """How much ink a line of words has in each pixel."""
    ink = np.concatenate([_letter(letter, bold) for letter in text], axis=1)
    high, wide = (-(-side * size // _EM) for side in ink.shape)
    padded = np.pad(ink, ((0, _EM), (0, _EM)))
    box = (0, 0, wide * _EM / size, high * _EM / size)
    image = Image.fromarray((255 * padded).astype(np.uint8)).resize((wide, high), Image.Resampling.BOX, box=box)
    return np.minimum(np.asarray(image, np.float64) / 230, 1)


@cache
def _alone(text: str, size: int, bold: bool) -> tuple[Amount, float]:
    """A line of words with nothing before and behind it, and the sum of its squares."""
    line = line_of(text, size, bold)
    return np.pad(line, ((0, 0), (_BLANK, _BLANK))), float((line**2).sum())


class Print:
    """The ink of a picture, in which lines of words are looked for: `align` says what stands at x of them."""

    def __init__(self, ink: Amount, limit: float = 0.4) -> None:
        """`limit`: by how much of its ink a line may be unlike what is there."""
        self._ink, self._limit = np.pad(ink, 200), limit

    def _patch(self, x: float, baseline: float, align: str, shape: tuple[int, int], size: int) -> Amount:
        high, wide = shape
        left = round(x) - {"left": 0, "middle": wide // 2, "right": wide}[align] - _BLANK + 200
        top = round(baseline) - -(-_BASE * size // _EM) + 200
        return self._ink[top : top + high, left : left + wide + 2 * _BLANK]

    def unlike(self, text: str, x: float, baseline: float, align: str, size: int, bold: bool) -> float:
        wanted, ink = _alone(text, size, bold)
        high, wide = wanted.shape
        away = (self._patch(x, baseline, align, (high, wide - 2 * _BLANK), size) - wanted).ravel()
        return float(away @ away) / ink

    def word(
        self,
        texts: Iterable[str],
        x: float,
        baseline: float,
        align: str,
        size: int,
        *,
        bold: bool = False,
        loose: int = 0,
    ) -> str:
        """Which of these stands there; `loose`: so many pixels off at most."""
        off = [(dx, dy) for dx in range(-loose, loose + 1) for dy in range(-loose, loose + 1)]
        found = min(
            (min(self.unlike(text, x + dx, baseline + dy, align, size, bold) for dx, dy in off), text) for text in texts
        )
        assert found[0] < self._limit, f"nothing legible at {x:.0f}, {baseline:.0f}: at best {found}"
        return found[1]

    def number(self, x: float, baseline: float, align: str, size: int, *, bold: bool = False, loose: int = 0) -> int:
        """The whole number that stands there: all digits are equally wide."""
        off = [(dx, dy) for dx in range(-loose, loose + 1) for dy in range(-loose, loose + 1)]
        texts = {self._digits(many, x + dx, baseline + dy, align, size, bold) for many in range(1, 7) for dx, dy in off}
        return int(self.word(sorted(texts), x, baseline, align, size, bold=bold, loose=loose))

    def _digits(self, many: int, x: float, baseline: float, align: str, size: int, bold: bool) -> str:
        """What stands there if it is so many digits: for each place the most alike."""
        lines = [line_of(digit * many, size, bold) for digit in "0123456789"]
        seen = self._patch(x, baseline, align, (lines[0].shape[0], lines[0].shape[1]), size)[:, _BLANK:-_BLANK]
        losses = np.array([((seen - line) ** 2).sum(axis=0) for line in lines])
        cells = np.array_split(np.arange(losses.shape[1]), many)
        return "".join(str(losses[:, cell].sum(axis=1).argmin()) for cell in cells)
