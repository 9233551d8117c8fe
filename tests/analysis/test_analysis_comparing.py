"""Two subjects side by side, gates that fail for the right reason, and what a design would show."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from fixation_rows import answer_by_tree, fixation_rows

import snellen
from snellen.analysis.calibration import confident, curve_table, summary_table
from snellen.analysis.comparing import compare
from snellen.analysis.contrasts import mcnemar
from snellen.analysis.gates import gate, judge
from snellen.analysis.power import smallest_difference
from snellen.charts.blocks import Value
from snellen.errors import UserError


def trials(outcomes: dict[str, list[str]], task: str = "fixation", **levels: list[str]) -> pl.DataFrame:
    """The same items, one trial each, of several subjects."""
    frames = [
        pl.DataFrame(
            {
                **{"task": task, "subject": subject, "item": [f"{task}/{i}" for i in range(len(said))]},
                **{"cluster": [f"{task}/{i}" for i in range(len(said))], "paradigm": "direct", "pack": ""},
                **{"outcome": said, "reason": "", "answer": "X", "sample": 0},
                **levels,
            }
        )
        for subject, said in outcomes.items()
    ]
    return pl.concat(frames)


R, W, U = "right", "wrong", "unread"


def test_the_second_minus_the_first() -> None:
    rows = trials({"old": [R] * 30 + [W] * 10, "new": [R] * 20 + [W] * 20})
    [row] = compare(rows, "old", "new").rows
    where, pairs, items, before, after, difference, only_before, only_after, p, _ = row
    assert (where, pairs, items, before, after) == ("fixation", 40, 40, 75.0, 50.0)
    assert isinstance(difference, Value)
    assert difference.value == -25
    assert difference.high is not None
    assert difference.high < 0
    assert (only_before, only_after) == (10, 0)
    assert float(str(p).lstrip("<")) == pytest.approx(mcnemar(10, 0), abs=5e-4)


def test_by_task_and_within_a_task_by_factor() -> None:
    half = ["standard"] * 10 + ["inverse"] * 10
    one = trials({"a": [R] * 20, "b": [W] * 20}, rule=half)
    other = trials({"a": [R] * 20, "b": [R] * 20}, "marvel")
    rows = pl.concat([one, other], how="diagonal")
    assert [row[0] for row in compare(rows, "a", "b").rows] == ["all tasks", "fixation", "marvel"]
    within = compare(rows, "a", "b", task="fixation")
    assert [row[0] for row in within.rows] == ["fixation", "fixation: rule=inverse", "fixation: rule=standard"]
    assert [row[0] for row in compare(rows, "a", "b", by="rule").rows][3:] == [
        "fixation: rule=inverse",
        "fixation: rule=standard",
    ]


def test_a_family_is_what_is_looked_at_together() -> None:
    """Two tasks: p values times two; within a factor of two levels the same; never over all lines at once."""
    said = {"a": [R] * 6 + [R] * 14, "b": [W] * 6 + [R] * 14}
    rows = pl.concat([trials(said), trials(said, "marvel")])
    table = compare(rows, "a", "b")
    alone = mcnemar(6, 0)
    assert [float(str(row[8])) for row in table.rows[1:]] == pytest.approx([2 * alone] * 2, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("a", "c"), "did you mean"),
        (("a", "a"), "is given twice"),
        (("a", "x"), "share no trials"),
    ],
)
def test_who_cannot_be_compared(words: tuple[str, str], line: str) -> None:
    rows = pl.concat([trials({"a": [R], "b": [R]}), trials({"x": [R]}, "marvel")])
    with pytest.raises(UserError, match=line if words[1] != "c" else "unknown subject"):
        compare(rows, *words)


def test_gates() -> None:
    rows = trials({"old": [R] * 200, "same": [R] * 200, "worse": [W] * 60 + [R] * 140, "mute": [U] * 60 + [R] * 140})
    gates = [gate("fixation:accuracy<-5"), gate("all:unread>5")]
    assert [each.outcome for each in judge(rows, "old", "same", gates)] == ["passed", "passed"]
    assert [each.outcome for each in judge(rows, "old", "worse", gates)] == ["failed", "passed"]
    assert [each.outcome for each in judge(rows, "old", "mute", gates)] == ["failed", "failed"]
    few = trials({"old": [R] * 12, "new": [R] * 12})
    [unsure] = judge(few, "old", "new", [gate("fixation:accuracy<-3")])
    assert unsure.outcome == "cannot tell"
    assert "ask more items" in unsure.line


def test_a_gate_for_some_levels() -> None:
    half = ["standard"] * 100 + ["inverse"] * 100
    rows = trials({"old": [R] * 200, "new": [R] * 100 + [W] * 100}, rule=half)
    [inverse] = judge(rows, "old", "new", [gate("fixation[rule=inverse]:accuracy<-5")])
    [standard] = judge(rows, "old", "new", [gate("fixation[rule=standard]:accuracy<-5")])
    assert (inverse.outcome, standard.outcome) == ("failed", "passed")
    for level, meant in (("rul=inverse", "rule"), ("rule=invers", "inverse")):
        with pytest.raises(UserError, match=f"did you mean {meant}"):
            judge(rows, "old", "new", [gate(f"fixation[{level}]:accuracy<-5")])


@pytest.mark.parametrize("words", ["fixation", "fixation:accuracy", "fixation:speed<-3", "fixation:accuracy<-", ""])
def test_a_gate_that_is_none(words: str) -> None:
    with pytest.raises(UserError, match="expected TASK:accuracy<-POINTS"):
        gate(words)


@pytest.mark.parametrize("words", ["a:accuracy>3", "a:accuracy<3", "a:unread<2", "a:unread>-2"])
def test_a_gate_that_would_fail_for_getting_better(words: str) -> None:
    with pytest.raises(UserError, match="fail on an improvement"):
        gate(words)


# On whole exams


def test_two_subjects_are_compared_on_the_trials_they_share():
    rows = fixation_rows({"good": answer_by_tree(1, 1, 0.5), "bad": answer_by_tree(1, 0.2, 0.5)}, n=15)
    rows = rows.filter(~((pl.col("subject") == "bad") & (pl.col("game") == "reversi")))
    table = compare(rows, "good", "bad")
    where = {row[0]: row for row in table.rows}
    assert where["fixation"][1] == 15 * 3 * 4
    assert "fixation: game=reversi" not in where
    assert where["fixation"][5].high < -0.2
    assert where["fixation: rule=standard"][5].value == 0
    assert where["fixation: rule=inverse"][8] == "<0.001"
    swapped = {row[0]: row for row in compare(rows, "bad", "good").rows}
    assert swapped["fixation"][5].value == -where["fixation"][5].value


def test_subjects_are_compared_in_every_role_they_played():
    rows = fixation_rows({"good": answer_by_tree(1, 1, 0.5), "bad": answer_by_tree(1, 0.2, 0.5)}, n=3)
    direct = rows.with_columns(describer=pl.lit(None, pl.String))
    told = rows.with_columns(paradigm=pl.lit("describe"), describer=pl.col("subject").cast(pl.String))
    table = compare(pl.concat([direct, told]), "good", "bad")
    where = {row[0]: row for row in table.rows}
    assert where["fixation"][1] == 2 * where["fixation: paradigm=describe"][1] == rows.height
    assert not any("describer" in name for name in where)


def test_comparing_what_cannot_be_compared_is_one_clear_line():
    rows = fixation_rows({"good": answer_by_tree(1, 1, 0.5), "bad": answer_by_tree(1, 0.2, 0.5)}, n=2)
    with pytest.raises(UserError, match="did you mean good"):
        compare(rows, "goood", "bad")
    with pytest.raises(UserError, match="two different subjects"):
        compare(rows, "good", "good")
    apart = rows.filter((pl.col("subject") == "good") == (pl.col("game") == "reversi"))
    with pytest.raises(UserError, match="share no trials"):
        compare(apart, "good", "bad")


# Power, against simulation


def test_the_smallest_difference_is_found_nine_times_in_ten() -> None:
    pairs = 120
    difference = smallest_difference(pairs, 1)
    assert difference is not None
    rng = np.random.default_rng(1)
    kinds = [(0.3 + difference) / 2, (0.3 - difference) / 2, 0.7]
    drawn = rng.multinomial(pairs, kinds, 4000)
    power = np.mean([mcnemar(int(a), int(b)) < 0.05 for a, b, _ in drawn])
    assert 0.83 < power < 0.95, "the formula is for large numbers; McNemar's exact test is a little more careful"


def test_more_items_and_trials_show_more() -> None:
    few, many, once = (smallest_difference(*how) for how in ((40, 12), (400, 12), (40, 1)))
    assert few is not None
    assert many is not None
    assert once is not None
    assert many < few < once
    assert smallest_difference(2, 1) is None


# Calibration


def test_confidence_against_accuracy() -> None:
    rows = trials({"sure": [R] * 60 + [W] * 40}).with_columns(confidence=pl.lit(0.9))
    [row] = summary_table(confident(rows), 0).rows
    assert row[:5] == ("sure", "fixation", 100, pytest.approx(90), 60)
    assert row[5] == pytest.approx(30)
    assert row[6].value == pytest.approx(30)
    assert row[6].low > 15
    [curve] = curve_table(confident(rows), 0).rows
    assert curve[2] == "90 to 100 %"


def test_no_confidence_no_table() -> None:
    assert confident(trials({"a": [R, W]}).with_columns(confidence=pl.lit(None, pl.Float64))).is_empty()


def test_all_of_it_stands_in_the_findings(tmp_path: Path) -> None:
    exam = snellen.exam("sim/chatty", n=2, samples=2, store=tmp_path / "s.sqlite")
    assert "Repeated samples" in [section.title for section in exam.findings.sections]


def test_what_cannot_count_is_told_and_no_gate_passes_by_it() -> None:
    rows = pl.DataFrame(
        [
            {
                **{"task": "t", "item": f"i{k}", "cluster": f"i{k}", "subject": name, "paradigm": "direct", "pack": ""},
                **{"outcome": "right" if reason == "" else "unread", "reason": reason, "sample": 0},
            }
            for k in range(40)
            for name, reason in (("old", ""), ("new", "error" if k < 10 else ""))
        ]
    )
    assert "10 trials of new ended in errors" in compare(rows, "old", "new").note
    [judged] = judge(rows, "old", "new", [gate("all:accuracy<-50")])
    assert judged.outcome == "cannot tell"
    assert "10 trials ended in errors" in judged.line
