"""Every kind of chart: who draws it, and how wide it has to be.

A new kind is a value in `blocks`, a module that draws it, and a line here. Figures, notebook, command line and report
page take it from here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from snellen.charts import compass, curves, heat, intervals, psychometrics, shares, strips
from snellen.charts.blocks import Chart, Compass, Curves, Heat, Intervals, Psychometrics, Shares, Strips
from snellen.charts.marks import MarksPage

LEAST = 60 * 72 / 25.4
"""The narrowest sheet that every chart can be drawn on, in points: 60 mm."""


@dataclass(frozen=True, slots=True)
class ChartKind:
    """`draw` puts a chart on a sheet so many points wide. `fits` says whether a paper's column so wide has room for it.
    `narrowest`: how narrow it may be on a screen, where it can be scrolled; never narrower than LEAST."""

    draw: Callable[[Any, float], MarksPage]
    fits: Callable[[Any, float], bool] = lambda block, wide: True
    narrowest: Callable[[Any], float] = lambda block: LEAST


KINDS: dict[type, ChartKind] = {
    Shares: ChartKind(shares.draw),
    Intervals: ChartKind(intervals.draw),
    Heat: ChartKind(heat.draw, heat.fits_column, heat.narrowest),
    Compass: ChartKind(compass.draw, lambda block, wide: len(block.rows) <= 2),
    Strips: ChartKind(strips.draw, lambda block, wide: False),
    Curves: ChartKind(curves.draw, lambda block, wide: len(block.rows) == 1),
    Psychometrics: ChartKind(psychometrics.draw, lambda block, wide: len(block.panels) == 1),
}


def draw(chart: Chart, wide: float) -> MarksPage:
    """The chart on a sheet so many points wide."""
    return KINDS[type(chart)].draw(chart, wide)


def fits(chart: Chart, wide: float) -> bool:
    """Whether a paper's column so wide has room for the chart."""
    return KINDS[type(chart)].fits(chart, wide)


def narrowest(chart: Chart) -> float:
    """How narrow the chart may be on a screen, in points."""
    return max(LEAST, KINDS[type(chart)].narrowest(chart))
