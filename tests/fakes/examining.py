"""Holding an exam of fakes, and what came of it."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

import snellen
from fakes.cases import FAMILIES, Family
from fakes.server import Mind, served
from fakes.teaching import stimuli
from snellen.charts.blocks import Diagnosis

Examined = tuple[dict[str, Diagnosis], pl.DataFrame]
"""The diagnosis of every fake by its name, and the rows they rest on."""


@cache
def examined(name: str) -> Examined:
    """A family of fakes, all of them examined at once."""
    family = FAMILIES[name]
    return held(family, family.minds(list(stimuli(family.task, family.n, family.levels))))


def held(family: Family, minds: dict[str, Mind]) -> Examined:
    """An exam of these minds over HTTP, as anybody would hold it."""
    choices: dict[str, Any] = {"paradigms": list(family.paradigms)} if family.paradigms else {}
    with TemporaryDirectory() as folder, served(minds) as address:
        exam = snellen.exam(
            {name: f"openai/{name}@{address}" for name in minds},
            tasks=family.task,
            n=family.n,
            levels=family.levels,
            store=Path(folder) / "exam.db",
            concurrency=8,
            **choices,
        )
        return {diagnosis.subject: diagnosis for diagnosis in exam.findings.diagnoses}, exam.rows
