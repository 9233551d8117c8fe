"""Colours for puzzles whose pattern gives none: each kind of mark its own, the same in every panel.

So every puzzle can be shown in colour, and no colour tells anything: it goes with the shape alone.
"""

from collections.abc import Sequence
from typing import Any

from snellen.tasks.marvel.draw.marks import COLOURS
from snellen.tasks.marvel.puzzle import Panel


def tinted(panels: Sequence[Panel]) -> Sequence[Panel]:
    """The panels as they are, if any of their marks has a colour; else with a colour for each shape."""
    shapes = dict.fromkeys(mark["shape"] for panel in panels for mark in panel["marks"])
    if any("colour" in mark for panel in panels for mark in panel["marks"]):
        return panels
    names = tuple(COLOURS)
    colour_of = {shape: names[place % len(names)] for place, shape in enumerate(sorted(shapes))}
    return [{**panel, "marks": [_with(mark, colour_of[mark["shape"]]) for mark in panel["marks"]]} for panel in panels]


def _with(mark: Any, colour: str) -> dict[str, Any]:
    return {**mark, "colour": colour}
