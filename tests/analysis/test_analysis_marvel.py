"""What was put in must come out: the ladder, what perception does for the puzzle, changes, options, the rungs."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from marvel_rows import ALL, marvel_rows

from snellen.analysis import Intervals, Shares, render, to_json
from snellen.analysis.rows import of_task
from snellen.examine.findings import findings, table, table_names
from snellen.tasks.marvel.study import MarvelStudy
from snellen.tasks.marvel.study.bias import turn_around
from snellen.tasks.marvel.study.ladder import conditional, exchange, fisher, interval
from snellen.tasks.marvel.study.results import MarvelResults

FIRST = (0.94, 0.02, 0.02, 0.02)
PUZZLES = {"questions": ("avr",)}


def results(*frames, seed=0):
    return MarvelResults(of_task(pl.concat(frames), "marvel"), seed)


def measures(found, **where):
    return {each["score"]: each for each in found.overall if all(each[name] == level for name, level in where.items())}


def edited(rows, place, question, **values):
    """The rows with some values of one trial changed."""
    here = (pl.col("item").str.ends_with(f"{place:04d}")) & (pl.col("question") == question)
    return rows.with_columns(
        pl.when(here).then(pl.lit(value)).otherwise(pl.col(name)).alias(name) for name, value in values.items()
    )


def test_a_group_counts_only_if_all_was_asked_and_unread_is_not_right_and_errors_are_missing():
    rows = marvel_rows(n=10)
    rows = edited(rows, 0, "whole", outcome="wrong", answer="3")
    rows = edited(rows, 1, "fine", outcome="unread", reason="refused", answer="")
    rows = edited(rows, 2, "avr", outcome="unread", reason="error", answer="")
    rows = rows.filter(~((pl.col("question") == "fine") & pl.col("item").str.ends_with("0003")))
    found = measures(results(rows))
    assert (found["whole"].right, found["whole"].trials) == (9, 10)
    assert (found["fine"].right, found["fine"].unread, found["fine"].trials) == (8, 1, 9)
    assert (found["perc_c"].right, found["perc_c"].trials) == (9, 10)
    assert (found["perc_cf"].right, found["perc_cf"].trials) == (7, 9)
    assert (found["perc_cf_avr"].right, found["perc_cf_avr"].trials, found["perc_cf_avr"].errors) == (6, 8, 1)
    assert (found["avr"].trials, found["avr"].errors) == (9, 1)
    assert found["avr"].p_chance == pytest.approx(0.25**9)


def test_by_level_and_whole_tell_the_same_puzzles():
    rows = of_task(marvel_rows(see=0.6, reason=0.7, count=0.8, n=60), "marvel")
    found = MarvelResults(rows, 0)
    whole = measures(found)
    for column in ("pattern", "configuration", "shapes", "fine_type"):
        for score in whole:
            parts = [each for each in found.by(column) if each["score"] == score]
            assert sum(each.right for each in parts) == whole[score].right
    assert [each["pattern"] for each in found.by("pattern") if each["score"] == "avr"][:2] == ["temporal", "spatial"]
    assert {(each["by"], each["level"]) for each in MarvelStudy(rows, 0).estimates()} >= {
        ("", ""),
        ("pattern", "3d"),
        ("shapes", "abstract"),
    }


def test_duplicates_widen_the_intervals():
    alone = measures(results(marvel_rows(see=0.5, n=160, seed=3)))
    doubled = measures(results(marvel_rows(see=0.5, n=160, seed=3, group=4)))
    for score in ("avr", "fine", "perc_cf_avr"):
        width = {name: each[score].high - each[score].low for name, each in (("a", alone), ("d", doubled))}
        assert width["d"] > 1.3 * width["a"]
    assert doubled["avr"].items == 40


def test_counting_on_pictures_without_names_still_belongs_to_its_puzzle():
    plain = marvel_rows(n=12)
    coarse = ~pl.col("question").is_in(["avr", "fine"])
    unnamed = plain.with_columns(indices=pl.when(coarse).then(pl.lit("none")).otherwise(pl.col("indices")))
    assert measures(results(unnamed))["perc_cf_avr"].trials == 12
    letters = marvel_rows(n=12, indices="letters", questions=("avr", "fine"))
    found = results(plain, letters)
    assert "perc_cf_avr" not in measures(found, indices="letters")
    assert measures(found, indices="letters")["avr"].trials == 12


def test_without_examples_it_does_not_matter_which_they_would_be():
    found = results(marvel_rows(n=10), marvel_rows(n=10, demos="mixed"), marvel_rows(n=10, shots="two", demos="mixed"))
    settings = {(each["shots"], each["demos"]): each.trials for each in found.overall if each["score"] == "avr"}
    assert settings == {("zero", "same-pattern"): 10, ("two", "mixed"): 10}


def test_fishers_test_and_the_exchange_of_clusters():
    # the tea lady: 3 of 4 against 1 of 4
    assert fisher(3, 4, 1, 4) == pytest.approx(34 / 70)
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    alone = conditional({}, x, y, np.arange(60), 0)
    assert alone.p_items == alone.p
    assert exchange(x, y, np.arange(60), 0) == pytest.approx(alone.p, abs=0.03)
    # sixteen answers four times over are sixteen answers
    x, y = np.repeat(np.arange(16) < 8, 4).astype(int), np.repeat([1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0], 4)
    copies = conditional({}, x, y, np.arange(64) // 4, 0)
    assert copies.p < 0.001
    assert copies.p_items == pytest.approx(fisher(6, 8, 2, 8), abs=0.02)
    single = conditional({}, x[::4], y[::4], np.arange(16), 0)
    assert copies.high - copies.low == pytest.approx(single.high - single.low, rel=0.25)


def test_the_interval_of_a_conditional_difference_keeps_its_word():
    rng = np.random.default_rng(2)
    hits = []
    for _ in range(200):
        x = np.repeat(rng.integers(0, 2, 40), 2)
        y = (np.repeat(rng.random(40), 2) < np.where(x, 0.8, 0.4)).astype(int)
        low, high = interval(x, y, np.arange(80) // 2)
        hits.append(low <= 0.4 <= high)
    assert 0.91 <= np.mean(hits) <= 0.99


def test_puzzles_are_solved_where_they_are_seen():
    found = results(marvel_rows(see=0.5, count=0.5, n=200))
    given = {each["given"]: each for each in found.given}
    assert given["fine"].difference == pytest.approx((0.5 + 0.5 * 0.5 * 0.25) / 0.75 - 0.25, abs=0.12)
    assert given["fine"].p_items_holm < 0.001
    assert given["perc_c"].low < 0 < given["perc_c"].high  # counting is drawn apart from seeing
    assert given["fine"].n_a + given["fine"].n_b == 200
    assert not results(marvel_rows(n=20)).given  # always right: nothing to compare with


def test_changes_are_paired_and_exact_words_bring_the_perception_gap():
    plain = marvel_rows(see=0.4, n=120)
    words = marvel_rows(see=0.4, n=120, words="given", **PUZZLES)
    letters = marvel_rows(see=0.4, n=60, indices="letters", **PUZZLES)
    worse = marvel_rows(see=0.0, n=120, shots="two", demos="mixed", **PUZZLES)
    same = marvel_rows(see=0.4, n=120, shots="two", **PUZZLES)
    found = results(plain, words, letters, worse, same)
    changes = {(each["factor"], *each.sides): each for each in found.contrasts}
    assert set(changes) == {
        ("words", "given", "none"),
        ("shots", "two", "zero"),
        ("demos", "mixed", "same-pattern"),
        ("indices", "letters", "digits"),
    }
    gap = changes["words", "given", "none"]
    assert gap.low < 0.6 * 0.75 < gap.high
    assert gap.pairs == 120
    assert gap.p_items_holm == pytest.approx(4 * gap.p_items, rel=1e-6)
    assert changes["indices", "letters", "digits"].pairs == 60
    assert changes["demos", "mixed", "same-pattern"].high < 0
    assert changes["shots", "two", "zero"].p_items_holm > 0.05


def test_a_favourite_option_is_found_and_a_solver_has_none_whatever_the_key():
    found = results(
        marvel_rows("even", see=0, n=150),
        marvel_rows("one", see=0, guess=FIRST, n=150),
        marvel_rows("lettered", see=0, guess=FIRST, n=150, indices="letters", **PUZZLES),
        marvel_rows("solver", n=150),
    )
    by = {each["subject"]: each for each in found.biases}
    assert by["even"].p > 0.05
    assert by["solver"].p == 1
    assert by["solver"].moved == 0
    for name in ("one", "lettered"):
        assert by[name].dagger == "†"
        assert by[name].favourite == 0
        assert by[name].chosen[0].low > 0.85
    assert sum(share.value for share in by["even"].chosen) == pytest.approx(1)
    assert "†" in render(table(pl.concat([marvel_rows("one", see=0, guess=FIRST)]), "marvel-ladder"))


def test_the_option_test_is_exact_and_clusters_count_once():
    net = np.zeros((5, 4), dtype=np.int64)
    net[:, 0], net[:, 1] = 1, -1
    assert turn_around(net, 0) == pytest.approx(2 / 2**5, abs=0.008)  # only all heads or all tails are as far off
    assert turn_around(np.zeros((3, 4), dtype=np.int64), 0) == 1
    single = marvel_rows(see=0, guess=(0.4, 0.2, 0.2, 0.2), n=60, seed=5, **PUZZLES)
    copies = pl.concat([single.with_columns(pl.col("item", "trial") + f"-{k}") for k in range(4)])
    one, four = results(single).biases[0], results(copies).biases[0]
    assert one.moved == pytest.approx(four.moved)
    assert one.p == pytest.approx(four.p, abs=0.02)


def test_the_option_test_has_its_size():
    rng = np.random.default_rng(7)
    eye = np.eye(4, dtype=np.int64)
    p = np.array([turn_around(np.subtract(*eye[rng.integers(0, 4, (2, 40))]), 0, 399) for _ in range(300)])
    assert 0.02 <= (p < 0.05).mean() <= 0.08


def test_where_two_choices_are_the_same_either_is_the_key():
    rows = edited(marvel_rows(n=12, seed=1), 4, "avr", answer="4", key="1", outcome="right")
    assert results(rows).biases[0].moved == 0


SUBJECTS: dict[str, tuple[dict[str, Any], Any]] = {
    "ideal": ({}, "none"),
    "nearsighted": ({"see": 0.45}, "eyes"),
    "thoughtless": ({"reason": 0.3}, "thinking"),
    "by position": ({"see": 0.05, "guess": FIRST}, "eyes"),
    "sees but picks": ({"reason": 0.0, "guess": (0.02, 0.02, 0.94, 0.02)}, "leaning"),
    "both": ({"see": 0.65, "reason": 0.3}, "thinking"),
    "miscounts": ({"see": 0.45, "count": 0.3}, "eyes"),
    "silent": ({"refuse": 0.7}, "refusal"),
}


def on_all_rungs(name, **how):
    """The questions, and the puzzle told and in exact words."""
    rungs = (marvel_rows(name, paradigm=paradigm, **how, **PUZZLES) for paradigm in ("told", "words"))
    return pl.concat([marvel_rows(name, **how), *rungs])


@pytest.fixture(scope="module")
def everyone():
    return findings(pl.concat([on_all_rungs(name, n=100, seed=2, **how) for name, (how, _) in SUBJECTS.items()]))


def test_the_deficit_put_in_gives_the_verdict(everyone):
    assert len(everyone.diagnoses) == len(SUBJECTS)
    for diagnosis in everyone.diagnoses:
        _, verdict = SUBJECTS[diagnosis.subject]
        assert diagnosis.verdict == verdict, diagnosis.headline
        assert [score.rung for score in diagnosis.rungs] == ["told", "words", "pictures"]


def test_the_page_has_the_funnel_the_options_and_the_landmarks(everyone):
    blocks = [block for section in everyone.sections for block in section.blocks]
    titles = [getattr(block, "title", "") for block in blocks]
    shares = [block for block in blocks if isinstance(block, Shares)]
    assert [block.title for block in shares] == ["Of 100 items", "Options picked, and the key"]
    for block in shares:
        for _, values in block.rows:
            assert sum(value.value or 0 for value in values) == pytest.approx(1)
    (ladder,) = (block for block in blocks if getattr(block, "title", "").startswith("The ladder: coarse"))
    for _, rungs in ladder.rows:
        assert rungs[0].value >= rungs[1].value >= rungs[2].value
        assert all(rung.low - 1e-9 <= rung.value <= rung.high + 1e-9 for rung in rungs)
    charts = [
        block for block in blocks if isinstance(block, Intervals) and "compared with the published" in block.title
    ]
    assert len(charts) == 2 * 3  # three subjects a chart
    assert all(len(block.series) <= 6 for block in charts)
    assert titles[-1] == "MARVEL Table 2: the ladder, zero-shot"


@pytest.mark.soak
def test_puzzles_alone_leave_all_faculties_together_and_words_beside_the_picture_are_off_the_line():
    def diagnosed(*frames):
        (diagnosis,) = findings(pl.concat(frames)).diagnoses
        return diagnosis

    alone = diagnosed(marvel_rows(see=0.5, n=60, **PUZZLES))
    assert alone.verdict == "unclear"
    assert "To ask: `snellen exam sim --tasks marvel`" in alone.missing[0]
    assert diagnosed(marvel_rows(n=60, **PUZZLES)).verdict == "none"
    beside = marvel_rows(see=0.3, n=100, words="given", **PUZZLES)
    both = diagnosed(marvel_rows(see=0.3, n=100, **PUZZLES), beside)
    assert [(score.rung, score.on_line) for score in both.rungs] == [
        ("pictures", True),
        ("words beside the picture", False),
    ]
    assert both.rungs[0].accuracy.n == 100  # with the picture alone, not with words beside it
    told = marvel_rows(see=0.3, n=100, paradigm="words", **PUZZLES)
    assert diagnosed(marvel_rows(see=0.3, n=100, **PUZZLES), told).verdict == "eyes"
    assert diagnosed(marvel_rows(n=40, questions=ALL[:3])).verdict == "unclear"
    assert diagnosed(marvel_rows(n=5, see=0.5)).verdict == "unclear"


def test_second_readings_are_counted():
    rows = pl.concat([marvel_rows("a", n=50, second=0.2), marvel_rows("b", n=50)])
    found = results(rows)
    read = {(each["subject"], each["question"]): each for each in found.readings}
    second = rows.filter(pl.col("how").str.starts_with("second reading"), pl.col("question") == "avr")
    assert read["a", "avr"].second == second.height > 0
    assert read["b", "avr"].second == 0
    assert results(rows.drop("how")).readings[0].second == 0


def test_findings_are_plain_json_the_same_every_time_and_every_table_prints():
    rows = pl.concat([marvel_rows("s", see=0.5, n=30), marvel_rows("s", see=0.5, n=30, words="given", **PUZZLES)])
    first, again = (findings(rows) for _ in range(2))
    assert json.dumps(to_json(first)) == json.dumps(to_json(again))
    assert all(each["task"] == "marvel" for each in first.estimates)
    made = MarvelStudy(of_task(rows, "marvel"), 0).tables()
    assert set(table_names(rows)) == {*made, "overview", "profile", "marvel-rungs", "marvel-losses"}
    for name, named in made.items():
        done = named.make()
        assert done.name == name
        assert all(len(row) == len(done.columns) for row in done.rows)
        for style in ("text", "csv"):
            assert render(done, style)


def test_figure_3_files_every_puzzle_by_what_was_seen_and_what_examples_did():
    plain = marvel_rows(n=6)
    few = marvel_rows(n=6, shots="two", **PUZZLES)
    for place, question in ((0, "fine"), (0, "avr"), (1, "fine"), (1, "avr"), (2, "context"), (3, "avr")):
        wrong = plain.filter(pl.col("item").str.ends_with(f"{place:04d}"), pl.col("question") == question)["labels"]
        key = plain.filter(pl.col("item").str.ends_with(f"{place:04d}"), pl.col("question") == question)["key"][0]
        answer = next((one for one in wrong[0] if one != key), "3")
        plain = edited(plain, place, question, outcome="wrong", answer=answer)
        if place in (0, 2) and question != "fine":
            few = edited(few, place, "avr", outcome="wrong", answer="")
    study = MarvelStudy(of_task(pl.concat([plain, few]), "marvel"), 0)
    made = study.tables()["marvel-figure3"].make()
    counts = {row[made.columns.index("perception")]: row[-3:] for row in made.rows}
    assert counts["the detail missed"] == (1, 0, 1), "one mended by examples, one missed in both"
    assert counts["panels miscounted"] == (0, 1, 0), "spoilt"
    assert counts["all perception right"] == (1, 0, 0)
    assert "detail missed and panels miscounted" not in counts
    (case,) = study.tables()["marvel-figure3-cases"].make().rows
    assert case[1].endswith("0000")
    (chart,) = next(one.blocks for one in study.sections() if one.title == "MARVEL: where errors begin")
    assert [value.value for value in chart.rows[0][1]] == [0.0, 1.0, 0.0, 0.0]


def test_figure_3_says_nothing_without_examples_or_without_perception():
    for rows in (marvel_rows(n=6), pl.concat([marvel_rows(n=6, shots=s, **PUZZLES) for s in ("zero", "two")])):
        study = MarvelStudy(of_task(rows, "marvel"), 0)
        assert study.tables()["marvel-figure3"].make().rows == ()
        assert "MARVEL: where errors begin" not in [one.title for one in study.sections()]


def test_other_wordings_are_changes_like_any_other():
    found = results(marvel_rows(n=20), marvel_rows(n=20, wording="authors", **PUZZLES))
    assert [(each["factor"], each.sides) for each in found.contrasts] == [("wording", ("authors", "usual"))]
