"""The analysis of Bongard problems: how much is lost to seeing, to finding the rule, to applying it."""

from functools import cached_property, partial
from typing import Any

import polars as pl

from snellen.analysis.blocks import Diagnosis, Section
from snellen.analysis.bongard import sections as page
from snellen.analysis.bongard.diagnosis import diagnose
from snellen.analysis.bongard.evidence import Evidence, evidence
from snellen.analysis.bongard.papers import PAPER_TABLES, paper_table
from snellen.analysis.bongard.results import Results
from snellen.analysis.bongard.similarity import SIMILARITY, similarity_table
from snellen.analysis.bongard.tables import tables
from snellen.analysis.study import NamedTable


class BongardStudy:
    """What the Bongard trials say."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = Results(rows, seed)

    @cached_property
    def everyone(self) -> list[Evidence]:
        return [evidence(self.results, who) for who in self.results.subjects]

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        return tuple(diagnose(mine, self.results) for mine in self.everyone)

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for named in tables(self.results).values()]
        own = page.sections(self.results, self.everyone, [table for table in made if table.rows])
        first = paper_table("paradigms-table1", self.results)
        ours = any(row[1] == "ours" for row in first.rows)
        return (*own, Section("Bongard problems: beside the published figures", (first,))) if ours else own

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple({"task": "bongard", **each} for each in self.results.cells)

    def tables(self) -> dict[str, NamedTable]:
        papers = {
            name: NamedTable(
                f"Cognitive paradigms, Table {paper.number}: {paper.title}", partial(paper_table, name, self.results)
            )
            for name, paper in PAPER_TABLES.items()
        }
        return tables(self.results) | papers | {"paradigms-tableA3": NamedTable(SIMILARITY, similarity_table)}
