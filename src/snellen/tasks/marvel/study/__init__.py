"""What the paper reports of MARVEL: from counting to reasoning, patterns, changes, the options picked."""

from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.columns import NamedTable, named_tables
from snellen.analysis.estimates import Estimate
from snellen.analysis.study import whole_task
from snellen.charts.blocks import Section, Value
from snellen.tasks.marvel.study.papers import PAPER_TABLES, paper_table
from snellen.tasks.marvel.study.puzzles import LEVELS
from snellen.tasks.marvel.study.results import MarvelResults
from snellen.tasks.marvel.study.sections import sections
from snellen.tasks.marvel.study.tables import TABLES


class MarvelStudy:
    """What the MARVEL trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = MarvelResults(rows, seed)

    def sections(self) -> tuple[Section, ...]:
        made = [spec.make(self.results) for spec in TABLES]
        own = sections(self.results, [table for table in made if table.rows])
        second = paper_table("marvel-table2", self.results)
        ours = any(row[1] == "ours" for row in second.rows)
        return (*own, Section("MARVEL: compared with the published figures", (second,))) if ours else own

    def estimates(self) -> tuple[dict[str, Any], ...]:
        """Whole settings (`by` and `level` are ''), then by every level of the puzzles."""
        whole = [(row, "", "") for row in self.results.overall]
        parts = [(row, factor, row[factor]) for factor in LEVELS for row in self.results.by(factor)]
        return tuple(_estimate(row, factor, level) for row, factor, level in (*whole, *parts))

    def scores(self) -> dict[str, Value]:
        """The puzzles themselves: perception questions and exact words given with the picture are there to compare."""
        puzzles = self.results.rows.filter(pl.col("question") == "avr", pl.col("words") == "none")
        return whole_task(puzzles, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        papers = {
            name: NamedTable(f"MARVEL Table {paper.number}: {paper.title}", partial(paper_table, name, self.results))
            for name, paper in PAPER_TABLES.items()
        }
        return named_tables(TABLES, self.results) | papers


def _estimate(row: Estimate, factor: str, level: str) -> dict[str, Any]:
    numbers = {name: value for name, value in row.as_dict().items() if name != factor}
    return {"task": "marvel", **numbers, "by": factor, "level": level}
