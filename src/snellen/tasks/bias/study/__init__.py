"""What the paper reports of VLMBias: accuracy, bias rate, and what flipping and renaming do to both."""

from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.columns import NamedTable, named_tables
from snellen.analysis.study import whole_task
from snellen.charts.blocks import Section, Value
from snellen.tasks.bias.study import sections as page
from snellen.tasks.bias.study.papers import PAPER_TABLES, paper_table
from snellen.tasks.bias.study.results import BiasResults, rate_key


class BiasStudy:
    """What the bias trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = BiasResults(rows, seed)

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for name, named in self.tables().items() if name not in PAPER_TABLES]
        fifth = paper_table("bias-table5", self.results)
        beside = Section("Compared with the published figures", (fifth,))
        ours = any(row[1] != "paper" for row in fifth.rows)
        return (*page.sections(self.results, [table for table in made if table.rows]), *([beside] if ours else []))

    def estimates(self) -> tuple[dict[str, Any], ...]:
        biased = {rate_key(rate): rate.share for rate in self.results.rates if rate["measure"] == "bias"}
        estimates = []
        for rate in self.results.rates:
            if rate["measure"] == "accuracy":
                bias = biased.get(rate_key(rate), Value(None))  # none where no habit is held
                numbers = {"bias_rate": bias.value, "bias_low": bias.low, "bias_high": bias.high}
                estimates.append({"task": "bias", **rate.as_dict(), **numbers})
        return tuple({name: value for name, value in row.items() if name != "measure"} for row in estimates)

    def scores(self) -> dict[str, Value]:
        return whole_task(self.results.rows, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        papers = {
            name: NamedTable(f"VLMBias, VLM-Fix Table {number}: {title}", partial(paper_table, name, self.results))
            for name, (number, title) in PAPER_TABLES.items()
        }
        return named_tables(page.TABLES, self.results) | papers
