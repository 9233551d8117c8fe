"""What other tasks lose to the eyes, held against the card: are the things in their pictures large enough for it?

Large enough is not a guess: a task says how fine the finest thing is that must be seen in its pictures, and the card
says down to where this subject sees. Where either cannot say, nothing is said.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import polars as pl

from snellen.analysis.rows import asked, of_task, unspared
from snellen.charts.blocks import Diagnosis, Loss
from snellen.charts.rounds import number
from snellen.errors import UserError
from snellen.tasks import task as find_task
from snellen.tasks.acuity.study.card import Card
from snellen.tasks.acuity.study.readings import CardLine, with_unit
from snellen.tasks.acuity.study.results import USUAL
from snellen.tasks.acuity.study.sights import sight
from snellen.tasks.detail import Detail

Side = Literal["above", "near", "below"]
WELL = 1.5
"""So many times the upper end of a threshold's interval is well above it."""


def held(cards: Sequence[Card], diagnoses: Sequence[Diagnosis], rows: pl.DataFrame) -> dict[tuple[str, str], str]:
    """By subject and task: what the eyes lose there, held against the subject's card."""
    by_subject = {card.subject: card for card in cards}
    found = {}
    for diagnosis in diagnoses:
        card, loss = by_subject.get(diagnosis.subject), _to_eyes(diagnosis)
        if card is None or loss is None or diagnosis.task == "acuity":
            continue
        known, whole = details(rows, diagnosis.task, diagnosis.subject)
        said = _against(card, known) if known else None
        if said is not None:
            where = "" if whole else ", where that can be told"
            found[diagnosis.subject, diagnosis.task] = f"{diagnosis.task}: {_lost(loss)}; {said[0]}{where}{said[1]}."
    return found


def with_held(cards: Sequence[Card], said: Mapping[tuple[str, str], str]) -> tuple[Card, ...]:
    """The cards with what is said of their subjects' other tasks."""
    return tuple(
        replace(card, held=tuple(line for (subject, _), line in said.items() if subject == card.subject))
        for card in cards
    )


def diagnoses_with_held(diagnoses: Sequence[Diagnosis], said: Mapping[tuple[str, str], str]) -> tuple[Diagnosis, ...]:
    """The diagnoses with the line of their task, and that of the eye chart with all lines of its subject."""

    def lines(one: Diagnosis) -> list[str]:
        return [
            line
            for (subject, task), line in said.items()
            if subject == one.subject and (task == one.task or one.task == "acuity")
        ]

    return tuple(replace(one, details=(*one.details, *lines(one))) for one in diagnoses)


def _to_eyes(diagnosis: Diagnosis) -> Loss | None:
    """The largest loss that is shown and is the eyes', or might be."""
    losses = [loss for loss in diagnosis.losses if "eyes" in loss.faculties and loss.shown and loss.share.value]
    return max(losses, key=lambda loss: loss.share.value or 0.0, default=None)


def _lost(loss: Loss) -> str:
    who = "the eyes" if loss.faculties == ("eyes",) else " or ".join(loss.faculties)
    return f"{100 * (loss.share.value or 0):.0f} % of items lost to {who}"


def details(rows: pl.DataFrame, task: str, subject: str) -> tuple[list[Detail], bool]:
    """What is finest in the pictures that a subject was shown, and whether that is known of all of them."""
    try:
        known = find_task(task)
    except UserError:
        return [], False
    own = asked(unspared(of_task(rows, task)))
    own = own.filter(pl.col("subject").cast(pl.String) == subject)
    names = [factor.name for factor in known.factors if factor.name in own.columns]
    levels = [
        {name: str(level) for name, level in row.items() if level is not None}
        for row in own.select(names).unique(maintain_order=True).to_dicts()
    ]
    found = [known.detail(each) for each in levels if known.shows_pictures(each)]
    return [each for each in found if each is not None], None not in found


def _against(card: Card, known: Sequence[Detail]) -> tuple[str, str] | None:
    """The finest of the details, and what the card says to it. None where the card has no number to hold it against."""
    letters = card.letters
    if letters.condition:
        return None
    finest = min(known, key=lambda each: each.px * _arrives(card, each))
    shrunk = _arrives(card, finest)
    size = side_of(finest.px * shrunk, letters)
    if size is None:
        return None
    thing = f"its finest things ({finest.what}) are {number(finest.px)}\u00a0px wide"
    if shrunk < 1:
        thing += f" and arrive {number(finest.px * shrunk)}\u00a0px wide"
    return thing, f", {_limit(letters)}: {_because(card, size, known)}"


def _because(card: Card, size: Side, known: Sequence[Detail]) -> str:
    if size == "below":
        return "too small for it"
    if size == "near":
        return "size may be the reason"
    faint = list(_contrast(card, known))
    return f"size is not the reason{faint[0] if faint else ''}"


def _contrast(card: Card, known: Sequence[Detail]) -> Iterator[str]:
    """Where size is not the reason, contrast may be."""
    read = next((each for each in card.readings if each.test == "contrast"), None)
    least = 100 * min(each.contrast for each in known)
    side = None if read is None or read.condition else side_of(least, read)
    if side == "above":
        yield f", nor is contrast ({least:.0f}\u00a0% at least)"
    elif side is not None:
        yield f", but contrast may be (down to {least:.0f}\u00a0%)"


def _limit(letters: CardLine) -> str:
    if letters.value is not None:
        return f"letters are lost below {letters.said} ({letters.within})"
    about = sight(letters.test)
    if letters.kind == "better than drawn":
        return f"letters are read down to {with_unit(about, letters.hardest or 0)}"
    return f"letters are lost at {with_unit(about, letters.easiest or 0)}"


def side_of(x: float, read: CardLine) -> Side | None:
    """On which side of a limit a number lies; None where that cannot be told."""
    if read.kind == "better than drawn":
        return "above" if read.hardest is not None and x >= read.hardest else None
    if read.kind == "worse than drawn":
        return "below" if read.easiest is not None and x <= read.easiest else None
    if read.value is None:
        return None
    if read.high is not None and x >= max(WELL * read.high, read.enough.value if read.enough else 0.0):
        return "above"
    return "below" if read.low is not None and x < read.low else "near"


def _arrives(card: Card, detail: Detail) -> float:
    """How much of its width a detail keeps where pictures are shrunk, against the pages that letters were read on."""
    found = card.resolution
    if found is None or found.kind != "shrunk" or found.side is None:
        return 1.0
    usual = float(USUAL["canvas"])
    return min(1.0, found.side.value / detail.side) / min(1.0, found.side.value / usual)
