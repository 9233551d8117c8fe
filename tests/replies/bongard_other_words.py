"""More manners of describing scenes and stating rules about them, each unlike those in `bongard_plants`."""

from collections.abc import Callable, Mapping
from typing import Any

from bongard_plants import stated, with_article

from snellen.draw.scenes import COLUMNS, ROWS, things, touch
from snellen.tasks.bongard.scenes.language import Concept

Panel = Mapping[str, Any]
_ORDER = {"top": "first", "middle": "second", "bottom": "third"}


def _contacts(panel: Panel) -> str:
    content = things(panel)
    pairs = [(a, b) for i, a in enumerate(content) for b in content[i + 1 :] if touch(a, b)]
    return "".join(f" The {a.icon.name} is in contact with the {b.icon.name}." for a, b in pairs)


def row_by_row(panel: Panel) -> str:
    """From the top down, one sentence a row."""
    said = []
    for row in ROWS:
        own = [thing for thing in things(panel) if thing.row == row]
        if not own:
            said.append(f"The {_ORDER[row]} row is empty.")
            continue
        phrases = [
            f"{with_article(f'{thing.size} {thing.icon.name}')} on a {thing.tile} tile"
            f"{' with a black border' if thing.framed else ''} in the {thing.column} column"
            for thing in own
        ]
        said.append(f"In the {row} row there is {' and '.join(phrases)}.")
    return " ".join(said) + _contacts(panel)


def as_grid(panel: Panel) -> str:
    """Nine cells, the empty ones too."""
    cells = {(thing.row, thing.column): thing for thing in things(panel)}
    lines = []
    for row in ROWS:
        for column in COLUMNS:
            thing = cells.get((row, column))
            place = "Centre" if (row, column) == ("middle", "centre") else f"{row.capitalize()} {column}"
            frame = ", black frame around it" if thing and thing.framed else ""
            lines.append(f"{place}: {thing.size} {thing.icon.name}, {thing.tile} tile{frame}" if thing else f"{place}: empty")
    return "\n".join(lines) + "\n" + _contacts(panel)


def as_yaml(panel: Panel) -> str:
    entries = [
        f"- name: {thing.icon.name}\n  size: {thing.size}\n  tile: {thing.tile}\n  position: {thing.place}\n"
        f"  framed: {'yes' if thing.framed else 'no'}"
        for thing in things(panel)
    ]
    return "objects:\n" + "\n".join(entries) + "\n" + _contacts(panel)


def chatty(panel: Panel) -> str:
    """Thinking aloud."""
    openings = ("I notice", "Then there's", "I can also make out", "Finally I see", "And there is")
    said = []
    for k, thing in enumerate(things(panel)):
        size = {"large": "rather large", "small": "fairly small"}[thing.size]
        said.append(f"{openings[k % 5]} {with_article(f'{size} {thing.icon.name}')}, sitting on a {thing.tile}-coloured tile, {thing.place}.")
        if thing.framed:
            said.append(f"Oh, and the {thing.icon.name} has a thick black frame around it.")
    return "Okay, let me look. " + " ".join(said) + _contacts(panel) + " That's all I can see!"


def as_table(panel: Panel) -> str:
    rows = [f"| {t.icon.name} | {t.size} | {t.tile} | {t.place} | {'yes' if t.framed else 'no'} |" for t in things(panel)]
    return "\n".join(("| Object | Size | Tile colour | Position | Framed |", "|:--|--|--|--|--|", *rows)) + "\n"


OTHER_FORMS: dict[str, Callable[[Panel], str]] = {
    "row by row": row_by_row,
    "grid": as_grid,
    "yaml": as_yaml,
    "chatty": chatty,
    "table": as_table,
}


def otherwise_stated(concept: Concept, style: int) -> str:
    """A rule with a frame of words around it."""
    plain = stated(concept, 1).rstrip(".")
    plain = plain[0].lower() + plain[1:]
    return (
        f"A picture counts as positive whenever {plain}.",
        f"In all of the positive examples {plain}; none of the negative ones is like that.",
        f"The distinguishing feature is that {plain}",
    )[style]
