"""Verdicts on subjects that share nothing with the simulated ones: fakes behind HTTP (see `cases.py`)."""

import pytest

from fakes.cases import FAMILIES
from fakes.examining import examined
from snellen.charts.blocks import Diagnosis, Loss

ALIKE = 0.1
"""Two losses that were put in and differ by less: which of them comes out larger is luck."""


def _marked(family: str) -> list[pytest.MarkDecorator]:
    return [] if family in ("winoground", "marvel") else [pytest.mark.soak]


FAKES = [
    pytest.param(family, fake, marks=_marked(family)) for family, exam in FAMILIES.items() for fake in exam.expected
]
SIZED = [
    pytest.param(family, fake, faculty, part, marks=_marked(family))
    for family, exam in FAMILIES.items()
    for fake, expected in exam.expected.items()
    for faculty, part in expected.put_in.items()
]


@pytest.mark.parametrize(("family", "fake"), FAKES)
def test_the_verdict_says_what_a_fake_lacks_and_nothing_else(family: str, fake: str) -> None:
    diagnosis, expected = examined(family)[0][fake], FAMILIES[family].expected[fake]
    largest = max(expected.put_in.values(), default=0.0)
    alike = {faculty for faculty, part in expected.put_in.items() if part > largest - ALIKE}
    wanted = alike if expected.verdict in alike else {expected.verdict}
    assert diagnosis.verdict in wanted, diagnosis.headline
    assert set(diagnosis.faults) == expected.faults, diagnosis.headline


@pytest.mark.parametrize(("family", "fake", "faculty", "part"), SIZED)
def test_the_interval_holds_what_was_put_in(family: str, fake: str, faculty: str, part: float) -> None:
    share = loss_of(examined(family)[0][fake], faculty).share
    assert share.low is not None
    assert share.high is not None
    assert share.low <= part <= share.high


def loss_of(diagnosis: Diagnosis, faculty: str) -> Loss:
    return next(loss for loss in (*diagnosis.losses, *diagnosis.beside) if loss.faculties == (faculty,))
