"""Figures of findings: every chart, by name, as something to look at and to save."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count
from pathlib import Path

from snellen.analysis.ladder.charts import loss_chart, printed_ladder, profile_chart
from snellen.charts.blocks import Chart, Findings
from snellen.charts.kinds import draw, fits
from snellen.charts.marks import MarksPage
from snellen.charts.saving import save
from snellen.charts.svg import to_svg
from snellen.errors import UserError, unknown

COLUMN, PAGE = 85.0, 175.0
"""Widths in millimetres: a column of a paper, and its page."""
NARROWEST, WIDEST = 60.0, 500.0
ENDINGS = ("svg", "pdf")

_POINTS = 72 / 25.4
_ON_SCREEN = 1.75
"""Pixels a point on a screen: words as large as those around them."""
_LONGEST = 80


@dataclass(frozen=True)
class Figure:
    """One chart of the findings, `width` millimetres wide; the text size is fixed."""

    name: str
    block: Chart
    width: float

    @property
    def title(self) -> str:
        return self.block.title

    @property
    def note(self) -> str:
        """The text for a caption."""
        return self.block.note

    @cached_property
    def sheet(self) -> MarksPage:
        """The drawing as marks, in points."""
        return draw(self.block, self.width * _POINTS)

    @property
    def svg(self) -> str:
        return to_svg(self.sheet)

    def save(self, path: str | Path) -> Path:
        """Write the figure as the file's ending says (.svg or .pdf); where it is."""
        path = Path(path)
        ending = path.suffix.lower().removeprefix(".")
        if ending not in ENDINGS:
            raise UserError(
                f"{path}: figures are written as {' or '.join(f'.{e}' for e in ENDINGS)}; use one of these suffixes"
            )
        return save(path, [self.data(ending)], "figure")

    def data(self, ending: str) -> bytes:
        """The file's content."""
        if ending == "svg":
            return self.svg.encode()
        from snellen.charts.pdf import to_pdf

        return to_pdf(self.sheet)

    def _repr_svg_(self) -> str:
        return on_screen(self.sheet)


class Figures(dict[str, Figure]):
    """Figures by name, in the order of the report."""

    def __missing__(self, name: str) -> Figure:
        raise unknown("figure", name, self)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {figure.title}" for name, figure in self.items())


def figures(findings: Findings, width: float | None = None) -> Figures:
    """Every chart of the findings, `width` millimetres wide; without it as wide as a paper's column, or its page."""
    if width is not None and not NARROWEST <= width <= WIDEST:
        raise UserError(f"a figure {width:g} mm wide: expected {NARROWEST:g} to {WIDEST:g} (millimetres)")
    return Figures({name: Figure(name, chart, width or usual_width(chart)) for name, chart in _named(findings)})


def on_screen(sheet: MarksPage) -> str:
    """The drawing as SVG for a notebook, at text size and never wider than the page."""
    wide = f"{sheet.width * _ON_SCREEN:.0f}"
    return to_svg(sheet, f'width="{wide}" style="max-width:100%;height:auto"')


def usual_width(chart: Chart) -> float:
    """The width of a column if the chart fits, otherwise of a page."""
    return COLUMN if fits(chart, COLUMN * _POINTS) else PAGE


def _named(findings: Findings) -> Iterator[tuple[str, Chart]]:
    """The charts with their names: task and title, and a number where both are the same. Diagnoses come first."""
    taken: set[str] = set()
    diagnoses = list(_of_diagnoses(findings))
    sections = ((section.task, block) for section in findings.sections for block in section.blocks)
    for task, block in chain(diagnoses, (shown for shown in sections if shown not in diagnoses)):
        if isinstance(block, Chart):
            plainest = figure_name(task, block.title)
            numbered = (f"{plainest}-{k}" for k in count(2))
            name = next(free for free in chain([plainest], numbered) if free not in taken)
            taken.add(name)
            yield name, block


def _of_diagnoses(findings: Findings) -> Iterator[tuple[str, Chart]]:
    """The profile of each subject over several tasks; of each task everybody's losses; of each diagnosis its ladder."""
    for profile in findings.profiles:
        if len(profile.tasks) > 1:
            yield "", profile_chart(profile)
    for task in dict.fromkeys(diagnosis.task for diagnosis in findings.diagnoses):
        own = [diagnosis for diagnosis in findings.diagnoses if diagnosis.task == task]
        if any(diagnosis.losses for diagnosis in own):
            yield task, loss_chart(own)
        for diagnosis in own:
            if diagnosis.rungs:
                chart = printed_ladder(diagnosis)
                yield task, replace(chart, title=f"{chart.title}, {diagnosis.subject}")


def figure_name(task: str, title: str) -> str:
    """Task and title in lower-case ASCII letters, digits and hyphens."""
    words = _words(title)
    about = _words(task)
    whole = "-".join(words if words[: len(about)] == about else about + words) or "figure"
    return whole if len(whole) <= _LONGEST else whole[:_LONGEST].rpartition("-")[0] or whole[:_LONGEST]


def _words(text: str) -> list[str]:
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", ascii_only)
