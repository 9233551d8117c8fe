"""Charts and tables made from diagnoses: what they hold."""

from dataclasses import replace

import pytest

from snellen.analysis.cells import cell_text
from snellen.analysis.ladder.charts import (
    ladder_chart,
    largest_loss,
    loss_chart,
    loss_table,
    printed_ladder,
    profile_chart,
)
from snellen.analysis.ladder.overview import overview, overview_table, verdict_word
from snellen.analysis.ladder.profile_table import profile_table
from snellen.analysis.tables import render
from snellen.charts.blocks import Profile, Section, Value
from snellen.charts.marks import TextMark
from snellen.report.figures import figures
from support.made_findings import (
    EVERY,
    SUBJECTS,
    eyes_and_thinking,
    habit,
    many,
    none,
    one,
    profiles,
    together,
    unclear,
)

"""Points in 85 mm."""


def test_losses_and_what_is_right_are_the_parts_of_one_bar() -> None:
    chart = loss_chart([habit()])
    assert chart.parts == ("right", "attention", "thinking", "eyes", "habit")
    ((label, values),) = chart.rows
    assert label == "sim/fixated"
    assert sum(value.value or 0.0 for value in values) == pytest.approx(1.0)


def test_bars_of_several_have_all_parts_in_one_order_and_gaps_where_none_was_asked() -> None:
    chart = loss_chart([habit(), together()])
    assert chart.parts == ("right", "attention", "thinking", "thinking or eyes", "eyes", "habit")
    by_row = dict(chart.rows)
    assert by_row["sim/nearsighted · winoground"][2] == Value(None)
    assert [label for label, _ in loss_chart([habit("a", "x"), habit("a", "y")]).rows] == ["x", "y"]
    assert [label for label, _ in loss_chart([habit("a", "x"), habit("b", "x")]).rows] == ["a", "b"]


def test_the_ladder_has_a_row_a_rung_with_its_chance_and_what_was_unread() -> None:
    chart = ladder_chart(habit())
    assert [label for label, _ in chart.rows] == ["told", "words", "pictures", "own words", "against habit"]
    assert (chart.reference, chart.references) == (50.0, ())
    on_line, beside = dict(chart.rows)["own words"]
    assert on_line is None
    assert beside is not None
    assert beside.note == "4 % unread"
    different = ladder_chart(eyes_and_thinking())
    assert (different.reference, different.references) == (None, (25.0, 25.0, 12.5))
    assert different.series == ("accuracy",)


def test_steps_say_what_each_loss_rests_on() -> None:
    rows = loss_table(habit()).rows
    assert [row[0] for row in rows] == ["attention", "thinking", "eyes", "habit", "saying (off-ladder)"]
    assert rows[3][3:] == ("pictures", "against habit", "<0.001", 12)


def test_verdicts_in_a_word() -> None:
    assert [verdict_word(diagnosis) for diagnosis in EVERY] == [
        *("habit", "eyes + thinking", "unclear", "no fault found", "leaning", "unclear")
    ]


def test_the_largest_loss_is_none_where_nothing_is_lost() -> None:
    loss = largest_loss(eyes_and_thinking().losses)
    assert loss is not None
    assert loss.faculties == ("eyes",)
    assert largest_loss(none().losses) is None
    assert largest_loss(unclear().losses) is None


def test_subjects_are_counted_by_name() -> None:
    whole = overview(many().diagnoses)
    assert whole.subjects == SUBJECTS
    assert len(whole.tasks) == 6
    assert sorted(place for row in whole.cells for cell in row for place in cell) == list(range(len(many().diagnoses)))
    twice = overview([habit(), habit()])
    assert twice.cells == (((0, 1),),)


def test_figures_begin_with_profiles_losses_and_ladders() -> None:
    names = list(figures(many()))
    assert names[0] == "profile-of-sim-fixated"
    assert "fixation-of-100-items" in names
    assert "marvel-right-answers-on-each-rung-sim-nearsighted" in names
    assert names.index("marvel-of-100-items") < names.index("fixation-boards-by-game-fixation")


def test_a_section_that_shows_a_chart_of_the_diagnoses_makes_no_second_figure() -> None:
    findings = one()
    again = replace(findings, sections=(*findings.sections, Section("s", (loss_chart([habit()]),), "fixation")))
    assert list(figures(again)) == list(figures(findings))


def test_the_ladder_of_a_paper_says_what_each_step_adds_and_loses() -> None:
    chart = printed_ladder(habit())
    rungs = [name for name, _ in chart.rows]
    at = rungs.index("against habit")
    assert chart.adds[at] == ("habit",)
    assert chart.remarks[at] == "lost 41 (36–46)"
    words = {
        mark.text
        for mark in figures(one())["fixation-right-answers-on-each-rung-sim-fixated"].sheet.inked
        if isinstance(mark, TextMark)
    }
    assert {"habit", "lost 41 (36–46)"} <= words, "in a column, too"


def test_a_profile_chart_has_a_cell_for_each_task_and_the_mean() -> None:
    chart = profile_chart(profiles()[0])
    assert chart.columns[-1] == "mean over tasks"
    assert all(len(values) == len(chart.columns) for _, values in chart.rows)
    habits = dict(chart.rows)["habit"]
    assert habits[0] is not None
    assert habits[0].value == pytest.approx(41.0)
    assert habits[2] is None


def test_the_profile_as_text_markdown_and_csv() -> None:
    table = profile_table(profiles())
    text = render(table)
    assert "41 (36–46)" in text
    assert render(table, "md").count("\n| ") == 10 + 2, "a head, a rule and ten rows"
    head, first, *_ = render(table, "csv").splitlines()
    assert head.startswith("subject,faculty,fixation,fixation low,fixation high,")
    assert first.startswith("sim/fixated,form,,,,")


@pytest.mark.parametrize("count", [1, 2, 6, 9])
def test_the_profile_in_latex_has_every_task_once_a_subject(count: int) -> None:
    tasks = tuple(f"task{k}" for k in range(count))
    cell = Value(1.0, 0.951, 1.0)
    made = Profile(SUBJECTS[2], tasks, (("attention", (cell,) * count), ("eyes", (None,) * count)), ())
    latex = render(profile_table([made, replace(made, subject="sim/b")]), "latex")
    assert r"\begin{table}" in latex
    assert latex.count("100 (95--100)") == 2 * count, "every task is there once for each subject"
    assert latex.count(r"\itshape sim/\allowbreak{}b") == latex.count("faculty &")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value(2.4, -10.2, 14.5), "2 (−10 to 15)"),
        (Value(56.5, 50.5, 61.4), "57 (51–61)"),
        (Value(0.0), "0"),
        (Value(None, note="lost"), "lost"),
    ],
)
def test_whole_numbers(value: Value, text: str) -> None:
    assert cell_text(value, compact=True) == text


def test_the_overview_as_a_table() -> None:
    rows = overview_table(many().diagnoses).rows
    assert rows[0][:3] == ("sim/fixated", "fixation", "habit")
