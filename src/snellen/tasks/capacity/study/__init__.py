"""The analysis of the capacity tasks: the scores, what errors betray, describing first, thinking aloud, the judge."""

from functools import cached_property
from typing import Any

import polars as pl

from snellen.analysis.chains import SpokenReplies
from snellen.analysis.study import NamedTable
from snellen.charts.blocks import Section, Value
from snellen.tasks.capacity.study.results import CapacityResults
from snellen.tasks.capacity.study.scores import hundredfold
from snellen.tasks.capacity.study.sections import sections
from snellen.tasks.capacity.study.tables import paper_tables, tables


class CapacityStudy:
    """What the capacity trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = CapacityResults(rows, seed)

    @cached_property
    def _tables(self) -> dict[str, NamedTable]:
        return tables(self.results)

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for named in (*self._tables.values(), *paper_tables(self.results).values())]
        return sections(self.results, [table for table in made if table.rows])

    @property
    def spoken(self) -> SpokenReplies:
        return self.results.spoken

    def estimates(self) -> tuple[dict[str, Any], ...]:
        kinds = ({"task": "capacity", **each, "level": ""} for each in self.results.kinds)
        wholes = (
            {
                **{"task": "capacity", **each.setting, "category": each.level, "kind": "", "level": "score"},
                **{"accuracy": each.value.value, "low": each.value.low, "high": each.value.high},
                **{"trials": each.trials, "items": each.items, "unread_rate": each.unread, "errors": each.errors},
            }
            for each in self.results.scores
        )
        return (*wholes, *kinds)

    def scores(self) -> dict[str, Value]:
        """The overall score of each subject's plainest setting, as the table of scores has it."""
        found = self.results
        plain = ((setting["who"], found.score(setting)) for setting in found.plainest())
        return {who: hundredfold(score.value) for who, score in plain if score is not None}

    def tables(self) -> dict[str, NamedTable]:
        return self._tables | paper_tables(self.results)
