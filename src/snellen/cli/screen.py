"""Findings on a terminal: the same blocks the report page shows, in characters."""

from rich.console import Console
from rich.text import Text as RichText

from snellen.analysis.blocks import Diagnosis, Findings, Shares, Value

BAR = 44
VERDICT_STYLE = {"eyes": "blue", "habit": "magenta", "thinking": "yellow", "sound": "green", "unclear": "dim"}
SHARE_STYLES = ("green", "magenta", "blue", "yellow", "cyan")


def show_diagnoses(findings: Findings, console: Console) -> None:
    """The diagnosis of every subject, with the chart it rests on; the rest is for the page."""
    for diagnosis in findings.diagnoses:
        _diagnosis(diagnosis, console)
    charts = [block for section in findings.sections for block in section.blocks if isinstance(block, Shares)]
    for chart in charts[:1]:
        console.print()
        _shares(chart, console)
    console.print()


def _diagnosis(diagnosis: Diagnosis, console: Console) -> None:
    style = VERDICT_STYLE.get(diagnosis.verdict, "")
    console.print()
    console.print(
        RichText(f" {diagnosis.verdict.upper()} ", style=f"bold reverse {style}"),
        RichText(diagnosis.headline, style="bold"),
    )
    for detail in diagnosis.details:
        console.print(RichText(f"  · {detail}"))


def _shares(block: Shares, console: Console) -> None:
    console.print(RichText(block.title, style="dim"))
    width = max((len(label) for label, _ in block.rows), default=0)
    for label, values in block.rows:
        line = RichText(f"  {label:<{width}}  ")
        for style, value in zip(SHARE_STYLES, values, strict=False):
            line.append("█" * round(BAR * (value.value or 0)), style=style)
        line.append("  " + " / ".join(_percent(value) for value in values), style="dim")
        console.print(line, no_wrap=True)
    legend = RichText("  " + " " * width + "  ")
    for style, part in zip(SHARE_STYLES, block.parts, strict=False):
        legend.append("█ ", style=style).append(part + "   ")
    console.print(legend)


def _percent(value: Value) -> str:
    return "–" if value.value is None else f"{100 * value.value:.0f} %"
