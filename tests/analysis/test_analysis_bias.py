"""Bias rates, contrasts and the published figures."""

from statistics import mean

import polars as pl
import pytest
from bias_rows import FOUR, bias_rows

from snellen.analysis.contrasts import mcnemar
from snellen.analysis.estimates import Estimate
from snellen.analysis.printed import printed
from snellen.analysis.rows import of_task
from snellen.examine.findings import findings, table
from snellen.tasks.bias.asking import HABIT, OTHER_WAY
from snellen.tasks.bias.study import BiasStudy, asked
from snellen.tasks.bias.study.asked import by_habit, completed, counted
from snellen.tasks.bias.study.papers import PAPER_TABLES
from snellen.tasks.bias.study.results import MACRO, POOLED, BiasResults
from support.lengths import some_of

MODELS = 14
ROWS = {19: 546, 20: 240, 21: 168, 22: 414}
COLUMNS = [f"{config} {short}" for short in ("acc", "bias") for config in ("Base", "Flip", "Alias", "Flip+Alias")]


def results(rows: pl.DataFrame) -> BiasResults:
    return BiasResults(of_task(rows, "bias"), 0)


def rate(found: BiasResults, measure: str, config: str = "Base", topic: str = POOLED) -> Estimate:
    [each] = [r for r in found.rates if (r["measure"], r["config"], r["topic"]) == (measure, config, topic)]
    return each


def figures(number: int) -> dict[str, list[float]]:
    return {row["Model"]: [float(row[c]) for c in COLUMNS] for row in printed("bias", f"bias_table{number:02d}").rows}


def test_bias_is_the_share_of_replies_with_the_usual_number():
    rows = bias_rows(right=0.2, habit=0.7, refuse=0.1)
    found = results(rows)
    base = rows.filter(view="upright", prompt="base")
    for measure, expected in (
        ("accuracy", (base["outcome"] == "right").sum()),
        ("bias", ((base["answer"] == "4") & (base["outcome"] != "unread")).sum()),
    ):
        each = rate(found, measure)
        assert each.right == expected
        assert each.accuracy == pytest.approx(expected / base.height)
        assert each.low < each.accuracy < each.high
        assert each.unread == (base["outcome"] == "unread").sum()


def test_pooled_weighs_trials_and_the_mean_weighs_topics():
    many, few = bias_rows(right=1.0, n=90, topics=("animals",)), bias_rows(right=0.0, n=10, topics=("flags",))
    found = results(pl.concat([many, few]))
    assert rate(found, "accuracy").accuracy == pytest.approx(0.9)
    both = rate(found, "accuracy", topic=MACRO)
    assert both.accuracy == pytest.approx(0.5)
    assert both.low < 0.5 < both.high
    assert both.trials == 100


def test_contrasts_are_exact_and_adjusted_over_three_configurations():
    rows = bias_rows(right=(0.1, 0.1, 0.5, 0.9), habit=(0.8, 0.8, 0.4, 0.05), n=30, published=True)
    found = results(rows)
    whole = [each for each in found.contrasts if each["topic"] == POOLED and each["measure"] == "bias"]
    assert [each["config"] for each in whole] == ["Flip", "Alias", "Flip+Alias"]
    said = {
        levels: dict(own.select("item", pl.col("mechanism") != "").iter_rows())
        for levels, own in rows.group_by("view", "prompt")
    }
    base, both = said["upright", "base"], said["flipped", "alias"]
    only = sum(both[item] and not base[item] for item in base), sum(base[item] and not both[item] for item in base)
    assert (whole[2].only_a, whole[2].only_b) == only
    assert whole[2].p == mcnemar(*only)
    smallest = min(each.p for each in whole)
    assert min(each.p_holm for each in whole) == pytest.approx(min(1, 3 * smallest))


def test_only_what_goes_against_the_habit_is_counted():
    rows = bias_rows(n=4)
    ordinary = rows.with_columns(drawing=pl.lit("ordinary"), trial=pl.col("trial") + " o")
    noticing = rows.with_columns(ask=pl.lit("usual"), trial=pl.col("trial") + " u")
    legs = rows.with_columns(source=pl.lit("synth-legs"), trial=pl.col("trial") + " l")
    unmodified = bias_rows(n=4, published=True).with_columns(split=pl.lit("original"))
    together = pl.concat([rows, ordinary, noticing, legs, unmodified], how="diagonal")
    assert counted(completed(of_task(together, "bias"))).height == rows.height


def test_a_reply_that_was_not_read_says_nothing():
    rows = of_task(bias_rows(habit=1.0, right=0.0, refuse=1.0, n=3), "bias")
    assert set(by_habit(rows)["outcome"]) == {"unread"}


def test_only_the_usual_number_counts_as_bias():
    """Not the number as far off the other way, though it has a mechanism, too."""
    rows = bias_rows(right=0.2, habit=0.3, ways=(("upright", "base"),))
    other = pl.when(pl.col("answer") == "9").then(pl.lit(OTHER_WAY)).otherwise("mechanism")
    noticing = rows.with_columns(ask=pl.lit("usual"))
    found = results(pl.concat([rows.with_columns(mechanism=other), noticing]))
    assert rate(found, "bias").right == (rows["mechanism"] == HABIT).sum() > 0
    assert {each["said"] for each in found.noticed_by_count} == {"right", HABIT, "another number"}


def test_the_habit_is_called_what_the_task_calls_it():
    assert asked.HABIT == HABIT


KNOWN = ("dog", "hen")


def with_recall(rows: pl.DataFrame, right: dict[str, bool]) -> pl.DataFrame:
    """The rows, their items of these kinds by turns, and what the subject says is usual: right, or one too many."""
    kinds = pl.Series([list(right)[i % len(right)] for i in range(rows.height)])
    rows = rows.with_columns(kind=kinds)
    said = pl.col("kind").replace_strict(right, return_dtype=pl.Boolean)
    recall = rows.filter(view="upright", prompt="base").with_columns(
        ask=pl.lit("recall"),
        trial=pl.col("trial") + " r",
        outcome=pl.when(said).then(pl.lit("right")).otherwise(pl.lit("wrong")),
        answer=pl.when(said).then(pl.lit("4")).otherwise(pl.lit("5")),
        key=pl.lit("4"),
        mechanism=pl.lit(""),
    )
    return pl.concat([rows, recall])


def test_bias_rates_count_the_kinds_whose_habit_is_held():
    base = bias_rows(right=0.2, habit=0.6, n=30, ways=(("upright", "base"),))
    rows = with_recall(base, {"dog": True, "hen": True, "stave": False})
    counted_rows = rows.filter(ask="count")
    held = counted_rows.filter(pl.col("kind").is_in(KNOWN))
    found = results(rows)
    assert found.recalled["sim"].held == KNOWN
    assert found.recalled["sim"].others == (("stave", "5"),)
    assert rate(found, "bias").trials == held.height
    assert rate(found, "bias").right == (held["mechanism"] == HABIT).sum()
    assert rate(found, "accuracy").trials == counted_rows.height


def test_what_is_usual_counts_in_no_accuracy():
    base = bias_rows(right=0.0, habit=1.0, n=10)
    rows = with_recall(base, {"dog": True, "hen": True})
    alone, both = table(base, "bias-accuracy"), table(rows, "bias-accuracy")
    assert alone.rows == both.rows
    [scored] = BiasStudy(of_task(rows, "bias"), 0).scores().values()
    assert (scored.value, scored.n) == (0, base.height)


@pytest.mark.parametrize("name", ["bias-rates", "bias-contrasts", "bias-table5"])
def test_tables_say_how_many_habits_are_held(name):
    rows = with_recall(bias_rows(n=9), {"dog": True, "hen": True, "stave": False})
    held, unasked = table(rows, name), table(bias_rows(n=9), name)
    assert "2 of 3 kinds" in str((held.note, held.rows))
    assert "not asked" in str((unasked.note, unasked.rows))


def test_a_subject_without_habits_has_no_bias_rate():
    rows = with_recall(bias_rows(n=9), {"dog": False})
    column = table(rows, "bias-rates").columns.index("bias %")
    assert {row[column] for row in table(rows, "bias-rates").rows} == {None}
    assert {each["bias_rate"] for each in findings(rows).estimates} == {None}
    assert table(rows, "bias-recall").rows == (("sim", "0 of 1 kinds", "dog (5)"),)


def test_noticing_is_told_from_counting():
    rows = bias_rows(right=0.5, habit=0.5, ways=(("upright", "base"),), n=20)
    noticing = rows.with_columns(
        ask=pl.lit("usual"),
        outcome=pl.when(pl.col("outcome") == "right").then(pl.lit("right")).otherwise(pl.lit("wrong")),
    )
    found = results(pl.concat([rows, noticing]))
    by_count = {each["said"]: each.accuracy for each in found.noticed_by_count}
    assert by_count == {"right": 1.0, "the usual number": 0.0}
    [unusual] = found.noticed
    assert unusual.accuracy == pytest.approx((rows["outcome"] == "right").mean())


@some_of("name", PAPER_TABLES, 3)
def test_paper_tables_have_ours_above_the_papers(name):
    rows = pl.concat([bias_rows("one", published=True), bias_rows("other", right=0.5, published=True)])
    made = table(rows, name)
    sources = [row[1] for row in made.rows]
    ours = [row for row in made.rows if row[1] != "paper"]
    assert sources.index("paper") == len(ours) == (8 if name == "bias-table5" else 2)
    assert sources.count("paper") == (4 if name == "bias-table5" else MODELS + 1)
    assert all(value is not None for row in ours for value in row)


def test_table_5_of_ours_is_what_the_rates_say():
    found = results(bias_rows(published=True))
    made = table(bias_rows(published=True), "bias-table5")
    flip = made.rows[1]
    assert flip[0] == "Flip"
    assert flip[made.columns.index("Logos bias")].value == pytest.approx(
        100 * rate(found, "bias", "Flip", "marks").accuracy
    )
    assert flip[made.columns.index("Overall acc")].value == pytest.approx(
        100 * rate(found, "accuracy", "Flip").accuracy
    )
    assert flip[made.columns.index("Overall acc")].note.startswith("(")


def test_overall_is_absent_where_a_topic_is():
    made = table(bias_rows(topics=FOUR[:3]), "bias-table5")
    ours = made.rows[0]
    assert ours[made.columns.index("Overall acc")] is None
    assert ours[made.columns.index("Game Boards acc")] is None
    assert ours[made.columns.index("Flags acc")] is not None


@pytest.mark.parametrize("number", [18, *ROWS])
def test_printed_averages_are_means_of_the_models(number):
    *models, average = figures(number).values()
    assert len(models) == MODELS
    for k, printed_mean in enumerate(average):
        assert mean(model[k] for model in models) == pytest.approx(printed_mean, abs=0.08)


def test_table_18_pools_the_rows_of_the_four_topics():
    parts = {number: figures(number) for number in ROWS}
    for model, whole in figures(18).items():
        for k, value in enumerate(whole):
            pooled = sum(n * parts[number][model][k] for number, n in ROWS.items()) / sum(ROWS.values())
            assert pooled == pytest.approx(value, abs=0.1), (model, COLUMNS[k])


@pytest.mark.parametrize("number", ROWS)
def test_figures_are_shares_of_the_rows(number):
    for model, values in figures(number).items():
        if model != "Average":
            for value in values:
                nearest = round(value * ROWS[number] / 100)
                assert 100 * nearest / ROWS[number] == pytest.approx(value, abs=0.0501), (model, value)


def test_table_5_has_the_averages_of_the_others():
    rows = {row["Config"]: row for row in printed("bias", "bias_table05").rows}
    names = {"Animals": 19, "Logos": 22, "Flags": 20, "Game Boards": 21, "Overall": 18}
    for name, number in names.items():
        average = dict(zip(COLUMNS, figures(number)["Average"], strict=True))
        for config, row in rows.items():
            for short in ("acc", "bias"):
                assert float(row[f"{name} {short}"]) == average[f"{config} {short}"]


def test_the_page_shows_rates_and_the_published_figures():
    made = findings(bias_rows(published=True))
    titles = [section.title for section in made.sections if section.task == "bias"]
    assert "Counting against a prior" in titles
    assert "Compared with the published figures" in titles
    base = next(each for each in made.estimates if (each["config"], each["topic"]) == ("Base", "animals"))
    rows = bias_rows(published=True).filter(view="upright", prompt="base", topic="animals")
    assert base["accuracy"] == (rows["outcome"] == "right").mean()
    assert base["bias_rate"] == (rows["mechanism"] != "").mean()


def test_what_a_name_alone_does_is_measured_against_words_that_keep_it():
    """Alias helps by 40 points, and words that are changed as much and keep the name by 30 of these."""
    ways = (("upright", "base"), ("upright", "alias"), ("upright", "reworded"))
    rows = bias_rows(right=(0.1, 0.5, 0.4), habit=(0.9, 0.5, 0.6), n=100, ways=ways, published=True)
    found = results(rows)
    shares = {
        prompt: (rows.filter(prompt=prompt)["outcome"] == "right").mean() for prompt in ("base", "alias", "reworded")
    }
    whole = {
        (each["config"], each["against"]): each.difference
        for each in found.contrasts
        if each["topic"] == POOLED and each["measure"] == "accuracy"
    }
    assert whole == {
        ("Alias", "Base"): pytest.approx(shares["alias"] - shares["base"]),
        ("Reworded", "Base"): pytest.approx(shares["reworded"] - shares["base"]),
        ("Alias", "Reworded"): pytest.approx(shares["alias"] - shares["reworded"]),
    }
    made = table(rows, "bias-contrasts")
    assert {row[made.columns.index("against")] for row in made.rows} == {"Base", "Reworded"}


def test_older_trials_of_generated_things_are_read_under_the_new_name_once():
    older = bias_rows(n=5)
    again = older.with_columns(prompt=pl.col("prompt").replace("alias", "renamed"), trial=pl.col("trial") + "/again")
    for rows in (older, pl.concat([older, again]), pl.concat([again, older])):
        named = completed(of_task(rows, "bias"))
        counts = named["config"].cast(pl.String).value_counts()
        assert dict(counts.rows())["Renamed"] == 5 * len(FOUR)
        assert {"Alias", "Flip+Alias"}.isdisjoint(counts["config"])
    kept = completed(of_task(bias_rows(n=5, published=True), "bias"))
    assert {"Alias", "Flip+Alias"} <= {*kept["config"].cast(pl.String)}
