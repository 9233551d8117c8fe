"""Findings on a terminal: who was asked what and with which verdict, then each diagnosis with its losses and its rungs,
in characters. The rest is for the page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from snellen.analysis import Diagnosis, Findings, Value
from snellen.analysis.cells import cell_text
from snellen.analysis.ladder.charts import RIGHT, largest_loss, loss_chart, loss_name
from snellen.analysis.ladder.overview import overview, verdict_word
from snellen.charts.blocks import RungScore, ThresholdCard, percent
from snellen.charts.palette import TERMINAL, faculty_of
from snellen.cli.console import plain_console

if TYPE_CHECKING:
    import polars as pl

BAR = 50
PLOT = 21
IN_FULL = 4
"""So many diagnoses are shown with their rungs and details; of more only the sentences and the bars."""
INDENT = (0, 0, 0, 2)


def show_diagnoses(findings: Findings, console: Console) -> None:
    """All diagnoses; an overview first if there are several."""
    diagnoses = findings.diagnoses
    if len(diagnoses) > 1:
        show_overview(diagnoses, console)
    cards = {card.subject: card for card in findings.cards}
    for diagnosis in diagnoses:
        in_full = len(diagnoses) <= IN_FULL
        if diagnosis.verdict == "measured" and diagnosis.subject in cards:
            _measured(diagnosis, cards[diagnosis.subject], console, in_full=in_full)
        else:
            _diagnosis(diagnosis, console, in_full=in_full)
    if len(diagnoses) > IN_FULL:
        console.print()
        console.print(Text("Rungs and details of each are in the report.", style="dim"))
    console.print()


def say_judges(rows: "pl.DataFrame") -> None:
    """A line for every judge that left verdicts unread: whoever pays for one should not find that out from a table."""
    from snellen.analysis.judges import judgings

    console = plain_console(stderr=True)
    for judging in judgings(rows):
        if judging.unread:
            console.print(str(judging), soft_wrap=True)


def show_overview(diagnoses: Sequence[Diagnosis], console: Console) -> None:
    """Under each subject a line a task: verdict, the share right and the largest loss."""
    whole = overview(diagnoses)
    tasks = max((len(task) for task in whole.tasks), default=0)
    badges = max((len(_badge(diagnosis)) for diagnosis in diagnoses), default=0)
    for subject, cells in zip(whole.subjects, whole.cells, strict=True):
        table = _table("task", "verdict", "right", "largest loss")
        table.columns[0].min_width, table.columns[1].min_width = min(tasks, 24), badges
        for place in (place for cell in cells for place in cell):
            diagnosis = diagnoses[place]
            loss = largest_loss(diagnosis.losses)
            lost = _part(loss_name(loss.faculties), _percent(percent(loss.share))) if loss else Text("")
            right = Text(_percent(percent(diagnosis.right)), no_wrap=True)
            table.add_row(Text(diagnosis.task, overflow="fold"), _badge(diagnosis), right, lost)
        console.print()
        console.print(Text(subject, style="bold"))
        console.print(Padding(table, INDENT))
    console.print(Padding(Text("Percent of items, corrected for guessing; 95 % CIs in brackets.", style="dim"), INDENT))


def diagnosis_line(diagnosis: Diagnosis) -> str:
    """A diagnosis in a line: what is right and what is lost to each faculty, with 95 % CIs."""
    shares = [(RIGHT, diagnosis.right), *((loss_name(loss.faculties), loss.share) for loss in diagnosis.losses)]
    told = ", ".join(f"{name} {_percent(percent(share))}" for name, share in shares if share.value is not None)
    return f"{diagnosis.subject} · {diagnosis.task}: {told or diagnosis.headline}"


def _runs(widths: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Things so wide in runs that fit into the room, each with at least one."""
    runs, first, used = [], 0, 0
    for k, width in enumerate(widths):
        if k > first and used + width > room:
            runs.append((first, k))
            first, used = k, 0
        used += width
    return [*runs, (first, len(widths))]


def _diagnosis(diagnosis: Diagnosis, console: Console, *, in_full: bool) -> None:
    whose = " · ".join(filter(None, (diagnosis.task, diagnosis.subject)))
    console.print()
    console.print(Text.assemble(_badge(diagnosis), "  ", (whose, "dim")))
    console.print(Text(diagnosis.headline, style="bold"))
    if diagnosis.losses:
        _losses(diagnosis, console)
    if in_full and diagnosis.rungs:
        console.print(Padding(_rungs(diagnosis.rungs), INDENT))
    if in_full:
        _points(diagnosis.details, "·", console)
    for line in diagnosis.missing:
        _advice(line, console)


def _measured(diagnosis: Diagnosis, card: ThresholdCard, console: Console, *, in_full: bool) -> None:
    """A limit that was measured: the sentence, the tests, and what to do about it."""
    console.print()
    console.print(Text.assemble(_badge(diagnosis), "  ", (f"{diagnosis.task} · {diagnosis.subject}", "dim")))
    console.print(Text(diagnosis.headline, style="bold"))
    card.show(console, heading=False, tests=in_full)


def _advice(line: str, console: Console) -> None:
    """What is missing, and below it the commands that would tell, each on a line of its own to be copied."""
    *pieces, last = line.split("`")
    commands, prose = pieces[1::2], [*pieces[::2], last]
    words = " ".join(" ".join(prose).split())
    _points([f"{words.rstrip(' ,:.')}:" if commands else words], "?", console)
    for command in commands:
        console.print(Text(f"    {command}", style="bold"), soft_wrap=True)


def _points(lines: Sequence[str], mark: str, console: Console) -> None:
    if lines:
        points = Table.grid(padding=(0, 1))
        for line in lines:
            points.add_row(mark, Text(line.replace("`", ""), overflow="fold"))
        console.print(Padding(points, INDENT))


def _badge(diagnosis: Diagnosis) -> Text:
    style, _ = TERMINAL.get(diagnosis.verdict, TERMINAL["unclear"])
    return Text(f" {verdict_word(diagnosis).upper()} ", style=f"bold reverse {style}", no_wrap=True)


def _part(name: str, number: str = "") -> Text:
    """A faculty with the character that stands for it in bars, and its number."""
    style, shade = _look(name)
    return Text.assemble((shade * 2, style), f" {name} {number}".rstrip())


def _look(name: str) -> tuple[str, str]:
    return TERMINAL.get(faculty_of(name) or "", ("", "?"))


def _losses(diagnosis: Diagnosis, console: Console) -> None:
    """What is right and what is lost, as one stacked bar with its legend, and what is measured beside the line."""
    chart = loss_chart([diagnosis])
    ((_, values),) = chart.rows
    console.print(Padding(_bar(chart.parts, values), INDENT))
    entries = [_part(part, _percent(percent(value))) for part, value in zip(chart.parts, values, strict=True)]
    for first, last in _runs([len(entry) + 3 for entry in entries], console.width - 4):
        console.print(Padding(Text("   ").join(entries[first:last]), INDENT))
    for loss in diagnosis.beside:
        steps = f" solved on {loss.lower}, not on {loss.upper}"
        words = Text.assemble(
            "off-ladder comparison: ", _part(loss_name(loss.faculties)), f" {_percent(percent(loss.share))}"
        )
        console.print(Padding(words.append(steps, "dim"), INDENT))


def _bar(parts: Sequence[str], values: Sequence[Value]) -> Text:
    """The parts' lengths add up to the whole bar: each ends where the sum so far, rounded, says."""
    bar, total, drawn = Text(no_wrap=True), 0.0, 0
    for part, value in zip(parts, values, strict=True):
        style, shade = _look(part)
        total += value.value or 0.0
        length = round(BAR * min(1.0, total)) - drawn
        drawn += length
        bar.append(shade * length, style=style)
    return bar


def _rungs(rungs: Sequence[RungScore]) -> Table:
    """The ladder from the least to the most demanding rung."""
    table = _table("rung", "adds", "0 to 100, | chance", "right (%)", "unread")
    table.columns[2].min_width, table.columns[3].min_width = PLOT, 11
    below: tuple[str, ...] = ()
    for rung in rungs:
        added = [name for name in rung.demands if name not in below]
        below = rung.demands if rung.on_line else below
        name = rung.rung if rung.on_line else f"({rung.rung})"
        table.add_row(
            Text(name), Text(", ".join(added)), _dots(rung), Text(_whole(rung.accuracy)), Text(f"{rung.unread:.0f} %")
        )
    return table


def _dots(rung: RungScore) -> Text:
    """Accuracy with its interval and the chance line, in characters."""

    def at(level: float) -> int:
        return round(max(0.0, min(100.0, level)) / 100 * (PLOT - 1))

    line = ["·"] * PLOT
    value = rung.accuracy
    if value.low is not None and value.high is not None:
        for k in range(at(value.low), at(value.high) + 1):
            line[k] = "─"
    line[at(rung.chance)] = "|"
    if value.value is not None:
        line[at(value.value)] = "●" if rung.on_line else "○"
    return Text("".join(line), no_wrap=True)


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for column in columns:
        table.add_column(Text(column))
    return table


def _whole(value: Value) -> str:
    """In whole numbers: 12 (8–17)."""
    return cell_text(value, compact=True) or "–"


def _percent(value: Value) -> str:
    """In whole percent: 12 % (8–17)."""
    number, _, interval = _whole(value).partition(" ")
    return number if value.value is None else f"{number} % {interval}".rstrip()
