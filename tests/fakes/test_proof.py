"""The proof in small: fakes are what they are said to be, and three seeds of the quicker tasks (all: `make proof`)."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from fakes.bars import Seen, accuses, contradictions, names
from fakes.knowing import lesson
from fakes.lacking import Mind
from fakes.planted import FAMILIES
from fakes.proof import Sitting, held, lines
from snellen.charts.blocks import Diagnosis, Loss, Value
from snellen.examine.result import Exam
from support.lengths import few_and_more

QUICK = ("fixation", "winoground", "bias")


def _sitting(task: str, folder: Path, *fakes: str, seed: int = 1, n: int | None = None) -> Sitting:
    return Sitting(task, seed, fakes or tuple(fake.name for fake in FAMILIES[task].fakes), folder, n)


@few_and_more("task", QUICK[1:2], QUICK[::2])
def test_a_fake_that_lacks_nothing_is_right_in_every_call(task: str, tmp_path: Path) -> None:
    sitting = _sitting(task, tmp_path, "sound", "refuser", n=4)
    held(sitting)
    outcomes = Exam(sitting.store, ["sound"]).rows["outcome"].unique().to_list()
    assert outcomes == ["right"]
    refused = Exam(sitting.store, ["refuser"]).rows.filter(pl.col("outcome") == "unread")["paradigm"].unique().to_list()
    assert refused == ["direct"]


@pytest.mark.soak
def test_what_is_read_again_is_what_was_seen(tmp_path: Path) -> None:
    sitting = _sitting("fixation", tmp_path, "eyes-30", "half-leaner", n=3)
    first = held(sitting)
    assert {one.fake for one in first} == {"eyes-30", "half-leaner"}
    assert held(replace(sitting, again=True)) == first


@pytest.mark.soak
def test_shares_that_are_put_in_are_those_that_were_meant() -> None:
    counters = {fake.name: fake for fake in FAMILIES["bias"].fakes}
    learned = lesson("bias", 1, {})
    shares = {name: Mind(name, fake.by, learned).shares() for name, fake in counters.items()}
    assert shares["habit-100"] == {"habit": 1.0}
    assert shares["habit-70"]["habit"] == pytest.approx(0.7, abs=0.15)
    assert shares["clutter-1"]["clutter"] == pytest.approx(0.7, abs=0.15)
    assert shares["habit-and-clutter"]["habit"] == pytest.approx(0.28, abs=0.15)


@pytest.mark.parametrize(("exams", "least", "most"), [(20, 18, 1), (10, 9, 1), (3, 2, 1), (1, 1, 0)])
def test_bars_for_fewer_seeds(exams: int, least: int, most: int) -> None:
    assert names("habit", least=18).range_of(exams) == (least, exams)
    assert accuses("habit", most=1).range_of(exams) == (0, most)


def test_contradictions_are_found() -> None:
    loss = Loss(("eyes",), Value(0.3, 0.1, 0.2), Value(-0.1, -0.1, -0.1), "words", "pictures")
    diagnosis = Diagnosis(
        "fake", "loses 110 % of items", "none", (), ("eyes",), right=Value(0.6), losses=(loss,), where=""
    )
    found = "\n".join(contradictions(Seen("fixation", 1, "fake", diagnosis, {})))
    for words in ("sum to 0.9", "not between", "width 0", "verdict none", "110 %", "its step is"):
        assert words in found


@pytest.mark.soak
@pytest.mark.parametrize("task", [*QUICK, "marvel"])
def test_three_seeds(task: str, tmp_path: Path) -> None:
    seen = [one for seed in (1, 2, 3) for one in held(_sitting(task, tmp_path, seed=seed))]
    missed = [(line.fake.name, line.says, line.wanted, line.times) for line in lines(seen) if not line.is_met]
    assert not missed
    assert not [(one.seed, one.fake, problem) for one in seen for problem in contradictions(one)]
