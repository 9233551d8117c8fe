"""What wrong choices betray is counted against what the choices offered."""

from pathlib import Path

import polars as pl
import pytest

import snellen
from snellen.tasks.marvel.mechanisms import MECHANISMS
from snellen.tasks.marvel.study.mechanisms import betrayed, mechanism_section, mechanism_table

OFFERS = {f"p{k}": ["too far", "too short", "wrong way"] for k in range(30)}


def picks(*mechanisms: str, subject: str = "s") -> pl.DataFrame:
    """Wrong answers, one a puzzle, that betray these mechanisms."""
    return pl.DataFrame(
        {
            "subject": subject,
            "item": [f"p{k}" for k in range(len(mechanisms))],
            "cluster": [f"p{k}" for k in range(len(mechanisms))],
            "question": "avr",
            "outcome": "wrong",
            "reason": "",
            "mechanism": mechanisms,
        }
    )


def test_a_habit_stands_out_against_what_was_offered() -> None:
    listed = {each.mechanism: each for each in betrayed(picks(*["too far"] * 24, *["wrong way"] * 6), OFFERS)}
    assert set(listed) == {"too far", "too short", "wrong way"}
    habit = listed["too far"]
    assert (habit.count, habit.wrong) == (24, 30)
    assert habit.offered == pytest.approx(1 / 3)
    assert habit.difference.value == pytest.approx(24 / 30 - 1 / 3)
    assert (habit.difference.low or 0) > 0
    assert habit.p < 0.001
    assert (listed["too short"].difference.high or 0) < 0


def test_blind_picking_betrays_nothing() -> None:
    for each in betrayed(picks(*["too far", "too short", "wrong way"] * 10), OFFERS):
        assert each.difference.value == pytest.approx(0)
        assert each.p > 0.9


def test_several_answers_to_one_puzzle_are_no_more_evidence_than_one() -> None:
    once = picks(*["too far"] * 20, *["wrong way"] * 10)
    fourfold = pl.concat([once] * 4)
    (alone, *_), (repeated, *_) = (betrayed(rows, OFFERS) for rows in (once, fourfold))
    assert alone.mechanism == repeated.mechanism == "wrong way"
    assert repeated.difference.high == pytest.approx(alone.difference.high)


def test_right_and_published_answers_do_not_count() -> None:
    rows = picks("too far", "too far")
    assert betrayed(rows.with_columns(outcome=pl.lit("right")), OFFERS) == []
    assert betrayed(rows, {}) == []


def test_the_table_has_a_line_for_each_subject_and_mechanism() -> None:
    listed = [*betrayed(picks("too far", "wrong way"), OFFERS), *betrayed(picks("too far", subject="t"), OFFERS)]
    table = mechanism_table(listed)
    assert [row[:3] for row in table.rows if row[2]] == [
        ("s", "wrong way", 1),
        ("s", "too far", 1),
        ("t", "too far", 1),
    ]
    assert all(len(row) == len(table.columns) for row in table.rows)
    chart = mechanism_section(listed).blocks[0]
    assert chart.series == ("s", "t")


@pytest.mark.soak
def test_an_exam_shows_what_its_wrong_answers_betray(tmp_path: Path) -> None:
    subjects = ["sim/ideal:map=0,habit=too_many", "sim/ideal:map=0"]
    result = snellen.exam(
        subjects, tasks=["marvel"], n=36, levels={"pattern": ["quantities"]}, store=tmp_path / "s.sqlite"
    )
    table = result.word_tables["marvel-mechanisms"]
    assert {row[1] for row in table.rows} <= set(MECHANISMS)
    picked = {(row[0], row[1]): row[5].value for row in table.rows}
    assert picked[subjects[0], "too many"] > 20
    assert "MARVEL: mechanisms of wrong answers" in {section.title for section in result.findings.sections}
