"""Units are nested in items: what fails under one condition and not under another is no slip."""

import polars as pl
import pytest

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.verdict import judge
from support.ladder_rows import ladder_rows, nested, result_of, spoiled
from support.lengths import some_of

GIVEN = ("image_0", "image_1", "caption_0", "caption_1")
SPEC = nested(*GIVEN)


def one_direction(share, seed):
    """Fails thinking on so many items, only when a caption is given; 3 % slips; told 119 of 120."""
    rows = ladder_rows(
        n=60,
        think=1 - share,
        attend=0.97,
        given=GIVEN,
        think_at=GIVEN[2:],
        rungs=("told", "words", "pictures"),
        seed=seed,
    )
    rows = rows.filter((pl.col("paradigm") != "told") | pl.col("given").is_in(["image_0", "caption_0"]))
    told = pl.col("paradigm") == "told"
    rows = rows.with_columns(outcome=pl.when(told).then(pl.lit("right")).otherwise("outcome"))
    first = told & (pl.col("item") == "beads/0000") & (pl.col("given") == "image_0")
    return spoiled(rows, first, outcome="wrong", answer="C")


@some_of("share", [0.6, 0.8], 2)
@some_of("seed", range(2), 2)
def test_who_fails_only_in_one_direction_is_charged_with_thinking_and_not_with_slips(share, seed):
    result = result_of(one_direction(share, seed), SPEC)
    told = result.line[0]
    assert (told.right.sum(), told.asked.sum()) == (119, 120)
    found = case_of(result, 0)
    judgement = judge(found)
    assert judgement.named == ("thinking",)
    (thinking,) = judgement.faults
    assert thinking.share.low < share / 2 < thinking.share.high, "half of the units of so many items"
    slips = next(loss for loss in found.losses if loss.faculties == ("attention",))
    assert slips.share.high < 0.1
    assert found.place is not None
    assert (found.place.aspect, found.place.there > found.place.elsewhere) == ("given", True)


@pytest.mark.soak
def test_slips_by_call_are_slips_whatever_the_units():
    rows = ladder_rows(n=60, attend=0.7, given=GIVEN, rungs=("told", "words", "pictures"), seed=3)
    assert judge(case_of(result_of(rows, SPEC), 0)).named == ("attention",)


def test_whole_items_and_single_units_cost_the_same():
    """Half of the units: whether as half of the items or as one direction of all of them."""
    whole = ladder_rows(n=60, think=0.5, given=GIVEN, rungs=("told", "words", "pictures"), seed=1)
    single = ladder_rows(n=60, think=0.0, given=GIVEN, think_at=GIVEN[2:], rungs=("told", "words", "pictures"), seed=1)
    for rows in (whole, single):
        judgement = judge(case_of(result_of(rows, SPEC), 0))
        assert judgement.named == ("thinking",)
        assert judgement.faults[0].share.low < 0.5 < judgement.faults[0].share.high
