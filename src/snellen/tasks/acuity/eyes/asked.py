"""Which test a question is of, by its words alone, and how one looks then."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from snellen.tasks.acuity.draw.crossings import MOST
from snellen.tasks.acuity.draw.dotted import DIGITS
from snellen.tasks.acuity.draw.gratings import ORIENTATIONS
from snellen.tasks.acuity.draw.optotypes import DIRECTIONS, LETTERS
from snellen.tasks.acuity.draw.paths import LANES
from snellen.tasks.acuity.draw.vernier import CORNERS
from snellen.tasks.acuity.eyes.chart_lines import chart_lines
from snellen.tasks.acuity.eyes.gaze import Gaze
from snellen.tasks.acuity.eyes.glimpse import Pixels
from snellen.tasks.acuity.eyes.letters import letter, middle, ring
from snellen.tasks.acuity.eyes.lines import crossed, led_to
from snellen.tasks.acuity.eyes.plates import digit
from snellen.tasks.acuity.eyes.stripes import stripes
from snellen.tasks.acuity.eyes.things import number, out_of_line

NOTHING = "nothing"

Look = Callable[[Pixels, Gaze], str | None]
"""From a picture to the answer; None where nothing is seen."""


@dataclass(frozen=True)
class Test:
    """A kind of chart: the words that only questions about it have, the answers there are, and how it is looked at.
    `empty` is what an empty page is called, if it has a name of its own."""

    words: re.Pattern[str]
    answers: tuple[str, ...]
    look: Look
    empty: str = ""


def _having(*words: str) -> re.Pattern[str]:
    """All of the words, whatever their order."""
    return re.compile("".join(rf"(?=.*\b{word}\b)" for word in words), re.IGNORECASE | re.DOTALL)


_TESTS = (
    Test(_having("eye chart", "lines"), tuple(LETTERS), chart_lines),
    Test(_having("stripes"), tuple(ORIENTATIONS), stripes),
    Test(_having("ring", "gap"), DIRECTIONS, ring),
    Test(_having("bars", "pairs?"), CORNERS, out_of_line),
    Test(_having("red", "blue", "cross"), tuple(map(str, range(MOST + 1))), crossed),
    Test(_having("lines?", "end", "numbers?"), tuple(str(lane + 1) for lane in range(LANES)), led_to),
    Test(_having("digit", "dots"), tuple(DIGITS), digit),
    Test(_having("letter", "middle"), tuple(LETTERS), middle),
    Test(_having("letter"), tuple(LETTERS), letter),
    Test(_having("how many", "dots"), tuple(map(str, range(1, 10))), number, "0"),
)
"""The first whose words a question has is meant."""


def test_of(question: str) -> Test | None:
    """The test that a question is of, if it is about a chart."""
    return next((test for test in _TESTS if test.words.match(question)), None)
