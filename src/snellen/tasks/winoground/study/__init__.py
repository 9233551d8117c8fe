"""What papers report of Winoground: text, image and group score."""

from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.columns import NamedTable, named_tables
from snellen.analysis.study import whole_task
from snellen.charts.blocks import Section, Value
from snellen.tasks.winoground.study import sections as page
from snellen.tasks.winoground.study.results import WinogroundResults


class WinogroundStudy:
    """What the Winoground trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = WinogroundResults(rows, seed)

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for name, named in self.tables().items() if name != "paradigms-tableA4"]
        return page.sections(self.results, [table for table in made if table.rows])

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple({"task": "winoground", **row.as_dict()} for row in (*self.results.scores, *self.results.choices))

    def scores(self) -> dict[str, Value]:
        return whole_task(self.results.rows, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        papers = {
            name: NamedTable(f"Cognitive paradigms, {title}", partial(page.paper_table, name, self.results))
            for name, (_, title) in page.PAPER_TABLES.items()
        }
        return named_tables(page.TABLES, self.results) | papers
