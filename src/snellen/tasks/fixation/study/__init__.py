"""What the paper reports of semantic fixation: standard-inverse gaps, paired contrasts against Base."""

from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.casts import with_casts
from snellen.analysis.columns import NamedTable, named_tables
from snellen.analysis.study import where_asked, whole_task
from snellen.charts.blocks import Section, Value
from snellen.tasks.fixation.study import sections as page
from snellen.tasks.fixation.study.papers import PAPER_TABLES, paper_table
from snellen.tasks.fixation.study.results import FixationResults


class FixationStudy:
    """What the fixation trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = FixationResults(rows, seed)

    def sections(self) -> tuple[Section, ...]:
        own = [named.make() for name, named in self.tables().items() if name not in PAPER_TABLES]
        second = self.tables()["vlmfix-table2"].make()
        beside = Section("Compared with the published figures", (second,))
        ours = any(row[1] == "ours" for row in second.rows)
        return (*page.sections(self.results, own), *([beside] if ours else []))

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple({"task": "fixation", **row.as_dict()} for row in self.results.cells)

    def scores(self) -> dict[str, Value]:
        """The boards as pictures, under all rules, targets and configurations; in characters if never asked so."""
        pictures = with_casts(self.results.rows).filter(where_asked(pl.col("modality") == "image"))
        return whole_task(pictures, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        papers = {
            name: NamedTable(f"VLM-Fix Table {paper.number}: {paper.title}", partial(paper_table, name, self.results))
            for name, paper in PAPER_TABLES.items()
        }
        return named_tables(page.TABLES, self.results) | papers
