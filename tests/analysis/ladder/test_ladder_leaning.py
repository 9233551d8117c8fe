"""Whoever gives one answer whatever is asked is called that, in every task and form."""

import numpy as np
import polars as pl
import pytest

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.leaning import leanings, only_one_was_right
from snellen.analysis.ladder.rungs import LadderSpec
from snellen.analysis.ladder.study import LadderStudy
from snellen.analysis.ladder.verdict import judge
from snellen.ladder import FREE
from snellen.tasks import task
from support.ladder_rows import SPEC, ladder_rows, result_of
from support.lengths import some_of

PLAIN = ("told", "words", "pictures")
NAMES = {
    "fixation": ("X", "O"),
    "bongard": ("positive", "negative"),
    "winoground": ("first", "second"),
    "marvel": ("1", "2", "3", "4"),
    "capacity": ("A", "B", "C"),
}
LEVELS = {"bongard": {"query": "positive"}, "winoground": {"given": "image_0"}, "marvel": {"question": "avr"}}


@some_of("name", list(NAMES), 3)
def test_who_always_takes_the_first_is_leaning_in_every_task_and_nothing_else_is_known(name):
    known = task(name)
    spec = LadderSpec(name, known.ladder, {f.name: f.levels[0] for f in known.factors if not f.of_item})
    rows = ladder_rows(n=60, attend=0.0, guess=0, options=NAMES[name], rungs=PLAIN)
    levels = {"kind": "maze"} if name == "capacity" else LEVELS.get(name, {})
    rows = rows.with_columns(task=pl.lit(name), **{factor: pl.lit(level) for factor, level in levels.items()})
    (diagnosis,) = LadderStudy(rows, spec, 0).diagnoses
    assert diagnosis.verdict == "leaning"
    assert f"says '{NAMES[name][0]}'" in diagnosis.headline or "takes the first option" in diagnosis.headline
    shares = {name: loss.share.value for loss in diagnosis.losses for name in loss.faculties}
    assert shares.pop("leaning") == pytest.approx(1, abs=0.02)
    assert set(shares.values()) == {None}


# Half a leaning


def renamed(rows, seed=0):
    """The same trials with options of their own in every item: only their places are the same."""
    rng = np.random.default_rng(seed)
    known = rows["labels"][0].to_list()
    names = {item: [f"{old}{rng.integers(1000)}" for old in known] for item in rows["item"].unique(maintain_order=True)}
    labels = [names[item] for item in rows["item"]]
    said, keys = (
        [own[known.index(old)] for own, old in zip(labels, rows[column], strict=True)] for column in ("answer", "key")
    )
    return rows.with_columns(labels=pl.Series(labels), answer=pl.Series(said), key=pl.Series(keys))


def swapped(rows):
    """The same trials with the options of every other item the other way around: only their names are the same."""
    odd = pl.col("item").str.slice(-1).cast(pl.Int64) % 2 == 1
    return rows.with_columns(labels=pl.when(odd).then(pl.col("labels").list.reverse()).otherwise("labels"))


HALF = {
    "place, two options": (("A", "B"), renamed, "place"),
    "place, four options": (("A", "B", "C", "D"), renamed, "place"),
    "name, two options": (("A", "B"), swapped, "name"),
    "name, four options": (("A", "B", "C", "D"), swapped, "name"),
    "a number": ((), lambda rows: rows, "name"),
}


@some_of("name", HALF, 2)
@some_of("seed", range(2), 2)
def test_who_leans_in_half_of_the_calls_is_called_that_and_not_absent_or_thoughtless(name, seed):
    options, change, column = HALF[name]
    rows = change(ladder_rows(n=80, lean=0.5, options=options, rungs=PLAIN, seed=seed))
    case = case_of(result_of(rows), 0)
    assert case.leaning.leaning.column == column
    judgement = judge(case)
    assert judgement.verdict == "leaning"
    assert not {"attention", "thinking", "eyes"} & set(judgement.named)
    shares = {loss.faculties: loss.share for loss in case.losses}
    assert shares[("leaning",)].low < 0.5 < shares[("leaning",)].high
    assert case.right.value + sum(share.value for share in shares.values()) == pytest.approx(1)


def test_a_leaning_beside_another_fault_takes_only_what_is_its_own():
    rows = ladder_rows(n=200, lean=0.4, think=0.5, rungs=PLAIN, seed=1)
    case = case_of(result_of(swapped(rows)), 0)
    assert set(judge(case).named) == {"leaning", "thinking"}
    shares = {loss.faculties: loss.share for loss in case.losses}
    assert shares[("leaning",)].low < 0.4 < shares[("leaning",)].high
    assert shares[("thinking",)].low < 0.6 * 0.5 < shares[("thinking",)].high


def test_a_leaning_goes_by_place_or_by_name():
    rows = ladder_rows(n=60, attend=0.0, guess=0)
    places = leanings(result_of(renamed(rows)))
    assert {leaning.column for leaning in places} == {"place"}
    assert places[0].words == "takes the first option"
    names = leanings(result_of(swapped(rows)))
    assert {leaning.column for leaning in names} == {"name"}
    assert names[0].words == "says 'A'"
    assert names[0].excess == pytest.approx(0.5)
    assert names[0].p < 0.001


def test_who_goes_by_the_items_does_not_lean_and_who_guesses_evenly_does_not():
    assert leanings(result_of(ladder_rows(n=100))) == []
    assert leanings(result_of(ladder_rows(n=100, see=0.0))) == []
    assert leanings(result_of(ladder_rows(n=100, options=()))) == []
    assert leanings(result_of(ladder_rows(n=100, options=(), attend=0.5))) == []


def test_who_leans_only_when_it_does_not_see_keeps_its_fault():
    """With nothing to go by some guess always the same: that is how they guess, not what they lack."""
    for see in (0.3, 0.0):
        rows = ladder_rows(n=120, see=see, guess=1, rungs=PLAIN)
        case = case_of(result_of(rows), 0)
        assert case.leanings[0].option in ("B", "1")
        assert case.leaning is None
        assert judge(case).named == ("eyes",)
        (diagnosis,) = LadderStudy(rows, SPEC, 0).diagnoses
        assert any(line.startswith("When it does not know, it leans") for line in diagnosis.details)


def test_copies_of_an_item_do_not_make_a_leaning():
    few = ladder_rows(n=6, attend=0.0, guess=0)
    copies = pl.concat([few.with_columns(pl.col("item", "trial") + f"-{k}") for k in range(20)])
    assert leanings(result_of(copies, LadderSpec("beads", FREE, {"rule": "standard"}))) == []


def test_one_key_is_seen():
    rows = ladder_rows(n=40)
    assert not only_one_was_right(result_of(rows).line[0])
    assert only_one_was_right(result_of(rows.filter(pl.col("key") == "B")).line[0])
