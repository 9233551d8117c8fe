"""What the paper reports of MARVEL: from counting to reasoning, patterns, changes, the options picked."""

from functools import cached_property, partial
from typing import Any

import polars as pl

from snellen.analysis.study import NamedTable, whole_task
from snellen.charts.blocks import Section, Value
from snellen.tasks.marvel.study.papers import PAPER_TABLES, paper_table
from snellen.tasks.marvel.study.results import MarvelResults
from snellen.tasks.marvel.study.sections import sections
from snellen.tasks.marvel.study.tables import tables


class MarvelStudy:
    """What the MARVEL trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = MarvelResults(rows, seed)

    @cached_property
    def _tables(self) -> dict[str, NamedTable]:
        return tables(self.results)

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for named in self._tables.values()]
        own = sections(self.results, [table for table in made if table.rows])
        second = paper_table("marvel-table2", self.results)
        ours = any(row[1] == "ours" for row in second.rows)
        return (*own, Section("MARVEL: beside the published figures", (second,))) if ours else own

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple({"task": "marvel", **each} for each in self.results.cells)

    def scores(self) -> dict[str, Value]:
        """The puzzles themselves: perception questions and exact words given with the picture are there to compare."""
        puzzles = self.results.rows.filter(pl.col("question") == "avr", pl.col("words") == "none")
        return whole_task(puzzles, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        papers = {
            name: NamedTable(f"MARVEL Table {paper.number}: {paper.title}", partial(paper_table, name, self.results))
            for name, paper in PAPER_TABLES.items()
        }
        return self._tables | papers
