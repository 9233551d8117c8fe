"""Planted habits and weak eyes on a made set of the published format are told apart (`fakes/counters.py`)."""

from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import snellen
from fakes.bars import Seen, contradictions
from fakes.counters import EXPECTED, MINDS, write_set
from fakes.server import Part
from snellen.call import Subject
from snellen.charts.blocks import Diagnosis
from snellen.examine import make_plan
from snellen.examine.foresight import power_of
from snellen.examine.outlook import tells_apart
from snellen.subjects.own import own_subject
from snellen.tasks.making.order import ItemMaker

SEEDS = 20


QUICK = ("habit-60", "weak-in-pictures", "knows-without-seeing", "confused")


@cache
def examined(seed: int, fakes: tuple[str, ...], *, original: bool = True) -> dict[str, Diagnosis]:
    """The diagnosis of every fake by the default design over the set of this seed."""
    with TemporaryDirectory() as folder:
        data = write_set(Path(folder) / "set", seed, original=original)
        exam = snellen.exam(
            {name: _subject(name) for name in fakes},
            tasks="bias",
            data={"bias": str(data)},
            store=Path(folder) / "exam.sqlite",
        )
        return {diagnosis.subject: diagnosis for diagnosis in exam.findings.diagnoses}


def _subject(name: str) -> Subject:
    async def answers(parts: list[Part]) -> str:
        return MINDS[name](parts)

    return own_subject(answers, name=name, pictures="bytes")


@pytest.mark.soak
@pytest.mark.parametrize("fake", QUICK)
def test_what_a_fake_lacks_is_named_and_nothing_else(fake: str) -> None:
    diagnosis = examined(1, QUICK)[fake]
    assert frozenset(diagnosis.faults) == EXPECTED[fake], diagnosis.headline


@pytest.mark.soak
def test_a_loss_that_is_not_the_usual_number_is_not_told_apart() -> None:
    confused = examined(1, QUICK)["confused"]
    assert confused.verdict == "unclear"
    assert "not told apart" in confused.headline


@pytest.mark.soak
def test_what_a_habit_may_hide_is_said() -> None:
    """Parts that are not made out and filled in with what is usual look like a habit here; generated things tell."""
    [line] = [line for line in examined(1, QUICK)["habit-60"].missing if "not told apart" in line]
    assert "anonymous was not asked" in line
    assert "snellen exam habit-60 --tasks bias" in line


@pytest.mark.soak
def test_without_unmodified_pictures_no_habit_is_claimed() -> None:
    diagnosis = examined(1, ("habit-100",), original=False)["habit-100"]
    assert diagnosis.verdict == "unclear"
    assert "habit, which were not told apart" in diagnosis.headline
    assert not diagnosis.faults


def test_the_power_is_known_beforehand(tmp_path: Path) -> None:
    """Over the whole set, as the verdict on who lacks nothing has it: 15 % of the items."""
    plan = make_plan("sim/ideal", tasks="bias", data={"bias": str(write_set(tmp_path, 1))})
    [part] = plan.parts
    assert tells_apart(part) == "separates attention, thinking, eyes, clutter, habit"
    power = power_of(plan, part, ItemMaker(part.order).make(0, 4))
    assert power.fault is not None
    assert power.fault < 0.2


@pytest.mark.soak
def test_twenty_seeds() -> None:
    seeds = range(1, SEEDS + 1)
    named = {fake: Counter(frozenset(examined(seed, (*MINDS,))[fake].faults) for seed in seeds) for fake in MINDS}
    for fake, expected in EXPECTED.items():
        assert named[fake][expected] >= SEEDS - 1, (fake, named[fake])
    both = named["habit-and-weak"]
    assert sum(times for faults, times in both.items() if faults >= {"habit"}) >= SEEDS - 2, both
    habitless = [fake for fake, expected in EXPECTED.items() if "habit" not in expected]
    false = sum(times for fake in habitless for faults, times in named[fake].items() if "habit" in faults)
    assert false <= 1, named


@pytest.mark.soak
def test_no_diagnosis_contradicts_itself() -> None:
    for seed in range(1, 6):
        for fake, diagnosis in examined(seed, (*MINDS,)).items():
            assert not [*contradictions(Seen("bias", seed, fake, diagnosis, {}))], diagnosis
