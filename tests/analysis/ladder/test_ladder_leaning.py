"""Whoever gives one answer whatever is asked is called that, in every task."""

import numpy as np
import polars as pl
import pytest
from ladder_rows import OUTLINE, climb_of, ladder_rows

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.climb import Outline
from snellen.analysis.ladder.leaning import gives_one_answer, leanings, only_one_was_right
from snellen.analysis.ladder.study import LadderStudy
from snellen.analysis.ladder.verdict import judge
from snellen.tasks import task
from snellen.tasks.ladder import FREE

NAMES = {
    "fixation": ("X", "O"),
    "bongard": ("positive", "negative"),
    "winoground": ("first", "second"),
    "marvel": ("1", "2", "3", "4"),
    "capacity": ("A", "B", "C"),
}
LEVELS = {"bongard": {"query": "positive"}, "winoground": {"given": "image_0"}, "marvel": {"question": "avr"}}


@pytest.mark.parametrize("name", list(NAMES))
def test_who_always_takes_the_first_is_leaning_in_every_task(name):
    known = task(name)
    outline = Outline(name, known.ladder, {f.name: f.levels[0] for f in known.factors if not f.of_item})
    rows = ladder_rows(n=60, attend=0.0, guess=0, options=NAMES[name], rungs=("told", "words", "pictures"))
    levels = {"kind": "maze"} if name == "capacity" else LEVELS.get(name, {})
    rows = rows.with_columns(task=pl.lit(name), **{factor: pl.lit(level) for factor, level in levels.items()})
    (diagnosis,) = LadderStudy(rows, outline, 0).diagnoses
    assert diagnosis.verdict == "leaning"
    assert f"says '{NAMES[name][0]}'" in diagnosis.headline or "takes the first option" in diagnosis.headline


def renamed(rows, seed=0):
    """The same trials with options of their own in every item: only their places are the same."""
    rng = np.random.default_rng(seed)
    names = {item: [f"{w}{rng.integers(1000)}" for w in "ab"] for item in rows["item"].unique(maintain_order=True)}
    labels = [names[item] for item in rows["item"]]
    said, keys = (
        [own["AB".index(old)] for own, old in zip(labels, rows[column], strict=True)] for column in ("answer", "key")
    )
    return rows.with_columns(labels=pl.Series(labels), answer=pl.Series(said), key=pl.Series(keys))


def swapped(rows):
    """The same trials with the options of every other item the other way around: only their names are the same."""
    odd = pl.col("item").str.slice(-1).cast(pl.Int64) % 2 == 1
    return rows.with_columns(labels=pl.when(odd).then(pl.col("labels").list.reverse()).otherwise("labels"))


def test_a_leaning_goes_by_place_or_by_name():
    rows = ladder_rows(n=60, attend=0.0, guess=0)
    places = leanings(climb_of(renamed(rows)))
    assert {leaning.column for leaning in places} == {"place"}
    assert places[0].words == "takes the first option"
    names = leanings(climb_of(swapped(rows)))
    assert {leaning.column for leaning in names} == {"name"}
    assert names[0].words == "says 'A'"
    assert names[0].excess == pytest.approx(0.5)
    assert names[0].p < 0.001


def test_who_goes_by_the_items_does_not_lean_and_who_guesses_evenly_does_not():
    assert leanings(climb_of(ladder_rows(n=100))) == []
    assert leanings(climb_of(ladder_rows(n=100, see=0.0))) == []
    assert leanings(climb_of(ladder_rows(n=100, options=()))) == []


def test_who_leans_only_when_it_does_not_know_keeps_its_fault():
    climb = climb_of(ladder_rows(n=120, see=0.3, guess=1))
    (leaning, *_) = leanings(climb)
    assert leaning.option in ("B", "1")
    assert not gives_one_answer(climb.line[2], leaning)
    found = judge(case_of(climb, 0))
    assert found.verdict == "eyes"
    (diagnosis,) = LadderStudy(ladder_rows(n=120, see=0.3, guess=1), OUTLINE, 0).diagnoses
    assert any(line.startswith("When it does not know, it leans") for line in diagnosis.details)


def test_a_leaning_on_pictures_alone_is_called_that_too():
    found = judge(case_of(climb_of(ladder_rows(n=120, see=0.0, guess=0)), 0))
    assert found.verdict == "leaning"
    assert found.leaning is not None


def test_copies_of_an_item_do_not_make_a_leaning():
    few = ladder_rows(n=6, attend=0.0, guess=0)
    copies = pl.concat([few.with_columns(pl.col("item", "trial") + f"-{k}") for k in range(20)])
    assert leanings(climb_of(copies, Outline("beads", FREE, {"rule": "standard"}))) == []


def test_one_key_is_seen():
    rows = ladder_rows(n=40)
    assert not only_one_was_right(climb_of(rows).line[0])
    assert only_one_was_right(climb_of(rows.filter(pl.col("key") == "B")).line[0])
