"""How the tests of the eye chart are spoken of: their names on a card, their units, what a threshold means."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sight:
    """One test, or one family of them (`gratings-1`, `gratings-2`, ... are spoken of alike).

    `unit` goes with the number, which is the level times `scale` (contrast is told in percent). `limit` says what the
    number limits, `chance` what guessing gets, `falling` whether more is harder. `finest` and `coarsest` name the two
    ends: "better than 0.5 px a stroke".
    """

    title: str
    unit: str
    limit: str
    chance: float
    falling: bool = False
    scale: float = 1.0


SIGHTS: Mapping[str, Sight] = {
    "letters": Sight("Letters", "px a stroke", "the smallest letters it reads", 1 / 10),
    "landolt": Sight("Landolt C", "px gap", "the smallest gap in a ring", 1 / 8),
    "contrast": Sight("Contrast", "%", "the faintest letters it reads", 1 / 10, scale=100.0),
    "gratings": Sight("Gratings", "%", "the faintest stripes", 1 / 4, scale=100.0),
    "colour": Sight("Colour", "\u0394E", "the smallest difference in colour", 1 / 10),
    "crowding": Sight("Crowding", "letter widths", "the closest neighbours, from middle to middle", 1 / 10),
    "alignment": Sight("Alignment", "px", "the smallest step between two lines", 1 / 4),
    "number": Sight("Number", "dots", "the most dots it counts", 0.0, falling=True),
    "crossings": Sight("Crossings", "px", "the smallest gap between lines", 1 / 5),
    "paths": Sight("Paths", "px", "the smallest gap between paths", 1 / 6),
}
"""In the order of the card."""


def family(test: str) -> str:
    """The family that a test belongs to: `gratings` for `gratings-3`."""
    return test.partition("-")[0]


def member(test: str) -> str:
    """Which of its family a test is: `red` for `colour-red`."""
    return test.partition("-")[2]


def known(test: str) -> bool:
    return family(test) in SIGHTS


def sight(test: str) -> Sight:
    return SIGHTS[family(test)]


def title(test: str) -> str:
    """The name of a test: Colour, red."""
    which = member(test)
    return f"{sight(test).title}, {which}" if which else sight(test).title


def order(test: str) -> tuple[int, str]:
    """Where a test stands on the card."""
    return list(SIGHTS).index(family(test)), test


def number(x: float) -> str:
    """A number with two figures that count, never in powers of ten: 0.52, 2.1, 12, 140."""
    if x >= 99.5:
        return f"{x:,.0f}"
    if x >= 9.95:
        return f"{x:.0f}"
    return f"{x:.1f}" if x >= 0.995 else f"{x:.2f}" if x >= 0.0995 else f"{x:.2g}"
