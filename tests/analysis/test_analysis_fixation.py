"""Fixation: the ladder on its boards, the gap between the rules, and findings as JSON."""

import json
from typing import Any

import polars as pl
import pytest
from fixation_rows import LABELS, answer_by_tree, fixation_rows

from snellen.analysis import to_json
from snellen.analysis.rows import of_task
from snellen.examine.findings import findings
from snellen.tasks.fixation.study.results import FixationResults

QUICK: dict[str, Any] = {"prompt": ("base", "alias", "semalias")}


def diagnosed(answer, **how):
    (diagnosis,) = findings(fixation_rows({"s": answer}, **how)).diagnoses
    return diagnosis


@pytest.mark.soak
def test_both_rules_on_the_same_boards_show_a_habit_and_leave_the_rest_together():
    subjects = {
        "ideal": (answer_by_tree(1, 1, 0.5), "none"),
        "nearly ideal": (answer_by_tree(0.98, 0.99, 0.5), "none"),
        "fixated": (answer_by_tree(0.95, 0.2, 0.5), "habit"),
        "hopelessly fixated": (answer_by_tree(1, 0, 0.5), "habit"),
        "nearsighted": (answer_by_tree(0.3, 1, 0.5), "unclear"),
        "guessing": (answer_by_tree(0, 1, 0.5), "unclear"),
        "always says the first": (answer_by_tree(0, 1, 1.0), "unclear"),
    }
    rows = fixation_rows({name: answer for name, (answer, _) in subjects.items()}, n=15, **QUICK)
    found = findings(rows).diagnoses
    assert {each.subject: each.verdict for each in found} == {name: verdict for name, (_, verdict) in subjects.items()}
    (first,) = (each for each in found if each.subject == "always says the first")
    assert any(line.startswith("When it does not know, it leans") for line in first.details)
    nearsighted = next(each for each in found if each.subject == "nearsighted")
    assert "slips or thinking or its eyes, which were not told apart" in nearsighted.headline
    assert "told and words were not asked" in nearsighted.missing[0]


@pytest.mark.soak
def test_the_board_in_characters_stands_for_its_words():
    """Trials older than the paradigm `words` have the level `modality=text`."""

    def blind(rng, condition, seen, key, habit):
        return key if condition["modality"] == "text" else rng.integers(1, 3, len(key))

    diagnosis = diagnosed(blind, n=30, modality=("image", "text"))
    assert diagnosis.verdict == "eyes"
    assert [score.rung for score in diagnosis.rungs] == ["words", "pictures", "inverse in words", "inverse"]


@pytest.mark.soak
def test_the_sentence_has_numbers_and_the_loss_holds_the_truth():
    diagnosis = diagnosed(answer_by_tree(0.9, 0.3, 0.5, map_alias=0.9), n=40, seed=3, **QUICK)
    assert diagnosis.verdict == "habit"
    habit = next(loss.share for loss in diagnosis.losses if loss.faculties == ("habit",))
    assert habit.low <= 0.9 * 0.7 <= habit.high  # what is seen and not mapped, whatever the alias brings
    numbers = f"{100 * habit.value:.0f} % of items (95 % CI {100 * habit.low:.0f}–{100 * habit.high:.0f}) to habit"
    assert numbers in diagnosis.headline


@pytest.mark.soak
def test_a_fault_that_was_told_apart_is_named_beside_one_that_was_not():
    diagnosis = diagnosed(answer_by_tree(0.7, 0.1, 0.5), n=60)
    assert diagnosis.verdict == "habit"
    assert "to habit and " in diagnosis.headline
    assert "to attention (slips) or thinking or its eyes" in diagnosis.headline
    assert diagnosed(answer_by_tree(0.4, 0.1, 0.5), n=60).verdict == "unclear"


@pytest.mark.soak
def test_a_favourite_label_in_each_game_does_not_pass_for_habit():
    """Always X, always White, always Red, always B: blind, whatever the rule says."""
    favourite = {"tictactoe": 1.0, "reversi": 0.0, "connect4": 1.0, "dots_boxes": 0.0}
    parts = [fixation_rows({"s": answer_by_tree(0, 1, guess)}, games=[game], n=30) for game, guess in favourite.items()]
    (diagnosis,) = findings(pl.concat(parts)).diagnoses
    assert "habit" not in diagnosis.faults
    assert next(loss for loss in diagnosis.losses if loss.faculties == ("habit",)).share.high < 0.1


def test_few_boards_are_not_enough():
    assert diagnosed(answer_by_tree(1, 1, 0.5), n=2).verdict == "unclear"
    diagnosis = diagnosed(answer_by_tree(1, 1, 0.5), n=1, games=["reversi"])
    assert diagnosis.verdict == "unclear"
    assert "Too few items: 1 (at least 8 are needed)" in diagnosis.headline
    assert not any("steps alone" in line for line in diagnosis.details)


def test_who_follows_the_inverse_rule_alone_has_no_clean_bill():
    def contrary(rng, condition, seen, key, habit):
        return 3 - habit  # by the inverse rule, whatever is stated

    diagnosis = diagnosed(contrary, n=20)
    assert diagnosis.verdict == "unclear"
    assert "'pictures' is harder for it than 'inverse'" in diagnosis.headline
    assert any(
        "'pictures' is harder for it than 'inverse', though it demands less" in line for line in diagnosis.details
    )


def test_unread_answers_are_a_loss_of_their_own_and_never_guessed():
    some = diagnosed(answer_by_tree(1, 0.2, 0.5), n=30, refuse=0.1)
    assert some.verdict == "habit"
    assert set(some.faults) == {"habit", "refusal"}
    assert next(loss for loss in some.losses if "eyes" in loss.faculties).share.high < 0.1
    assert any("Unread: " in line and "refused" in line for line in some.details)
    assert sum(loss.share.value for loss in some.losses) + some.right.value == pytest.approx(1)
    assert diagnosed(answer_by_tree(1, 0.2, 0.5), n=30, refuse=0.5).verdict == "refusal"
    nothing = diagnosed(answer_by_tree(1, 0.2, 0.5), n=30, refuse=1.0)
    assert nothing.verdict == "refusal"
    assert "it declines to answer" in nothing.headline


def test_failed_calls_are_missing_not_wrong():
    diagnosis = diagnosed(answer_by_tree(1, 1, 0.5), n=30, error=0.2)
    assert diagnosis.verdict == "none"
    assert any("calls failed" in line for line in diagnosis.details)
    nothing = diagnosed(answer_by_tree(1, 1, 0.5), n=5, error=1.0).headline
    assert "All 80 calls failed. Run the same exam again" in nothing


def test_gaps_are_paired_and_found_per_game_and_over_all():
    rows = of_task(fixation_rows({"s": answer_by_tree(1, 0.25, 0.5)}, n=50, **QUICK), "fixation")
    found = FixationResults(rows, seed=0).gaps
    assert len(found) == 3 * (1 + len(LABELS))
    whole = next(each for each in found if each["config"] == "Base" and each["game"] == "")
    assert whole.pairs == 400
    assert whole.low < 0.75 < whole.high
    assert whole.a == 1


def test_the_holm_family_is_the_columns_and_rules_of_a_subject_and_game():
    rows = fixation_rows({"s": answer_by_tree(0.9, 0.3, 0.5, map_alias=0.8)}, n=40, **QUICK)
    found = FixationResults(of_task(rows, "fixation"), seed=0).contrasts
    family = [each for each in found if each["game"] == "reversi"]
    assert len(family) == 4
    smallest = min(family, key=lambda each: each.p)
    assert smallest["config"] == "Alias"
    assert smallest["rule"] == "inverse"
    assert smallest.p_holm == pytest.approx(min(1, 4 * smallest.p))


def test_findings_are_plain_json_and_the_same_every_time():
    rows = fixation_rows({"s": answer_by_tree(0, 1, 0.5), "t": answer_by_tree(1, 1, 0.5)}, n=10, **QUICK)
    first = findings(rows, fingerprints=[{"reader": "1"}], seed=5)
    text = json.dumps(to_json(first), allow_nan=False)
    assert text == json.dumps(to_json(findings(rows, fingerprints=[{"reader": "1"}], seed=5)), allow_nan=False)
    content = json.loads(text)
    kinds = {block["kind"] for section in content["sections"] for block in section["blocks"]}
    assert kinds == {"text", "shares", "intervals", "table"}
    assert [each["subject"] for each in content["diagnoses"]] == ["s", "t"]
    assert {each["accuracy"] for each in content["estimates"] if each["subject"] == "t"} == {1.0}
    assert content["fingerprints"] == [{"reader": "1"}]


def test_missing_numbers_stay_missing():
    with pytest.raises(TypeError):
        to_json(object())
    assert to_json(float("nan")) is None


def test_tasks_nobody_knows_have_the_three_free_rungs():
    rows = fixation_rows({"s": answer_by_tree(1, 0.5, 0.5)}, n=5).with_columns(task=pl.lit("maze"))
    found = findings(rows)
    (diagnosis,) = found.diagnoses
    assert diagnosis.verdict == "unclear"
    assert [score.rung for score in diagnosis.rungs] == ["pictures"]
    assert "To ask: `snellen exam s --tasks maze`" in diagnosis.missing[0]
    assert found.estimates[0]["task"] == "maze"
    both = findings(pl.concat([rows, fixation_rows({"s": answer_by_tree(1, 1, 0.5)}, n=10)]))
    assert [(each.task, each.verdict) for each in both.diagnoses] == [("maze", "unclear"), ("fixation", "none")]
    assert both.profiles[0].tasks == ("maze", "fixation")


def test_no_rows_give_no_findings():
    found = findings(fixation_rows({"s": answer_by_tree(1, 1, 0.5)}, n=1).clear())
    assert found.diagnoses == ()
    assert found.estimates == ()


def test_a_trial_put_twice_counts_once_the_last_time():
    rows = fixation_rows({"s": answer_by_tree(1, 0, 0.5)}, n=10)
    again = fixation_rows({"s": answer_by_tree(1, 1, 0.5)}, n=10)
    (diagnosis,) = findings(pl.concat([rows, again])).diagnoses
    assert diagnosis.verdict == "none"
    assert diagnosis.accuracy.n == rows.height
