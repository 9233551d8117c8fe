"""How the tests of the eye chart are spoken of on a card: their units in short, and what is told in percent.

What there is to ask, what guessing gets and which end is hard is the battery's to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from snellen.tasks.acuity.battery import TESTS


@dataclass(frozen=True, slots=True)
class CardTest:
    """One test. `unit` goes with the number, which is the level times `scale` (contrast is told in percent); `limit`
    says what the number is."""

    title: str
    unit: str
    limit: str
    chance: float
    falling: bool
    scale: float


_SHORT: Mapping[str, tuple[str, str, float]] = {
    "letters": ("px a stroke", "the smallest letters it reads", 1),
    "landolt": ("px of gap", "the smallest gap in a ring", 1),
    "contrast": ("%", "the faintest letters it reads", 100),
    "crowding": ("letter widths", "the closest neighbours, from middle to middle", 1),
    "alignment": ("px", "the smallest step between two lines", 1),
    "number": ("dots", "the most it counts", 1),
    "crossings": ("px", "the smallest gap between crossings", 1),
    "paths": ("px", "the smallest gap between paths", 1),
    "gratings": ("%", "the faintest stripes", 100),
    "colour": ("\u0394E", "the smallest difference in colour", 1),
}
"""Unit, what the number is, and what a level is multiplied by. In the order of the card."""
FAMILIES = tuple(_SHORT)
SEVERAL = ("gratings", "colour")
"""Tests that come in several kinds."""
TITLES = {"gratings": "Gratings", "colour": "Colour"}


def family(test: str) -> str:
    """The family that a test belongs to: `gratings` for `gratings-8`."""
    return test.partition("-")[0]


def member(test: str) -> str:
    """Which of its family a test is: `red` for `colour-red`."""
    return test.partition("-")[2]


def known(test: str) -> bool:
    return test in TESTS and family(test) in _SHORT


def sight(test: str) -> CardTest:
    unit, limit, scale = _SHORT[family(test)]
    about = TESTS[test]
    return CardTest(about.title, unit, limit, about.chance, about.hard == "high", scale)


def short_title(test: str) -> str:
    """A name that fits anywhere: Gratings 8, Colour red."""
    which = member(test)
    return f"{TITLES[family(test)]} {which}" if which else TESTS[test].title


def order(test: str) -> tuple[int, int]:
    """Where a test stands on the card."""
    return FAMILIES.index(family(test)), list(TESTS).index(test)
