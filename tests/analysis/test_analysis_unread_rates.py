"""Subjects whose replies cannot be read in one condition: the comparison says so. Equal rates bring no warning."""

from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from bias_rows import bias_rows
from bongard_rows import OWN, bongard_rows
from fixation_rows import answer_by_tree, fixation_rows
from marvel_rows import marvel_rows
from winoground_rows import winoground_rows

import snellen
from snellen.analysis.comparing import compare
from snellen.analysis.contrasts import adjust, contrast, paired
from snellen.analysis.ladder.study import LadderStudy
from snellen.analysis.ladder.unread import unread_steps
from snellen.analysis.reading_rates import unread_warning
from snellen.charts.blocks import Intervals, Table
from snellen.examine.findings import findings, table
from support.capacity_rows import capacity_rows
from support.ladder_rows import SPEC, ladder_rows, result_of
from support.lengths import few_and_more, some_of
from support.pages import page_head

WARNING = "Unread rates differ"


def mumbled(rows: pl.DataFrame, share: float, where: pl.Expr | bool = True, seed: int = 1) -> pl.DataFrame:
    """The rows with a share of the replies unread, at random, where the condition holds."""
    drawn = pl.Series(np.random.default_rng(seed).random(rows.height)) < share
    hit = pl.lit(drawn) & where
    return rows.with_columns(
        outcome=pl.when(hit).then(pl.lit("unread")).otherwise("outcome"),
        reason=pl.when(hit).then(pl.lit("unparsable")).otherwise("reason"),
        answer=pl.when(hit).then(pl.lit("")).otherwise("answer"),
    )


def fixation(**levels: Any) -> pl.DataFrame:
    return fixation_rows({"s": answer_by_tree(1, 0.8, 0.5)}, n=25, **levels)


def settings() -> pl.DataFrame:
    parts = (fixation().with_columns(setting_effort=pl.lit(level), sample=0) for level in ("low", "high"))
    return pl.concat(parts)


def described() -> pl.DataFrame:
    kinds = ("maze", "gomoku", "chart")
    return pl.concat(capacity_rows(n=60, kinds=kinds, describe=level) for level in ("no", "first"))


def marvel() -> pl.DataFrame:
    return pl.concat([marvel_rows(n=120, questions=("avr",)), marvel_rows(n=120, questions=("avr",), words="given")])


PLANTED: list[tuple[str, Callable[[], pl.DataFrame], pl.Expr, tuple[str, str]]] = [
    ("contrasts", lambda: fixation(prompt=("base", "alias")), pl.col("prompt") == "alias", ("Alias", "Base")),
    ("gap", fixation, pl.col("rule") == "inverse", ("standard", "inverse")),
    ("settings", settings, pl.col("setting_effort") == "high", ("high", "low")),
    ("bias-contrasts", bias_rows, pl.col("view") == "flipped", ("Flip", "Base")),
    ("bongard-ladder", lambda: bongard_rows(n=100, ways=OWN), pl.col("paradigm") == "ca", ("ca", "drl")),
    ("bongard-bias", lambda: bongard_rows(n=100, ways=OWN), pl.col("query") == "negative", ("positive", "negative")),
    ("winoground-contrasts", winoground_rows, pl.col("paradigm") == "direct", ("ca", "direct")),
    ("capacity-describe", described, pl.col("describe") == "first", ("described", "plain")),
    ("marvel-changes", marvel, pl.col("words") == "given", ("given", "none")),
]


@some_of(("name", "make", "where", "sides"), PLANTED, 3, ids=[name for name, *_ in PLANTED])
def test_every_table_of_contrasts_tells_which_side_is_read_less(
    name: str, make: Callable[[], pl.DataFrame], where: pl.Expr, sides: tuple[str, str]
) -> None:
    rows = make()
    note = table(mumbled(rows, 0.25, where), name).note
    assert WARNING in note, note
    for side in sides:
        assert f" % in {side}" in note, note
    assert "this contrast may be biased." in note
    assert WARNING not in table(rows, name).note
    assert WARNING not in table(mumbled(rows, 0.1, seed=2), name).note, "read less, but alike"


def test_rates_and_p_are_those_of_the_pairs() -> None:
    rows = fixation(prompt=("base", "alias"), rule=("standard",), target=("winner",), order=("image_first",))
    place = pl.col("item").rank("dense")
    silent = pl.when(pl.col("prompt") == "alias").then(place <= 12).otherwise(place == 50)
    rows = rows.with_columns(outcome=pl.when(silent).then(pl.lit("unread")).otherwise("outcome"))
    p = 2 * sum(comb(13, k) for k in (0, 1)) / 2**13
    assert f"12.0 % in Alias, 1.0 % in Base (all games; p = {p:.3f});" in table(rows, "contrasts").note


def test_two_subjects_that_are_not_read_alike() -> None:
    rows = fixation_rows(dict.fromkeys(("old", "new"), answer_by_tree(1, 0.8, 0.5)), n=25)
    note = compare(mumbled(rows, 0.2, pl.col("subject") == "new"), "old", "new", task="fixation").note
    assert f"{WARNING}: " in note
    assert " % in new, 0.0 % in old (fixation; p < 0.001); this contrast may be biased." in note
    assert "more contrasts here" in note, "also game by game and rule by rule"
    assert WARNING not in compare(mumbled(rows, 0.2), "old", "new", task="fixation").note


@pytest.mark.soak
def test_rungs_that_are_not_read_alike() -> None:
    rows = mumbled(ladder_rows(n=80), 0.25, pl.col("paradigm") == "direct")
    study = LadderStudy(rows, SPEC, 0)
    (diagnosis,) = study.diagnoses
    said = [line for line in diagnosis.details if line.startswith(WARNING)]
    assert len(said) == 1, diagnosis.details
    assert "% in pictures, 0.0 % in words (p < 0.001); this step may be biased." in said[0]
    assert said[0] in study.tables()["beads-losses"].make().note
    alike = LadderStudy(mumbled(ladder_rows(n=80), 0.15), SPEC, 0)
    assert not any(WARNING in line for line in alike.diagnoses[0].details)


def test_the_page_has_the_warning_beside_the_gap() -> None:
    found = findings(mumbled(fixation(), 0.25, pl.col("rule") == "inverse"))
    blocks = [block for section in found.sections for block in section.blocks]
    told = {block.title for block in blocks if isinstance(block, Intervals | Table) and WARNING in block.note}
    assert {"Right under the standard rule minus right under the inverse rule", "The standard-inverse gap"} <= told
    [gap] = [section for section in found.sections if section.title == "The standard-inverse gap"]
    assert WARNING in gap.blocks[0].note


def test_from_replies_to_the_report(tmp_path: Path) -> None:
    """A subject that answers plainly, but hums where the rule is inverse."""

    def hum(parts: list[object]) -> str:
        return "Hmm, that is an interesting board." if "loses, and the opponent" in str(parts) else "X"

    exam = snellen.exam(
        hum, tasks="fixation", n=20, levels={"game": ("tictactoe",), "prompt": ("base",)}, store=tmp_path / "s.sqlite"
    )
    page = exam.report(tmp_path / "page")
    assert f"{WARNING}: 0.0 % in standard, 100.0 % in inverse" in page_head(page)


# False alarms


def pairs_alike(rng: np.random.Generator, items: int, each: int) -> pl.DataFrame:
    """Pairs of conditions that are unread equally often, some items more often than others."""
    rate = np.repeat(rng.beta(1, 8, items), each)
    sides = {f"unread_{side}": rng.random(items * each) < rate for side in "ab"}
    return pl.DataFrame({"cluster": np.repeat(np.arange(items), each), "a": False, "b": False, **sides})


@pytest.mark.soak
@few_and_more("each", [4], [1])
def test_equal_rates_bring_a_warning_once_in_a_hundred_times_at_most(each: int) -> None:
    rng, alarms, times = np.random.default_rng(each), 0, 400
    for _ in range(times):
        family = [contrast(pairs_alike(rng, 80, each), [])[0].at(rule=k) for k in range(4)]
        alarms += bool(unread_warning(adjust(family, []), ("rule",)))
    assert alarms <= 0.02 * times  # 1 in 100 expected at most; more than 8 of 400 has probability 0.02


@pytest.mark.soak
def test_rungs_with_equal_rates_bring_a_warning_once_in_a_hundred_times_at_most() -> None:
    alarms, times = 0, 100
    for seed in range(times):
        result = result_of(mumbled(ladder_rows(n=40, seed=seed), 0.15, seed=seed))
        alarms += bool(unread_steps(result))
    assert alarms <= 4  # more have probability 0.004


def test_only_pairs_that_both_answered_count() -> None:
    """A call that failed is missing: it is not unread."""
    rows = mumbled(fixation(), 0.3, pl.col("rule") == "inverse")
    failed = rows.with_columns(reason=pl.when(pl.col("outcome") == "unread").then(pl.lit("error")).otherwise("reason"))
    [each] = contrast(paired(failed, "rule", "standard", "inverse"), ["task"])
    assert (each.unread_a, each.unread_b) == (0, 0)
    assert WARNING not in table(failed, "gap").note
