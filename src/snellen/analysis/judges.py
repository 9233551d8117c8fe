"""Do the judges do their work? Verdicts that could not be read, of all that a judge was asked for.

A judge that never keeps to the form, or whose calls fail, leaves its trials unread. Nobody should have to look for that
in a table. What the judge was never asked, since the subject refused, said nothing or failed itself, is not held
against it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from snellen.analysis.rows import JUDGE, factors
from snellen.ladder import NO_SCORE


@dataclass(frozen=True, slots=True)
class Judging:
    """What came of asking one judge: how many verdicts were due, kept no form, ended in errors."""

    judge: str
    verdicts: int
    formless: int
    errors: int

    @property
    def unread(self) -> int:
        return self.formless + self.errors

    def __str__(self) -> str:
        reasons = [(self.formless, "kept no form"), (self.errors, "error" if self.errors == 1 else "errors")]
        why = ", ".join(f"{n:,} {reason}" for n, reason in reasons if n)
        verdicts = "verdict" if self.verdicts == 1 else "verdicts"
        return (
            f"judge {self.judge}: {self.unread:,} of {self.verdicts:,} {verdicts} unread ({why}); those trials count as"
            " unread"
        )


def judgings(rows: pl.DataFrame) -> list[Judging]:
    """Every judge in the rows."""
    return list(_judgings(rows)) if JUDGE in rows.columns else []


def _judgings(rows: pl.DataFrame) -> Iterator[Judging]:
    judged = rows.filter(pl.col(JUDGE).is_not_null()).join(_failed(rows), on=_same(rows), how="anti", nulls_equal=True)
    for (judge,), own in judged.group_by([JUDGE], maintain_order=True):
        formless = own.filter(pl.col("how") == NO_SCORE).height
        errors = own.filter(pl.col("reason") == "error").height
        read = own.filter(pl.col("outcome") != "unread").height
        yield Judging(str(judge), read + formless + errors, formless, errors)


def _failed(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials that failed before any judge was asked."""
    return rows.filter(pl.col(JUDGE).is_null(), pl.col("reason") == "error").select(_same(rows))


def _same(rows: pl.DataFrame) -> list[str]:
    """What a trial and a judge's look at its reply have in common."""
    core = ("task", "item", "subject", "pack", "paradigm", "sample")
    return [*(name for name in core if name in rows.columns), *(name for name in factors(rows) if name != JUDGE)]
