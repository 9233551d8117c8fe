"""A card on a terminal: the verdict, every test with its scale in characters, the prescription."""

from collections.abc import Sequence
from math import log10

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from snellen.analysis.acuity.card import Card
from snellen.analysis.acuity.readings import Reading
from snellen.analysis.acuity.words import percent

INDENT = (0, 0, 0, 2)
SCALE = 21
ACCENT = "cyan"


def show_card(card: Card, console: Console) -> None:
    """One subject."""
    console.print()
    console.print(Text.assemble((f" {card.badge.upper()} ", f"bold reverse {ACCENT}"), "  ", (card.subject, "bold")))
    console.print(Text(card.verdict, style="bold"))
    console.print(Text(card.asked, style="dim"))
    show_tests(card, console)
    show_prescription(card, console)
    console.print()


def show_tests(card: Card, console: Console) -> None:
    """Every test that was asked, then what is known of sizes and of blank pages, then what was not asked."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for name in ("test", "easy to hard", "finding", "95 %"):
        table.add_column(Text(name), min_width=SCALE + 1 if name == "easy to hard" else None)
    for reading in (*card.readings, *card.gratings, *card.colours):
        if reading.kind != "not asked":
            unread = f", {reading.unread} of {reading.trials} unread" if reading.unread else ""
            said = Text(reading.said + unread, overflow="fold")
            table.add_row(
                Text(reading.title, overflow="fold"), bar(reading), said, Text(reading.within, overflow="fold")
            )
    if table.row_count:
        console.print(Padding(table, INDENT))
    lines = [*card.resolution_lines] if card.resolution or card.tokens or card.period else []
    if card.blank is not None:
        lines.append(f"On blank pages it sees something {percent(card.blank)} of the time.")
    if card.absent:
        lines.append(f"Not asked: {', '.join(card.absent).lower()}.")
    _points(lines, console)


def show_prescription(card: Card, console: Console) -> None:
    console.print(Text("Prescription", style=f"bold {ACCENT}"))
    _points(card.prescription, console)


def _points(lines: Sequence[str], console: Console) -> None:
    if lines:
        points = Table.grid(padding=(0, 1))
        for line in lines:
            points.add_row("·", Text(line, overflow="fold"))
        console.print(Padding(points, INDENT))


def bar(reading: Reading) -> Text:
    """The scale of a test: full as far as it sees, a line as far as that might reach."""
    if reading.hardest is None or reading.easiest is None:
        return Text("")
    if reading.kind == "better than drawn":
        return Text("█" * SCALE + "▶", style=ACCENT, no_wrap=True)
    if reading.kind != "threshold" or reading.value is None:
        return Text(("·" if reading.kind == "worse than drawn" else "░") * SCALE, style="dim", no_wrap=True)
    easy, hard = log10(reading.easiest), log10(reading.hardest)

    def at(x: float) -> int:
        return round((log10(x) - easy) / (hard - easy) * (SCALE - 1))

    seen = at(reading.value)
    far = reading.high if reading.falling else reading.low
    reach = SCALE - 1 if far is None else max(seen, at(far))
    rest = "─" * (reach - seen) + "·" * (SCALE - 1 - reach)
    return Text.assemble(("█" * (seen + 1), ACCENT), (rest, "dim"), no_wrap=True)
