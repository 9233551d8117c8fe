"""Which habits a subject holds: the usual numbers that it names itself, asked in words alone.

Whoever does not know that a violin has four strings cannot say four by habit. So a bias rate counts the kinds of things
whose usual number the subject gave (of repeated answers, at least half of the time). Where it was not asked, all count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from snellen.analysis.rows import asked
from snellen.charts.blocks import Table

NAME, TITLE = "bias-recall", "What is usual, asked in words alone"


@dataclass(frozen=True, slots=True)
class RecallAnswers:
    """What one subject said is usual. `said`: its answers for the kinds whose habit it does not hold."""

    subject: str
    held: tuple[str, ...]
    said: tuple[tuple[str, str], ...]

    @property
    def words(self) -> str:
        return f"{len(self.held)} of {len(self.held) + len(self.said)} kinds"


def recalls(rows: pl.DataFrame) -> dict[str, RecallAnswers]:
    """Each subject's habits, by subject, from the trials that asked for them."""
    found: dict[str, RecallAnswers] = {}
    for own in asked(rows).partition_by("subject", maintain_order=True):
        kinds = own.group_by(pl.col("kind").cast(pl.String)).agg(
            held=(pl.col("outcome") == "right").mean() >= 0.5,
            said=pl.col("answer").fill_null("").cast(pl.String).sort().first(),
        )
        rows_ = kinds.sort("kind").iter_rows(named=True)
        known = [(each["kind"], each["held"], each["said"] or "nothing readable") for each in rows_]
        subject = str(own["subject"][0])
        held, others = [kind for kind, is_held, _ in known if is_held], [(k, said) for k, h, said in known if not h]
        found[subject] = RecallAnswers(subject, tuple(held), tuple(others))
    return found


def of_held(rows: pl.DataFrame, known: dict[str, RecallAnswers]) -> pl.DataFrame:
    """The trials on kinds whose habit the subject holds; all trials of subjects that were not asked."""
    subject, kind = pl.col("subject").cast(pl.String), pl.col("kind").cast(pl.String)
    is_held = ~subject.is_in(list(known))
    for recall in known.values():
        is_held = is_held | ((subject == recall.subject) & kind.is_in(recall.held))
    return rows.filter(is_held)


def held_words(subject: str, known: dict[str, RecallAnswers]) -> str:
    """How many kinds a subject's bias rate counts, for a cell of a table."""
    return known[subject].words if subject in known else "not asked: all"


def held_note(subjects: Sequence[str], known: dict[str, RecallAnswers]) -> str:
    """How many kinds the bias rates count, subject by subject, for the note of a table or chart."""
    without = [subject for subject in subjects if subject not in known]
    if len(without) == len(subjects):
        return "Bias rates count all kinds: what is usual was not asked in words."
    counts = "; ".join(f"{subject} {known[subject].words}" for subject in subjects if subject in known)
    rest = f" Not asked, so that all kinds count: {', '.join(without)}." if without else ""
    return f"Bias rates count the kinds whose usual number the subject names in words. Held: {counts}.{rest}"


def recall_table(known: dict[str, RecallAnswers]) -> Table:
    return Table(
        NAME,
        TITLE,
        "Held: kinds whose usual number the subject names when asked without a picture. Only these count in its bias"
        " rates. Behind each other kind, what it said instead.",
        ("subject", "held", "not held"),
        tuple(
            (recall.subject, recall.words, ", ".join(f"{kind} ({said})" for kind, said in recall.said) or "none")
            for recall in known.values()
        ),
    )
