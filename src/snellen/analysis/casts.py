"""Who played which role: trials of one cast beside those of another.

A paradigm may have roles: a describer and a reasoner, an inducer and an applier. The one whose answer counts is
**who** was examined. An oracle may take another role: the describer `twin` has the exact words for every picture, the
inducer `truth` states the true rule. The same question put to the same subject with and without an oracle is a pair.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from snellen.analysis.rows import CORE, asked, factors

ROLES = ("planner", "describer", "reasoner", "inducer", "applier")
TWIN, TRUTH = "twin", "truth"
ORACLES = (TWIN, TRUTH)
IN_WORDS = ("ca", "describe")
"""The paradigms in which a describer puts pictures into words, the usual one first."""
CHAINS = ("ddcot", "ccot", "cocot")
"""The paradigms in which something is worked out first, and the pictures stay in sight."""


def oracles_last(who: str) -> tuple[bool, str]:
    """Sorts those who play a role by name, oracles after everybody else."""
    return who in ORACLES, who


def with_casts(rows: pl.DataFrame, *levels: str) -> pl.DataFrame:
    """The rows with `who` answered, every role and every one of the levels as a column ('' where there is none).

    `direct` is called `dvrl` where both may occur: the two put the very same call, so it counts once.
    """
    absent = [name for name in (*ROLES, *levels) if name not in rows.columns]
    rows = rows.with_columns(pl.lit("").alias(name) for name in absent)
    rows = rows.with_columns(pl.col(*ROLES, *levels, "subject", "paradigm", "pack").cast(pl.Categorical))
    return _each_call_once(rows).with_columns(who=_answering(rows))


def casts_by_who(rows: pl.DataFrame, *levels: str) -> Iterator[pl.DataFrame]:
    """The rows `with_casts` of one who answered after another's, as they come first: one's at a time in memory."""
    rows = _each_call_once(rows)
    who = rows.select(_answering(rows)).to_series()
    return (with_casts(rows.filter(who == name), *levels) for name in who.unique(maintain_order=True).to_list())


def _each_call_once(rows: pl.DataFrame) -> pl.DataFrame:
    if "dvrl" not in rows["paradigm"]:
        return rows
    rows = rows.with_columns(pl.col("paradigm").cast(pl.String).replace("direct", "dvrl").cast(pl.Categorical))
    return rows.unique(["subject", "item", "paradigm", "pack", *factors(rows)], keep="last", maintain_order=True)


def _answering(rows: pl.DataFrame) -> pl.Expr:
    roles = [pl.col(role).cast(pl.String) for role in ("reasoner", "applier", "subject") if role in rows.columns]
    return pl.coalesce(role.replace("", None) for role in roles).cast(pl.Categorical)


def own(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials in which one subject played every role."""
    return rows.filter(*((pl.col(role) == "") | (pl.col(role) == pl.col("who")) for role in ROLES))


def side_by_side(better: pl.DataFrame, worse: pl.DataFrame, apart: Sequence[str]) -> pl.DataFrame:
    """The same questions put to the same subjects in two ways that may differ in the columns `apart`.

    Columns: what both have in common, what `worse` has of the columns apart, `cluster`, `key`, whether `a` (better)
    and `b` (worse) were right, whether they were unread, and their credits.
    """
    names = (name for name, kind in worse.schema.items() if name not in CORE and kind in (pl.String, pl.Categorical))
    same = [name for name in ("item", "pack", "paradigm", *names) if name not in apart]
    keep = [name for name in apart if name in worse.columns]
    first = credited(better).select(*same, a="right", unread_a="unread", credit_a="credit")
    taken = {"b": "right", "unread_b": "unread", "credit_b": "credit"}
    second = credited(worse).select(*same, *keep, "cluster", "key", **taken)
    return second.join(first, on=same, how="inner", nulls_equal=True, maintain_order="left")


def credited(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials that brought a reply, with whether they were `right`, whether `unread`, and their `credit`: 1 for a
    right answer, 0 for a wrong one, and for none a half: what a guess between two options would earn."""
    right, unread = pl.col("outcome") == "right", pl.col("outcome") == "unread"
    return asked(rows).with_columns(
        right=right, unread=unread, credit=pl.when(unread).then(0.5).otherwise(right.cast(pl.Float64))
    )
