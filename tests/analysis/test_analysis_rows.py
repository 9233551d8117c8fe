"""The tidy rows of an exam as the analysis takes them."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from snellen import exam
from snellen.analysis import rows as analysis_rows
from snellen.analysis.rows import factors, in_order, of_task


def test_pictures_and_order_come_with_the_rows_of_a_task_whatever_order_those_are_in(tmp_path: Path) -> None:
    rows = exam(["sim/ideal", "sim/guesser"], tasks="winoground", n=2, store=tmp_path / "s.sqlite").rows
    own = of_task(rows, "winoground")
    assert not {"pictures", "nth"} & set(factors(own))
    for subject in ("sim/ideal", "sim/guesser"):
        mine = rows.filter(rows["subject"] == subject)
        assert sorted(mine["nth"]) == list(range(1, mine.height + 1))
    shown = set(own.select("paradigm", "given", "pictures").unique().rows())
    assert {pictures for paradigm, _, pictures in shown if paradigm in ("told", "words")} == {0}
    assert {(given[:-2], pictures) for paradigm, given, pictures in shown if paradigm == "direct"} == {
        ("caption", 2),
        ("image", 1),
    }
    shuffled = of_task(rows.sample(fraction=1, shuffle=True, seed=1), "winoground")
    assert shuffled.sort("subject", "nth").equals(own.sort("subject", "nth"))


def test_many_rows_are_put_in_the_same_order_as_few(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    names = pl.Series(rng.choice(["b", "B", "", "aa", "a", "ä", "10", "9", None], 500), dtype=pl.String)
    frame = pl.DataFrame({"name": names, "n": rng.integers(-3, 3, 500), "place": rng.permutation(500)})
    frame = frame.with_columns(coded=pl.col("name").reverse().cast(pl.Categorical))
    keys: list[str | pl.Expr] = ["coded", pl.col("n") % 2, "name", "n", "place"]
    few = frame.sort(keys)
    assert in_order(frame, keys).equals(few)
    monkeypatch.setattr(analysis_rows, "MANY", 100)
    assert in_order(frame, keys).equals(few)
