"""The verdict's rules, one by one, and what it says in words."""

import re
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.missing import missing
from snellen.analysis.ladder.sentences import details, headline, in_percent
from snellen.analysis.ladder.study import LadderStudy
from snellen.analysis.ladder.verdict import alike, judge
from snellen.charts.blocks import Loss, Value
from support.ladder_rows import PUT, SPEC, ladder_rows, result_of
from support.lengths import few_and_more, some_of


def case(rows, spec=SPEC):
    return case_of(result_of(rows, spec), 0)


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
        ({"refuse": 0.5}, "refusal"),
    ],
)
@some_of("options", [("A", "B"), ("A", "B", "C", "D"), ()], 3)
def test_the_fault_that_was_planted_is_the_only_one_named(how, verdict, options):
    found = judged(ladder_rows(n=80, options=options, seed=1, **how))
    assert found.verdict == verdict
    assert [loss.faculties for loss in found.faults] == ([] if verdict == "none" else [(verdict,)])


def test_every_fault_is_named_the_largest_first():
    found = judged(ladder_rows(n=80, think=0.7, see=0.4, seed=2))
    assert found.verdict == "eyes"
    assert [loss.faculties for loss in found.faults] == [("eyes",), ("thinking",)]


def test_faults_that_differ_by_chance_are_named_together():
    one, other = losing("eyes", 0.2, 0.3, 0.4, shown=True), losing("habit", 0.15, 0.25, 0.35, shown=True)
    assert alike(one, other)
    assert not alike(one, losing("habit", 0.5, 0.6, 0.7, shown=True))
    evidence = replace(case(ladder_rows(n=80)), losses=(other, one))
    said = headline(evidence, judge(evidence))
    assert said == (
        "s loses 30 % of items (95 % CI 20–40) to its eyes and 25 % (15–35) to habit (which of the two is larger is not"
        " shown)."
    )


@few_and_more("seeds", [range(2)], [range(2, 4)])
def test_a_fault_lies_above_one_and_is_at_least_ten_of_a_hundred(seeds):
    for seed in seeds:
        for loss in case(ladder_rows(n=80, see=0.88, seed=seed)).losses:
            share = loss.share
            assert loss.shown == (share.low > 0.01 and share.value >= 0.1 and loss.step.value > 0)


def test_a_loss_that_is_likely_but_no_fault_is_told_as_small():
    evidence = case(ladder_rows(n=80))
    likely = replace(evidence, losses=(losing("eyes", 0.04, 0.07, 0.12, shown=False),))
    verdict = judge(likely)
    assert (verdict.verdict, verdict.named) == ("small", ())
    said = headline(likely, verdict)
    assert said == "s: no fault found, but a small loss is likely: 7 % of items (95 % CI 4–12) to its eyes."
    barely = replace(evidence, losses=(losing("eyes", 0.0, 0.07, 0.12, shown=False),))
    assert judge(barely).verdict == "none"


@some_of("seed", range(6), 6)
def test_no_fault_found_never_stands_above_a_loss_whose_interval_excludes_zero(seed):
    """Around one item in twelve: now a fault, now a small loss, now none."""
    found = case(ladder_rows(n=150, see=0.92, seed=seed))
    verdict = judge(found)
    above_zero = [loss for loss in found.losses if loss.share.low > 0.001]
    assert (verdict.verdict == "none") == (not above_zero)
    for loss in verdict.faults if verdict.verdict == "small" else ():
        assert loss.share.value < 0.1, "a small loss is small"


@some_of("seed", range(4), 4)
def test_a_loss_that_the_step_itself_does_not_show_is_not_named(seed):
    """Whatever the tree may say."""
    for loss in case(ladder_rows(n=30, see=0.7, think=0.8, seed=seed)).losses:
        assert not loss.shown or loss.step.value > 0


@pytest.mark.soak
@given(
    st.tuples(*[st.sampled_from((0.3, 0.8, 1.0))] * 4),
    st.integers(0, 5),
    st.lists(st.sampled_from(list(PUT)), min_size=1, unique=True),
)
@settings(max_examples=8, deadline=None)
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
    assert "thinking or its eyes, which this exam could not tell apart" in headline(found, verdict)
    (line,) = missing(found)
    assert line == (
        "thinking and eyes were not told apart: words was not asked. These pictures have no exact words; those of a"
        " better describer may stand in: `snellen exam s --tasks beads --paradigm describe --role describer=OTHER`."
    )
    assert missing(case(ladder_rows(n=80))) == ()


# Unclear: each rule says itself


def unclear(rows, spec=SPEC):
    """The rule that fired, and the headline."""
    evidence = case(rows, spec)
    verdict = judge(evidence)
    assert verdict.verdict == "unclear"
    return verdict.why, headline(evidence, verdict).removeprefix("s: no clear diagnosis. ")


def test_fewer_than_eight_items_are_too_few():
    assert unclear(ladder_rows(n=7)) == ("few", "Too few items: 7 (at least 8 are needed).")
    failed = ladder_rows(n=20).with_columns(outcome=pl.lit("unread"), reason=pl.lit("error"))
    assert unclear(failed) == (
        "few",
        "All 80 calls failed. Run the same exam again: calls that failed are made again, and no others.",
    )


def test_free_text_without_a_judge_says_so_and_names_the_command():
    rows = ladder_rows(n=20, options=(), rungs=("told", "pictures")).with_columns(source=pl.lit("published"))
    assert judged(rows).verdict == "none"  # rules can mark the published items of other tasks
    spec = replace(SPEC, judged=True)
    why, said = unclear(rows, spec)
    assert why == "few"
    assert said.startswith("Its 40 replies are free text, which only a judge can mark, and no judge was given.")
    assert "`snellen exam s --tasks beads --role judge=SUBJECT`" in said
    marked = pl.concat([rows.with_columns(judge=pl.lit(name)) for name in ("", "j")])
    assert marked.height == 80
    assert judge(case(marked, spec)).verdict == "none"


def failing(rows, *paradigms):
    """The rows with all calls of these paradigms failed."""
    there = pl.col("paradigm").is_in(paradigms)
    return rows.with_columns(
        outcome=pl.when(there).then(pl.lit("unread")).otherwise("outcome"),
        reason=pl.when(there).then(pl.lit("error")).otherwise("reason"),
    )


def test_calls_that_failed_are_not_called_not_asked():
    found = case(failing(ladder_rows(n=40, see=0.3, rungs=("told", "words", "pictures")), "words"))
    (line,) = missing(found)
    assert line.startswith("thinking and eyes were not told apart: 40 calls of words failed. Run the same exam again")
    said = (headline(found, judge(found)), *details(found, judge(found)), line)
    assert not any("not asked" in sentence for sentence in said)
    assert any(sentence.startswith("40 calls failed; they are missing, not wrong.") for sentence in said)
    shown = unclear(failing(ladder_rows(n=40, rungs=("told", "words", "pictures")), "direct"))
    assert shown[1].startswith("It did not answer about the pictures themselves: 40 calls failed. Run the same exam")
    (line,) = missing(case(ladder_rows(n=40, see=0.3, rungs=("told", "pictures"))))
    assert "words was not asked" in line


def test_an_exam_that_can_find_nothing_says_so():
    why, said = unclear(ladder_rows(n=9))
    assert why == "power"
    assert said.startswith("9 items are too few to detect a loss to ")
    assert "90 % power" in said


def test_a_fault_that_is_still_possible_is_told():
    evidence = replace(case(ladder_rows(n=80)), losses=(losing("eyes", 0.0, 0.1, 0.31, shown=False),))
    verdict = judge(evidence)
    assert (verdict.verdict, verdict.why) == ("unclear", "possible")
    assert headline(evidence, verdict).endswith("80 items are too few: up to 31 % may be lost to its eyes.")


def test_without_pictures_there_is_no_clean_bill():
    assert unclear(ladder_rows(n=80, rungs=("told", "words"))) == (
        "unasked",
        "It was not asked about the pictures themselves.",
    )
    assert judged(ladder_rows(n=80, rungs=("told", "words"), think=0.4)).verdict == "thinking"


def test_where_one_option_is_always_right_there_is_no_clean_bill():
    why, said = unclear(ladder_rows(n=80).filter(pl.col("key") == "A"))
    assert why == "one key"
    assert said.startswith("The same option was right every time")
    assert judged(ladder_rows(n=80, options=())).verdict == "none", "numbers cannot be guessed so"


def test_a_ladder_upside_down_is_no_clean_bill_unless_the_words_are_the_trouble():
    contrary = ladder_rows(n=60, rungs=("told", "words", "against"))
    wrong = ladder_rows(n=60, rungs=("pictures",)).with_columns(outcome=pl.lit("wrong"))
    assert unclear(pl.concat([contrary, wrong])) == (
        "upside down",
        "The rung 'pictures' is harder for it than 'against', which demands more.",
    )
    words = ladder_rows(n=60, rungs=("words",), think=0.2)
    rest = ladder_rows(n=60, rungs=("told", "pictures", "against"))
    assert judged(pl.concat([words, rest])).verdict == "none"


def test_pictures_whose_replies_could_not_be_read_are_no_clean_bill():
    """Errors of the subject's server aside: too few replies to tell, and too few unread ones for a fault."""
    evidence = case(ladder_rows(n=80))
    unread = tuple(replace(rung, read=0 * rung.read, right=0 * rung.right) for rung in evidence.result.line[2:])
    result = replace(evidence.result, line=(*evidence.result.line[:2], *unread))
    evidence = replace(evidence, result=result, untested=unread)
    verdict = judge(evidence)
    assert (verdict.verdict, verdict.why) == ("unclear", "unread")
    assert headline(evidence, verdict).endswith("Its replies on pictures and against could not be read.")


def test_one_reply_that_could_not_be_read_costs_no_power():
    rows = ladder_rows(n=60)
    last = rows["trial"] == "s/against/7/0"
    unread = pl.when(last).then(pl.lit("unread")).otherwise("outcome").alias("outcome")
    verdict = judge(case(rows.with_columns(unread)))
    assert verdict.verdict in ("none", "small")
    assert verdict.power is not None


def test_a_rung_takes_no_trials_that_make_another():
    """Asked against the habit only, nothing is known of the item as it is."""
    evidence = case(ladder_rows(n=40, rungs=("against",)))
    assert [rung.rung.name for rung in evidence.result.line] == ["against"]


def test_who_leans_only_when_told_is_charged_with_nothing():
    told = ladder_rows(n=60, rungs=("told",), attend=0.5, guess=0)
    rest = ladder_rows(n=60, rungs=("words", "pictures"))
    assert judge(case(pl.concat([told, rest]))).named == ()
    assert judge(case(pl.concat([told, rest.filter(pl.col("paradigm") == "words")]))).named == ()


EVERYBODY = [
    {},
    {"attend": 0.5},
    {"think": 0.5},
    {"see": 0.5},
    {"follow": 0.5},
    {"refuse": 0.5},
    {"refuse": 1.0},
    {"lean": 0.5},
    {"lean": 0.5, "options": ()},
    {"see": 0.0},
    {"think": 0.0},
    {"see": 0.6, "follow": 0.5},
    {"attend": 0.0, "guess": 0},
    {"n": 1},
    {"n": 9},
    {"rungs": ("told",)},
    {"rungs": ("pictures",), "see": 0.5},
    {"options": ()},
]


def shares_in(line):
    """The percentages of a sentence, with the ends of their intervals."""
    found = re.findall(r"([0-9]+) %|\((?:95 % CI )?([0-9]+)–([0-9]+)\)", line)
    return [number for numbers in found for number in numbers if number]


@some_of("how", EVERYBODY, 4)
def test_sentences_are_whole_and_never_say_minus_zero(how):
    (diagnosis,) = LadderStudy(ladder_rows(**{"n": 80, **how}), SPEC, 0).diagnoses
    for line in (diagnosis.headline, *diagnosis.details, *diagnosis.missing):
        assert line.endswith(".")
        assert "-0" not in line
        assert "nan" not in line.lower()
        assert "None" not in line
        assert ".." not in line
        assert all(int(number) <= 100 for number in shares_in(line)), "no share over 100"
    assert diagnosis.headline.startswith("s")


def test_shares_in_percent():
    assert in_percent(Value(-0.0, -0.0, 0.02)) == "0 % (0–2)"
    assert in_percent(Value(-0.001, -0.1, 0.004), "items") == "0 % of items (95 % CI 0–1)"
    assert in_percent(Value(0.3, 0.2, 0.4), "items") == "30 % of items (95 % CI 20–40)"
    assert in_percent(Value(None)) == "an unknown share"


def test_the_headline_says_what_the_verdict_rests_on():
    evidence = case(ladder_rows(n=80, see=0.5, seed=1))
    verdict = judge(evidence)
    assert headline(evidence, verdict).endswith(
        "to its eyes: it solves them from an exact description, but not from the picture."
    )
    told = details(evidence, verdict)
    assert told[0].startswith("It also loses 0 % (0–")
    assert told[1].startswith("Based on 80 items")
    assert any(line.startswith("The step from words to pictures: p < 0.001") for line in told)
    assert sum(loss.share.value for loss in evidence.losses) + evidence.right.value == pytest.approx(1)
    evidence = case(ladder_rows(n=80))
    none = judge(evidence)
    assert none.power is not None
    said = headline(evidence, none)
    assert said == (
        f"s: no fault found. This exam detects faults affecting {100 * none.power:.0f} % of items or more (90 % power)."
    )


def test_of_two_options_the_wrong_one_is_no_evidence():
    """Whatever mechanism it is called: there is no other way to be wrong."""
    rows = ladder_rows(n=80, follow=0.3, seed=1).with_columns(
        mechanism=pl.when(pl.col("outcome") == "wrong").then(pl.lit("default rule")).otherwise(pl.lit(""))
    )
    evidence = case(rows)
    assert judge(evidence).named == ("habit",)
    assert not any("default rule" in line for line in details(evidence, judge(evidence)))
    four = ladder_rows(n=80, follow=0.3, seed=1, options=("A", "B", "C", "D")).with_columns(
        mechanism=pl.when(pl.col("outcome") == "wrong").then(pl.lit("default rule")).otherwise(pl.lit(""))
    )
    evidence = case(four)
    assert any("'default rule'" in line for line in details(evidence, judge(evidence)))
