"""The analysis of the capacity tasks: the scores, what errors betray, describing first, thinking aloud, the judge."""

from typing import Any

import polars as pl

from snellen.analysis.chains import SpokenReplies
from snellen.analysis.columns import NamedTable, named_tables
from snellen.charts.blocks import Section, Value, percent
from snellen.tasks.capacity.study.papers import PAPER_TABLES
from snellen.tasks.capacity.study.results import CapacityResults
from snellen.tasks.capacity.study.sections import sections
from snellen.tasks.capacity.study.tables import TABLES


class CapacityStudy:
    """What the capacity trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = CapacityResults(rows, seed)

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for named in self.tables().values()]
        return sections(self.results, [table for table in made if table.rows])

    @property
    def spoken(self) -> SpokenReplies:
        return self.results.spoken

    def estimates(self) -> tuple[dict[str, Any], ...]:
        kinds = ({"task": "capacity", **row.as_dict(), "level": ""} for row in self.results.kinds)
        wholes = (
            {
                **{"task": "capacity", **score.levels, "category": score.level, "kind": "", "level": "score"},
                **{"accuracy": score.value.value, "low": score.value.low, "high": score.value.high},
                **{"trials": score.trials, "items": score.items, "unread_rate": score.unread, "errors": score.errors},
            }
            for score in self.results.scores
        )
        return (*wholes, *kinds)

    def scores(self) -> dict[str, Value]:
        """The overall score of each subject's plainest setting, as the table of scores has it."""
        plain = ((setting["who"], self.results.score(setting)) for setting in self.results.plainest())
        return {who: percent(score.value) for who, score in plain if score is not None}

    def tables(self) -> dict[str, NamedTable]:
        return named_tables((*TABLES, *PAPER_TABLES), self.results)
