"""Verdicts on subjects that share nothing with the simulated ones: fakes behind HTTP (see `cases.py`)."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import snellen
from fakes.cases import FAST, LONG, Expected, Family
from fakes.server import served
from fakes.teaching import stimuli
from snellen.analysis.blocks import Diagnosis, Loss

NAMED = [(family, fake) for family, exam in FAST.items() for fake in exam.expected]
NAMED_LONG = [(family, fake) for family, exam in LONG.items() for fake in exam.expected]


@cache
def examined(family: str) -> dict[str, Diagnosis]:
    """The diagnosis of every fake of a family, all of them examined at once."""
    exam = {**FAST, **LONG}[family]
    with TemporaryDirectory() as folder:
        return {diagnosis.subject: diagnosis for diagnosis in _diagnoses(exam, Path(folder) / "exam.db")}


def _diagnoses(family: Family, store: Path) -> Iterator[Diagnosis]:
    minds = family.minds(list(stimuli(family.task, family.n, family.levels)))
    with served(minds) as address:
        exam = snellen.exam(
            {name: f"openai/{name}@{address}" for name in minds},
            tasks=family.task,
            n=family.n,
            levels=family.levels,
            store=store,
            concurrency=8,
            **({"paradigms": list(family.paradigms)} if family.paradigms else {}),
        )
    yield from exam.findings.diagnoses


@pytest.mark.parametrize(("family", "fake"), NAMED)
def test_the_verdict_says_what_a_fake_lacks(family: str, fake: str) -> None:
    check(examined(family)[fake], FAST[family].expected[fake])


@pytest.mark.soak
@pytest.mark.parametrize(("family", "fake"), NAMED_LONG)
def test_the_verdict_says_what_a_fake_of_several_faults_lacks(family: str, fake: str) -> None:
    check(examined(family)[fake], LONG[family].expected[fake])


def check(diagnosis: Diagnosis, expected: Expected) -> None:
    assert diagnosis.verdict == expected.verdict, diagnosis.headline
    assert set(diagnosis.faults) == expected.faults, diagnosis.headline
    for faculty, part in expected.put_in.items():
        share = loss_of(diagnosis, faculty).share
        assert share.low is not None
        assert share.high is not None
        assert share.low <= part <= share.high, f"{faculty}: {part} is not within {share}"


def loss_of(diagnosis: Diagnosis, faculty: str) -> Loss:
    return next(loss for loss in (*diagnosis.losses, *diagnosis.beside) if loss.faculties == (faculty,))
