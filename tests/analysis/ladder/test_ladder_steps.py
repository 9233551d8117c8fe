"""What is lost at each step, from the pairs alone."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.sentences import details
from snellen.analysis.ladder.steps import added, pooled, step_loss, steps_of
from snellen.analysis.ladder.verdict import judge
from support.ladder_rows import PUT, ladder_rows, result_of, spoiled

shares = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def stepped(rows):
    result = result_of(rows)
    return steps_of(result, result.line, 0)


def losses(rows):
    return {step.faculties: step.loss for step in stepped(rows).steps}


@given(shares)
def test_pooled_shares_do_not_rise_and_keep_their_mean(values):
    flat = pooled(np.array(values))
    assert (np.diff(flat) <= 1e-12).all()
    assert flat.mean() == pytest.approx(np.mean(values))
    if (np.diff(values) <= 0).all():
        assert flat == pytest.approx(np.array(values))


@given(shares, st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_no_sequence_that_does_not_rise_is_nearer(values, random):
    flat = pooled(np.array(values))
    other = np.sort([random.random() for _ in values])[::-1]
    assert ((flat - values) ** 2).sum() <= ((other - values) ** 2).sum() + 1e-9


@given(
    st.tuples(*[st.sampled_from((0.0, 0.3, 0.7, 1.0))] * 4),
    st.sampled_from([("A", "B"), ("A", "B", "C", "D"), ()]),
    st.lists(st.sampled_from(list(PUT)), min_size=1, unique=True),
)
@settings(max_examples=25, deadline=None)
def test_losses_and_what_is_right_add_up_to_one(faculties, options, rungs):
    attend, think, see, follow = faculties
    rows = ladder_rows(
        n=12,
        attend=attend,
        think=think,
        see=see,
        follow=follow,
        options=options,
        rungs=sorted(rungs, key=list(PUT).index),
    )
    steps = stepped(rows).steps
    lost = [step.loss.value for step in steps if step.loss.value is not None]
    assert all(-1e-12 <= loss <= 1 for loss in lost)
    assert sum(lost) <= 1 + 1e-9
    for step in steps:
        if step.loss.value is not None:
            assert step.loss.low <= step.loss.value + 1e-12
            assert step.loss.value <= step.loss.high + 1e-12


def test_each_step_adds_a_faculty():
    steps = stepped(ladder_rows(n=10)).steps
    assert [step.faculties for step in steps] == [("attention",), ("thinking",), ("eyes",), ("habit",)]
    some = stepped(ladder_rows(n=10, rungs=("told", "pictures"))).steps
    assert [step.faculties for step in some] == [("attention",), ("thinking", "eyes")]
    (first, *_) = result_of(ladder_rows(n=10)).line
    assert added(None, first) == ("attention",)


def test_luck_is_taken_out():
    """Who solves none and guesses among four is right in a quarter, and loses all."""
    blind = losses(ladder_rows(n=400, see=0.0, options=("A", "B", "C", "D")))
    assert blind[("eyes",)].value == pytest.approx(1, abs=0.08)
    half = losses(ladder_rows(n=400, see=0.5))
    assert half[("eyes",)].low < 0.5 < half[("eyes",)].high


def test_a_habit_is_never_lucky():
    """Half of the items against the habit are wrong for sure: a loss of a half, not of all."""
    found = losses(ladder_rows(n=400, follow=0.5))
    assert found[("habit",)].value == pytest.approx(0.5, abs=0.07)
    assert found[("eyes",)].value == 0


def test_steps_are_paired_on_the_items_asked_on_both():
    rows = ladder_rows(n=80, see=0.5)
    seldom = rows.filter((pl.col("paradigm") != "told") | (pl.col("item") < "beads/0020"))
    told, words, pictures, _ = stepped(seldom).steps
    assert (told.loss.n, words.loss.n, pictures.loss.n) == (20, 20, 80)
    assert told.p is None
    assert pictures.p < 0.001
    assert words.p == 1


def test_tests_of_the_steps_are_adjusted_over_the_ladder():
    result = result_of(ladder_rows(n=40, see=0.7, seed=2))
    steps = steps_of(result, result.line, 0).steps
    raw = step_loss(result, result.line[1], result.line[2], 0, by_habit=False)[1]
    assert steps[2].p == pytest.approx(3 * raw)


def test_copies_of_an_item_do_not_pass_for_more_items():
    few = ladder_rows(n=16, see=0.5, seed=4)
    copies = pl.concat([few.with_columns(pl.col("item", "trial") + f"-{k}") for k in range(5)])
    one, five = losses(few)[("eyes",)], losses(copies)[("eyes",)]
    assert five.n == 80
    assert five.value == pytest.approx(one.value)
    assert five.high - five.low == pytest.approx(one.high - one.low, rel=0.2)


def test_a_clearly_easier_rung_is_a_finding_and_the_lower_one_is_not_charged():
    harder = ladder_rows(n=60, rungs=("words",), think=0.2)
    easy = ladder_rows(n=60, rungs=("told", "pictures", "against"))
    found = stepped(pl.concat([harder, easy]))
    (hard,) = found.harder
    assert (hard.rung.rung.name, hard.above) == ("words", ("pictures",))
    assert hard.points.low > 0.2
    assert hard.p < 0.001
    assert [rung.rung.name for rung in found.line] == ["told", "pictures", "against"]
    assert [step.faculties for step in found.steps] == [("attention",), ("thinking", "eyes"), ("habit",)]
    assert all(step.loss.value == 0 for step in found.steps)


def test_a_rung_that_happens_to_be_easier_is_averaged():
    rows = ladder_rows(n=40)
    some = ["beads/0001", "beads/0002"]
    unlucky = (pl.col("paradigm") == "words") & pl.col("item").is_in(some)
    rows = rows.with_columns(outcome=pl.when(unlucky).then(pl.lit("wrong")).otherwise("outcome"))
    found = stepped(rows)
    assert found.harder == ()
    told, words, pictures, against = found.steps
    assert words.measured.value == pytest.approx(0.1)
    assert pictures.measured.value == pytest.approx(-0.1)
    # solved shares 1, 0.9, 1, 1 become 1, 29/30, 29/30, 29/30: pooled from the second on
    assert words.loss.value == pytest.approx(1 - (0.9 + 1 + 1) / 3)
    assert (told.loss.value, pictures.loss.value, against.loss.value) == pytest.approx((0, 0, 0))


def test_too_few_items_have_no_loss():
    assert [step.loss.value for step in stepped(ladder_rows(n=1)).steps] == [None] * 4
    assert stepped(ladder_rows(n=4).with_columns(paradigm=pl.lit("unheard of"))).steps == ()


# Harder than what demands more


def told_wrong(rows, items):
    return spoiled(rows, (pl.col("paradigm") == "told") & pl.col("item").is_in(items), outcome="wrong")


def test_a_subject_that_repeats_answers_badly_but_solves_everything_is_not_charged_with_slips():
    """Told 88 % right, words and pictures all."""
    rows = told_wrong(ladder_rows(n=60, rungs=("told", "words", "pictures")), [f"beads/{i:04}" for i in range(7)])
    found = stepped(rows)
    (hard,) = found.harder
    assert (hard.rung.rung.name, hard.above) == ("told", ("words", "pictures"))
    assert hard.points.value == pytest.approx(7 / 60)
    assert [step.faculties for step in found.steps] == [("attention", "thinking"), ("eyes",)]
    assert [step.loss.value for step in found.steps] == [0, 0]
    evidence = case_of(result_of(rows), 0)
    verdict = judge(evidence)
    assert verdict.verdict not in ("attention", "small")
    assert any(
        "The rung 'told' is harder for it than 'words' and 'pictures'" in line for line in details(evidence, verdict)
    )


def test_a_harder_rung_is_found_when_the_next_one_is_as_hard():
    """Told and words both miss what pictures and the habit's rung do not: no neighbours, still upside down."""
    items = [f"beads/{i:04}" for i in range(12)]
    rows = told_wrong(ladder_rows(n=60), items)
    rows = spoiled(rows, (pl.col("paradigm") == "words") & pl.col("item").is_in(items), outcome="wrong")
    found = stepped(rows)
    assert {hard.rung.rung.name for hard in found.harder} == {"told", "words"}
    assert all(step.loss.value == 0 for step in found.steps)


def test_one_slip_when_told_is_no_finding():
    assert stepped(told_wrong(ladder_rows(n=60), ["beads/0003"])).harder == ()
    slips = stepped(ladder_rows(n=120, attend=0.8, seed=3))
    assert slips.harder == ()
    assert slips.steps[0].loss.value > 0.1
