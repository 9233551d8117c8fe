"""The tidy rows: one per trial, and what the analysis takes for granted about them."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import polars as pl

from snellen.ladder import SETTING, SPARING

CORE = frozenset(
    (
        "trial",
        "task",
        "item",
        "cluster",
        "subject",
        "pack",
        "paradigm",
        "outcome",
        "reason",
        "answer",
        "key",
        "labels",
        "mechanism",
        "how",
        "span_start",
        "span_end",
        "text",
        "finish",
        "tokens_in",
        "tokens_out",
        "seconds",
        "exam",
        "calls",
        "sample",
        "confidence",
        "reasoning",
        "tokens_reasoning",
        "tokens_picture",
        "tokens_cached",
        "tokens_written",
        "pictures",
        "nth",
    )
)
"""Columns every row has; the others are factors."""
JUDGE = "judge"
MANY = 10_000
"""Of more rows than this, names are looked at once each when they are put in order."""


def factors(rows: pl.DataFrame) -> list[str]:
    """The factor columns that say something about these rows."""
    return [
        name
        for name, kind in rows.schema.items()
        if name not in CORE and kind in (pl.String, pl.Categorical) and rows[name].null_count() < rows.height
    ]


def varying(rows: pl.DataFrame, columns: Iterable[str]) -> list[str]:
    """Those of the columns that differ between rows."""
    return [name for name in columns if name in rows.columns and rows[name].n_unique() > 1]


def of_task(rows: pl.DataFrame, task: str, reads: Collection[str] = ()) -> pl.DataFrame:
    """The rows of one task, without the factors it lacks; a level that is not set reads as ''. `reads`: columns beside
    those that all studies read (texts are large: only who needs them carries them along).

    If the same trial was put twice under one name (other settings, say), the last one counts; repeated samples of a
    trial count each. A subject under other settings is another subject. A judge's marks of the same replies are
    left out unless `reads` names `judge`.
    """
    chosen = aloud(by_setting(by_sample(rows.filter(pl.col("task") == task))))
    if JUDGE in chosen.columns and JUDGE not in reads:
        chosen = chosen.filter(pl.col(JUDGE).is_null())
    same = ["subject", "item", "paradigm", "pack", *factors(chosen)]
    more = [name for name in ("how", "mechanism", "pictures", "nth", *reads) if name in chosen.columns]
    chosen = chosen.select(
        # Grouped and joined over and over: numbers are faster than names.
        pl.col(*same, "cluster").fill_null("").cast(pl.Categorical),
        pl.col("task", "outcome", "reason", "answer", "key").cast(pl.Categorical),
        pl.col("labels").cast(pl.List(pl.Categorical)),
        *(_few(name) for name in more if name not in (*same, JUDGE)),
    )
    apart = varying(chosen, same) or same
    return chosen.filter(pl.struct(apart).is_last_distinct())  # no copy if all of them are


def _few(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.Categorical) if name in ("how", "mechanism") else pl.col(name)


def aloud(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with what a subject thought before its reply, where its server keeps that apart, as part of the text: in
    the tags that others think in, so that both are read alike."""
    if "reasoning" not in rows.columns or "text" not in rows.columns:
        return rows
    thought = pl.col("reasoning").fill_null("")
    both = pl.format("<think>{}</think>\n\n{}", thought, pl.col("text").fill_null(""))
    return rows.with_columns(text=pl.when(thought == "").then("text").otherwise(both))


def by_rules(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials as the rules marked them, without a judge's marks of the same replies."""
    return rows.filter(pl.col(JUDGE).is_null()) if JUDGE in rows.columns else rows


def by_sample(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with every repetition of a trial as an item of its own, still of the same cluster: what is paired is
    then paired sample by sample."""
    if "sample" not in rows.columns or not rows["sample"].fill_null(0).cast(pl.Boolean).any():
        return rows
    name = pl.format("{} #{}", "item", pl.col("sample") + 1)
    return rows.with_columns(item=pl.when(pl.col("sample") > 0).then(name).otherwise("item"))


def by_setting(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with the settings that were varied as part of the subject's name."""
    varied = [name for name in factors(rows) if name.startswith(SETTING)]
    if not varied:
        return rows
    said = pl.concat_str(
        [
            pl.when(pl.col(name).is_null()).then(None).otherwise(pl.format(f"{name.removeprefix(SETTING)}={{}}", name))
            for name in varied
        ],
        separator=", ",
        ignore_nulls=True,
    )
    named = pl.when(said == "").then("subject").otherwise(pl.format("{} ({})", "subject", said))
    return rows.with_columns(subject=named).drop(varied)


def unspared(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials of the tasks as they are, without those of the rungs below: accuracies are of these."""
    return rows.filter(~pl.col("paradigm").cast(pl.String).is_in(SPARING))


def asked(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials that brought a reply. A call that failed is missing, not wrong."""
    return rows.filter(pl.col("reason").fill_null("") != "error")


def in_order(frame: pl.DataFrame, keys: Sequence[str | pl.Expr]) -> pl.DataFrame:
    """The rows sorted by these keys. Of many rows each name is compared once, in a tenth of the time of `sort`."""
    if frame.height <= MANY:
        return frame.sort(keys)
    columns = (frame.select(key).to_series() for key in reversed(keys))
    return frame[np.lexsort([_ranks(column).to_numpy() for column in columns])]


def _ranks(values: pl.Series) -> pl.Series:
    """Numbers in the order of these values, of which null comes first."""
    if values.dtype.is_numeric() and not values.null_count():
        return values
    known = values.unique().to_frame("value")
    text = pl.col("value").cast(pl.String) if values.dtype == pl.Categorical else pl.col("value")
    known = known.with_columns(rank=text.rank("dense").fill_null(0))
    ranked = values.to_frame("value").join(known, on="value", how="left", nulls_equal=True, maintain_order="left")
    return ranked["rank"]


def sorted_levels(rows: pl.DataFrame, column: str, order: Sequence[str]) -> list[str]:
    """The levels of a column: those of `order` first and in its order, others after them by name."""
    found = set(rows[column].unique().to_list())
    return [level for level in order if level in found] + sorted(found - set(order))
