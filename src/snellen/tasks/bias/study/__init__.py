"""What the paper reports of VLMBias: accuracy, bias rate, and what flipping and renaming do to both."""

from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.study import NamedTable, unread_table, whole_task
from snellen.charts.blocks import Section, Value
from snellen.tasks.bias.study import recall
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
        beside = Section("Beside the published figures", (fifth,))
        ours = any(row[1] != "paper" for row in fifth.rows)
        return (*page.sections(self.results, [table for table in made if table.rows]), *([beside] if ours else []))

    def estimates(self) -> tuple[dict[str, Any], ...]:
        biased = {rate_key(each): each for each in self.results.rates if each["measure"] == "bias"}
        found = []
        for each in self.results.rates:
            if each["measure"] == "accuracy":
                bias = biased.get(rate_key(each), {})  # none where no habit is held
                known = {name: value for name, value in each.items() if name != "measure"}
                rate = {"bias_rate": bias.get("accuracy"), "bias_low": bias.get("low"), "bias_high": bias.get("high")}
                found.append({"task": "bias", **known, **rate})
        return tuple(found)

    def scores(self) -> dict[str, Value]:
        return whole_task(self.results.rows, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        found = self.results
        own = {
            "bias-accuracy": NamedTable("Habits of seeing: accuracy", partial(page.accuracy_by_condition, found)),
            "bias-rates": NamedTable("Accuracy and bias rate", partial(page.rate_table, found)),
            "bias-contrasts": NamedTable("Flipped and renamed against Base", partial(page.contrast_table, found)),
            "bias-notice": NamedTable("Is this usual? Whether it notices", partial(page.notice_table, found)),
            recall.NAME: NamedTable(recall.TITLE, partial(recall.recall_table, found.recalled)),
            "bias-unread": NamedTable(
                "Habits of seeing: answers that could not be read",
                partial(unread_table, found.everything, "bias-unread"),
            ),
        }
        papers = {
            name: NamedTable(f"VLMBias, VLM-Fix Table {number}: {title}", partial(paper_table, name, found))
            for name, (number, title) in PAPER_TABLES.items()
        }
        return own | papers
