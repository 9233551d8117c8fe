"""Losses to the eyes in other tasks, held against the card: said where both are known, and never beyond that."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from fixation_rows import answer_by_tree, fixation_rows

from snellen.charts.blocks import Diagnosis, Loss, Value
from snellen.examine.findings import findings
from snellen.tasks.acuity.study.card import cards
from snellen.tasks.acuity.study.held import held, side_of
from snellen.tasks.acuity.study.results import AcuityResults
from support.acuity_rows import Sitting, table


def boards(subject: str = "x", **levels: str) -> pl.DataFrame:
    """Rows of boards as an exam has them."""
    rows = fixation_rows({subject: answer_by_tree(0.5, 1.0, 0.5)}, n=1, games=("tictactoe",))
    return rows.with_columns(**{name: pl.lit(level) for name, level in {"size": "small", **levels}.items()})


def lost(share: float = 0.4, faculties: tuple[str, ...] = ("eyes",), *, shown: bool = True) -> Diagnosis:
    loss = Loss(faculties, Value(share), Value(share), "words", "pictures", shown=shown)
    return Diagnosis("x", "", "eyes", (), losses=(loss,), task="fixation")


def said(one: Sitting, diagnosis: Diagnosis, rows: pl.DataFrame | None = None) -> str:
    found = held(cards(AcuityResults(table(one))), [diagnosis], boards() if rows is None else rows)
    return found.get(("x", "fixation"), "")


def letters(threshold: float) -> Sitting:
    return Sitting("x", seed=1).track("letters", threshold)


def test_things_well_above_the_threshold_are_not_lost_for_their_size():
    line = said(letters(1.2), lost())
    assert line.startswith("fixation: 40 % of items lost to the eyes; its finest things (strokes of letters) are 9.6")
    assert "letters are lost below 1." in line
    assert line.endswith(": size is not the reason.")


def test_things_at_the_threshold_may_be_too_small_and_below_it_they_are():
    assert said(letters(9.0), lost()).endswith(": size may be the reason.")
    assert said(letters(30.0), lost()).endswith(": too small for it.")


def test_contrast_is_held_against_them_where_it_was_asked():
    faint = letters(1.2).track("contrast", 0.02)
    assert said(faint, lost()).endswith("size is not the reason, nor is contrast (100\u00a0% at least).")
    discs = boards(game="connect4")
    blind = letters(1.2).track("contrast", 0.7)
    assert said(blind, lost(), discs).endswith("size is not the reason, but contrast may be (down to 60\u00a0%).")


def test_what_is_shrunk_on_its_way_arrives_smaller():
    behind = letters(2.0)
    for canvas in (1024, 2048, 4096):
        behind.track("letters", 2.0 * canvas / 512, canvas=str(canvas))
    assert "and arrive" in said(behind, lost(), boards(size="large"))
    assert "and arrive" not in said(behind, lost())


@pytest.mark.parametrize(
    ("sitting", "diagnosis", "rows"),
    [
        (Sitting("x", seed=1).track("letters", 2.0, lapse=0.5), lost(), None),
        (Sitting("x", seed=1).track("alignment", 2.0), lost(), None),
        (letters(1.2), lost(shown=False), None),
        (letters(1.2), lost(faculties=("habit",)), None),
        (letters(1.2), lost(), boards(game="chess")),
        (letters(1.2), lost(), boards(modality="text")),
        (letters(1.2), lost(), boards(subject="y")),
        (letters(1.2), replace(lost(), task="bias"), boards()),
        (letters(1.2), replace(lost(), subject="y"), boards(subject="y")),
    ],
)
def test_nothing_is_said_where_either_side_is_unknown(sitting, diagnosis, rows):
    assert said(sitting, diagnosis, rows) == ""


def test_beyond_what_was_drawn_only_its_end_is_said():
    best = Sitting("x").track("letters", 0.01, slope=10)
    assert "letters are read down to 0.50\u00a0px a stroke: size is not the reason" in said(best, lost())
    (read,) = [each for each in cards(AcuityResults(table(best)))[0].readings if each.test == "letters"]
    assert side_of(0.3, read) is None


def test_the_line_stands_on_the_card_and_with_both_diagnoses():
    def sees_characters_only(rng, condition, seen, key, habit):
        sure = np.full(len(key), condition["modality"] == "text") | (seen < 0.4)
        return np.where(sure, key, rng.integers(1, 3, len(key)))

    rows = fixation_rows({"x": sees_characters_only}, n=12, modality=("image", "text"))
    rows = rows.with_columns(size=pl.lit("small"))
    whole = findings(pl.concat([rows, table(letters(1.2))], how="diagonal_relaxed"))
    (card,) = whole.cards
    (line,) = card.held  # type: ignore[attr-defined]
    assert "size is not the reason" in line
    assert [line in each.details for each in whole.diagnoses] == [True, True]
