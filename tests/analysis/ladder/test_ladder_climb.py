"""Which trials make which rung."""

import polars as pl
import pytest
from ladder_rows import AGAINST, LADDER, OUTLINE, climb_of, ladder_rows

from snellen.analysis.ladder.climb import Outline, climbs
from snellen.tasks.ladder import FREE, SELF, Put, Rung, from_json, to_json


def names(stands):
    return [stand.rung.name for stand in stands]


def test_rungs_come_from_the_ladder_in_its_order_and_those_not_asked_are_missing():
    rows = ladder_rows(n=10)
    assert names(climb_of(rows).line) == ["told", "words", "pictures", "against"]
    assert names(climb_of(rows.reverse()).line) == ["told", "words", "pictures", "against"]
    some = climb_of(rows.filter(pl.col("paradigm") != "words"))
    assert names(some.line) == ["told", "pictures", "against"]
    assert some.items == climb_of(rows).items


def test_answers_are_counted_item_by_item_and_unread_ones_are_not_read():
    rows = ladder_rows(n=10, calls=3)
    first = pl.col("item") == "beads/0000"
    spoiled = pl.when(first & pl.col("trial").str.ends_with("/1")).then(pl.lit("unread")).otherwise("outcome")
    (told, *_) = climb_of(rows.with_columns(outcome=spoiled)).line
    assert told.read.tolist() == [2, *[3] * 9]
    assert told.right.tolist() == told.read.tolist()
    errors = pl.when(first).then(pl.lit("error")).otherwise("reason")
    assert len(climb_of(rows.with_columns(reason=errors)).items) == 9, "a failed call is missing"


def test_other_factors_stay_at_their_plainest_level():
    outline = Outline("beads", LADDER, {"rule": "standard", "ink": "black"})
    rows = pl.concat([ladder_rows(n=10).with_columns(ink=pl.lit(ink)) for ink in ("red", "red", "black")])
    rows = rows.with_columns(trial=pl.col("trial") + pl.int_range(pl.len()).cast(pl.String))
    assert [stand.read.max() for stand in climb_of(rows, outline).line] == [1, 1, 1, 1]
    assert set(climb_of(rows, outline).line[0].trials["ink"]) == {"black"}
    never_black = rows.filter(pl.col("ink") == "red")
    assert set(climb_of(never_black, outline).line[0].trials["ink"]) == {"red"}, "else the one that was asked most"


def test_a_factor_may_have_any_name_and_old_trials_may_lack_it():
    outline = Outline("beads", LADDER, {"rule": "standard", "count": "lit"})
    levels = pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("lit")).otherwise(pl.lit("dark"))
    assert climb_of(ladder_rows(n=10).with_columns(count=levels), outline).line
    old = ladder_rows(n=10, rungs=("told", "pictures"))
    new = ladder_rows(n=10, rungs=("against",))
    blank = old.with_columns(rule=pl.lit(""))
    assert names(climb_of(pl.concat([blank, new])).line) == ["told", "pictures", "against"]
    assert names(climb_of(old.drop("rule")).line) == ["told", "pictures"]


def test_of_each_item_the_first_way_it_was_put_counts():
    words = Rung("words", "", FREE[1].demands, (Put(("words",)), Put(("ca",), {}, {"describer": "twin"})))
    outline = Outline("beads", (words, FREE[2]), {})
    rows = ladder_rows(n=10, rungs=("words", "pictures"))
    exact = rows.filter(pl.col("paradigm") == "words")
    by_twin = exact.with_columns(paradigm=pl.lit("ca"), describer=pl.lit("twin"), outcome=pl.lit("wrong"))
    some = exact.filter(pl.col("item") < "beads/0004").with_columns(describer=pl.lit(""))
    (stand,) = climb_of(pl.concat([some, by_twin]), outline).line
    assert stand.right.tolist() == [1] * 4 + [0] * 6
    assert stand.read.tolist() == [1] * 10


def test_who_plays_a_role_matters():
    own = Rung("own words", "", ("saying",), (Put(("ca",), {}, {"describer": SELF, "reasoner": SELF}),), on_line=False)
    outline = Outline("beads", (FREE[2], own), {})
    pictures = ladder_rows(n=10, rungs=("pictures",)).with_columns(describer=pl.lit(""), reasoner=pl.lit(""))
    described = pictures.with_columns(paradigm=pl.lit("ca"), reasoner=pl.lit("s"), describer=pl.lit("s"))
    by_another = described.with_columns(describer=pl.lit("eagle"), subject=pl.lit("s [describer=eagle]"))
    climb = climb_of(pl.concat([pictures, described, by_another]), outline)
    assert climb.subject == "s"
    (beside,) = climb.beside
    assert set(beside.trials["describer"]) == {"s"}
    assert climb_of(pl.concat([pictures, by_another]), outline).beside == ()


def test_an_item_that_a_rung_is_not_for_stays_where_it_was():
    habitual = {"kind": ("odd",)}
    against = Rung("against", "", AGAINST.demands, (Put(("direct",), {"rule": ("inverse",)}, of=habitual),))
    odd = pl.col("item").str.slice(-1).cast(pl.Int64) % 2 == 1
    rows = ladder_rows(n=20, see=0.5, follow=0.0, seed=3).with_columns(
        kind=pl.when(odd).then(pl.lit("odd")).otherwise(pl.lit("even"))
    )
    rows = rows.filter((pl.col("rule") == "standard") | odd)
    pictures, top = climb_of(rows, Outline("beads", (*FREE, against), {"rule": "standard"})).line[-2:]
    is_odd = [int(item[-1]) % 2 == 1 for item in climb_of(rows).items]
    for k, own in enumerate(is_odd):
        assert own or top.right[k] == pictures.right[k]
    assert sum(top.right[k] for k, own in enumerate(is_odd) if own) < sum(
        pictures.right[k] for k, own in enumerate(is_odd) if own
    )


def test_items_asked_against_a_habit_alone_are_left_out():
    rows = ladder_rows(n=10)
    rows = rows.filter((pl.col("rule") == "inverse") | (pl.col("item") < "beads/0006"))
    assert len(climb_of(rows).items) == 6


def test_luck_is_one_in_as_many_as_there_are_labels():
    assert set(climb_of(ladder_rows(n=10)).luck) == {0.5}
    assert set(climb_of(ladder_rows(n=10, options=("A", "B", "C", "D"))).luck) == {0.25}
    assert set(climb_of(ladder_rows(n=10, options=())).luck) == {0.0}


def test_subjects_are_apart_and_duplicates_share_a_cluster():
    rows = pl.concat([ladder_rows("s", n=10), ladder_rows("t", n=6)])
    assert [(climb.subject, len(climb.items)) for climb in climbs(rows, OUTLINE)] == [("s", 10), ("t", 6)]
    twins = ladder_rows(n=10).with_columns(cluster=pl.col("item").str.slice(0, 9))
    assert climb_of(twins).clusters.tolist() == [0] * 10


@pytest.mark.parametrize("ladder", [FREE, LADDER])
def test_a_ladder_survives_the_store(ladder):
    assert from_json(to_json(ladder)) == ladder
