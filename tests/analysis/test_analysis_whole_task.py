"""A task's own score: right over all replies to the task as it is asked, whatever rungs were asked beside it."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from fixation_rows import answer_by_tree, fixation_rows

from snellen import exam
from snellen.analysis.ladder.overview import ACCURACY, overview, overview_table
from snellen.analysis.study import whole_task
from snellen.charts.blocks import Value
from snellen.examine import Exam
from snellen.examine.findings import findings, studies
from support.made_findings import habit

SUBJECTS = ("sim/fixated", "sim/nearsighted")
SIZES = {"fixation": 1, "winoground": 3, "bongard": 2, "marvel": 4, "bias": 6}
ALL_KINDS = 22
"""Of capacity: each of its kinds twice."""
DIRECTLY = pl.col("paradigm").is_in(("direct", "dvrl"))
THE_TASK = {
    "fixation": DIRECTLY,
    "winoground": DIRECTLY,
    "bongard": DIRECTLY,
    "marvel": DIRECTLY & (pl.col("question") == "avr") & (pl.col("words") == "none"),
    "bias": DIRECTLY & (pl.col("drawing") == "counterfactual") & (pl.col("ask") == "count"),
}


@pytest.fixture(scope="module")
def examined(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    store = tmp_path_factory.mktemp("whole") / "s.sqlite"
    return exam(list(SUBJECTS), tasks=list(SIZES), n=SIZES, store=store)


@pytest.fixture(scope="module")
def scored(examined: Exam) -> dict[str, dict[str, Value]]:
    return {task: study.scores() for task, study in studies(examined.rows).items()}


@pytest.mark.parametrize("task", THE_TASK)
def test_all_replies_to_the_task_as_it_is_asked_count_and_no_others(
    examined: Exam, scored: dict[str, dict[str, Value]], task: str
) -> None:
    rows, scores = examined.rows.filter(pl.col("task") == task), scored[task]
    assert list(scores) == list(SUBJECTS)
    for subject, score in scores.items():
        asked = rows.filter(THE_TASK[task], pl.col("subject") == subject)
        assert asked.height < rows.filter(pl.col("subject") == subject).height, "rungs were asked, too"
        assert score.n == asked.height
        assert score.value == pytest.approx(100 * (asked["outcome"] == "right").mean())
        assert score.low is not None
        assert score.high is not None
        assert 0 <= score.low <= score.value <= score.high <= 100


@pytest.mark.soak
def test_capacity_has_the_score_of_its_own_table(tmp_path: Path) -> None:
    examined = exam(list(SUBJECTS), tasks="capacity", n=ALL_KINDS, store=tmp_path / "s.sqlite")
    study = studies(examined.rows)["capacity"]
    table = study.tables()["capacity-scores"].make()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    overall = {
        row["subject"]: row["percent"] for row in rows if (row["instruction"], row["score"]) == ("stated", "Overall")
    }
    assert study.scores() == overall
    kinds = examined.rows.filter(
        pl.col("task") == "capacity", pl.col("subject") == "sim/fixated", DIRECTLY, pl.col("instruction") == "stated"
    )
    by_kind = kinds.group_by("category", "kind").agg((pl.col("outcome") == "right").mean())
    by_category = by_kind.group_by("category").agg(pl.col("outcome").mean())
    assert study.scores()["sim/fixated"].value == pytest.approx(100 * by_category["outcome"].mean())


def test_the_diagnosis_carries_it(examined: Exam, scored: dict[str, dict[str, Value]]) -> None:
    for diagnosis in examined.findings.diagnoses:
        assert diagnosis.accuracy == scored[diagnosis.task][diagnosis.subject]


def test_both_rules_of_a_board_count() -> None:
    """Half the boards are right, though none is on the top rung."""
    (diagnosis,) = findings(fixation_rows({"s": answer_by_tree(1, 0, 0.5)}, n=10)).diagnoses
    assert (diagnosis.accuracy.value, diagnosis.rungs[-1].accuracy.value) == (50, 0)


def test_help_of_an_oracle_and_other_paradigms_do_not_count_where_it_was_asked_directly() -> None:
    rows = pl.DataFrame(
        {
            "subject": ["a", "a", "a", "a + twin", "b"],
            "describer": [None, None, "a", "twin", "b"],
            "reasoner": [None, None, "a", "a", "b"],
            "paradigm": ["direct", "direct", "ca", "ca", "ca"],
            "item": ["1", "2", "1", "1", "1"],
            "outcome": ["right", "wrong", "right", "right", "right"],
        }
    )
    rows = rows.with_columns(pl.lit("").alias("pack"), pl.lit("").alias("reason"), cluster="item")
    scores = whole_task(rows.with_columns(pl.col("describer", "reasoner").fill_null("")), 0)
    assert {who: (score.value, score.n) for who, score in scores.items()} == {"a": (50, 2), "b": (100, 1)}


def test_one_task_is_ordered_by_its_own_score_and_several_as_examined() -> None:
    scored = [
        replace(habit(name), accuracy=Value(score)) for name, score in (("low", 20.0), ("none", None), ("high", 80.0))
    ]
    assert overview(scored).subjects == ("high", "low", "none")
    table = overview_table(scored)
    assert [row[0] for row in table.rows] == ["high", "low", "none"]
    assert table.columns[3:] == ("right", "most is lost to", "lost", ACCURACY)
    assert [row[6] for row in table.rows] == [Value(80.0), Value(20.0), Value(None)]
    assert [row[3].value for row in table.rows] == [pytest.approx(54)] * 3, "on the items of the losses"
    assert overview([*scored, habit("low", "bias")]).subjects == ("low", "none", "high")
