"""Estimates, contrasts, diagnosis and tables: tidy rows in, findings out. Nothing here calls a model."""

from snellen.analysis.comparing import compare
from snellen.analysis.tables import render
from snellen.charts.blocks import (
    Block,
    Compass,
    Curves,
    Diagnosis,
    Findings,
    Heat,
    Intervals,
    Psychometrics,
    Section,
    Shares,
    Strip,
    Strips,
    Table,
    Text,
    Value,
    to_json,
)

__all__ = [
    "Block",
    "Compass",
    "Curves",
    "Diagnosis",
    "Findings",
    "Heat",
    "Intervals",
    "Psychometrics",
    "Section",
    "Shares",
    "Strip",
    "Strips",
    "Table",
    "Text",
    "Value",
    "compare",
    "render",
    "to_json",
]
