"""The order of rows. Trials are recorded as replies come in, in another order in every run; findings must not
depend on it. So rows are put in the order in which their exams planned them: by subject, task, item, condition,
paradigm and sample, each in the order in which it was named. Of a trial that was put twice, the later exam comes last.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from snellen.ladder import SETTING

if TYPE_CHECKING:
    import polars as pl


def in_plan_order(
    rows: "pl.DataFrame", subjects: Sequence[str], fingerprints: Sequence[Mapping[str, Any]]
) -> "pl.DataFrame":
    """The rows in the order of the plans behind them; `subjects`: those to begin with."""
    import polars as pl

    from snellen.analysis.rows import in_order

    named = (name for fingerprint in fingerprints for name in fingerprint.get("subjects", ()))
    tasks = [(name, part) for fingerprint in fingerprints for name, part in fingerprint.get("tasks", {}).items()]
    levels: dict[str, list[str]] = {}
    for _, part in tasks:
        for factor, known in part.get("levels", {}).items():
            levels.setdefault(factor if factor in rows.columns else f"{SETTING}{factor}", []).extend(known)
    paradigms = (name for _, part in tasks for name in part.get("paradigms", ()))

    def rank(column: str, order: Iterable[str]) -> pl.Expr:
        places = {name: place for place, name in enumerate(dict.fromkeys(order))}
        return pl.col(column).replace_strict(places, default=len(places), return_dtype=pl.Int32)

    varied = {name: known for name, known in levels.items() if name in rows.columns and rows[name].n_unique() > 1}
    return in_order(
        rows,
        [
            rank("subject", (*subjects, *named)),
            rank("task", (name for name, _ in tasks)),
            "item",
            *(rank(name, known) for name, known in varied.items()),
            rank("paradigm", paradigms),
            *("sample", "exam", "trial"),
        ],
    )
