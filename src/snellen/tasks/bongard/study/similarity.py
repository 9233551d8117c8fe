"""How near the stated rule is to the description of the query (the paper's Table A.3), from cosines made elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from snellen.analysis.printed import figure, printed
from snellen.charts.blocks import Cell, Table, Value

SIMILARITY = "Cognitive paradigms, Table A.3: similarity of rule and query description"


@dataclass(frozen=True, slots=True)
class Similarity:
    """The cosine of one trial's rule and query description; `query` is positive or negative."""

    subject: str
    query: str
    cosine: float


def similarity_table(ours: Iterable[Similarity] = (), by: str = "offline") -> Table:
    """Means and standard deviations by subject and query, ours and the published ones."""
    groups: dict[tuple[str, str], list[float]] = {}
    for each in ours:
        groups.setdefault((each.subject, each.query), []).append(each.cosine)
    rows: list[tuple[Cell, ...]] = [
        (subject, "ours", query, _number(np.mean(cosines)), _number(np.std(cosines)), len(cosines))
        for (subject, query), cosines in groups.items()
    ]
    found = printed("bongard", "paradigms_tableA3")
    for model in ("Gemini 2.0", "GPT-4o"):
        for row in found.rows:
            mean, spread = (figure(row, f"{model} {part}") or Value(None) for part in ("mean", "sd"))
            rows.append((model, "paper", row["Query"], _number(mean.value), _number(spread.value), None))
    return Table(
        name="paradigms-tableA3",
        title=SIMILARITY,
        note=f"Cosine, mean and standard deviation. Ours by the embedder {by!r} (offline: shared words, not meaning, so"
        f" lower throughout); cosines of different embedders are not comparable. Published: {found.source}.",
        columns=("Model", "source", "query", "mean", "sd", "trials"),
        rows=tuple(rows),
    )


def _number(value: float | np.floating | None) -> str:
    return "" if value is None else f"{value:.3f}"
