"""Items by difficulty. What the number counts is the kind's own (moves, views, cells of a path), and most numbers are
had by a few items only, so that items are told apart by thirds within their kind."""

import polars as pl

THIRDS = ("lower", "middle", "upper")


def in_thirds(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of items that have a difficulty, with the `third` of their kind it is in and the numbers that third
    spans (`span`). Items of the same difficulty stay together: a number is in the third its middle rank is in."""
    rows = rows.with_columns(_number=pl.col("difficulty").cast(pl.String).cast(pl.Float64, strict=False))
    rows = rows.filter(pl.col("_number").is_not_null())
    items = rows.select("kind", "item", "_number").unique(maintain_order=True)
    place = (pl.col("_number").rank("average").over("kind") - 0.5) / pl.len().over("kind")
    items = items.with_columns(_third=(3 * place).floor().cast(pl.Int32).clip(0, 2))
    low, high = (getattr(pl.col("_number"), end)().over("kind", "_third") for end in ("min", "max"))
    items = items.with_columns(
        third=pl.col("_third").replace_strict(dict(enumerate(THIRDS)), return_dtype=pl.String),
        span=pl.struct(low.alias("low"), high.alias("high")).map_elements(_span, return_dtype=pl.String),
    )
    known = items.select("kind", "_number", "third", "span").unique()
    return rows.join(known, on=["kind", "_number"], how="left", maintain_order="left").drop("_number")


def _span(ends: dict[str, float]) -> str:
    low, high = (f"{ends[end]:g}" for end in ("low", "high"))
    return low if low == high else f"{low} to {high}"
