"""Which trials make which rung."""

import numpy as np
import polars as pl
import pytest

from snellen.analysis.ladder.rungs import LadderSpec, ladder_results
from snellen.ladder import FREE, SELF, Rung, RungQuery, from_json, to_json
from support.ladder_rows import AGAINST, LADDER, SPEC, at_each, ladder_rows, nested, result_of


def names(results):
    return [rung.rung.name for rung in results]


def test_rungs_come_from_the_ladder_in_its_order_and_those_not_asked_are_missing():
    rows = ladder_rows(n=10)
    assert names(result_of(rows).line) == ["told", "words", "pictures", "against"]
    assert names(result_of(rows.reverse()).line) == ["told", "words", "pictures", "against"]
    some = result_of(rows.filter(pl.col("paradigm") != "words"))
    assert names(some.line) == ["told", "pictures", "against"]
    assert some.units == result_of(rows).units


def test_answers_are_counted_item_by_item_and_unread_ones_are_not_read():
    rows = ladder_rows(n=10, calls=3)
    first = pl.col("item") == "beads/0000"
    spoiled = pl.when(first & pl.col("trial").str.ends_with("/1")).then(pl.lit("unread")).otherwise("outcome")
    (told, *_) = result_of(rows.with_columns(outcome=spoiled)).line
    assert told.read.tolist() == [2, *[3] * 9]
    assert told.right.tolist() == told.read.tolist()
    errors = pl.when(first).then(pl.lit("error")).otherwise("reason")
    assert result_of(rows.with_columns(reason=errors)).n_items == 9, "a failed call is missing"


def test_other_factors_stay_at_their_plainest_level():
    spec = LadderSpec("beads", LADDER, {"rule": "standard", "ink": "black"})
    rows = pl.concat([ladder_rows(n=10).with_columns(ink=pl.lit(ink)) for ink in ("red", "red", "black")])
    rows = rows.with_columns(trial=pl.col("trial") + pl.int_range(pl.len()).cast(pl.String))
    assert [rung.read.max() for rung in result_of(rows, spec).line] == [1, 1, 1, 1]
    assert set(result_of(rows, spec).line[0].trials["ink"]) == {"black"}
    never_black = rows.filter(pl.col("ink") == "red")
    assert set(result_of(never_black, spec).line[0].trials["ink"]) == {"red"}, "else the one that was asked most"


def test_a_factor_may_have_any_name_and_old_trials_may_lack_it():
    spec = LadderSpec("beads", LADDER, {"rule": "standard", "count": "lit"})
    levels = pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("lit")).otherwise(pl.lit("dark"))
    assert result_of(ladder_rows(n=10).with_columns(count=levels), spec).line
    old = ladder_rows(n=10, rungs=("told", "pictures"))
    new = ladder_rows(n=10, rungs=("against",))
    blank = old.with_columns(rule=pl.lit(""))
    assert names(result_of(pl.concat([blank, new])).line) == ["told", "pictures", "against"]
    assert names(result_of(old.drop("rule")).line) == ["told", "pictures"]


def test_of_each_item_the_first_way_it_was_put_counts():
    words = Rung("words", "", FREE[1].demands, (RungQuery(("words",)), RungQuery(("ca",), {}, {"describer": "twin"})))
    spec = LadderSpec("beads", (words, FREE[2]), {})
    rows = ladder_rows(n=10, rungs=("words", "pictures"))
    exact = rows.filter(pl.col("paradigm") == "words")
    by_twin = exact.with_columns(paradigm=pl.lit("ca"), describer=pl.lit("twin"), outcome=pl.lit("wrong"))
    some = exact.filter(pl.col("item") < "beads/0004").with_columns(describer=pl.lit(""))
    (rung,) = result_of(pl.concat([some, by_twin]), spec).line
    assert rung.right.tolist() == [1] * 4 + [0] * 6
    assert rung.read.tolist() == [1] * 10


def test_who_plays_a_role_matters():
    own = Rung(
        "own words", "", ("saying",), (RungQuery(("ca",), {}, {"describer": SELF, "reasoner": SELF}),), on_line=False
    )
    spec = LadderSpec("beads", (FREE[2], own), {})
    pictures = ladder_rows(n=10, rungs=("pictures",)).with_columns(describer=pl.lit(""), reasoner=pl.lit(""))
    described = pictures.with_columns(paradigm=pl.lit("ca"), reasoner=pl.lit("s"), describer=pl.lit("s"))
    by_another = described.with_columns(describer=pl.lit("eagle"), subject=pl.lit("s [describer=eagle]"))
    result = result_of(pl.concat([pictures, described, by_another]), spec)
    assert result.subject == "s"
    (beside,) = result.beside
    assert set(beside.trials["describer"]) == {"s"}
    assert result_of(pl.concat([pictures, by_another]), spec).beside == ()


def test_a_rung_that_some_items_lack_has_no_answers_of_theirs():
    against = Rung(
        "against", "", AGAINST.demands, (RungQuery(("direct",), {"rule": ("inverse",)}, of={"kind": ("odd",)}),)
    )
    odd = pl.col("item").str.slice(-1).cast(pl.Int64) % 2 == 1
    rows = ladder_rows(n=20, see=0.5, seed=3).with_columns(
        kind=pl.when(odd).then(pl.lit("odd")).otherwise(pl.lit("even"))
    )
    rows = rows.filter((pl.col("rule") == "standard") | odd)
    pictures, top = result_of(rows, LadderSpec("beads", (*FREE, against), {"rule": "standard"})).line[-2:]
    assert pictures.for_all
    assert not top.for_all
    assert top.has.tolist() == [False, True] * 10
    assert top.asked.tolist() == [0, 1] * 10
    assert pictures.asked.tolist() == [1] * 20


def test_a_unit_is_an_item_under_one_of_the_conditions_a_rung_is_asked_at():
    rows = at_each(left=ladder_rows(n=10), right=ladder_rows(n=10, think=0.0, options=()))
    result = result_of(rows, nested("left", "right"))
    assert (result.n_items, len(result.units)) == (10, 20)
    assert result.items.tolist() == [k // 2 for k in range(20)]
    assert result.clusters.tolist() == result.items.tolist()
    words = result.line[1]
    assert words.asked.tolist() == [1] * 20
    assert words.right.tolist() == [1, 0] * 10, "conditions are not counted together"
    assert len(result_of(rows, LadderSpec("beads", FREE, {"given": "left"})).units) == 10, "no rung is asked at both"


def test_some_of_the_units_are_the_same_but_for_the_others():
    result = result_of(at_each(left=ladder_rows(n=10), right=ladder_rows(n=10)), nested("left", "right"))
    kept = np.arange(20) % 4 < 2
    some = result.only(kept)
    assert some.units == tuple(name for name, keep in zip(result.units, kept, strict=True) if keep)
    assert some.items.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert some.line[0].right.tolist() == result.line[0].right[kept].tolist()


def test_items_asked_against_a_habit_alone_are_left_out():
    rows = ladder_rows(n=10)
    rows = rows.filter((pl.col("rule") == "inverse") | (pl.col("item") < "beads/0006"))
    assert result_of(rows).n_items == 6


def test_luck_is_one_in_as_many_as_there_are_labels():
    assert set(result_of(ladder_rows(n=10)).luck) == {0.5}
    assert set(result_of(ladder_rows(n=10, options=("A", "B", "C", "D"))).luck) == {0.25}
    assert set(result_of(ladder_rows(n=10, options=())).luck) == {0.0}


def test_subjects_are_apart_and_duplicates_share_a_cluster():
    rows = pl.concat([ladder_rows("s", n=10), ladder_rows("t", n=6)])
    assert [(result.subject, result.n_items) for result in ladder_results(rows, SPEC)] == [("s", 10), ("t", 6)]
    twins = ladder_rows(n=10).with_columns(cluster=pl.col("item").str.slice(0, 9))
    assert result_of(twins).clusters.tolist() == [0] * 10


@pytest.mark.parametrize("ladder", [FREE, LADDER])
def test_a_ladder_survives_the_store(ladder):
    assert from_json(to_json(ladder)) == ladder
