"""Estimates, contrasts, diagnosis and tables: tidy rows in, findings out. Nothing here calls a model."""

from snellen.analysis.blocks import (
    Block,
    Diagnosis,
    Findings,
    Intervals,
    Section,
    Shares,
    Table,
    Text,
    Value,
    to_json,
)

__all__ = [
    "Block",
    "Diagnosis",
    "Findings",
    "Intervals",
    "Section",
    "Shares",
    "Table",
    "Text",
    "Value",
    "to_json",
]
