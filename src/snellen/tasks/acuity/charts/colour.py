"""Colour plates: how little may a hue differ from grey? Eight hues make the ellipse of just seen differences."""

from collections.abc import Mapping
from functools import partial

from snellen.rng import Stream
from snellen.tasks.acuity.draw.dotted import DIGITS, ColourPlate, decoy_of
from snellen.tasks.acuity.kind import NOTHING, Description, EyeTest, Truth, steps
from snellen.tasks.acuity.view import ChartView

HUES = {"red": 0, "orange": 45, "yellow": 90, "lime": 135, "green": 180, "cyan": 225, "blue": 270, "purple": 315}
"""Directions in CIELAB, in degrees. Names are for people: what is near grey has no name."""
DIFFERENCES = steps(0, 1.3, 0.1)
"""CIEDE2000; no hue of all eight reaches more on a screen."""
OTHERS = tuple(str(number) for number in range(len(DIGITS), 100))
"""Numbers that are no digit: who names one has answered, and wrongly."""
_SEEDS = 2**31


def _plate(answer: str, level: float, source: Stream) -> Truth:
    """Where nothing is to be seen, the digit differs by nothing from its ground."""
    return {"difference": 0.0 if answer == NOTHING else level, "dots": source.below(_SEEDS)}


def _described(truth: Truth, view: ChartView, hue: int) -> Description:
    digit = DIGITS[0] if truth["answer"] == NOTHING else truth["answer"]
    return ColourPlate(digit, hue, truth["difference"], truth["dots"], view.page)


def _betrayed(truth: Truth) -> Mapping[str, str]:
    if truth["answer"] == NOTHING:
        return dict.fromkeys((*DIGITS, *OTHERS), "saw what is not there")
    others = {digit: f"read as {digit}" for digit in (*DIGITS, *OTHERS) if digit != truth["answer"]}
    others |= {decoy: "went by lightness"} if (decoy := decoy_of(truth["dots"])) != truth["answer"] else {}
    return {**others, NOTHING: "saw nothing"}


def _coloured(name: str, hue: int) -> EyeTest:
    return EyeTest(
        name=f"colour-{name}",
        title=f"Colour, towards {name}",
        unit="CIEDE2000 difference",
        levels=DIFFERENCES,
        chance=1 / len(DIGITS),
        answers=tuple(DIGITS),
        beyond=OTHERS,
        asks="plate",
        make=_plate,
        describe=partial(_described, hue=hue),
        betrays=_betrayed,
        nothing=True,
        blank=hue == 0,  # without a hue, all plates are grey
        bytes=9 << 13,
    )


PLATES = tuple(_coloured(name, hue) for name, hue in HUES.items())
