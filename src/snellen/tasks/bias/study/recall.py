"""Which habits a subject holds: the usual numbers that it names itself, asked in words alone.

Whoever does not know that a violin has four strings cannot say four by habit. So a bias rate counts the kinds of things
whose usual number the subject gave (of repeated answers, at least half of the time). Where it was not asked, all count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from snellen.analysis.columns import Column
from snellen.analysis.rows import asked


@dataclass(frozen=True, slots=True)
class RecallAnswers:
    """What one subject said is usual. `others`: its answers for the kinds whose habit it does not hold."""

    subject: str
    held: tuple[str, ...]
    others: tuple[tuple[str, str], ...]

    @property
    def words(self) -> str:
        return f"{len(self.held)} of {len(self.held) + len(self.others)} kinds"


def recalls(rows: pl.DataFrame) -> dict[str, RecallAnswers]:
    """Each subject's habits, by subject, from the trials that asked for them."""
    recalled: dict[str, RecallAnswers] = {}
    for own in asked(rows).partition_by("subject", maintain_order=True):
        kinds = own.group_by(pl.col("kind").cast(pl.String)).agg(
            held=(pl.col("outcome") == "right").mean() >= 0.5,
            answer=pl.col("answer").fill_null("").cast(pl.String).sort().first(),
        )
        subject = str(own["subject"][0])
        held, others = kinds.sort("kind").filter("held"), kinds.sort("kind").filter(~pl.col("held"))
        answers = [(kind, answer or "nothing readable") for kind, answer in others.select("kind", "answer").rows()]
        recalled[subject] = RecallAnswers(subject, tuple(held["kind"]), tuple(answers))
    return recalled


def of_held(rows: pl.DataFrame, recalled: dict[str, RecallAnswers]) -> pl.DataFrame:
    """The trials on kinds whose habit the subject holds; all trials of subjects that were not asked."""
    subject, kind = pl.col("subject").cast(pl.String), pl.col("kind").cast(pl.String)
    is_held = ~subject.is_in(list(recalled))
    for recall in recalled.values():
        is_held = is_held | ((subject == recall.subject) & kind.is_in(recall.held))
    return rows.filter(is_held)


def held_words(subject: str, recalled: dict[str, RecallAnswers]) -> str:
    """How many kinds a subject's bias rate counts, for a cell of a table."""
    return recalled[subject].words if subject in recalled else "not asked: all"


def held_note(subjects: Sequence[str], recalled: dict[str, RecallAnswers]) -> str:
    """How many kinds the bias rates count, subject by subject, for the note of a table or chart."""
    without = [subject for subject in subjects if subject not in recalled]
    if len(without) == len(subjects):
        return "Bias rates count all kinds: what is usual was not asked in words."
    counts = "; ".join(f"{subject} {recalled[subject].words}" for subject in subjects if subject in recalled)
    rest = f" Not asked, so that all kinds count: {', '.join(without)}." if without else ""
    return f"Bias rates count the kinds whose usual number the subject names in words. Held: {counts}.{rest}"


RECALL_COLUMNS: list[Column[RecallAnswers]] = [
    Column("subject", "", lambda recall: recall.subject),
    Column("held", "", lambda recall: recall.words),
    Column("not held", "", lambda recall: ", ".join(f"{kind} ({answer})" for kind, answer in recall.others) or "none"),
]
