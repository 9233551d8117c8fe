"""A mark as it lies on the page: the line it is drawn by, and the box around it.

This is the one reading of a mark that twins (`visible.py`, `relations.py`) and questions (`probing/`) share.
"""

from dataclasses import dataclass

import numpy as np

from snellen.draw.pens import Points
from snellen.tasks.marvel.draw.figures import outline
from snellen.tasks.marvel.draw.geometry import Box, box_of
from snellen.tasks.marvel.draw.stamps import path_line
from snellen.tasks.marvel.marks import Mark

PEN_MIDDLE = 2
"""The middle of a figure's outline lies so many pixels within its size."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnMark:
    """A mark, its line as straight pieces (of letters and grids: their box), whether closed, and that line's box."""

    mark: Mark
    line: Points
    closed: bool
    box: Box

    @property
    def shape(self) -> str:
        return str(self.mark["shape"])

    @property
    def fill(self) -> str:
        """ "none" for what cannot have one."""
        return str(self.mark.get("fill", "none"))

    @property
    def reach(self) -> float:
        """Half the larger side of its box."""
        left, top, right, bottom = self.box
        return max(right - left, bottom - top) / 2

    @property
    def middle(self) -> tuple[float, float]:
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    def within(self, other: "DrawnMark") -> bool:
        """Whether its box lies in the other's."""
        (left, top, right, bottom), (x, y, x2, y2) = self.box, other.box
        return left >= x and top >= y and right <= x2 and bottom <= y2

    def near(self, other: "DrawnMark", space: float = 4) -> bool:
        """Whether the boxes overlap or nearly do."""
        (left, top, right, bottom), (x, y, x2, y2) = self.box, other.box
        return left <= x2 + space and x <= right + space and top <= y2 + space and y <= bottom + space


def line_of(mark: Mark, inset: int = PEN_MIDDLE) -> tuple[Points, bool]:
    """The line a mark is drawn by, and whether it is closed; of figures, so far within their size."""
    shape = mark["shape"]
    if shape == "line":
        return np.array([[mark["x"], mark["y"]], [mark["x2"], mark["y2"]]], np.float64), False
    if shape == "path":
        closed = bool(mark.get("closed"))
        return path_line(mark["points"], closed, bool(mark.get("curved"))), closed
    if shape == "grid":
        left, top, down, across = mark["x"], mark["y"], len(mark["rows"]), len(mark["rows"][0])
        right, bottom = left + mark["cell"] * across, top + mark["cell"] * down
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64), True
    figure = "square" if shape == "letter" else shape
    return outline(figure, mark["size"] - inset, mark.get("turn", 0)) + np.array((mark["x"], mark["y"])), True


def drawn(mark: Mark) -> DrawnMark:
    line, closed = line_of(mark)
    return DrawnMark(mark, line, closed, box_of(line))
