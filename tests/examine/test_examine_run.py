"""Running a plan, end to end with simulated subjects."""

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import snellen
from snellen.examine import estimate_plan, make_plan, run_plan
from snellen.examine.estimate import SAMPLED, _chosen
from support.lengths import some_of

FEWER = {"fixation": {"prompt": "base", "rule": "standard"}}


def test_the_python_call(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    result = snellen.exam("sim/fixated", tasks=["fixation"], n=4, store=store)
    assert result.rows.height == 4 * 4 * (12 + 4 + 1)
    assert "sim/fixated" in repr(result)
    page = result.report(tmp_path / "out")
    assert page.name == "index.html"
    assert page.stat().st_size > 10_000
    json.dumps(result.to_json(), allow_nan=False)


def test_it_works_inside_a_running_loop(tmp_path: Path) -> None:
    async def notebook() -> int:
        return snellen.exam("sim/ideal", n=1, store=tmp_path / "s.sqlite").rows.height

    assert asyncio.run(notebook()) == 68


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    plan = make_plan("sim/ideal", n=2)
    first = run_plan(plan, store).summary
    again = run_plan(plan, store).summary
    assert first is not None
    assert again is not None
    assert (first.done, first.skipped) == (136, 0)
    assert (again.done, again.skipped) == (0, 136)
    assert estimate_plan(plan, store).total.to_make == 0


def test_a_larger_exam_adds_only_what_is_new(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    run_plan(make_plan("sim/ideal", n=2), store)
    more = run_plan(make_plan("sim/ideal", n=3), store).summary
    assert more is not None
    assert (more.done, more.skipped) == (68, 136)


@some_of(
    ("task", "first", "then"),
    [("fixation", 15, 20), ("winoground", 20, 60)],
    2,
)
def test_the_estimate_of_a_larger_exam_counts_only_what_is_new(
    task: str, first: int, then: int, tmp_path: Path
) -> None:
    store = tmp_path / "s.sqlite"
    one_way: dict[str, Any] = {"tasks": task, "levels": FEWER.get(task, {})}
    run_plan(make_plan("sim/guesser", n=first, **one_way), store)
    larger = make_plan("sim/guesser", n=then, **one_way)
    expected = estimate_plan(larger, store)
    made = run_plan(larger, store).summary
    assert made is not None
    assert made.skipped > 0
    assert expected.total.to_make == pytest.approx(made.done, rel=0.1), "each trial here is one call"


def test_a_few_items_stand_for_many_without_falling_into_step(tmp_path: Path) -> None:
    """Every other item of a task may be of another kind: those at even distances would be all of one."""
    places = range(0, 240, 2)
    order = make_plan("sim/ideal").parts[0].order
    chosen = _chosen(order, places)
    assert chosen == sorted(set(chosen)) == _chosen(order, places)
    assert len({b - a for a, b in pairwise(chosen)}) > 2
    assert [place * SAMPLED // 240 for place in chosen] == list(range(SAMPLED)), "one of every stretch"


@pytest.mark.soak
def test_the_ideal_subject_is_always_right_in_every_condition(tmp_path: Path) -> None:
    levels = {"size": ("small", "medium"), "rendering": ("base", "checkerboard", "glyph")}
    rows = snellen.exam("sim/ideal", n=2, design="main", levels=levels, store=tmp_path / "a.sqlite").rows
    assert rows["outcome"].unique().to_list() == ["right"]
    controls = snellen.exam("sim/ideal", n=2, design="controls", store=tmp_path / "b.sqlite").rows
    assert controls["outcome"].unique().to_list() == ["right"]


def test_the_stubborn_subject_is_right_by_the_standard_rule_only_and_betrays_why(tmp_path: Path) -> None:
    rows = snellen.exam("sim/stubborn", n=2, store=tmp_path / "s.sqlite").rows
    inverse = rows.filter(pl.col("rule") == "inverse")
    assert rows.filter(pl.col("rule") == "standard")["outcome"].unique().to_list() == ["right"]
    assert inverse["outcome"].unique().to_list() == ["wrong"]
    assert inverse["mechanism"].unique().to_list() == ["default rule"]


def test_describing_with_the_twin_gives_the_blind_their_sight(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    snellen.exam("sim/blind", n=4, design="api", store=store)
    snellen.exam("sim/blind", n=4, design="api", paradigms=["describe"], roles={"describer": "twin"}, store=store)
    right = snellen.Exam(store).rows.group_by("subject").agg((pl.col("outcome") == "right").mean())
    rates = dict(right.iter_rows())
    assert rates["sim/blind [describer=twin]"] == 1.0
    assert rates["sim/blind"] < 0.7


def test_each_picture_is_described_once(tmp_path: Path) -> None:
    plan = make_plan("sim/ideal", n=3, paradigms=["describe"], roles={"describer": "sim/nearsighted"})
    found = estimate_plan(plan, tmp_path / "none.sqlite")
    assert found.by_subject["sim/nearsighted"].to_make == 4 * 3
    assert not (tmp_path / "none.sqlite").exists()
