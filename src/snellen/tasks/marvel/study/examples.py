"""Figure 3's question put to every puzzle: where did an error begin, and do solved examples help?

The paper's Figure 3 shows one puzzle: the question about a detail is missed, the puzzle is missed without examples, and
with two examples the subject goes for the right rule, reads the shapes wrongly and misses it again. Here each puzzle
that was asked all of this is filed by what was seen of it, and its answers without and with examples stand side by
side: missed in both, mended by the examples, spoilt by them, or right in both.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from snellen.analysis.estimates import accuracy, percent
from snellen.analysis.rows import asked
from snellen.charts.blocks import Shares, Table, Value
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
    "The paper's Figure 3 for all puzzles at once: of those that were seen rightly or not, AVR without examples and"
    " with so many, in percent (95 % intervals clustered on duplicates), and how many puzzles examples mended, spoilt,"
    " or left missed. A puzzle counts if all its questions were asked."
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
    return both.with_columns(seen=pl.struct("counted", "detail").map_elements(_seen, return_dtype=pl.String)).sort(
        *BASE, "shots", "item"
    )


def _seen(one: Mapping[str, bool]) -> str:
    return SEEN[one["counted"], one["detail"]]


def _groups(both: pl.DataFrame) -> Iterator[tuple[dict[str, Any], pl.DataFrame]]:
    for key, own in both.group_by(*BASE, "shots", maintain_order=True):
        yield dict(zip((*BASE, "shots"), key, strict=True)), own


def _rate(own: pl.DataFrame, column: str, seed: int) -> Value:
    rows = own.with_columns(outcome=pl.when(column).then(pl.lit("right")).otherwise(pl.lit("wrong")), reason=pl.lit(""))
    return percent(accuracy(rows, [], seed)[0])


def examples_table(both: pl.DataFrame, columns: Sequence[str], seed: int) -> Table:
    """By what was seen: AVR without and with examples, and what became of the puzzles."""
    shown = [name for name in columns if name in BASE]
    rows = []
    for setting, group in _groups(both):
        for seen in SEEN.values():
            own = group.filter(pl.col("seen") == seen)
            if own.height:
                without, given = own["without"], own["given"]
                rows.append(
                    (
                        *(str(setting[name]) for name in shown),
                        *(setting["shots"], seen, own.height, _rate(own, "without", seed), _rate(own, "given", seed)),
                        *(int((~without & given).sum()), int((without & ~given).sum())),
                        int((~without & ~given).sum()),
                    )
                )
    return Table(
        name="marvel-figure3",
        title="MARVEL Figure 3: where errors begin, and what examples mend",
        note=NOTE,
        columns=(
            *(*shown, "examples", "perception", "puzzles", "AVR without %", "AVR with %"),
            *("mended", "spoilt", "missed in both"),
        ),
        rows=tuple(rows),
    )


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
        title="Puzzles missed without and with examples: what was seen of them",
        note="Where perception was all right and the puzzle is missed even with examples, reasoning is to blame; else"
        " perception may be (the paper's Figure 3 shows one such puzzle). The table `marvel-figure3` has the numbers.",
        parts=tuple(SEEN.values()),
        rows=tuple(rows),
        of="puzzles missed in both",
    )


def cases_table(both: pl.DataFrame, rows: pl.DataFrame) -> Table:
    """Puzzles like the one of the paper: the detail missed, and the puzzle missed without and with examples."""
    like = both.filter(~pl.col("detail"), ~pl.col("without"), ~pl.col("given"))
    said = {
        (*key, question, shots): (answer or "unread", right)
        for *key, question, shots, answer, right in rows.filter(pl.col("demos") == PLAIN["demos"])
        .select(*BASE, "item", "question", "shots", "answer", "key")
        .cast(pl.String)
        .iter_rows()
    }
    listed = []
    for _, group in _groups(like):
        for one in group.head(CASES).iter_rows(named=True):
            puzzle = tuple(str(one[name]) for name in (*BASE, "item"))
            detail, seen = said[*puzzle, "fine", PLAIN["shots"]]
            first, key = said[*puzzle, "avr", PLAIN["shots"]]
            second, _ = said[*puzzle, "avr", str(one["shots"])]
            listed.append((one["subject"], one["item"], one["pattern"], one["shots"], detail, seen, first, second, key))
    return Table(
        name="marvel-figure3-cases",
        title="MARVEL Figure 3: puzzles whose detail was missed, and which examples did not mend",
        note=f"The first {CASES} of each subject and number of examples: what it said of the detail and what is right,"
        " the choice it took without and with examples, and the right one. The replies are in the report.",
        columns=("subject", "item", "pattern", "examples", "detail", "right", "without", "with", "key"),
        rows=tuple(listed),
    )
