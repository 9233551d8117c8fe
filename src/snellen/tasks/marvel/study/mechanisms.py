"""What wrong choices betray, against what there was to betray.

Every wrong choice of a generated puzzle has a mechanism, one of a few classes (`tasks/marvel/mechanisms`). How often a
subject falls for one says little by itself: choices of that class may be common. So the share of its wrong answers is
set beside the share it would have had by picking any of the wrong choices of the same puzzles blindly. A difference is
a mean over wrong answers of what was picked minus what was offered; its interval goes over whole puzzles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from snellen.analysis.columns import Column, attributes, chart_rows, points_chart, table
from snellen.analysis.contrasts import holm
from snellen.analysis.estimates import Floats, Z
from snellen.analysis.rows import asked
from snellen.charts.blocks import Intervals, Section, Table, Value, percent
from snellen.tasks.marvel.mechanisms import MECHANISMS

Offers = Mapping[str, Sequence[str]]
"""For every puzzle, by the item's id, the mechanisms of its wrong choices."""
NOTE = (
    "Percent of the wrong answers to puzzles with each mechanism; offered: the share expected from picking at random"
    " among the wrong choices of the same puzzles. Difference: percentage points, 95 % CI clustered by puzzle;"
    " p: from the same standard error, Holm-adjusted over the mechanisms of a subject."
)


@dataclass(frozen=True, slots=True)
class Betrayed:
    """How often the wrong answers of a subject betray a mechanism: `count` of `wrong`, the share that blind picking
    would give (`offered`), the difference of the two shares with its interval, and the p-value of there being none."""

    subject: str
    mechanism: str
    count: int
    wrong: int
    offered: float
    difference: Value
    p: float


def betrayed(rows: pl.DataFrame, offers: Offers) -> list[Betrayed]:
    """For every subject every mechanism that was offered where it went wrong."""
    puzzles = asked(rows).filter(pl.col("question") == "avr", pl.col("outcome") == "wrong", pl.col("mechanism") != "")
    offered = puzzles.filter(pl.col("item").cast(pl.String).is_in(list(offers)))
    listed: list[Betrayed] = []
    for subject in offered["subject"].unique(maintain_order=True):
        listed += _of(str(subject), offered.filter(pl.col("subject") == subject), offers)
    return listed


def _of(subject: str, wrong: pl.DataFrame, offers: Offers) -> list[Betrayed]:
    items, chosen = wrong["item"].cast(pl.String).to_list(), wrong["mechanism"].cast(pl.String).to_list()
    _, cluster = np.unique(wrong["cluster"].cast(pl.String).to_numpy(), return_inverse=True)
    listed: list[Betrayed] = []
    for mechanism in MECHANISMS:
        offered = np.array([list(offers[item]).count(mechanism) / len(offers[item]) for item in items])
        if not offered.any():
            continue
        picked = np.array([name == mechanism for name in chosen], dtype=np.float64)
        difference, p = _difference(picked - offered, cluster)
        listed.append(Betrayed(subject, mechanism, int(picked.sum()), len(items), float(offered.mean()), difference, p))
    return listed


def _difference(excess: Floats, cluster: NDArray[np.int64]) -> tuple[Value, float]:
    """The mean excess, its interval with the spread between puzzles, and a two-sided p-value."""
    mean, sums = float(excess.mean()), np.bincount(cluster, weights=excess - excess.mean())
    many = len(sums)
    error = float(np.sqrt((sums**2).sum() * many / max(many - 1, 1))) / len(excess)
    p = float(2 * scipy.special.ndtr(-abs(mean) / error)) if error > 0 else 1.0
    half = Z * error
    return Value(mean, mean - half, mean + half, len(excess)), p


_COLUMNS: list[Column[Betrayed]] = [
    *attributes("subject", "mechanism"),
    Column("wrong answers", "", lambda row: row.count),
    Column("share %", "", lambda row: 100 * row.count / row.wrong),
    Column("offered %", "share", lambda row: row.offered),
    Column("difference", "share", lambda row: row.difference),
    Column("p", "p", lambda row: row.p),
]


def mechanism_table(listed: Sequence[Betrayed]) -> Table:
    adjusted: list[Betrayed] = []
    for subject in dict.fromkeys(row.subject for row in listed):
        own = [row for row in listed if row.subject == subject]
        adjusted += (replace(row, p=p) for row, p in zip(own, holm([row.p for row in own]), strict=True))
    title = "MARVEL: mechanisms of wrong answers, compared with the choices offered"
    return table("marvel-mechanisms", title, NOTE, _COLUMNS, adjusted)


def mechanism_chart(listed: Sequence[Betrayed]) -> Intervals:
    subjects = tuple(dict.fromkeys(row.subject for row in listed))
    cells = [(row.mechanism, row.subject, percent(row.difference)) for row in listed]
    shown = [name for name in MECHANISMS if any(row.mechanism == name for row in listed)]
    return points_chart(
        "Wrong choices picked more often than at random",
        "Share of the wrong answers minus the share of such choices among the wrong ones offered, in percentage"
        " points; 95 % CIs clustered by puzzle. Right of the line: picked more often than at random.",
        subjects,
        chart_rows(cells, subjects, shown),
        quantity="share of wrong answers beyond what was offered",
        line="as offered",
    )


def mechanism_section(listed: Sequence[Betrayed]) -> Section:
    return Section(
        "MARVEL: mechanisms of wrong answers", (mechanism_chart(listed), mechanism_table(listed)), task="marvel"
    )
