"""What papers report of Winoground: text, image and group score."""

from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.study import NamedTable, unread_table, whole_task
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
        return tuple({"task": "winoground", **each} for each in (*self.results.scores, *self.results.choices))

    def scores(self) -> dict[str, Value]:
        return whole_task(self.results.rows, self.results.seed)

    def tables(self) -> dict[str, NamedTable]:
        found = self.results
        own = {
            "winoground-scores": NamedTable("Winoground: scores", partial(page.score_table, found)),
            "winoground-tags": NamedTable("Winoground: scores by tag", partial(page.tag_table, found)),
            "winoground-contrasts": NamedTable("Winoground: contrasts", partial(page.contrast_table, found)),
            "winoground-unread": NamedTable(
                "Winoground: answers that could not be read", partial(unread_table, found.rows, "winoground-unread")
            ),
        }
        papers = {
            name: NamedTable(f"Cognitive paradigms, {title}", partial(page.paper_table, name, found))
            for name, (_, title) in page.PAPER_TABLES.items()
        }
        return own | papers
