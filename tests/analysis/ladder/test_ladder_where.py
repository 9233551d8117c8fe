"""Where a loss sits: found where it was put, not found where it is everywhere."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from snellen.analysis.ladder import rungs
from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.sentences import headline, where
from snellen.analysis.ladder.verdict import judge
from snellen.analysis.ladder.where import Losses, place_of, step_losses
from support.ladder_rows import ladder_rows, result_of
from support.lengths import some_of

PLAIN = ("told", "words", "pictures")


def exam(n=60, seed=0, **how):
    """Rows with all that a loss may depend on, which says nothing here: games, sizes, one or two pictures, calls."""
    rows = ladder_rows(n=n, rungs=PLAIN, seed=seed, **how)
    rng = np.random.default_rng([seed, 7])
    game, size = ({f"beads/{i:04}": level for i, level in enumerate(rng.permutation(n) % 4)} for _ in range(2))
    pictures = {item: 1 + (i % 3 == 0) for i, item in enumerate(sorted(game))}
    odd = pl.col("item").str.slice(-1).cast(pl.Int64) % 2 == 1
    return rows.with_columns(
        game=pl.col("item").replace_strict({item: "abcd"[k] for item, k in game.items()}),
        size=pl.col("item").replace_strict({item: "smlx"[k] for item, k in size.items()}),
        pictures=pl.col("item").replace_strict(pictures, return_dtype=pl.Int64),
        nth=pl.Series(rng.permutation(rows.height)),
        labels=pl.when(odd).then(pl.col("labels").list.reverse()).otherwise("labels"),
    )


def wrong_where(rows, there, share=1.0, seed=0):
    """The rows with a guess in place of so many answers there."""
    rng = np.random.default_rng([seed, 11])
    lost = pl.Series(rng.random(rows.height) < share / 2) & rows.select(there.alias("there"))["there"]
    other = pl.when(pl.col("key") == "A").then(pl.lit("B")).otherwise(pl.lit("A"))
    return rows.with_columns(
        outcome=pl.when(lost).then(pl.lit("wrong")).otherwise("outcome"),
        answer=pl.when(lost).then(other).otherwise("answer"),
    )


SEEN = pl.col("paradigm") == "direct"
PLACES = {
    "game": ((SEEN & (pl.col("game") == "b")), "game", "b"),
    "pictures": ((SEEN & (pl.col("pictures") == 2)), "number of pictures", "2"),
    "option order": ((SEEN & (pl.col("labels").list.first() == "B")), "option order", "in reverse alphabetical order"),
}


@some_of("name", PLACES, 3)
@pytest.mark.parametrize("seed", range(2))
def test_a_loss_that_sits_in_one_place_is_found_there(name, seed):
    there, aspect, level = PLACES[name]
    rows = wrong_where(exam(n=120, seed=seed), there, seed=seed)
    case = case_of(result_of(rows), 0)
    judgement = judge(case)
    assert judgement.named == ("eyes",)
    assert (case.place.aspect, case.place.level) == (aspect, level)
    assert case.place.there > 0.5 > case.place.elsewhere
    assert "elsewhere" in headline(case, judgement)
    assert f"{100 * min(case.place.there, 1):.0f} %" in where(case), "never more than 100"


def test_a_loss_that_grows_over_time_is_found():
    """From no slips at the first call to all at the last."""
    rows = exam(n=80, seed=1)
    late = pl.col("nth") / rows.height > pl.Series(np.random.default_rng(3).random(rows.height))
    rows = wrong_where(rows, late)
    case = case_of(result_of(rows), 0)
    assert judge(case).named == ("attention",)
    assert (case.place.aspect, case.place.level) == ("call number", "later")
    assert "rises with the call number" in where(case)


def test_the_order_of_rows_does_not_matter():
    rows = wrong_where(exam(n=60, seed=4), PLACES["game"][0])
    shuffled = rows.sample(fraction=1, shuffle=True, seed=5)
    one, other = (case_of(result_of(own), 0).place for own in (rows, shuffled))
    assert one is not None
    assert one == other


def test_fewer_draws_find_the_same_place(monkeypatch):
    rows = wrong_where(exam(n=120), PLACES["game"][0])
    few = case_of(result_of(rows), 0)
    monkeypatch.setattr(rungs, "VERY_MANY", rows.height - 1)
    many = case_of(result_of(rows), 0)
    assert (few.result.has_very_many, many.result.has_very_many) == (False, True)
    assert replace(many.place, p=few.place.p) == few.place
    assert few.place.p == pytest.approx(few.place.tests / 4001)
    assert many.place.p == pytest.approx(many.place.tests / 1001)


def test_no_fault_and_uniform_losses_sit_nowhere():
    assert case_of(result_of(exam()), 0).place is None
    assert case_of(result_of(exam(n=80, see=0.5, seed=1)), 0).place is None


def simulated_losses(n, units, share, rng):
    """A uniform loss on whole items, with aspects of items, of units and of calls."""
    lost = np.repeat(rng.random(n) < share, units).astype(float) * 2 * (rng.random(n * units) < 0.5)
    labels = [["A", "B"] if flip else ["B", "A"] for flip in rng.random(n * units) < 0.5]
    trials = pl.DataFrame(
        {
            "game": np.repeat(rng.choice(list("abcd"), n), units),
            "size": np.repeat(rng.choice(list("sml"), n), units),
            "target": np.tile(np.array(["winner", "loser"])[:units], n),
            "labels": labels,
            "key": rng.choice(["A", "B"], n * units),
            "pictures": np.repeat(rng.integers(1, 3, n), units),
            "nth": rng.permutation(n * units),
        }
    )
    return Losses(lost, np.repeat(np.arange(n), units), trials)


@pytest.mark.soak
@pytest.mark.parametrize("units", [1, 2])
def test_uniform_losses_are_located_in_two_of_a_hundred_at_most(units):
    """200 exams at a level of 2 %: ten or more are a 1-in-125 accident."""
    rng = np.random.default_rng(units)
    located = sum(place_of(simulated_losses(60, units, 0.4, rng), seed) is not None for seed in range(200))
    assert located <= 9


def test_rungs_that_share_no_unit_have_no_losses_and_no_place():
    number = pl.col("item").str.slice(-4).cast(pl.Int64)
    rows = exam().filter(pl.when(SEEN).then(number >= 30).otherwise(number < 30))
    result = result_of(rows)
    _, words, pictures = result.line
    losses = step_losses(result, words, pictures, False)
    assert losses.trials.is_empty()
    assert place_of(losses, 0) is None
    assert not where(case_of(result, 0))
