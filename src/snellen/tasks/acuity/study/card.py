"""The card of a subject: everything that an optometrist would hand over, as plain values. Who draws it measures
nothing and words nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.charts.blocks import Value
from snellen.charts.marks import MarksPage
from snellen.tasks.acuity.study.anchors import anchored, anchors, told
from snellen.tasks.acuity.study.enlarging import Enlargement
from snellen.tasks.acuity.study.patches import Period
from snellen.tasks.acuity.study.places import FieldMap
from snellen.tasks.acuity.study.prescribing import prescription
from snellen.tasks.acuity.study.readings import Anchor, CardLine
from snellen.tasks.acuity.study.resolution import Resolution
from snellen.tasks.acuity.study.results import LETTERS, AcuityResults, Sitting
from snellen.tasks.acuity.study.sights import FAMILIES, SEVERAL, TITLES
from snellen.tasks.acuity.study.tokens import Tokens
from snellen.tasks.acuity.study.words import (
    badge,
    blank_lines,
    blank_pages,
    headline,
    percent,
    resolution_lines,
    verdict,
)

if TYPE_CHECKING:
    from rich.console import Console

SINGLE = tuple(name for name in FAMILIES if name not in SEVERAL)
"""The tests with one number each; the others have a drawing of their own."""


@dataclass(frozen=True)
class Card:
    """One subject. `readings`: the tests with one number each, in the order of the card, those not asked included.

    `verdict` is the headline without the subject's name. `absent`: what was not asked at all, by name. `asked`: how
    much was asked, in words. `blank_pages`: on how many the rate `blank` rests, in words. `enlarge`: how many times
    small print must be enlarged for 95 % right, None where no threshold of letters says so.
    `anchored`: whose lines stand on the tests beside it, in words. `held`: what its other tasks
    lose to the eyes, held against this card.
    """

    subject: str
    headline: str
    verdict: str
    badge: str
    asked: str
    readings: tuple[CardLine, ...]
    gratings: tuple[CardLine, ...]
    colours: tuple[CardLine, ...]
    fields: tuple[FieldMap, ...]
    resolution: Resolution | None
    resolution_lines: tuple[str, ...]
    tokens: Tokens | None
    period: Period | None
    blank: Value | None
    blank_pages: str
    blank_lines: tuple[str, ...]
    prescription: tuple[str, ...]
    absent: tuple[str, ...]
    anchored: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    enlarge: Enlargement | None = None

    def draw(self, *beside: "Card", dark: bool = False) -> MarksPage:
        """The card as a drawing on light or dark paper, others at its right."""
        from snellen.tasks.acuity.card import DARK, LIGHT, draw, side_by_side

        tones = DARK if dark else LIGHT
        sheets = [draw(card, tones) for card in (self, *beside)]
        return side_by_side(sheets, tones) if beside else sheets[0]

    def show(self, console: "Console", *, heading: bool = True, tests: bool = True) -> None:
        """Print the card on a terminal."""
        from snellen.tasks.acuity.card.screen import show_card

        show_card(self, console, heading=heading, tests=tests)

    @property
    def letters(self) -> CardLine:
        return next(each for each in self.readings if each.test == LETTERS)


def cards(found: AcuityResults) -> tuple[Card, ...]:
    """The card of every subject."""
    lines = anchors(found)
    return tuple(card(sitting, lines) for sitting in found.sittings.values())


def card(sitting: Sitting, lines: Mapping[str, Sequence[Anchor]]) -> Card:
    """One subject, with the lines of others on its tests."""
    gratings, colours = (tuple(sitting.of_family(name).values()) for name in SEVERAL)
    readings = tuple(anchored(sitting.reading(name), lines, sitting.subject) for name in SINGLE)
    return Card(
        sitting.subject,
        headline(sitting),
        _sentence(verdict(sitting)),
        badge(sitting),
        _asked(sitting),
        readings,
        gratings,
        colours,
        sitting.fields,
        sitting.resolution,
        resolution_lines(sitting),
        sitting.tokens,
        sitting.period,
        sitting.hallucinated,
        blank_pages(sitting),
        tuple(blank_lines(sitting)),
        prescription(sitting),
        _absent(sitting, readings, (gratings, colours)),
        told(readings),
        enlarge=sitting.enlargement,
    )


def _sentence(said: str) -> str:
    """What is said of a subject as a sentence of its own."""
    words = said.removeprefix(": ")
    return f"{words[:1].upper()}{words[1:]}"


def _asked(sitting: Sitting) -> str:
    unread = sitting.unread
    said = f"{sitting.trials:,} charts shown"
    if unread.value:
        said += f", {percent(unread)} of the answers could not be read"
    return said + (f", {sitting.errors:,} calls failed" if sitting.errors else "")


def _absent(
    sitting: Sitting, readings: Sequence[CardLine], families: tuple[Sequence[CardLine], Sequence[CardLine]]
) -> tuple[str, ...]:
    single = [each.title for each in readings if each.kind == "not asked"]
    several = [TITLES[name] for name, own in zip(SEVERAL, families, strict=True) if not own]
    maps = [] if sitting.fields else ["Field map"]
    sizes = [] if sitting.resolution else ["Effective resolution"]
    return (*single, *several, *maps, *sizes)
