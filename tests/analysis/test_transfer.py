"""Transfer: planted effects are found where they were planted, over items and over seeds."""

from collections.abc import Iterator, Sequence

import polars as pl
import pytest

from snellen.analysis.transfer import Training, Transfer, transfer
from snellen.errors import UserError
from snellen.rng import stream
from snellen.tasks.training import named_trainsets

GAMES = ("tictactoe", "reversi", "connect4", "dots_boxes")
ITEMS = 60


def boards(subject: str, rates: dict[str, float], prompt: str = "base", **levels: str) -> Iterator[dict[str, object]]:
    """Trials of a subject that is right so often under each rule, or, where `GAME RULE` has a rate, there."""
    for game in GAMES:
        for rule in ("standard", "inverse"):
            rate = rates.get(f"{game} {rule}", rates[rule])
            for k in range(ITEMS):
                right = stream(1, subject, game, rule, prompt, k).chance(rate)
                yield trial(subject, "fixation", f"{game}/{k}", right, game=game, rule=rule, prompt=prompt, **levels)


def things(subject: str, animals: float, others: float, **levels: str) -> Iterator[dict[str, object]]:
    for topic, rate in (("animals", animals), ("clocks", others)):
        for drawing in ("counterfactual", "plain"):
            for k in range(ITEMS):
                right = stream(1, subject, topic, drawing, k).chance(rate if drawing == "counterfactual" else 0.9)
                yield trial(subject, "bias", f"{topic}/{k}", right, topic=topic, drawing=drawing, **levels)


def trial(subject: str, task: str, item: str, right: bool, **levels: str) -> dict[str, object]:
    return {
        **{"trial": f"{subject} {item} {levels}", "subject": subject, "task": task, "item": item, "cluster": item},
        **{"paradigm": "direct", "pack": "", "outcome": "right" if right else "wrong", "reason": ""},
        **levels,
    }


def frame(*trials: Iterator[dict[str, object]]) -> pl.DataFrame:
    return pl.DataFrame([one for some in trials for one in some], infer_schema_length=None)


FIXATED = {"standard": 0.9, "inverse": 0.2}


AIMS = {name: trainset.aims for name, trainset in named_trainsets().items()}


def brought(rows: pl.DataFrame, base: str, trainings: Sequence[Training]) -> Transfer:
    return transfer(rows, base, trainings, AIMS)


def told(rows: pl.DataFrame, *trainings: Training) -> dict[tuple[str, str], tuple[float, float, float]]:
    found = brought(rows, "base", trainings)
    return {
        (effect.training.label, effect.where): (value.value, value.low, value.high)
        for effect in (*found.aimed, *found.aside)
        if (value := effect.difference)
    }


def test_the_same_rule_and_across_rules_change_places_between_d1_and_d2() -> None:
    rows = frame(
        boards("base", {"standard": 0.6, "inverse": 0.6}),
        boards("one", {"standard": 0.95, "inverse": 0.2}),
        boards("two", {"standard": 0.2, "inverse": 0.95}),
    )
    found = told(rows, Training("d1", "d1", ("one",)), Training("d2", "d2", ("two",)))
    assert set(found) == {
        ("d1", "same rule (standard)"), ("d1", "across rules (inverse)"),
        ("d2", "same rule (inverse)"), ("d2", "across rules (standard)"),
    }  # fmt: skip
    for label in ("d1", "d2"):
        gain = next(value for (who, where), value in found.items() if who == label and where.startswith("same"))
        loss = next(value for (who, where), value in found.items() if who == label and where.startswith("across"))
        assert gain[0] == pytest.approx(35, abs=8)
        assert gain[1] > 0
        assert loss[0] == pytest.approx(-40, abs=8)
        assert loss[2] < 0


def test_new_games_are_told_from_those_trained() -> None:
    rates = {f"{game} inverse": 0.95 for game in ("tictactoe", "reversi")}
    rows = frame(boards("base", FIXATED), boards("both", {**FIXATED, **rates}))
    found = told(rows, Training("d3", "d3", ("both",)))
    assert found["d3", "games trained, inverse"][0] == pytest.approx(75, abs=9)
    assert found["d3", "new games, inverse"][1] < 0 < found["d3", "new games, inverse"][2]
    assert found["d3", "games trained, standard"][1] < 0 < found["d3", "games trained, standard"][2]


def test_legs_carry_over_to_animals_and_to_other_things() -> None:
    rows = frame(things("base", 0.0, 0.0), things("legs", 0.5, 0.1), boards("base", FIXATED), boards("legs", FIXATED))
    found = told(rows, Training("legs", "legs", ("legs",)))
    assert found["legs", "animals against the habit"][0] == pytest.approx(50, abs=12)
    assert found["legs", "other things against the habit"][0] == pytest.approx(10, abs=8)
    assert found["legs", "bias, asked otherwise"][1] < 0 < found["legs", "bias, asked otherwise"][2]
    assert ("legs", "fixation") in found, "what was not aimed at is a side effect"


def test_other_ways_to_ask_and_other_tasks_are_side_effects() -> None:
    rows = frame(
        *(boards(who, FIXATED, prompt) for who in ("base", "one") for prompt in ("base", "alias")),
        things("base", 0.4, 0.4),
        things("one", 0.4, 0.4),
    )
    found = brought(rows, "base", [Training("d1", "d1", ("one",))])
    assert [effect.where for effect in found.aside] == ["fixation, asked otherwise", "bias"]
    assert sum(effect.contrast.pairs for effect in found.aimed) == 2 * len(GAMES) * ITEMS
    assert [table.name for table in found.tables()] == ["transfer", "side-effects"]


@pytest.mark.parametrize("levels", [{"states": "published"}, {"size": "large"}])
def test_boards_that_may_have_been_trained_on_or_are_of_another_size_are_no_transfer(levels: dict[str, str]) -> None:
    plain = {"states": "fresh", "size": "small"}
    rows = frame(*(boards(who, FIXATED, **own) for who in ("base", "one") for own in (plain, {**plain, **levels})))
    found = brought(rows, "base", [Training("d1", "d1", ("one",))])
    assert sum(effect.contrast.pairs for effect in found.aimed) == 2 * len(GAMES) * ITEMS
    assert [effect.where for effect in found.aside] == ["fixation, asked otherwise"]


@pytest.mark.parametrize(
    "levels",
    [
        {"prompt": "alias"}, {"view": "flipped"}, {"ask": "usual"}, {"name": "none"}, {"resolution": "320"},
        {"source": "synth-legs"}, {"paradigm": "dvrl"},
    ],
)  # fmt: skip
def test_things_asked_about_in_other_ways_than_legs_are_no_transfer(levels: dict[str, str]) -> None:
    plain = {
        **{"prompt": "base", "view": "upright", "ask": "count", "name": "class", "resolution": "640"},
        **{"source": "things", "paradigm": "direct"},
    }
    rows = frame(*(things(who, 0.2, 0.2, **own) for who in ("base", "one") for own in (plain, {**plain, **levels})))
    found = brought(rows, "base", [Training("legs", "legs", ("one",))])
    assert sum(effect.contrast.pairs for effect in found.aimed) == 2 * ITEMS
    assert sum(effect.contrast.pairs for effect in found.aside) == 6 * ITEMS


def test_what_is_unread_stands_beside_and_what_is_in_no_pair_is_told() -> None:
    rows = frame(boards("base", FIXATED), boards("one", FIXATED)).with_row_index()
    inverse = (pl.col("subject") == "base") & (pl.col("rule") == "inverse")
    rows = rows.with_columns(
        outcome=pl.when(inverse & (pl.col("index") % 4 == 0)).then(pl.lit("unread")).otherwise("outcome")
    ).drop("index")
    alone = rows["subject"].to_list().index("one")
    table = brought(rows.filter(pl.int_range(pl.len()) != alone), "base", [Training("d1", "d1", ("one",))]).tables()[0]
    at = [table.columns.index(name) for name in ("base unread %", "trained unread %")]
    told = {line[1]: tuple(line[k] for k in at) for line in table.rows}
    assert told == {"same rule (standard)": (0.0, 0.0), "across rules (inverse)": (25.0, 0.0)}
    assert "0 trials that ended in errors, 1 that only one of the two has" in table.note


def test_seeds_that_differ_widen_the_interval_and_are_told_apart() -> None:
    rates = {"one": 0.95, "two": 0.9, "three": 0.5}
    rows = frame(
        boards("base", FIXATED), *(boards(name, {"standard": 0.9, "inverse": rate}) for name, rate in rates.items())
    )
    alike = told(rows, Training("d2", "d2", ("one", "two")))["d2", "same rule (inverse)"]
    each = [told(rows, Training("d2", "d2", (name,)))["d2", "same rule (inverse)"] for name in rates]
    found = brought(rows, "base", [Training("d2", "d2", tuple(rates))])
    whole = found.aimed[0]
    assert whole.where == "same rule (inverse)"
    assert whole.difference.value == pytest.approx(sum(value for value, _, _ in each) / 3)
    width = whole.difference.high - whole.difference.low  # type: ignore[operator]
    assert width > max(high - low for _, low, high in each)
    assert alike[0] > each[2][0]
    line = found.tables()[0].rows[0]
    assert line[2] == 3
    assert line[10] == f"{each[2][0]:+.1f} to {each[0][0]:+.1f}"


def test_charts_have_a_row_for_each_place_and_a_series_for_each_training() -> None:
    rows = frame(boards("base", FIXATED), boards("one", FIXATED), boards("two", FIXATED))
    charts = brought(rows, "base", [Training("d1", "d1", ("one",)), Training("d3", "d3", ("two",))]).charts()
    assert list(charts) == ["transfer"]
    assert charts["transfer"].series == ("d1", "d3")
    assert [values[0] is None for _, values in charts["transfer"].rows] == [False, False, True, True, True, True]


def test_what_was_trained_otherwise_has_side_effects_only() -> None:
    rows = frame(boards("base", FIXATED), boards("one", FIXATED))
    found = brought(rows, "base", [Training("mine", "", ("one",))])
    assert not found.aimed
    assert [effect.where for effect in found.aside] == ["fixation"]


def test_subjects_that_share_no_trial_are_one_line() -> None:
    rows = frame(boards("base", FIXATED), things("one", 0.5, 0.5))
    with pytest.raises(UserError, match="share no trials"):
        brought(rows, "base", [Training("d1", "d1", ("one",))])
