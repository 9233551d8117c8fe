"""The curve of a training as figures."""

from pathlib import Path

from snellen.analysis.training import Lines, curves
from snellen.report.figures import COLUMN, Figure


def draw(lines: Lines, title: str, out: Path) -> list[Path]:
    """Write them as `curve-NAME.svg`; where they are."""
    charts = curves({title: lines}, title)
    return [Figure(name, chart, COLUMN).save(out / f"curve-{name}.svg") for name, chart in charts.items()]
