"""A panel of a puzzle: a small square picture, from the marks on it.

A panel is `{"marks": [mark, ...]}`, 180 x 180 pixels, the marks drawn in order; what a mark may be is told in
`marks.py` of the task. An optional `"words"` replaces the words that are made from the marks.
"""

from collections.abc import Mapping
from typing import Any

from snellen.draw.pens import Pixels
from snellen.draw.png import encode
from snellen.item import Picture
from snellen.tasks.marvel.draw.marks import palette, render
from snellen.tasks.marvel.draw.panel_words import panel_words
from snellen.tasks.marvel.marks import SIDE

__all__ = ["SIDE", "draw_panel", "panel_pixels", "panel_words"]


def panel_pixels(panel: Mapping[str, Any], colour: bool = False, scale: int = 2) -> Pixels:
    """The panel as numbers of `marks.palette(colour)`. `scale` is in halves: 3 makes it 270 pixels wide."""
    return render(panel["marks"], colour, scale)


def draw_panel(panel: Mapping[str, Any], colour: bool = False) -> Picture:
    """The panel as a picture of its own."""
    return Picture(encode(panel_pixels(panel, colour), palette(colour)), alt="a panel", twin=panel_words(panel, colour))
