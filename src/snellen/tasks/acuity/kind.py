"""What a test of the battery is: one frozen value, with the functions that think of its items and describe its charts.

A chart is *made* from an answer and a level (its truth: all that is random about it), then *described* under a view:
the frozen description that `draw` draws and says in words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any, Literal

from snellen.draw.dots import DotPage
from snellen.rng import Stream
from snellen.tasks.acuity.draw.crossings import Crossing
from snellen.tasks.acuity.draw.crowding import Crowd
from snellen.tasks.acuity.draw.dotted import ColourPlate
from snellen.tasks.acuity.draw.gratings import Gabor
from snellen.tasks.acuity.draw.lines import LetterLines
from snellen.tasks.acuity.draw.optotypes import OptotypePage
from snellen.tasks.acuity.draw.paths import Tangle
from snellen.tasks.acuity.draw.printed import PrintedLetter
from snellen.tasks.acuity.draw.vernier import Vernier
from snellen.tasks.acuity.view import ChartView

Truth = Mapping[str, Any]
"""What the maker of a chart knows, in JSON types."""
Description = (
    OptotypePage | LetterLines | PrintedLetter | Crowd | ColourPlate | Gabor | Vernier | DotPage | Crossing | Tangle
)

NOTHING = "nothing"
"""The answer to a chart with nothing on it."""
BLANK = "blank"
"""The level at which nothing is there."""


@dataclass(frozen=True)
class EyeTest:
    """One test. `levels` rise; `hard` says at which end nobody can do it any more.

    `unit` is what levels count. `answers` are the alternatives, none where the answer is a number of any size.
    `beyond`: what else of that sort may be named, always wrong (a letter that is none of the ten).
    `asks` names the piece of wording. `nothing`: whether "nothing" may be answered beside these; `blank`: whether
    there are charts with nothing on them, to see what is seen there, and `papers` the greys that these pages have, if
    that is all that tells them apart.
    `make(answer, level, source)` thinks of a chart, of an empty one with the grey of its page for a level;
    `describe(truth, view)` is what is drawn.
    `varied`: the conditions that this test can be put under; `span(level)`: how many pixels of the shorter side it
    takes. `betrays(truth)`: what wrong answers betray, by the answer. `bytes`: more than any of its charts takes on the
    usual page; files are brought to this length, for stripes that stand take fewer bytes than stripes that lean.
    """

    name: str
    title: str
    unit: str
    levels: tuple[str, ...]
    chance: float
    answers: tuple[str, ...]
    asks: str
    make: Callable[[str, float, Stream], Truth]
    describe: Callable[[Truth, ChartView], Description]
    betrays: Callable[[Truth], Mapping[str, str]]
    hard: Literal["low", "high"] = "low"
    nothing: bool = False
    blank: bool = False
    papers: tuple[int, ...] = ()
    varied: tuple[str, ...] = ()
    span: Callable[[float], float] = lambda level: 0.0
    bytes: int = 8192
    beyond: tuple[str, ...] = ()

    @property
    def easiest(self) -> str:
        return self.levels[-1] if self.hard == "low" else self.levels[0]

    @property
    def intensities(self) -> Mapping[str, float]:
        """The levels with their log10 intensities."""
        return {level: log10(float(level)) for level in self.levels}

    @property
    def labels(self) -> tuple[str, ...]:
        """All that may be answered."""
        return (*self.answers, NOTHING) if self.nothing else self.answers


def steps(low: float, high: float, step: float) -> tuple[str, ...]:
    """Levels from 10 ** low to 10 ** high, so far apart on the log10 scale, to three digits."""
    return tuple(f"{10 ** (low + step * k):.3g}" for k in range(round((high - low) / step) + 1))


def shares(whole: int, parts: Sequence[int]) -> tuple[str, ...]:
    """Levels that are whole numbers of grey levels, as shares."""
    return tuple(f"{part / whole:.3g}" for part in parts)
