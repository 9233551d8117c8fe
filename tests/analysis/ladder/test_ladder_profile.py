"""The profile pools over tasks; ladders come from wherever a task is known; another's words are a relative rung."""

from math import sqrt
from pathlib import Path

import polars as pl
import pytest

from snellen.analysis.ladder import profiles
from snellen.analysis.ladder.others import borrowed, borrowed_words
from snellen.charts.blocks import Diagnosis, Loss, Value
from snellen.examine import make_plan
from snellen.examine.findings import findings
from snellen.ladder import FREE
from snellen.tasks.ladder_spec import spec_of
from support.ladder_rows import ladder_rows, result_of

LAMPS = Path(__file__).parents[3] / "docs" / "examples" / "lamps.py"


def diagnosis(task, subject="s", **losses):
    made = tuple(
        Loss(tuple(name.split("_")), Value(*share), Value(*share), "", "pictures") for name, share in losses.items()
    )
    return Diagnosis(subject, "", "none", (), losses=made, task=task)


def test_a_faculty_is_pooled_by_a_random_effects_mean():
    """By hand: variances 0.05^2 and 0.1^2, weights 400 and 100, fixed mean 0.24, Q = 16 + 64 x 0.0144 ..."""
    found = profiles(
        [diagnosis("a", eyes=(0.2, 0.102, 0.298)), diagnosis("b", eyes=(0.6, 0.404, 0.796))],
    )
    weights = (1 / 0.05**2, 1 / 0.1**2)  # 400 and 100
    fixed = (400 * 0.2 + 100 * 0.6) / 500
    heterogeneity = 400 * (0.2 - fixed) ** 2 + 100 * (0.6 - fixed) ** 2
    between = (heterogeneity - 1) / (500 - (400**2 + 100**2) / 500)
    assert (fixed, heterogeneity) == pytest.approx((0.28, 12.8))
    assert between == pytest.approx(0.07375)
    own = [1 / (1 / weight + between) for weight in weights]
    mean = (own[0] * 0.2 + own[1] * 0.6) / sum(own)
    (profile,) = found
    (pooled,) = profile.pooled
    assert pooled.mean.value == pytest.approx(mean)
    assert pooled.across == (0.2, 0.6)
    half = 1.96 / sqrt(sum(own))
    assert (pooled.mean.low, pooled.mean.high) == pytest.approx((max(0, mean - half), min(1, mean + half)))
    assert pooled.tasks == 2


def test_the_range_across_tasks_is_that_of_their_estimates():
    agree = profiles([diagnosis(task, habit=(0.3, 0.2, 0.4)) for task in "abc"])[0].pooled[0]
    assert agree.across == (0.3, 0.3)
    assert agree.mean.value == pytest.approx(0.3)
    assert agree.mean.high - agree.mean.low < 0.2
    wide = profiles(
        [diagnosis(task, eyes=(x, x - 0.4, x + 0.4)) for task, x in zip("abc", (0.62, 0.25, 1.0), strict=True)]
    )
    assert wide[0].pooled[0].across == (0.25, 1.0), "however wide the intervals are"
    alone = profiles([diagnosis("a", habit=(0.3, 0.2, 0.4))])[0].pooled[0]
    assert alone.across is None
    assert (alone.mean.low, alone.mean.high) == pytest.approx((0.2, 0.4), abs=0.002)


def test_what_was_not_asked_or_not_told_apart_is_absent():
    first = diagnosis("a", eyes=(0.2, 0.1, 0.3), thinking_attention=(0.5, 0.4, 0.6))
    second = diagnosis("b", attention=(0.0, 0.0, 0.1))
    (profile,) = profiles([first, second])
    assert profile.tasks == ("a", "b")
    assert [faculty for faculty, _ in profile.rows] == ["attention", "eyes"]
    cells = dict(profile.rows)
    assert cells["attention"][0] is None
    assert cells["eyes"][1] is None
    assert cells["eyes"][0].value == 0.2


def test_every_subject_has_a_profile_of_its_own():
    found = profiles([diagnosis("a", "s"), diagnosis("a", "t"), diagnosis("b", "s")])
    assert [(profile.subject, profile.tasks) for profile in found] == [("s", ("a", "b")), ("t", ("a",))]
    rows = pl.concat([ladder_rows("s", n=20), ladder_rows("s", n=20).with_columns(task=pl.lit("pearls"))])
    assert findings(rows).profiles[0].tasks == ("beads", "pearls")


# Where a ladder comes from


def test_the_ladder_of_a_task_of_ones_own_is_what_the_store_recorded():
    fingerprint = make_plan("sim/ideal", tasks=str(LAMPS), n=1).fingerprint()
    spec = spec_of("lamps", [{}, fingerprint])
    assert [rung.name for rung in spec.ladder] == ["told", "words", "pictures", "dark"]
    assert spec.plainest == {"count": "lit"}
    assert spec.ladder[-1].puts[0].levels == {"count": ("dark",)}
    assert spec_of("lamps", []).ladder == FREE
    assert spec_of("fixation", []).plainest["rule"] == "standard"


# Another's words


def with_words_of(describer, outcome):
    """The same items, and the subject's answers from somebody's descriptions of them."""
    pictures = ladder_rows(n=40, see=0.3, rungs=("pictures",)).with_columns(describer=pl.lit(""), reasoner=pl.lit(""))
    described = pictures.with_columns(
        paradigm=pl.lit("ca"), describer=pl.lit(describer), reasoner=pl.lit("s"), outcome=pl.lit(outcome)
    )
    return result_of(pl.concat([pictures, described.with_columns(subject=pl.lit(f"s [describer={describer}]"))]))


def test_a_better_describers_words_show_a_loss_relative_to_it():
    (lent,) = borrowed(with_words_of("eagle", "right"), 0)
    assert lent.describer == "eagle"
    assert lent.gain.low > 0.2
    assert lent.p < 0.001
    said = borrowed_words(lent)
    assert said.startswith("With eagle's words the share it solves changes by +")
    assert said.endswith("a loss to its eyes, relative to eagle.")


def test_a_worse_describers_words_show_nothing_and_ones_own_and_the_twins_are_no_loan():
    (lent,) = borrowed(with_words_of("mole", "wrong"), 0)
    assert lent.gain.high < 0
    assert "relative" not in borrowed_words(lent)
    assert borrowed(with_words_of("s", "right"), 0) == []
    assert borrowed(with_words_of("twin", "right"), 0) == []
    assert borrowed(result_of(ladder_rows(n=10, rungs=("told",))), 0) == []
