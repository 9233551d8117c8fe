"""A rung that only some items have: its loss is a share of those."""

import polars as pl
import pytest

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.missing import missing
from snellen.analysis.ladder.rungs import LadderSpec
from snellen.analysis.ladder.sentences import details, headline
from snellen.analysis.ladder.verdict import judge
from snellen.ladder import FREE, Rung, RungQuery
from support.ladder_rows import AGAINST, ladder_rows, result_of
from support.lengths import some_of

ITEMS, SOME = 110, 24
RUNG = Rung(
    "against", "", AGAINST.demands, (RungQuery(("direct",), {"rule": ("inverse",)}, of={"kind": ("habitual",)}),)
)
PARTIAL = LadderSpec("beads", (*FREE, RUNG), {"rule": "standard"})


def partial_case(some=SOME, **how):
    habitual = pl.col("item") < f"beads/{some:04}"
    rows = ladder_rows(n=ITEMS, options=(), **how).with_columns(
        kind=pl.when(habitual).then(pl.lit("habitual")).otherwise(pl.lit("other"))
    )
    return case_of(result_of(rows.filter((pl.col("rule") == "standard") | habitual), PARTIAL), 0)


def habit_of(case):
    return next(loss for loss in case.losses if loss.faculties == ("habit",))


@some_of("seed", range(4), 4)
def test_half_a_habit_on_the_few_items_that_have_it_is_named(seed):
    case = partial_case(follow=0.5, seed=seed)
    judgement = judge(case)
    assert judgement.named == ("habit",)
    loss = habit_of(case)
    assert loss.among.low < 0.5 < loss.among.high
    assert loss.share.value == pytest.approx(loss.among.value * SOME / ITEMS)
    assert loss.share.value < 0.2, "a small share of all items, and a fault all the same"
    assert case.right.value + sum(one.share.value for one in case.losses) == pytest.approx(1)
    assert "% of items that have the rung 'against'" in headline(case, judgement)
    assert any(line.startswith(f"{SOME} items have the rung 'against'") for line in details(case, judgement))


def test_what_is_lost_below_counts_for_all_items_and_the_rung_for_its_own():
    case = partial_case(see=0.5, follow=0.3, seed=2)
    assert set(judge(case).named) == {"eyes", "habit"}
    eyes = next(loss for loss in case.losses if loss.faculties == ("eyes",))
    assert eyes.among is None
    assert eyes.share.low < 0.5 < eyes.share.high
    assert habit_of(case).among.low < 0.35 < habit_of(case).among.high
    assert case.right.value + sum(one.share.value for one in case.losses) == pytest.approx(1)


def test_without_the_habit_none_is_charged_and_the_power_is_that_of_the_few():
    case = partial_case()
    judgement = judge(case)
    assert judgement.verdict == "none"
    assert judgement.power == habit_of(case).smallest
    assert habit_of(case).smallest > next(loss.smallest for loss in case.losses if loss.faculties == ("eyes",))


def test_a_clean_bill_names_what_was_asked_of_too_few_items():
    case = partial_case(some=7)
    judgement = judge(case)
    assert headline(case, judgement).startswith("s: no fault found (not tested: habit). This exam detects")
    assert "Not tested: habit." in details(case, judgement)
    (sentence,) = missing(case)
    assert sentence.startswith("against: too few items: 7 (at least 8 are needed); the faculty that")
