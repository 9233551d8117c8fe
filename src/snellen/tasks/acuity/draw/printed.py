"""A letter of the bundled font, as large as an optotype: whoever learned to read from print may know it better."""

from dataclasses import dataclass

from snellen.draw import letters
from snellen.draw.coverage import FINE, FineCover
from snellen.draw.sheet import BLACK, USUAL, ChartPage, IndexedPixels, InkTone, inked
from snellen.tasks.acuity.draw.optotypes import LETTERS, THINNEST, UNITS, WIDEST

_CAPITALS = 1493
"""How high a capital of DejaVu Sans Bold is, of 2048 units an em."""
_EM = 2048
_SCALE = 64
"""Font sizes are whole 64ths of a pixel."""


@dataclass(frozen=True, slots=True)
class PrintedLetter:
    """A capital as high as the optotype with that stroke, its middle at (x, y) as near as whole pixels allow."""

    name: str
    stroke: float
    x: float
    y: float
    page: ChartPage = USUAL
    tone: InkTone = BLACK

    def __post_init__(self) -> None:
        if self.name not in tuple(LETTERS):
            raise ValueError(f"{self.name!r} is none of the letters {LETTERS}")
        if not THINNEST <= self.stroke <= WIDEST:
            raise ValueError(f"strokes are {THINNEST:g} to {WIDEST:g} px wide, not {self.stroke:g}")

    @property
    def size(self) -> float:
        """The height of capitals in pixels; round ones reach a little beyond."""
        return self.stroke * UNITS


def painted(letter: PrintedLetter) -> IndexedPixels:
    em = round(letter.size * _EM / _CAPITALS * _SCALE)
    side = 2 * (int(0.6 * em / _SCALE) + 1)
    amount = letters.coverage(letter.name, em, _SCALE, side) * FINE // 255
    return inked(letter.page, FineCover(amount, round(letter.y) - side // 2, round(letter.x) - side // 2), letter.tone)


def words(letter: PrintedLetter) -> str:
    return (
        f"A page of {letter.page}, {letter.tone}, showing the letter {letter.name} in DejaVu Sans Bold,"
        f" {letter.size:g} px high, its middle at ({letter.x:g}, {letter.y:g})."
    )
