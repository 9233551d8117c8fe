"""Findings on a terminal: the diagnosis and the chart it rests on, in characters. The rest is for the page."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from snellen.analysis import Diagnosis, Findings, Shares, Value

if TYPE_CHECKING:
    import polars as pl

BAR = 30
VERDICT_STYLES = {"eyes": "blue", "habit": "magenta", "thinking": "yellow", "sound": "green", "unclear": "dim"}
SHARE_STYLES = ("green", "magenta", "blue", "yellow", "cyan", "dim")
SHADES = "█▒░▓▚▞"  # told apart without colour, too


def plain_console(*, stderr: bool = False) -> Console:
    """A console that takes words as they are: names of models and files may hold what looks like markup."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def show_diagnoses(findings: Findings, console: Console) -> None:
    for diagnosis in findings.diagnoses:
        _diagnosis(diagnosis, console)
    charts = [block for section in findings.sections for block in section.blocks if isinstance(block, Shares)]
    for chart in charts[:1]:
        _shares(chart, console)


def say_judges(rows: "pl.DataFrame") -> None:
    """A line for every judge that left verdicts unread: whoever pays for one should not find that out from a table."""
    from snellen.analysis.judges import judgings

    console = plain_console(stderr=True)
    for judging in judgings(rows):
        if judging.unread:
            console.print(str(judging), soft_wrap=True)


def _diagnosis(diagnosis: Diagnosis, console: Console) -> None:
    badge = Text(f" {diagnosis.verdict.upper()} ", style=f"bold reverse {VERDICT_STYLES.get(diagnosis.verdict, '')}")
    console.print()
    console.print(Text.assemble(badge, "  ", (diagnosis.headline, "bold")))
    details = Table.grid(padding=(0, 1))
    for detail in diagnosis.details:
        details.add_row("·", Text(detail))
    console.print(Padding(details, (0, 0, 0, 2)))


def _shares(chart: Shares, console: Console) -> None:
    """One stacked bar a row, with its numbers and a legend below."""
    rows = Table.grid(padding=(0, 2))
    rows.add_column()
    rows.add_column(min_width=BAR)
    rows.add_column(no_wrap=True)
    whose = {label.partition(" · ")[0] for label, _ in chart.rows}
    for label, values in chart.rows:
        short = label.partition(" · ")[2] if len(whose) == 1 else label
        rows.add_row(Text(short or label), _bar(values), Text(" / ".join(map(_percent, values)), style="dim"))
    console.print()
    console.print(Text(chart.title, style="bold"))
    console.print(Padding(rows, (0, 0, 0, 2)))
    for part, (style, shade) in zip(chart.parts, zip(SHARE_STYLES, SHADES, strict=True), strict=False):
        console.print(Text.assemble("  ", (shade * 2, style), f" {part}"))
    console.print()


def _bar(values: tuple[Value, ...]) -> Text:
    """The parts' lengths add up to the whole bar: each ends where the sum so far, rounded, says."""
    bar, total, drawn = Text(no_wrap=True), 0.0, 0
    for value, style, shade in zip(values, SHARE_STYLES, SHADES, strict=False):
        total += value.value or 0.0
        length = round(BAR * total) - drawn
        drawn += length
        bar.append(shade * length, style=style)
    return bar


def _percent(value: Value) -> str:
    return "–" if value.value is None else f"{100 * value.value:.0f} %"
