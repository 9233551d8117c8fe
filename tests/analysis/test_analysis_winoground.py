"""Winoground's scores are counted by sample, and its ladder finds what was put in."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from winoground_rows import LADDER, WAYS, winoground_rows

from snellen.analysis import Heat, to_json
from snellen.analysis.estimates import Estimate
from snellen.analysis.rows import of_task
from snellen.analysis.scores import above_chance
from snellen.examine.findings import findings, table, tables
from snellen.tasks.winoground.study.results import CHANCE, WinogroundResults

DIRECT = WAYS[:1]


def results(rows):
    return WinogroundResults(of_task(rows, "winoground"), 0)


def test_scores_need_both_choices_and_group_all_four():
    rows = winoground_rows(n=4, ways=DIRECT)
    wrong = {(0, "image_0"), (1, "caption_1"), (2, "image_1"), (2, "caption_0")}
    spoiled = [(int(item[-4:]), given) in wrong for item, given in rows.select("item", "given").rows()]
    rows = rows.with_columns(outcome=pl.when(pl.Series(spoiled)).then(pl.lit("wrong")).otherwise("outcome"))
    found = {each["score"]: each for each in results(rows).scores}
    assert {score: each.right for score, each in found.items()} == {"text": 2, "image": 2, "group": 1}
    assert all(each.trials == 4 for each in found.values())


def test_a_sample_not_asked_in_full_or_failed_is_missing():
    rows = winoground_rows(n=10, ways=DIRECT)
    some = rows.filter(~((pl.col("given") == "caption_1") & (pl.col("item") == "winoground/0000")))
    found = {each["score"]: each for each in results(some).scores}
    assert (found["text"].trials, found["image"].trials, found["group"].trials) == (10, 9, 9)
    failed = pl.when((pl.col("given") == "image_0") & (pl.col("item") == "winoground/0003")).then(pl.lit("error"))
    found = {each["score"]: each for each in results(rows.with_columns(reason=failed.otherwise("reason"))).scores}
    assert (found["text"].errors, found["text"].trials, found["image"].errors) == (1, 9, 0)
    silent = {each["score"]: each for each in results(winoground_rows(refuse=0.1, ways=DIRECT)).scores}
    assert silent["group"].unread_rate == pytest.approx(1 - silent["group"].accuracy)
    assert silent["group"].unread > 0


def counted(right, n):
    return Estimate({}, n, n, right, n - right, 0, right / n, 0.0, 1.0, right / n, 0.0, 0)


def test_guessing_scores_what_chance_says():
    found = {each["score"]: each for each in results(winoground_rows(see=0, n=2000, ways=DIRECT)).scores}
    for score, each in found.items():
        assert each.low < CHANCE[score] < each.high
        assert each.p_chance > 0.001
    favourite = {each["score"]: each for each in results(winoground_rows(see=0, guess=1.0, n=50, ways=DIRECT)).scores}
    assert all(each.right == 0 for each in favourite.values())
    assert above_chance(counted(2, 4), 0.25).p_chance == pytest.approx(67 / 256)
    assert above_chance(counted(0, 10), 0.25).p_chance == 1


@pytest.mark.soak
def test_the_deficit_put_in_gives_the_verdict():
    subjects: dict[str, tuple[dict[str, Any], str]] = {
        "ideal": ({}, "none"),
        "nearsighted": ({"see": 0.4}, "eyes"),
        "muddled": ({"think": 0.4}, "unclear"),
        "muddled, told": ({"think": 0.4, "ways": LADDER}, "thinking"),
        "nearsighted, told": ({"see": 0.4, "ways": LADDER}, "eyes"),
        "nearsighted, leans": ({"see": 0.3, "guess": 1.0}, "eyes"),
        "few": ({"see": 0.5, "n": 6}, "unclear"),
        "silent": ({"refuse": 0.6}, "refusal"),
        "alone": ({"see": 0.5, "ways": DIRECT}, "unclear"),
        "alone and able": ({"ways": DIRECT}, "none"),
        "reader": ({"think": 0.4, "ways": WAYS[2:]}, "unclear"),
    }
    rows = pl.concat([winoground_rows(name, **how) for name, (how, _) in subjects.items()])
    found = {each.subject: each.verdict for each in findings(rows).diagnoses}
    assert found == {name: verdict for name, (_, verdict) in subjects.items()}


def test_words_that_say_less_than_the_eyes_see_are_called_that():
    seen = winoground_rows("s", ways=(WAYS[0], WAYS[2]))
    (diagnosis,) = findings(pl.concat([seen, winoground_rows("s", see=0.4, ways=WAYS[1:2])])).diagnoses
    assert diagnosis.verdict == "saying"


@pytest.mark.soak
def test_losses_put_in_lie_in_their_intervals_about_as_often_as_promised():
    inside = []
    for seed in range(12):
        see, think = ((0.4, 0.8), (0.7, 0.6), (1.0, 1.0))[seed % 3]
        (found,) = findings(winoground_rows(see=see, think=think, n=60, seed=seed, ways=LADDER)).diagnoses
        for loss, truth in zip(found.losses, (0.0, 1 - think, (1 - see) * think), strict=True):
            inside.append(loss.share.low - 1e-9 <= truth <= loss.share.high + 1e-9)
    assert np.mean(inside) >= 0.86  # of 36


def test_contrasts_are_paired_over_samples_score_by_score():
    found = results(winoground_rows(see=0.5, n=120)).contrasts
    assert [(*each.sides, each["score"]) for each in found] == [
        (a, b, score) for a, b in (("ca", "direct"), ("twin", "sim")) for score in ("text", "image", "group")
    ]
    gap = found[-1]
    assert gap.pairs == 120
    assert gap.low < 0.5 * (1 - 1 / 16) < gap.high
    assert gap.p_items_holm >= gap.p_items
    assert found[0].low < 0 < found[0].high


def test_every_heading_of_the_published_tags_has_its_scores():
    number = pl.col("item").str.slice(-2).cast(pl.Int32)
    rows = winoground_rows(n=40, ways=(("direct", None),)).with_columns(
        collapsed=pl.when(number < 23)
        .then(pl.lit("Relation"))
        .when(number < 37)
        .then(pl.lit("Object"))
        .otherwise(pl.lit("Both")),
        secondary=pl.when(number < 5).then(pl.lit("Symbolic, Series")).when(number < 8).then(pl.lit("Series")),
        predicates=pl.when(number < 29).then(pl.lit("1")).otherwise(pl.lit("2")),
    )
    made = table(rows, "winoground-tags")
    heading, word, score = (made.columns.index(name) for name in ("heading", "word", "score"))
    samples = {(r[heading], r[word]): r[-1] for r in made.rows if r[score] == "group"}
    assert samples == {
        **{("tag", "colour"): 14, ("tag", "relation"): 26},
        **{("collapsed", "Both"): 3, ("collapsed", "Object"): 14, ("collapsed", "Relation"): 23},
        **{("secondary", "Series"): 8, ("secondary", "Symbolic"): 5},
        **{("predicates", "1"): 29, ("predicates", "2"): 11},
    }


def test_tags_matrix_tables_and_json():
    casts = tuple(("ca", who) for who in ("eagle", "twin"))
    rows = pl.concat([winoground_rows("b", n=30, ways=casts), winoground_rows("c", n=30, ways=casts)])
    found = findings(rows)
    json.dumps(to_json(found), allow_nan=False)
    (heat,) = (block for section in found.sections for block in section.blocks if isinstance(block, Heat))
    assert heat.columns == ("b", "c")
    assert [line for line, _ in heat.rows] == ["eagle", "twin"]
    made = {name: named.make() for name, named in tables(rows).items()}
    assert all(len(row) == len(each.columns) for each in made.values() for row in each.rows)
    assert {row[:2] for row in made["winoground-tags"].rows} == {("tag", "colour"), ("tag", "relation")}
    third = made["paradigms-table3"]
    assert third.rows[0][:2] == ("b [describer=eagle] · ca", "ours")
    assert ("GPT-4o", "paper") in {row[:2] for row in third.rows}
    assert {each["score"] for each in found.estimates if "score" in each} == {"text", "image", "group"}
