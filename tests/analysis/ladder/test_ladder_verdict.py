"""The verdict's rules, one by one, and what it says in words."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ladder_rows import OUTLINE, PUT, climb_of, ladder_rows

from snellen.analysis.blocks import Loss, Value
from snellen.analysis.ladder.case import Disagreement, case_of
from snellen.analysis.ladder.sentences import details, headline, missing, of_100
from snellen.analysis.ladder.study import LadderStudy
from snellen.analysis.ladder.verdict import alike, judge


def case(rows):
    return case_of(climb_of(rows), 0)


def judged(rows):
    return judge(case(rows))


def losing(faculty, low, value, high, *, shown):
    step = Value(value, low, high, 100)
    return Loss((faculty,), step, step, "words", "pictures", 0.001, shown, 0.2)


@pytest.mark.parametrize(
    ("how", "verdict"),
    [
        ({}, "none"),
        ({"attend": 0.6}, "attention"),
        ({"think": 0.5}, "thinking"),
        ({"see": 0.5}, "eyes"),
        ({"follow": 0.5}, "habit"),
        ({"refuse": 0.5}, "form"),
    ],
)
@pytest.mark.parametrize("options", [("A", "B"), ("A", "B", "C", "D"), ()])
def test_the_fault_that_was_planted_is_the_only_one_named(how, verdict, options):
    found = judged(ladder_rows(n=80, options=options, seed=1, **how))
    assert found.verdict == verdict
    assert [loss.faculties for loss in found.faults] == ([] if verdict == "none" else [(verdict,)])


def test_every_fault_is_named_the_largest_first():
    found = judged(ladder_rows(n=200, think=0.8, see=0.4, seed=2))
    assert found.verdict == "eyes"
    assert [loss.faculties for loss in found.faults] == [("eyes",), ("thinking",)]


def test_faults_that_differ_by_chance_are_named_together():
    one, other = losing("eyes", 0.2, 0.3, 0.4, shown=True), losing("habit", 0.15, 0.25, 0.35, shown=True)
    assert alike(one, other)
    assert not alike(one, losing("habit", 0.5, 0.6, 0.7, shown=True))
    evidence = replace(case(ladder_rows(n=60)), losses=(other, one))
    said = headline(evidence, judge(evidence))
    assert said == (
        "s loses 30 of 100 items (20 to 40) to its eyes and 25 (15 to 35) to habit (which of the two loses more is not"
        " shown)."
    )


def test_a_loss_below_five_of_a_hundred_is_no_fault():
    barely = replace(case(ladder_rows(n=400)), losses=(losing("eyes", 0.04, 0.1, 0.16, shown=False),))
    assert judge(barely).verdict == "none"
    found = case(ladder_rows(n=60, see=0.9, seed=1))
    for loss in found.losses:
        assert loss.shown == (loss.share.low > 0.05)


def test_a_loss_that_the_step_itself_does_not_show_is_not_named():
    """Whatever the tree may say."""
    for seed in range(4):
        for loss in case(ladder_rows(n=30, see=0.7, think=0.8, seed=seed)).losses:
            assert not loss.shown or loss.step.value > 0


@given(
    st.tuples(*[st.sampled_from((0.3, 0.8, 1.0))] * 4),
    st.integers(0, 5),
    st.lists(st.sampled_from(list(PUT)), min_size=1, unique=True),
)
@settings(max_examples=15, deadline=None)
def test_no_verdict_names_a_faculty_whose_intervention_shows_no_loss(faculties, seed, rungs):
    attend, think, see, follow = faculties
    rungs = sorted(rungs, key=list(PUT).index)
    rows = ladder_rows(n=24, attend=attend, think=think, see=see, follow=follow, seed=seed, rungs=rungs)
    found = judged(rows)
    if found.verdict in ("attention", "thinking", "eyes", "habit"):
        own = found.faults[0]
        assert own.faculties == (found.verdict,)
        # the raw shares of right answers on the same items, before and after the step
        right = rows.group_by("paradigm", "rule").agg((pl.col("outcome") == "right").mean().alias("right"))
        share = {(paradigm, rule): value for paradigm, rule, value in right.rows()}
        below = share[PUT[own.lower]] if own.lower else 1.0
        assert below > share[PUT[own.upper]]


def test_what_no_intervention_isolated_is_not_charged():
    rows = ladder_rows(n=80, see=0.4, rungs=("told", "pictures"))
    found = case(rows)
    verdict = judge(found)
    assert (verdict.verdict, verdict.why) == ("unclear", "together")
    assert "thinking or its eyes, which were not told apart" in headline(found, verdict)
    (line,) = missing(found)
    assert line == (
        "thinking and eyes were not told apart: words was not asked. These pictures have no exact words; those of a"
        " better describer may stand in: `snellen exam s --tasks beads --paradigm describe --role describer=OTHER`."
    )
    assert missing(case(ladder_rows(n=20))) == ()


def test_where_tree_and_steps_disagree_nothing_is_named_and_both_are_shown():
    found = case(ladder_rows(n=80, see=0.4))
    apart = Disagreement(("eyes",), Value(0.1, 0.05, 0.15), Value(0.5, 0.4, 0.6))
    disagreeing = replace(found, disagreements=(apart,))
    verdict = judge(disagreeing)
    assert (verdict.verdict, verdict.why) == ("unclear", "disagree")
    said = headline(disagreeing, verdict)
    assert "the step itself loses 10 (5 to 15)" in said
    assert "says 50 (40 to 60)" in said


def test_few_items_or_wide_intervals_are_unclear():
    assert judged(ladder_rows(n=7)).why == "few"
    little = judged(ladder_rows(n=9))
    assert (little.verdict, little.why) == ("unclear", "open")
    assert judged(ladder_rows(n=400)).promise < judged(ladder_rows(n=100)).promise < 0.3


def test_without_pictures_there_is_no_clean_bill():
    found = judged(ladder_rows(n=80, rungs=("told", "words")))
    assert (found.verdict, found.why) == ("unclear", "unasked")
    assert judged(ladder_rows(n=80, rungs=("told", "words"), think=0.4)).verdict == "thinking"


def test_where_one_option_is_always_right_there_is_no_clean_bill():
    rows = ladder_rows(n=80).filter(pl.col("key") == "A")
    assert judged(rows).why == "one key"
    assert judged(ladder_rows(n=80, options=())).verdict == "none", "numbers cannot be guessed so"


def test_a_ladder_upside_down_is_no_clean_bill_unless_the_words_are_the_trouble():
    contrary = ladder_rows(n=60, rungs=("told", "words", "against"))
    wrong = ladder_rows(n=60, rungs=("pictures",)).with_columns(outcome=pl.lit("wrong"))
    assert judged(pl.concat([contrary, wrong])).why == "upside down"
    words = ladder_rows(n=60, rungs=("words",), think=0.2)
    rest = ladder_rows(n=60, rungs=("told", "pictures", "against"))
    assert judged(pl.concat([words, rest])).verdict == "none"


EVERYBODY = [
    {},
    {"attend": 0.5},
    {"think": 0.5},
    {"see": 0.5},
    {"follow": 0.5},
    {"refuse": 0.5},
    {"refuse": 1.0},
    {"see": 0.6, "follow": 0.5},
    {"attend": 0.0, "guess": 0},
    {"n": 1},
    {"n": 9},
    {"rungs": ("told",)},
    {"rungs": ("pictures",), "see": 0.5},
    {"options": ()},
]


@pytest.mark.parametrize("how", EVERYBODY)
def test_sentences_are_whole_and_never_say_minus_zero(how):
    (diagnosis,) = LadderStudy(ladder_rows(**{"n": 30, **how}), OUTLINE, 0).diagnoses
    for line in (diagnosis.headline, *diagnosis.details, *diagnosis.missing):
        assert line.endswith(".")
        assert "-0" not in line
        assert "nan" not in line.lower()
        assert "None" not in line
        assert ".." not in line
    assert diagnosis.headline.startswith("s")
    assert ". " not in diagnosis.headline


def test_numbers_of_a_hundred():
    assert of_100(Value(-0.0, -0.0, 0.02)) == "0 (at most 2)"
    assert of_100(Value(-0.001, -0.1, 0.004), "items") == "0 of 100 items (at most 0)"
    assert of_100(Value(0.3, 0.2, 0.4), "items") == "30 of 100 items (20 to 40)"
    assert of_100(Value(None)) == "an unknown number"


def test_the_headline_says_what_the_verdict_rests_on():
    evidence = case(ladder_rows(n=80, see=0.5, seed=1))
    verdict = judge(evidence)
    assert headline(evidence, verdict).endswith("to its eyes: in exact words it solves them, in pictures it does not.")
    told = details(evidence, verdict)
    assert told[0].startswith("Of 100 items it also loses 0 (at most ")
    assert told[1].startswith("Rests on 80 items")
    assert any(line.startswith("The step from words to pictures: p <0.001") for line in told)
    assert sum(loss.share.value for loss in evidence.losses) + evidence.right.value == pytest.approx(1)
    none = judged(ladder_rows(n=100))
    assert none.promise is not None
    assert f"one on more than {100 * none.promise:.0f} of 100 items would have been" in headline(
        case(ladder_rows(n=100)), none
    )
