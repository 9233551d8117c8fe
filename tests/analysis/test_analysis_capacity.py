"""What was put in must come out: scores as published, marks that are never mixed, describing first, the judge."""

import json

import numpy as np
import polars as pl
import pytest

from snellen.analysis import render, to_json
from snellen.analysis.estimates import wilson
from snellen.analysis.rows import of_task
from snellen.charts.blocks import Value
from snellen.examine.findings import findings, table, tables
from snellen.tasks.capacity import TASK
from snellen.tasks.capacity.study import CapacityStudy
from snellen.tasks.capacity.study.judging import kappa
from snellen.tasks.capacity.study.kinds import KINDS
from snellen.tasks.capacity.study.results import CapacityResults
from snellen.tasks.capacity.study.weighing import effective, weighted, weights
from support.capacity_rows import CATEGORY, capacity_rows, judged


def results(*frames, seed=0):
    return CapacityResults(of_task(pl.concat(frames), "capacity", TASK.reads), seed)


def score(found, level="", **where):
    own = [each for each in found.scores if each.level == level]
    return next(each for each in own if all(each[name] == value for name, value in where.items()))


def rate(rows, **where):
    return (rows.filter(*(pl.col(n) == v for n, v in where.items()))["outcome"] == "right").mean()


def test_kinds_weigh_the_same_within_categories_and_categories_overall():
    frames = [capacity_rows(kinds=(kind,), n=10 + 7 * k, right=k / 10) for k, kind in enumerate(CATEGORY)]
    rows = pl.concat(frames)
    found = results(rows)
    means = {}
    for category in ("spatial", "geometric", "knowledge"):
        kinds = [kind for kind, own in CATEGORY.items() if own == category]
        means[category] = np.mean([rate(rows, kind=kind) for kind in kinds])
        assert score(found, category).value.value == pytest.approx(means[category])
    whole = score(found)
    assert whole.value.value == pytest.approx(np.mean(list(means.values())))
    assert whole.value.value != pytest.approx(rate(rows), abs=0.01)  # items do not weigh the same
    assert whole.whole
    assert whole.items == rows.height
    assert whole.value.low < whole.value.value < whole.value.high


def test_with_kinds_left_out_the_score_says_so_and_failed_calls_are_missing():
    rows = capacity_rows(kinds=("maze", "gomoku", "direction"), n=20, unread=0.2, seed=2)
    lost = pl.col("item").str.ends_with("0003")
    rows = rows.with_columns(
        outcome=pl.when(lost).then(pl.lit("unread")).otherwise("outcome"),
        reason=pl.when(lost).then(pl.lit("error")).otherwise("reason"),
    )
    found = results(rows)
    whole = score(found)
    assert not whole.whole
    assert whole.kinds == ("direction", "gomoku", "maze")
    assert (whole.trials, whole.errors) == (57, 3)
    answered = rows.filter(pl.col("reason") != "error")
    assert whole.unread == pytest.approx((answered["outcome"] == "unread").mean())
    halves = [rate(answered, kind="direction"), (rate(answered, kind="maze") + rate(answered, kind="gomoku")) / 2]
    assert whole.value.value == pytest.approx(np.mean(halves))
    assert {each.level for each in found.scores} == {"", "spatial", "geometric"}


def test_intervals_of_the_overall_score_keep_their_word():
    rng = np.random.default_rng(4)
    weight = np.array(list(weights({name: category for name, (_, category) in KINDS.items()}).values()))
    for n, chances in ((12, rng.random(11)), (60, np.full(11, 0.02)), (60, np.full(11, 0.97)), (100, rng.random(11))):
        hits, widths = [], []
        for right in rng.binomial(n, chances, (250, 11)):
            parts = ((w, Value(k / n, *wilson(k / n, n), n)) for w, k in zip(weight, right, strict=True))
            value = weighted(parts)
            hits.append(value.low <= weight @ chances <= value.high)
            widths.append(value.high - value.low)
        assert 0.91 <= np.mean(hits) <= 0.995
        spread = 2 * 1.96 * np.sqrt((weight**2 * chances * (1 - chances)).sum() / n)
        assert np.mean(widths) < 1.6 * spread + 0.02  # and not by being as wide as one likes


def test_an_interval_tells_how_many_items_it_is_worth():
    for share, n in ((0.0, 10), (0.3, 40), (1.0, 7), (0.5, 1000)):
        assert effective(Value(share, *wilson(share, n), 5)) == pytest.approx(n)
    assert weighted([(1.0, Value(0.2)), (1.0, Value(None))]).value is None


def test_marks_of_verifier_and_judge_are_never_mixed():
    fresh = capacity_rows(n=12, right=0.5)
    real = capacity_rows(n=12, right=0.25, source="published")
    rows = pl.concat(
        [fresh, judged(fresh, lenient=1.0), real, judged(real, "a", lenient=1.0), judged(real, "b").head(30)]
    )
    found = results(rows)
    assert score(found, source="generated").value.value == pytest.approx(score(results(fresh)).value.value)
    assert score(found, source="generated").trials == fresh.height
    assert score(found, source="published").value.value == 1.0  # the judge's marks, of the judge with most of them
    assert score(found, source="published").trials == real.height
    alone = results(real)
    assert score(alone).value.value == pytest.approx(score(results(fresh, real), source="published").value.value)
    assert score(alone).value.value < 0.4  # without a judge the verifier's
    assert {each["source"] for each in found.kinds} == {"generated", "published"}


def test_a_described_item_is_paired_with_itself():
    plain = capacity_rows(n=60, right=0.3, seed=5)
    better = {kind: 0.9 if category == "spatial" else 0.3 for kind, category in CATEGORY.items()}
    first = capacity_rows(n=60, right=better, describe="first", seed=5)
    found = results(plain, first)
    by = {(each["category"], each["kind"]): each for each in found.described}
    assert len(by) == 11 + 3 + 1
    for kind, category in CATEGORY.items():
        each = by[category, kind]
        assert each.difference == pytest.approx(rate(first, kind=kind) - rate(plain, kind=kind))
        assert (each.p_items_holm < 0.001) == (category == "spatial")
    spatial = [each.difference for key, each in by.items() if key[0] == "spatial" and key[1]]
    assert by["spatial", ""].difference == pytest.approx(np.mean(spatial))
    whole = by["", ""]
    assert whole.difference == pytest.approx(
        np.mean([by[c, ""].difference for c in ("spatial", "geometric", "knowledge")])
    )
    assert whole.low < 0.2 < whole.high
    assert whole.p_items_holm < 0.001
    assert whole.pairs == 660
    assert by["knowledge", ""].p_items_holm > 0.05
    fifth = table(pl.concat([plain, first]), "capacity-table5")
    assert fifth.columns[1:3] == ("sim, ours", "Gemini-2.5-Pro, paper")
    maze = next(row for row in fifth.rows if row[0] == "Maze")
    assert maze[1].value == pytest.approx(100 * by["geometric", "maze"].difference)
    assert maze[2] == Value(0.9, note="1.9 from 1.1")
    assert results(plain).described == []


def test_the_judge_beside_the_verifier():
    rows = capacity_rows(n=50, right=0.5, unread=0.04, seed=8)
    found = results(rows, judged(rows, lenient=0.2, strict=0.05, unread=0.03, seed=3))
    whole = next(each for each in found.agreements if not each["kind"])
    marks = judged(rows, lenient=0.2, strict=0.05, unread=0.03, seed=3)["outcome"].to_list()
    pairs = [(j, v) for j, v in zip(marks, rows["outcome"], strict=True) if "unread" not in (j, v)]
    assert whole.lenient == sum(pair == ("right", "wrong") for pair in pairs)
    assert whole.strict == sum(pair == ("wrong", "right") for pair in pairs)
    assert whole.lenient > 2 * whole.strict
    assert whole.both_right + whole.both_wrong + whole.lenient + whole.strict == len(pairs)
    assert whole.unread == pytest.approx(marks.count("unread") / len(marks))
    agreed = np.mean([j == v for j, v in pairs])
    right = [np.mean([pair[k] == "right" for pair in pairs]) for k in (0, 1)]
    chance = right[0] * right[1] + (1 - right[0]) * (1 - right[1])
    assert whole.share.value == pytest.approx(agreed)
    assert whole.kappa.value == pytest.approx((agreed - chance) / (1 - chance))
    assert whole.kappa.low < 0.75 < whole.kappa.high
    assert {each["kind"] for each in found.agreements} == {"", *CATEGORY}
    assert results(rows).agreements == []


@pytest.mark.parametrize("right", [0.5, 1.0])
def test_perfect_agreement_is_not_certain_and_kappa_needs_disagreements(right):
    rows = capacity_rows(kinds=("maze",), n=20, right=right, seed=1)
    both = pl.concat([rows, judged(rows)])
    found = results(both).agreements[0]
    assert found.share.value == 1
    assert found.share.low < 0.9
    assert found.kappa == Value(None, n=20, note="too few disagreements for kappa")
    assert "too few disagreements" in render(table(both, "capacity-judge"))


def test_kappa_of_nothing_is_nothing():
    assert kappa(Value(None), {}).value is None


def test_difficulty_is_told_in_thirds_of_the_kind():
    rows = capacity_rows(kinds=("maze", "gomoku"), n=30, right=0.5, seed=2)
    number = pl.col("item").str.slice(-4).cast(pl.Int64)
    many = pl.when(pl.col("kind") == "gomoku").then(200 + 2 * number).otherwise(7)
    rows = rows.with_columns(difficulty=many.cast(pl.String))
    found = table(rows, "capacity-difficulty")
    own = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    assert {row["kind"] for row in own} == {"Gomoku Variation"}  # all mazes are as difficult
    assert [(row["third"], row["from to"], row["items"]) for row in own] == [
        ("lower", "200 to 218", 10),
        ("middle", "220 to 238", 10),
        ("upper", "240 to 258", 10),
    ]
    upper = rows.filter(pl.col("kind") == "gomoku", number >= 20)
    assert own[2]["percent"].value == pytest.approx(100 * rate(upper))
    tied = table(capacity_rows(kinds=("maze",), n=40), "capacity-difficulty")  # 1 to 4, ten items each
    assert [row[2:4] for row in tied.rows] == [("lower", "1"), ("middle", "2 to 3"), ("upper", "4")]
    assert not table(rows.with_columns(difficulty=pl.lit("")), "capacity-difficulty").rows


def test_failed_calls_are_not_called_errors():
    rows = capacity_rows(kinds=("maze",), n=4)
    for name in ("capacity-kinds", "capacity-scores"):
        columns = table(rows, name).columns
        assert "failed calls" in columns
        assert "errors" not in columns


def everything():
    plain = capacity_rows("org/model-7b", n=8, aloud=True, planted={"maze": "path not shortest"})
    return pl.concat(
        [
            plain,
            capacity_rows("org/model-7b", n=8, describe="first"),
            capacity_rows("org/model-72b", n=8, right=0.9, unread=0.1),
            judged(plain, lenient=0.2, unread=0.1),
            capacity_rows("org/model-7b", n=4, source="published", right=0.2),
        ]
    )


def test_findings_become_json_and_every_table_can_be_printed():
    rows = everything()
    found = findings(rows)
    text = json.dumps(to_json(found), allow_nan=False)
    assert '"kind": "compass"' in text
    assert '"kind": "strips"' in text
    assert [d.subject for d in found.diagnoses] == ["org/model-7b", "org/model-72b"]
    names = tables(rows)
    assert {"capacity-scores", "capacity-mechanisms", "capacity-table2", "capacity-table4", "capacity-table5"} <= set(
        names
    )
    study = CapacityStudy(of_task(rows, "capacity", TASK.reads), 0)
    for name, named in study.tables().items():
        made = named.make()
        assert made.name == name
        assert made.title.startswith(("Capacity", "MME-CC", "Answers"))
        assert all(len(row) == len(made.columns) for row in made.rows)
        for style in ("text", "md", "latex", "csv"):
            assert render(made, style)
    assert findings(rows) == found  # the same rows and seed give the same findings
    assert {each["level"] for each in found.estimates} == {"", "score"}
    shown = {block.title for section in found.sections for block in section.blocks if hasattr(block, "title")}
    assert "By size, within a family" in shown


@pytest.mark.parametrize("outcome", ["unread", "error"])
def test_nothing_answered_still_says_so(outcome):
    reason = "refused" if outcome == "unread" else "error"
    rows = capacity_rows(n=3).with_columns(
        outcome=pl.lit("unread"),
        reason=pl.lit(reason),
        answer=pl.lit(""),
        mechanism=pl.lit(""),
        text=pl.lit(None, pl.String),
    )
    found = findings(rows)
    json.dumps(to_json(found), allow_nan=False)
    (diagnosis,) = found.diagnoses
    assert diagnosis.verdict == ("refusal" if outcome == "unread" else "unclear")
    assert ("it declines to answer" if outcome == "unread" else "calls failed") in diagnosis.headline
    for named in tables(rows).values():
        assert render(named.make())


def test_conditions_nobody_knows_make_settings_of_their_own_but_levels_of_items_do_not():
    rows = capacity_rows(n=6)
    rows = rows.with_columns(
        shade=pl.when(pl.col("item").str.ends_with("1")).then(pl.lit("dark")).otherwise(pl.lit("light"))
    )
    assert len(results(rows).settings) == 1
    both = pl.concat([rows.with_columns(words=pl.lit(level)) for level in ("none", "given")])
    found = results(both)
    assert [setting["also"] for setting in found.settings] == ["words given", "words none"]
    assert score(found).trials == rows.height
