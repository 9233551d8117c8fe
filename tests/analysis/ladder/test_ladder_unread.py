"""Refusals and replies that cannot be read: a loss of their own, and what lies above is not tested."""

import polars as pl
import pytest

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.study import LadderStudy
from snellen.analysis.ladder.verdict import judge
from support.ladder_rows import SPEC, ladder_rows, result_of, spoiled
from support.lengths import some_of


def unreadable(rows):
    return spoiled(rows, pl.col("reason") == "refused", reason="unparsable")


def losses(case):
    return {loss.faculties: loss.share for loss in case.losses}


def total(case):
    return case.right.value + sum(share.value or 0.0 for share in losses(case).values())


def test_who_refuses_every_picture_is_called_that_and_eyes_and_habit_are_not_tested():
    rows = ladder_rows(n=60)
    rows = spoiled(rows, pl.col("paradigm") == "direct", outcome="unread", reason="refused", answer="")
    (diagnosis,) = LadderStudy(rows, SPEC, 0).diagnoses
    assert (diagnosis.verdict, diagnosis.faults) == ("refusal", ("refusal",))
    shares = {name: loss.share for loss in diagnosis.losses for name in loss.faculties}
    assert shares["eyes"].value is None
    assert shares["habit"].value is None
    assert shares["refusal"].value == pytest.approx(1)
    assert shares["refusal"].low < 1, "no interval has width 0"
    assert any(line == "Not tested: eyes, habit." for line in diagnosis.details)
    assert not any("eyes" in line for line in diagnosis.details if not line.startswith("Not tested"))
    assert diagnosis.right.value == pytest.approx(0)


@some_of(("change", "kind"), [(lambda rows: rows, "refusal"), (unreadable, "form")], 2)
def test_four_in_ten_unread_everywhere_are_lost_to_that_and_to_nothing_else(change, kind):
    case = case_of(result_of(change(ladder_rows(n=100, refuse=0.4, seed=1))), 0)
    judgement = judge(case)
    assert (judgement.verdict, judgement.named) == (kind, (kind,))
    share = losses(case)[(kind,)]
    assert share.low < 0.4 < share.high
    assert total(case) == pytest.approx(1)


def test_refusals_and_blindness_are_told_apart():
    case = case_of(result_of(ladder_rows(n=150, refuse=0.3, see=0.4, seed=2)), 0)
    assert set(judge(case).named) == {"refusal", "eyes"}
    shares = losses(case)
    assert shares[("refusal",)].low < 0.3 < shares[("refusal",)].high
    assert shares[("eyes",)].low < 0.7 * 0.6 < shares[("eyes",)].high, "of what can be read"
    assert total(case) == pytest.approx(1)


def test_everything_unread_is_no_clean_bill():
    case = case_of(result_of(ladder_rows(n=40, refuse=1.0)), 0)
    assert judge(case).verdict == "refusal"
    assert all(loss.share.value is None for loss in case.losses if loss.faculties != ("refusal",))
