"""Figure 3's question put to every puzzle: where did an error begin, and do solved examples help?

The paper's Figure 3 shows one puzzle: the question about a detail is missed, the puzzle is missed without examples, and
with two examples the subject goes for the right rule, reads the shapes wrongly and misses it again. Here each puzzle
that was asked all of this is filed by what was seen of it, and its answers without and with examples stand side by
side: missed in both, mended by the examples, spoilt by them, or right in both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from snellen.analysis.columns import Column, attributes, positions
from snellen.analysis.estimates import AtLevels, accuracy
from snellen.analysis.rows import asked
from snellen.charts.blocks import Shares, Value
from snellen.tasks.marvel.study.puzzles import LEVELS, PLAIN, SETTING, label

SEEN = {
    (True, True): "all perception right",
    (True, False): "the detail missed",
    (False, True): "panels miscounted",
    (False, False): "detail missed and panels miscounted",
}
"""By whether all panels were counted and the detail was seen."""
BASE = tuple(name for name in SETTING if name not in ("shots", "demos"))
CASES = 12
"""As many puzzles of a subject are listed one by one."""
NOTE = (
    "The paper's Figure 3 for all puzzles at once: AVR without and with examples by whether perception was right, in"
    " percent (95 % CIs clustered by group of duplicates), and how many puzzles examples fixed, broke, or left"
    " missed. Only puzzles for which all questions were asked."
)


def compared(scored: pl.DataFrame) -> pl.DataFrame:
    """A row for each puzzle and number of examples: what was seen, and whether it was solved without and with them."""
    done = asked(scored).filter(pl.col("demos") == PLAIN["demos"]).with_columns(ok=pl.col("outcome") == "right")
    plain = done.filter(pl.col("shots") == PLAIN["shots"])
    puzzle = [*BASE, "item"]

    def of(score: str, name: str) -> pl.DataFrame:
        return plain.filter(pl.col("score") == score).select(*puzzle, pl.col("ok").alias(name))

    solved = plain.filter(pl.col("score") == "avr").select(*puzzle, *LEVELS, "cluster", without="ok")
    few = done.filter(pl.col("score") == "avr", pl.col("shots") != PLAIN["shots"]).select(*puzzle, "shots", given="ok")
    both = solved.join(of("perc_c", "counted"), on=puzzle).join(of("fine", "detail"), on=puzzle).join(few, on=puzzle)
    seen = pl.struct("counted", "detail").map_elements(_seen, return_dtype=pl.String)
    return both.with_columns(seen=seen).sort(*BASE, "shots", "item")


def _seen(perception: Mapping[str, bool]) -> str:
    return SEEN[perception["counted"], perception["detail"]]


def _groups(both: pl.DataFrame) -> Iterator[tuple[dict[str, Any], pl.DataFrame]]:
    for key, own in both.group_by(*BASE, "shots", maintain_order=True):
        yield dict(zip((*BASE, "shots"), key, strict=True)), own


@dataclass(frozen=True, slots=True)
class ExamplesEffect(AtLevels):
    """Puzzles of a setting that were seen alike: accuracies without and with examples, and how many these changed."""

    puzzles: int
    without: Value
    given: Value
    mended: int
    spoilt: int
    missed: int


def by_perception(both: pl.DataFrame, seed: int) -> Iterator[ExamplesEffect]:
    """By what was seen: AVR without and with examples, and what became of the puzzles."""
    for setting, group in _groups(both):
        for seen in SEEN.values():
            own = group.filter(pl.col("seen") == seen)
            if own.height:
                without, given = own["without"], own["given"]
                yield ExamplesEffect(
                    levels={**setting, "seen": seen},
                    puzzles=own.height,
                    without=_rate(own, "without", seed),
                    given=_rate(own, "given", seed),
                    mended=int((~without & given).sum()),
                    spoilt=int((without & ~given).sum()),
                    missed=int((~without & ~given).sum()),
                )


def _rate(own: pl.DataFrame, column: str, seed: int) -> Value:
    rows = own.with_columns(outcome=pl.when(column).then(pl.lit("right")).otherwise(pl.lit("wrong")), reason=pl.lit(""))
    return accuracy(rows, [], seed)[0].noted


EXAMPLE_COLUMNS: list[Column[ExamplesEffect]] = [
    Column("examples", "", lambda row: row["shots"]),
    Column("perception", "", lambda row: row["seen"]),
    Column("puzzles", "", lambda row: row.puzzles),
    Column("AVR without %", "share", lambda row: row.without),
    Column("AVR with %", "share", lambda row: row.given),
    *attributes("mended", "spoilt"),
    Column("missed in both", "", lambda row: row.missed),
]


def missed_shares(both: pl.DataFrame, named: list[str]) -> Shares:
    """Of the puzzles missed without and with examples: what was seen of them."""
    rows = []
    for setting, group in _groups(both):
        lost = group.filter(~pl.col("without"), ~pl.col("given"))
        if lost.height:
            shares = tuple(
                Value(int((lost["seen"] == seen).sum()) / lost.height, n=lost.height) for seen in SEEN.values()
            )
            rows.append((label(setting, [name for name in named if name in setting]), shares))
    return Shares(
        title="Puzzles missed without and with examples, by perception",
        note="Where perception was right and the puzzle is missed even with examples, reasoning is the cause;"
        " otherwise perception may be (the paper's Figure 3 shows one such puzzle). The table `marvel-figure3` has"
        " the numbers.",
        parts=tuple(SEEN.values()),
        rows=tuple(rows),
        of="puzzles missed in both",
    )


CASE_COLUMNS = positions(*("subject", "item", "pattern", "examples", "detail", "right", "without", "with", "key"))


def cases(both: pl.DataFrame, rows: pl.DataFrame) -> Iterator[tuple[str, ...]]:
    """Puzzles whose detail was missed, and which were missed without and with examples."""
    like = both.filter(~pl.col("detail"), ~pl.col("without"), ~pl.col("given"))
    like = like.group_by(*BASE, "shots", maintain_order=True).head(CASES)
    listed = pl.col("item").is_in(like["item"].implode()) & (pl.col("demos") == PLAIN["demos"])
    answers = {
        (*key, question, shots): (answer or "unread", right)
        for *key, question, shots, answer, right in rows.filter(listed)
        .select(*BASE, "item", "question", "shots", "answer", "key")
        .cast(pl.String)
        .iter_rows()
    }
    for _, group in _groups(like):
        for row in group.iter_rows(named=True):
            puzzle = tuple(str(row[name]) for name in (*BASE, "item"))
            detail, seen = answers[*puzzle, "fine", PLAIN["shots"]]
            first, key = answers[*puzzle, "avr", PLAIN["shots"]]
            second, _ = answers[*puzzle, "avr", str(row["shots"])]
            which = (row["subject"], row["item"], row["pattern"], row["shots"])
            yield (*which, detail, seen, first, second, key)
