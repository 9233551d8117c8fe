"""Square mazes with digits in some cells: the picture and its twin in characters, both from one description."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from snellen.draw import letters
from snellen.draw.looks import Colour
from snellen.draw.soft import SoftCanvas, box, disc, fitted
from snellen.item import Picture

Cell = tuple[int, int]

SIDES = ("top", "right", "bottom", "left")

_EXTENT, _MARGIN = 560, 40
_PAPER: Colour = (238, 241, 246)
_FLOOR: Colour = (255, 255, 255)
_WALL: Colour = (43, 58, 85)
_TOKEN: Colour = (255, 205, 92)
_INK: Colour = (58, 42, 8)


@dataclass(frozen=True, slots=True)
class Maze:
    """A maze of `extent` x `extent` cells, each (row, column) from the upper left.

    `right` and `down` are the cells one can leave that way, into the next cell; everywhere else is a wall.
    `openings` are the gaps in the outer wall: a side and how many cells it is along, from the left or from the top.
    """

    extent: int
    right: frozenset[Cell]
    down: frozenset[Cell]
    openings: tuple[tuple[str, int], ...]
    digits: Mapping[Cell, int]

    def at(self, opening: tuple[str, int]) -> Cell:
        """The cell an opening leads into."""
        side, along = opening
        last = self.extent - 1
        return {"top": (0, along), "bottom": (last, along), "left": (along, 0), "right": (along, last)}[side]

    def walls(self) -> Iterator[tuple[int, int, bool]]:
        """Every piece of wall as the corner (row, column) it begins at and whether it goes down (or to the right)."""
        span, gaps, last = range(self.extent), set(self.openings), self.extent - 1
        for row, column in product(span, span):
            if column < last and (row, column) not in self.right:
                yield row, column + 1, True
            if row < last and (row, column) not in self.down:
                yield row + 1, column, False
        for along in span:
            level = (("top", 0, along, False), ("bottom", self.extent, along, False))
            upright = (("left", along, 0, True), ("right", along, self.extent, True))
            for side, row, column, down in level + upright:
                if (side, along) not in gaps:
                    yield row, column, down


def draw(maze: Maze) -> Picture:
    """The maze as a picture of 640 x 640 pixels, whatever its extent."""
    pitch, width = _EXTENT // maze.extent, _wall(maze.extent)
    margin = (_EXTENT + 2 * _MARGIN - pitch * maze.extent) // 2
    sheet = SoftCanvas(_EXTENT + 2 * _MARGIN, _EXTENT + 2 * _MARGIN, _PAPER)
    sheet.fill(margin, margin, pitch * maze.extent, pitch * maze.extent, _FLOOR)
    for (row, column), digit in sorted(maze.digits.items()):
        top, left = margin + row * pitch, margin + column * pitch
        sheet.lay(disc(pitch, pitch * 4 * 66 // 100), top, left, _TOKEN)
        sheet.lay(fitted(str(digit), pitch * 40 // 100, pitch), top, left, _INK)
    for row, column, down in maze.walls():
        height, across = (pitch + width, width) if down else (width, pitch + width)
        top, left = margin + row * pitch - width // 2, margin + column * pitch - width // 2
        sheet.lay(box(height, across, width // 2), top, left, _WALL)
    alt = f"Maze of {maze.extent} x {maze.extent} cells with digits in some of them"
    return Picture(sheet.png(), alt=alt)


def _wall(extent: int) -> int:
    """How thick walls are: odd, so that a wall lies as far to one side of the line as to the other."""
    return max(5, _EXTENT // extent // 9) | 1


def finest(extent: int) -> tuple[str, float, tuple[tuple[Colour, Colour], ...], int]:
    """The finest that must be seen of a maze: what it is, how many pixels wide, the pairs of colours that must be told
    apart, and the side of the picture."""
    room = _EXTENT // extent * 40 // 100
    digits = letters.stroke(min(letters.fitted(str(digit), 3 * room, room) for digit in range(1, 10)))
    what, px = ("walls", float(_wall(extent))) if _wall(extent) <= digits else ("strokes of digits", digits)
    return what, px, ((_WALL, _FLOOR), (_INK, _TOKEN)), _EXTENT + 2 * _MARGIN


def words(maze: Maze) -> str:
    """The maze in characters, three to a cell and one to a wall: the exact twin of its picture."""
    walls = set(maze.walls())
    span = range(maze.extent)
    lines = []
    for row in range(maze.extent + 1):
        lines.append("+" + "+".join("---" if (row, column, False) in walls else "   " for column in span) + "+")
        if row < maze.extent:
            cells = (str(maze.digits.get((row, column), " ")) for column in span)
            upright = ("|" if (row, column, True) in walls else " " for column in range(maze.extent + 1))
            first, *rest = upright
            lines.append(first + "".join(f" {cell} {wall}" for cell, wall in zip(cells, rest, strict=True)))
    return "\n".join(line.rstrip() for line in lines)
