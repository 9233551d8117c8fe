"""A card on a terminal: the verdict, every test with its scale in characters, the prescription."""

from collections.abc import Sequence
from math import log10

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from snellen.tasks.acuity.study.card import Card
from snellen.tasks.acuity.study.readings import CardLine

INDENT = (0, 0, 0, 2)
SCALE = 21
ACCENT = "cyan"
MARK = "┆"
"""Where others' sight ends, on a scale."""


def show_card(card: Card, console: Console, *, heading: bool = True, tests: bool = True) -> None:
    """One subject: who it is and what is found, every test, the prescription."""
    if heading:
        badge = (f" {card.badge.upper()} ", f"bold reverse {ACCENT}")
        console.print()
        console.print(Text.assemble(badge, "  ", (card.subject, "bold")))
        console.print(Text(card.verdict, style="bold"))
        console.print(Text(card.asked, style="dim"))
    if tests:
        _show_tests(card, console)
    console.print(Text("Prescription", style=f"bold {ACCENT}"))
    _points(card.prescription, console)
    if heading:
        console.print()


def _show_tests(card: Card, console: Console) -> None:
    """Every test that was asked, then what is known of sizes and of blank pages, then what was not asked."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for name in ("test", "easy to hard", "finding", "95 %"):
        table.add_column(Text(name), min_width=SCALE + 1 if name == "easy to hard" else None)
    for reading in (*card.readings, *card.gratings, *card.colours):
        if reading.kind != "not asked":
            unread = f", {reading.unread_said}" if reading.unread_said else ""
            said = Text(reading.said + unread, overflow="fold")
            table.add_row(
                Text(reading.title, overflow="fold"), bar(reading), said, Text(reading.within, overflow="fold")
            )
    if table.row_count:
        console.print(Padding(table, INDENT))
    lines = [*card.resolution_lines, *card.blank_lines]
    lines += [f"{MARK} {line}." for line in card.anchored]
    lines += card.held
    if card.absent:
        lines.append(f"Not asked: {', '.join(card.absent).lower()}.")
    _points(lines, console)


def _points(lines: Sequence[str], console: Console) -> None:
    if lines:
        points = Table.grid(padding=(0, 1))
        for line in lines:
            points.add_row("·", Text(line, overflow="fold"))
        console.print(Padding(points, INDENT))


def bar(reading: CardLine) -> Text:
    """The scale of a test: full as far as it sees, a line as far as that might reach, and where others' sight ends."""
    if reading.hardest is None or reading.easiest is None:
        return Text("")
    drawn = _seen(reading, reading.easiest, reading.hardest)
    marks = {_column(line.at, reading.easiest, reading.hardest) for line in reading.anchors if line.at}
    whole = Text(no_wrap=True)
    for k, (sign, style) in enumerate(drawn):
        whole.append(*((MARK, "bold") if k in marks else (sign, style)))
    return whole


def _column(x: float, easiest: float, hardest: float) -> int:
    easy, hard = log10(easiest), log10(hardest)
    return max(0, min(SCALE - 1, round((log10(x) - easy) / (hard - easy) * (SCALE - 1))))


def _seen(reading: CardLine, easiest: float, hardest: float) -> list[tuple[str, str]]:
    """Signs and their styles, from easy to hard."""
    if reading.kind == "better than drawn":
        return [("█", ACCENT)] * SCALE + [("▶", ACCENT)]
    if reading.kind != "threshold" or reading.value is None:
        return [("·" if reading.kind == "worse than drawn" else "░", "dim")] * SCALE
    seen = _column(reading.value, easiest, hardest)
    far = reading.high if reading.falling else reading.low
    reach = SCALE - 1 if far is None else max(seen, _column(far, easiest, hardest))
    signs = "─" * (reach - seen) + "·" * (SCALE - 1 - reach)
    return [("█", ACCENT)] * (seen + 1) + [(sign, "dim") for sign in signs]
