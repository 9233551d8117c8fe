"""Colours for puzzles whose pattern gives none: each kind of mark its own, the same in every panel.

So every puzzle can be shown in colour, and no colour tells anything: it goes with the shape alone.
"""

from collections.abc import Sequence

from snellen.tasks.marvel.marks import COLOURS
from snellen.tasks.marvel.puzzle import Panel


def tinted(panels: Sequence[Panel]) -> Sequence[Panel]:
    """The panels as they are, if any of their marks has a colour; else with a colour for each shape."""
    marks = [mark for panel in panels for mark in panel["marks"]]
    if any("colour" in mark for mark in marks):
        return panels
    shapes = sorted({mark["shape"] for mark in marks})
    colour_of = {shape: COLOURS[place % len(COLOURS)] for place, shape in enumerate(shapes)}
    return [
        {**panel, "marks": [{**mark, "colour": colour_of[mark["shape"]]} for mark in panel["marks"]]}
        for panel in panels
    ]
