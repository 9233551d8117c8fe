"""The curve of a training as figures: what it measured, step by step, or as means over steps where there are many."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from snellen.analysis.blocks import Curves, Value
from snellen.report.figures import COLUMN, Figure

MOST = 40
"""So many points a line has at most."""
_FLAT = 1e-9
_SERIES: tuple[tuple[str, Literal["percent", "nats"], str, Mapping[str, str]], ...] = (
    ("shares", "percent", "share", {"reward": "reward", "unread": "unread", "mean_token_accuracy": "tokens right"}),
    ("nats", "nats", "nats a token", {"loss": "loss", "kl": "KL from the base"}),
)
"""What is drawn together, as it is called in a curve and in the figure."""


def curves(lines: Sequence[Mapping[str, Any]], title: str) -> dict[str, Curves]:
    """The charts there are, by name; none of a single step, which is no line."""
    if len(lines) < 2:
        return {}
    found = {}
    is_rewarded = any("reward" in line for line in lines)
    for name, unit, quantity, known in _SERIES:
        # With rewards the loss is no distance to right answers: it hovers around zero, whatever is learnt.
        series = {key: said for key, said in known.items() if any(key in line for line in lines)}
        if is_rewarded:
            series.pop("loss", None)
        if series:
            runs = _runs(lines)
            values = tuple(tuple(_mean(run, key, 100 if unit == "percent" else 1) for run in runs) for key in series)
            steps = tuple(float(run[-1]["step"]) for run in runs)
            found[name] = Curves(
                title=title,
                note="Means over as many steps as lie between two points.",
                unit=unit,
                quantity=quantity,
                across="step",
                xs=steps,
                series=tuple(series.values()),
                rows=((title, values),),
                bounds=(0.0, 100.0) if unit == "percent" else _bounds(values),
            )
    return found


def _runs(lines: Sequence[Mapping[str, Any]]) -> list[Sequence[Mapping[str, Any]]]:
    """The lines in equal runs, no more than there is room for."""
    size = -(-len(lines) // MOST)
    return [lines[k : k + size] for k in range(0, len(lines), size)]


def _mean(run: Sequence[Mapping[str, Any]], key: str, by: float) -> Value | None:
    known = [line[key] for line in run if line.get(key) is not None]
    return Value(by * sum(known) / len(known), n=len(known)) if known else None


def _bounds(lines: Sequence[Sequence[Value | None]]) -> tuple[float, float]:
    """From zero, or from what is below it, to the largest value; room to draw in, also where all are zero."""
    known = [value.value for line in lines for value in line if value is not None and value.value is not None]
    low, high = min([0.0, *known]), max([0.0, *known])
    return low, high if high - low > _FLAT else low + 1.0


def draw(lines: Sequence[Mapping[str, Any]], title: str, out: Path) -> list[Path]:
    """Write them as `curve-NAME.svg`; where they are."""
    return [Figure(name, chart, COLUMN).save(out / f"curve-{name}.svg") for name, chart in curves(lines, title).items()]
