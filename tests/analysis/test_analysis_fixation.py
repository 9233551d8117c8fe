"""The diagnosis must find what was put in, and say so only when it can."""

import json

import numpy as np
import polars as pl
import pytest
from fixation_rows import LABELS, answer_by_tree, fixation_rows

from snellen.analysis import findings, to_json
from snellen.analysis.fixation.results import Results
from snellen.analysis.rows import of_task

QUICK = {"prompt": ("base", "alias", "semalias")}


def diagnosed(answer, **how):
    (diagnosis,) = findings(fixation_rows({"s": answer}, **how)).diagnoses
    return diagnosis


@pytest.mark.soak
def test_the_deficit_put_in_is_found_with_the_quick_design():
    subjects = {
        "ideal": (answer_by_tree(1, 1, 0.5), "sound"),
        "nearly ideal": (answer_by_tree(0.98, 0.99, 0.5), "sound"),
        "fixated": (answer_by_tree(0.95, 0.2, 0.5), "habit"),
        "hopelessly fixated": (answer_by_tree(1, 0, 0.5), "habit"),
        "nearsighted": (answer_by_tree(0.3, 1, 0.5), "eyes"),
        "guessing": (answer_by_tree(0, 1, 0.5), "eyes"),
        "always says the first": (answer_by_tree(0, 1, 1.0), "eyes"),
    }
    expected = {name: verdict for name, (_, verdict) in subjects.items()}
    for seed in range(2):
        rows = fixation_rows({name: answer for name, (answer, _) in subjects.items()}, seed=seed, **QUICK)
        assert {each.subject: each.verdict for each in findings(rows).diagnoses} == expected


def test_the_sentence_has_numbers_and_the_parameters_hold_the_truth():
    diagnosis = diagnosed(answer_by_tree(0.9, 0.3, 0.5, map_alias=0.9), n=40, seed=3, **QUICK)
    assert diagnosis.verdict == "habit"
    assert "answers by habit" in diagnosis.headline
    see, mapped, alias = (diagnosis.parameters[name] for name in ("see", "map", "map_alias"))
    assert see.low <= 0.9 <= see.high
    assert mapped.low <= 0.3 <= mapped.high
    assert alias.low <= 0.9 <= alias.high
    assert f"{100 * mapped.value:.0f} % ({100 * mapped.low:.0f} to {100 * mapped.high:.0f})" in diagnosis.headline
    alias_detail = next(line for line in diagnosis.details if line.startswith("Alias"))
    assert "p <0.001" in alias_detail
    assert any("gap of" in line for line in diagnosis.details)


def test_two_faults_are_both_named_and_the_larger_gives_the_verdict():
    diagnosis = diagnosed(answer_by_tree(0.7, 0.1, 0.5), n=60)
    assert diagnosis.verdict == "habit"
    assert "fails twice" in diagnosis.headline
    assert diagnosed(answer_by_tree(0.4, 0.1, 0.5), n=60).verdict == "eyes"


def test_a_favourite_label_in_each_game_does_not_pass_for_habit():
    """Always X, always White, always Red, always B: blind, whatever the rule says."""
    favourite = {"tictactoe": 1.0, "reversi": 0.0, "connect4": 1.0, "dots_boxes": 0.0}
    parts = [fixation_rows({"s": answer_by_tree(0, 1, guess)}, games=[game], n=30) for game, guess in favourite.items()]
    (diagnosis,) = findings(pl.concat(parts)).diagnoses
    assert diagnosis.verdict == "eyes"
    assert diagnosis.parameters["share_habit"].high < 0.1


def test_few_boards_are_not_enough():
    assert diagnosed(answer_by_tree(1, 1, 0.5), n=2).verdict == "unclear"
    diagnosis = diagnosed(answer_by_tree(1, 1, 0.5), n=1, games=["reversi"])
    assert diagnosis.verdict == "unclear"
    assert "too few boards" in diagnosis.headline


def test_answers_that_follow_no_tree_are_unclear():
    def contrary(rng, condition, seen, key, habit):
        return 3 - habit  # by the inverse rule, whatever is stated

    diagnosis = diagnosed(contrary, n=20)
    assert diagnosis.verdict == "unclear"
    assert "neither the rule" in diagnosis.headline


def test_unread_answers_are_counted_left_out_of_trees_and_never_guessed():
    some = diagnosed(answer_by_tree(1, 0.2, 0.5), n=30, refuse=0.1)
    assert some.verdict == "habit"
    assert some.parameters["see"].low > 0.9
    assert any("Unread: " in line and "refused" in line and "left out" in line for line in some.details)
    most = diagnosed(answer_by_tree(1, 0.2, 0.5), n=30, refuse=0.5)
    assert most.verdict == "unclear"
    assert "could not be read" in most.headline
    nothing = diagnosed(answer_by_tree(1, 0.2, 0.5), n=30, refuse=1.0)
    assert nothing.verdict == "unclear"


def test_failed_calls_are_missing_not_wrong():
    diagnosis = diagnosed(answer_by_tree(1, 1, 0.5), n=30, error=0.2)
    assert diagnosis.verdict == "sound"
    assert any("calls failed" in line for line in diagnosis.details)
    assert diagnosed(answer_by_tree(1, 1, 0.5), n=5, error=1.0).headline.endswith("has not answered anything yet.")


def test_gaps_are_paired_and_found_per_game_and_over_all():
    rows = of_task(fixation_rows({"s": answer_by_tree(1, 0.25, 0.5)}, n=50, **QUICK), "fixation")
    found = Results(rows, seed=0).gaps
    assert len(found) == 3 * (1 + len(LABELS))
    whole = next(each for each in found if each["config"] == "Base" and each["game"] == "")
    assert whole["pairs"] == 400
    assert whole["low"] < 0.75 < whole["high"]
    assert whole["a"] == 1


def test_the_holm_family_is_the_columns_and_rules_of_a_subject_and_game():
    rows = fixation_rows({"s": answer_by_tree(0.9, 0.3, 0.5, map_alias=0.8)}, n=40, **QUICK)
    found = Results(of_task(rows, "fixation"), seed=0).contrasts
    family = [each for each in found if each["game"] == "reversi"]
    assert len(family) == 4
    smallest = min(family, key=lambda each: each["p"])
    assert smallest["config"] == "Alias"
    assert smallest["rule"] == "inverse"
    assert smallest["p_holm"] == pytest.approx(min(1, 4 * smallest["p"]))


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


def test_shares_sum_to_one_and_missing_numbers_stay_missing():
    found = findings(fixation_rows({"s": answer_by_tree(0.6, 0.5, 0.5)}, n=20, **QUICK))
    shares = next(block for block in found.sections[0].blocks if hasattr(block, "parts"))
    for _, values in shares.rows:
        assert sum(value.value for value in values) == pytest.approx(1)
    with pytest.raises(TypeError):
        to_json(object())
    assert to_json(float("nan")) is None


def test_other_tasks_get_estimates_and_an_honest_sentence():
    rows = fixation_rows({"s": answer_by_tree(1, 0.5, 0.5)}, n=5).with_columns(task=pl.lit("maze"))
    found = findings(rows)
    (diagnosis,) = found.diagnoses
    assert diagnosis.verdict == "unclear"
    assert "cannot say why" in diagnosis.headline
    assert found.estimates[0]["task"] == "maze"
    both = findings(pl.concat([rows, fixation_rows({"s": answer_by_tree(1, 1, 0.5)}, n=10)]))
    assert [each.verdict for each in both.diagnoses] == ["unclear", "sound"]


def test_no_rows_give_no_findings():
    found = findings(fixation_rows({"s": answer_by_tree(1, 1, 0.5)}, n=1).clear())
    assert found.diagnoses == ()
    assert found.estimates == ()


def test_a_trial_put_twice_counts_once_the_last_time():
    rows = fixation_rows({"s": answer_by_tree(1, 0, 0.5)}, n=10)
    again = fixation_rows({"s": answer_by_tree(1, 1, 0.5)}, n=10)
    (diagnosis,) = findings(pl.concat([rows, again])).diagnoses
    assert diagnosis.verdict == "sound"
    assert "80 standard-inverse pairs" in diagnosis.details[0]


def test_glyph_letters_are_players_too():
    rows = fixation_rows({"s": answer_by_tree(1, 0, 0.5)}, n=15, rendering=("base", "glyph"))
    glyph = pl.col("rendering") == "glyph"
    letters = {label: letter for pair in LABELS.values() for label, letter in zip(pair, "QK", strict=True)}
    swap = [pl.when(glyph).then(pl.col(c).replace(letters)).otherwise(c).alias(c) for c in ("answer", "key")]
    labels = pl.when(glyph).then(pl.lit(["Q", "K"])).otherwise("labels").alias("labels")
    (diagnosis,) = findings(rows.with_columns(*swap, labels)).diagnoses
    assert diagnosis.verdict == "habit"
    assert diagnosis.parameters["map_glyph"].high < 0.2
    assert np.isclose(diagnosis.parameters["see"].value, 1)
