"""Findings as numbers by name: what they are called, in what unit, and what is left out; answers that changed."""

import polars as pl
import pytest

from snellen import exam
from snellen.analysis.comparing import flips
from snellen.analysis.scalars import scalar_points, scalars
from snellen.charts.blocks import Diagnosis, Loss, RungScore, Value
from snellen.examine import Exam


def rung(name: str, unread: float, on_line: bool = True) -> RungScore:
    return RungScore(name, "", (), Value(50.0), unread, 0.0, on_line)


def diagnosis(subject: str = "m", task: str = "lamps", right: float | None = 0.5) -> Diagnosis:
    losses = (
        Loss(("eyes",), Value(0.3, 0.2, 0.4), Value(0.9), "words", "pictures"),
        Loss(("applying", "finding"), Value(0.2), Value(0.9), "told", "words"),
        Loss(("habit",), Value(None), Value(None), "pictures", "inverse"),
    )
    beside = (Loss(("saying",), Value(0.1, 0.0, 0.25), Value(0.1), "own words", "pictures"),)
    rungs = (rung("told", 1.0), rung("pictures", 7.5), rung("own words", 30.0, on_line=False))
    accuracy = Value(61.5, 55.0, 68.0, 96)
    return Diagnosis(subject, "", "eyes", (), (), Value(right), losses, beside, rungs, (), accuracy, task)


def test_every_number_has_its_name_in_percent_and_what_was_not_measured_is_absent() -> None:
    assert scalars([diagnosis()]) == {
        "lamps/accuracy": 61.5,
        "lamps/accuracy_low": 55.0,
        "lamps/accuracy_high": 68.0,
        "lamps/right": 50.0,
        "lamps/unread": 7.5,
        "lamps/loss/eyes": 30.0,
        "lamps/loss/eyes_low": 20.0,
        "lamps/loss/eyes_high": 40.0,
        "lamps/loss/applying-or-finding": 20.0,
        "lamps/beside/saying": 10.0,
        "lamps/beside/saying_low": 0.0,
        "lamps/beside/saying_high": 25.0,
    }


def test_a_threshold_has_no_numbers_of_this_kind() -> None:
    assert scalars([Diagnosis("m", "", "measured", (), task="chart")]) == {}


def test_checkpoints_share_their_names_and_go_by_step() -> None:
    points = scalar_points([diagnosis("step-1000"), diagnosis("step-500", right=0.25)])
    assert [(point.step, point.subjects, point.values["lamps/right"]) for point in points] == [
        (500, ("step-500",), 25.0),
        (1000, ("step-1000",), 50.0),
    ]


def test_a_curve_has_its_run_s_name_whether_it_is_the_only_one_or_not() -> None:
    [alone] = scalar_points([diagnosis("sft/step-500")])
    both = scalar_points([diagnosis("sft/step-500"), diagnosis("base")])
    assert "sft/lamps/right" in alone.values
    curves = [(point.step, *{name.split("/")[0] for name in point.values}) for point in both]
    assert curves == [(0, "base"), (500, "sft")]


def test_of_unrelated_subjects_each_has_its_own_names() -> None:
    [point] = scalar_points([diagnosis("openai/gpt-4.1:temperature=0.5"), diagnosis("b")], step=7)
    assert (point.step, point.subjects) == (7, ("openai/gpt-4.1:temperature=0.5", "b"))
    assert point.values["openai/gpt-4.1-temperature-0.5/lamps/right"] == point.values["b/lamps/right"] == 50.0
    assert "lamps/right" not in point.values


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    store = tmp_path_factory.mktemp("two") / "s.sqlite"
    return exam({"step-1": "sim/fixated", "step-2": "sim/ideal"}, tasks="fixation", n=2, store=store)


def test_flips_are_the_trials_whose_answer_changed_and_no_others(two: Exam) -> None:
    changed = flips(two.rows, "step-1", "step-2")
    asked = two.rows.filter(~pl.col("paradigm").cast(pl.String).is_in(["words", "told"]))
    # A second way to count: by trial, one subject's answers beside the other's
    same = [
        name for name in asked.columns if name in ("item", "paradigm", "rule", "prompt", "order", "target", "rendering")
    ]
    wide = asked.pivot("subject", index=same, values="answer", aggregate_function="first")
    assert 0 < changed.height == wide.filter(pl.col("step-1").ne_missing(pl.col("step-2"))).height < wide.height
    assert set(changed["outcome_before"]) == {"wrong"}
    assert set(changed["outcome_after"]) == {"right"}
    assert (changed["answer_after"] == changed["key"]).all()
    assert changed["condition"].str.contains("rule=inverse").all()
    assert (changed["before"].unique().to_list(), changed["after"].unique().to_list()) == (["step-1"], ["step-2"])


def test_an_exam_has_its_numbers_as_they_are_in_its_findings(two: Exam) -> None:
    one = Exam(two.store, ["step-1"])
    assert one.scalars() == scalars(one.findings.diagnoses)
    assert one.scalars()["fixation/loss/habit"] > 0
