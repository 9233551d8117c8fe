"""More manners of describing scenes and of stating rules about them, each unlike those in `bongard_plants`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bongard_plants import Forms, stated, with_article

from snellen.draw.scenes import COLUMNS, ROWS, SceneThing, things, touch
from snellen.tasks.bongard.scenes.language import Concept

Panel = Mapping[str, Any]
_ORDER = {"top": "first", "middle": "second", "bottom": "third"}
_LITTLE = {"large": "big", "small": "little"}


def _pairs(panel: Panel) -> Iterator[tuple[str, str]]:
    content = things(panel)
    for i, one in enumerate(content):
        yield from ((one.icon.name, other.icon.name) for other in content[i + 1 :] if touch(one, other))


def _contacts(panel: Panel, words: str = "The {} is in contact with the {}.") -> str:
    return "".join(f" {words.format(*pair)}" for pair in _pairs(panel))


def _if(thing: SceneThing, words: str) -> str:
    return words if thing.framed else ""


def row_by_row(panel: Panel) -> str:
    """From the top down, one sentence a row."""
    said = []
    for row in ROWS:
        phrases = [
            f"{with_article(f'{thing.size} {thing.icon.name}')} on a {thing.tile} tile"
            f"{_if(thing, ' with a black border')} in the {thing.column} column"
            for thing in things(panel)
            if thing.row == row
        ]
        there = f"In the {row} row there is {' and '.join(phrases)}."
        said.append(there if phrases else f"The {_ORDER[row]} row is empty.")
    return " ".join(said) + _contacts(panel)


def as_grid(panel: Panel) -> str:
    """Nine cells, the empty ones too."""
    cells = {(thing.row, thing.column): thing for thing in things(panel)}
    lines = []
    for row in ROWS:
        for column in COLUMNS:
            thing = cells.get((row, column))
            place = "Centre" if (row, column) == ("middle", "centre") else f"{row.capitalize()} {column}"
            lines.append(f"{place}: {_in_cell(thing) if thing else 'empty'}")
    return "\n".join(lines) + "\n" + _contacts(panel)


def _in_cell(thing: SceneThing) -> str:
    return f"{thing.size} {thing.icon.name}, {thing.tile} tile{_if(thing, ', black frame around it')}"


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
        what = f"{with_article(f'{size} {thing.icon.name}')}, sitting on a {thing.tile}-coloured tile"
        said.append(f"{openings[k % 5]} {what}, {thing.place}.")
        said.append(_if(thing, f"Oh, and the {thing.icon.name} has a thick black frame around it."))
    return "Okay, let me look. " + " ".join(said) + _contacts(panel) + " That's all I can see!"


def as_table(panel: Panel) -> str:
    rows = [
        f"| {thing.icon.name} | {thing.size} | {thing.tile} | {thing.place} | {'yes' if thing.framed else 'no'} |"
        for thing in things(panel)
    ]
    return "\n".join(("| Object | Size | Tile colour | Position | Framed |", "|:--|--|--|--|--|", *rows)) + "\n"


def nested(panel: Panel) -> str:
    """JSON by rows."""
    rows = {
        f"{row} row": [
            f"{thing.size} {thing.icon.name} on {thing.tile} tile, {thing.column}{_if(thing, ', framed')}"
            for thing in things(panel)
            if thing.row == row
        ]
        for row in ROWS
    }
    return json.dumps({"grid": rows, "touching": [f"{one} touches {other}" for one, other in _pairs(panel)]})


def passive(panel: Panel) -> str:
    """The tile first, then what is on it."""
    said = [
        f"On a {thing.tile} tile at the {thing.place}, a {thing.size} {thing.icon.name} is shown"
        f"{_if(thing, ', enclosed in a black frame')}."
        for thing in things(panel)
    ]
    return " ".join(said) + _contacts(panel, "The tiles of the {} and the {} are touching.")


def by_colour(panel: Panel) -> str:
    """What is on tiles of each colour."""
    said: dict[str, list[str]] = {}
    for thing in things(panel):
        what = f"{thing.icon.name} ({thing.size}, {thing.place}{_if(thing, ', framed')})"
        said.setdefault(thing.tile, []).append(what)
    lists = ". ".join(f"{tile.capitalize()} tiles: {', '.join(names)}" for tile, names in said.items())
    return f"{lists}.{_contacts(panel, 'The {} touches the {}.')}"


def numbered(panel: Panel) -> str:
    lines = [
        f"{k}) {thing.icon.name.title()}: it is {thing.size}, located {thing.place}, tile colour {thing.tile}"
        f"{_if(thing, ', has a black border')}"
        for k, thing in enumerate(things(panel), 1)
    ]
    return "\n".join(lines) + "\n" + _contacts(panel, "The {} and the {} touch each other.")


def slashes(panel: Panel) -> str:
    entries = [
        f"{thing.place}: {thing.icon.name}/{thing.size}/{thing.tile} tile{_if(thing, '/framed')}"
        for thing in things(panel)
    ]
    return "; ".join(entries) + "." + _contacts(panel, "{} and {} touch.")


def its_tile(panel: Panel) -> str:
    """The tile in a clause of its own."""
    said = [
        f"A {thing.icon.name} ({_LITTLE[thing.size]}) occupies the {thing.place}; its tile is {thing.tile}"
        f"{_if(thing, ' and it is framed')}."
        for thing in things(panel)
    ]
    return " ".join(said) + _contacts(panel, "The {} adjoins the {}: they are touching.")


def icon_by_icon(panel: Panel) -> str:
    said = [
        f"Icon {k} is a {thing.size} {thing.icon.name} against a {thing.tile} background in the {thing.place}"
        f"{_if(thing, ', inside a black frame')}."
        for k, thing in enumerate(things(panel), 1)
    ]
    return f"I see {len(said)} icons. " + " ".join(said) + _contacts(panel, "The {} directly touches the {}.")


OTHER_FORMS: Forms = {
    **{"row by row": row_by_row, "grid": as_grid, "yaml": as_yaml, "chatty": chatty, "table": as_table},
    **{"nested": nested, "passive": passive, "by colour": by_colour, "numbered": numbered, "slashes": slashes},
    **{"its tile": its_tile, "icon by icon": icon_by_icon},
}
_FRAMES = (
    "A picture counts as positive whenever {}.",
    "In all of the positive examples {}; none of the negative ones is like that.",
    "The distinguishing feature is that {}",
    "{}. This never happens in the negatives.",
    "I think the pictures on the positive side share the fact that {}.",
    "Positives: {}. Negatives: not.",
    "My guess: {}, which the others lack.",
    "They all have this in common: {}.",
    "{} (in contrast to the negative set)",
)
"""Words around a rule."""


def framed(turn: int) -> Any:
    """A manner of stating rules: a frame of words around the plain statement, another at every turn."""

    def state(concept: Concept, style: int) -> str:
        plain = stated(concept, (style + turn) % 3).rstrip(".")
        return _FRAMES[(style + 3 * turn) % len(_FRAMES)].format(plain[0].lower() + plain[1:])

    return state
