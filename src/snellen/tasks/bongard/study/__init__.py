"""What the paper reports of Bongard problems: paradigms, casts, gaps, errors."""

from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.columns import NamedTable, named_tables
from snellen.analysis.study import whole_task
from snellen.charts.blocks import Section, Value
from snellen.tasks.bongard.study import sections as page
from snellen.tasks.bongard.study.papers import PAPER_TABLES, paper_table
from snellen.tasks.bongard.study.results import BongardResults
from snellen.tasks.bongard.study.similarity import SIMILARITY, similarity_table
from snellen.tasks.bongard.study.tables import TABLES


class BongardStudy:
    """What the Bongard trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = BongardResults(rows, seed)

    def sections(self) -> tuple[Section, ...]:
        made = [spec.make(self.results) for spec in TABLES]
        own = page.sections(self.results, [table for table in made if table.rows])
        first = paper_table("paradigms-table1", self.results)
        ours = any(row[1] == "ours" for row in first.rows)
        return (*own, Section("Bongard problems: compared with the published figures", (first,))) if ours else own

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple({"task": "bongard", **cell.as_dict()} for cell in self.results.cells)

    def scores(self) -> dict[str, Value]:
        return whole_task(self.results.rows, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        papers = {
            name: NamedTable(
                f"Cognitive paradigms, Table {paper.number}: {paper.title}", partial(paper_table, name, self.results)
            )
            for name, paper in PAPER_TABLES.items()
        }
        return (
            named_tables(TABLES, self.results)
            | papers
            | {"paradigms-tableA3": NamedTable(SIMILARITY, similarity_table)}
        )
