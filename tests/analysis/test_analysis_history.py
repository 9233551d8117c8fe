"""Subjects over time: what a name tells of its step, which points make a line, and where it is broken."""

from typing import Any

from snellen.analysis.history import HistoryPoint, lines, section
from snellen.charts.blocks import Curves, Diagnosis, Loss, Table, Text, Value


def point(subject: str, store: str = "a", at: float = 0.0, accuracy: float = 50.0, **terms: Any) -> HistoryPoint:
    loss = Loss(("eyes",), Value(0.25, 0.2, 0.3), Value(0.25), "low", "high")
    diagnosis = Diagnosis(
        subject,
        "",
        "eyes",
        (),
        right=Value(0.75),
        losses=(loss,),
        accuracy=Value(accuracy, 40.0, 60.0),
        task="fixation",
    )
    return HistoryPoint(diagnosis, subject, store, at, {"prompts": "p", "size": 4, **terms})


def blocks(*points: HistoryPoint, kind: Any = Curves) -> list[Any]:
    made = section(points)
    assert made is not None
    return [block for block in made.blocks if isinstance(block, kind)]


def test_checkpoints_are_ordered_by_step_whatever_the_order_of_exams() -> None:
    (line,) = lines([point("m/step-1000", at=1), point("m/step-500", at=2), point("other", at=3)])
    assert (line.name, line.across, [x for x, _ in line.points]) == ("m", "step", [500.0, 1000.0])


def test_one_point_is_no_history() -> None:
    assert section([point("m"), point("other"), point("m/step-500")]) is None


def test_the_same_name_in_two_stores_is_two_points() -> None:
    first, last = point("m", "friday", 2.0, 60.0), point("m", "monday", 1.0, 40.0)
    (line,) = lines([first, last])
    assert [(x, one.store, one.diagnosis.accuracy.value) for x, one in line.points] == [
        (1.0, "monday", 40.0), (2.0, "friday", 60.0)
    ]  # fmt: skip
    (text,) = blocks(first, last, kind=Text)
    assert "run 1 is monday, run 2 is friday" in text.text
    (table,) = blocks(first, last, kind=Table)
    assert table.name == "history"
    assert [row[table.columns.index("store")] for row in table.rows] == ["monday", "friday"]


def test_points_asked_in_another_way_are_not_connected() -> None:
    told = [point("m", "a", 1), point("m", "b", 2), point("m", "c", 3, prompts="q", size=8), point("m", "d", 4, size=8)]
    (chart,) = blocks(*told)
    assert chart.series == ("m", "m (other prompts, size)", "m (other prompts)")
    accuracy = dict(chart.rows)["accuracy, whole task"]
    assert [[value is not None for value in line] for line in accuracy] == [
        [True, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]
    (table,) = blocks(*told, kind=Table)
    assert [row[table.columns.index("changed")] for row in table.rows] == ["", "", "prompts, size", "prompts"]


def test_a_step_that_two_stores_have_makes_a_line_for_each() -> None:
    both = [point(f"m/step-{step}", store, at) for at, store in enumerate(("a", "b")) for step in (1, 2)]
    by_step = [line for line in lines(both) if line.across == "step"]
    assert [line.name for line in by_step] == ["m (a)", "m (b)"]
    by_run = [line for line in lines(both) if line.across == "run"]
    assert [line.name for line in by_run] == ["m/step-1", "m/step-2"]
    assert [chart.title for chart in blocks(*both)] == ["History of fixation, by step", "History of fixation, by run"]


def test_accuracy_and_every_loss_have_a_panel_in_percent() -> None:
    (chart,) = blocks(point("m/step-1"), point("m/step-2", accuracy=70.0))
    panels = dict(chart.rows)
    assert list(panels) == ["right", "accuracy, whole task", "lost to eyes"]
    assert [value.value for value in panels["accuracy, whole task"][0]] == [50.0, 70.0]
    assert [(value.value, value.low, value.high) for value in panels["lost to eyes"][0]] == [(25.0, 20.0, 30.0)] * 2
    assert (chart.across, chart.xs, chart.title) == ("step", (1.0, 2.0), "History of fixation")
