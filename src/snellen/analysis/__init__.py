"""Estimates, contrasts, diagnosis and tables: tidy rows in, findings out. Nothing here calls a model."""

from snellen.analysis.blocks import (
    Block,
    Compass,
    Diagnosis,
    Findings,
    Heat,
    Intervals,
    Section,
    StackedShares,
    Strip,
    Strips,
    Table,
    Text,
    Value,
    to_json,
)
from snellen.analysis.comparing import compare
from snellen.analysis.findings import findings
from snellen.analysis.tables import render, table, table_names

__all__ = [
    "Block",
    "Compass",
    "Diagnosis",
    "Findings",
    "Heat",
    "Intervals",
    "Section",
    "StackedShares",
    "Strip",
    "Strips",
    "Table",
    "Text",
    "Value",
    "compare",
    "findings",
    "render",
    "table",
    "table_names",
    "to_json",
]
