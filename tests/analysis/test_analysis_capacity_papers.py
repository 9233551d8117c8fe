"""The published figures agree with one another as far as the notes say, and stand beside ours."""

from statistics import mean

import polars as pl
import pytest

from snellen.analysis import Intervals
from snellen.analysis.printed import printed
from snellen.examine.findings import findings, table
from snellen.tasks.capacity.study.kinds import KINDS
from snellen.tasks.capacity.study.papers import DESCRIBERS, PEOPLE, landmarks, published_differences, sized
from support.capacity_rows import capacity_rows

TABLE_4 = {row["Model"]: row for row in printed("capacity", "capacity_table4").rows}
TABLE_5 = {row["Task"]: row for row in printed("capacity", "capacity_table5").rows}
SPATIAL = ("Satellite Image Matching", "Indoor Directional Reasoning", "Indoor Deduplication Counting")
GEOMETRIC = ("Maze", "Gomoku Variation", "Jigsaw Puzzle", "Unblock Me")


def test_overall_is_the_mean_of_the_three_categories():
    for name, row in TABLE_4.items():
        parts = mean(float(row[column]) for column in ("SR", "GR", "VKR"))
        assert parts == pytest.approx(float(row["Overall"]), abs=0.01), name
    assert float(TABLE_4["Human"]["Overall"]) == PEOPLE
    assert [row["Reasoning"] for row in TABLE_4.values()].count("yes") == 8
    assert [row["Reasoning"] for row in TABLE_4.values()].count("no") == 8


@pytest.mark.parametrize(
    ("model", "printed_as"),
    [
        ("Gemini-2.5-Pro", "Gemini-2.5-Pro"),
        ("Doubao-Seed-1.6-vision-0815", "Doubao-Seed-1.6-vision-0815 (Think)"),
        ("o4-mini-high", "o4-mini (high)"),
    ],
)
def test_categories_are_unweighted_means_of_kinds(model, printed_as):
    def figure(task, what="plain"):
        return float(TABLE_5[task][f"{model} {what}"])

    spatial = [figure(task) for task in SPATIAL]
    assert mean(spatial) == pytest.approx(float(TABLE_4[printed_as]["SR"]), abs=0.04)
    counts = {row["Task"]: int(row["#Q"]) for row in printed("capacity", "capacity_table2").rows}
    by_items = sum(figure(task) * counts[task] for task in SPATIAL) / sum(counts[task] for task in SPATIAL)
    assert abs(by_items - float(TABLE_4[printed_as]["SR"])) > 0.2  # weighing by items does not reproduce it
    chart = 5 * float(TABLE_4[printed_as]["GR"]) - sum(figure(task) for task in GEOMETRIC)
    assert 0 <= chart <= 100
    assert chart == pytest.approx(round(chart, 1), abs=1e-6)  # what is left for the fifth kind has one decimal, too
    for what in ("plain", "described"):
        halves = [mean(figure(task, what) for task in tasks) for tasks in (SPATIAL, GEOMETRIC)]
        assert halves[0] == pytest.approx(figure("Average (Spatial)", what), abs=0.06)
        assert halves[1] == pytest.approx(figure("Average (Geometric)", what), abs=0.06)
        assert mean(halves) == pytest.approx(figure("Overall Average", what), abs=0.06)


def test_irregularities_are_those_the_notes_name():
    off = []
    for model in DESCRIBERS:
        for task, row in TABLE_5.items():
            first, plain, gap = (float(row[f"{model} {what}"]) for what in ("described", "plain", "difference"))
            if abs(first - plain - gap) > 0.05:
                off.append((model, task))
    assert off == [("Gemini-2.5-Pro", "Maze")]
    gaps = [v.value for own in published_differences().values() for (_, kind), v in own.items() if kind]
    assert (len(gaps), sum(gap > 0 for gap in gaps)) == (21, 14)
    fifth = table(capacity_rows(n=2), "capacity-table5").note
    assert "+0.9" in fifth
    assert "14 are positive" in fifth
    fourth = table(capacity_rows(n=2), "capacity-table4").note
    assert all(figure in fourth for figure in ("30.3", "70.7", "30.63", "74.63", "27.90"))
    second = table(capacity_rows(n=2), "capacity-table2").note
    assert "3,870" in second
    assert "C.3.3" in second


def test_table_2_adds_up():
    rows = printed("capacity", "capacity_table2").rows
    tasks = [row for row in rows if "Total" not in row["Task"]]
    assert {row["Task"] for row in tasks} == {title for title, _ in KINDS.values()}
    assert sum(int(row["#Q"]) for row in tasks) == 1173
    totals = [row for row in rows if row["Task"] == "Total / Avg."]
    for total in totals:
        own = [row for row in tasks if row["Category"] == total["Category"]]
        assert sum(int(row["#Q"]) for row in own) == int(total["#Q"])
        for column in ("I.", "O."):
            assert mean(int(row[column]) for row in own) == pytest.approx(int(total[column]), abs=1)
    last = rows[-1]
    assert mean(int(row["I."]) for row in totals) == pytest.approx(int(last["I."]), abs=1)
    assert round(mean(int(row["O."]) for row in totals)) == 3870
    assert int(last["O."]) == 3904


def test_ours_stand_among_the_published():
    rows = pl.concat([capacity_rows("us", n=20, right=0.5), capacity_rows("us", n=20, right=0.7, describe="first")])
    fourth = table(rows, "capacity-table4")
    ours = [row for row in fourth.rows if row[1] == "ours"]
    assert [row[0] for row in ours] == ["us", "us · described first"]
    assert ours[0][3].low < 50 < ours[0][3].high
    assert len([row for row in fourth.rows if row[1] == "paper"]) == 17
    charts = [b for section in findings(rows).sections for b in section.blocks if isinstance(b, Intervals)]
    among = next(chart for chart in charts if chart.title.startswith("Overall, among"))
    assert among.rows[0][0] == "us"  # best of all
    assert len(among.rows) == 17
    assert among.reference == PEOPLE
    beside = next(chart for chart in charts if chart.title == "Overall and by category")
    assert beside.series[0] == "us"
    assert [row[0] for row in beside.rows] == ["overall", "spatial (SR)", "geometric (GR)", "visual knowledge (VKR)"]
    partly = table(capacity_rows("us", n=5, kinds=("maze",)), "capacity-table4").rows[0]
    assert partly[3].note == "1 kinds"
    assert partly[4] is None


def test_landmarks_and_sizes():
    marks = landmarks()
    assert next(iter(marks)) == "best published model, Gemini-2.5-Pro"
    assert marks["people"] == {"": 95.86, "spatial": 95.83, "geometric": 95.83, "knowledge": 95.92}
    assert marks["median of 8 published reasoning models"][""] == pytest.approx((35.00 + 37.57) / 2)
    assert sized("Qwen2.5-VL-72B-Instruct") == ("Qwen2.5-VL-#B-Instruct", 72)
    assert sized("org/model-0.5b") == ("org/model-#B", 0.5)
    assert sized("GLM-4.5V") is None
    rows = pl.concat([capacity_rows(f"org/m-{size}b", n=4) for size in (7, 70)])
    charts = [b for section in findings(rows).sections for b in section.blocks if isinstance(b, Intervals)]
    series = next(chart for chart in charts if chart.title.startswith("By size"))
    assert [row[0] for row in series.rows] == [
        *("org/m-7b · ours", "org/m-70b · ours"),
        *(f"Qwen2.5-VL-{size}B-Instruct · published" for size in (7, 32, 72)),
    ]
    overall = [row[1][0].value for row in series.rows[2:]]
    assert overall == sorted(overall)
