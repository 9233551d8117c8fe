"""How each game looks in each rendering: colours and measures, and nothing else.

The figures follow the published VLM-Fix pictures, set to whole pixels so that all lines are equally sharp and all
cells equally large: nothing lies more than two pixels off, and pictures of the published boards keep their sizes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from snellen.draw.looks import BLACK, WHITE, Colour


@dataclass(frozen=True, slots=True)
class BoardLines:
    """Lines between the cells and, if `outer`, around the board."""

    width: int
    colour: Colour
    outer: bool = True


@dataclass(frozen=True, slots=True)
class BoardDots:
    """A dot wherever lines cross, its radius in hundredths of a cell."""

    radius: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class BoardDisc:
    """A disc with an edge of one pixel, its radius in hundredths of a cell. No fill: nothing is drawn."""

    radius: int
    edge: Colour
    fills: tuple[Colour | None, Colour, Colour]


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter kept `pad` hundredths of a cell away from the cell's borders.

    It starts at `start` hundredths of the square left, as font size, and shrinks until its ink fits; `alike` gives
    both letters the size at which both fit. `inks` are for the two shades of cell.
    """

    pad: int
    start: int
    inks: tuple[Colour, Colour] = (BLACK, BLACK)
    alike: bool = False


@dataclass(frozen=True, slots=True)
class BoardLook:
    """One game in one rendering. `margin` and `pitch` (of cells) are in pixels; cells alternate in two shades."""

    margin: int
    pitch: int
    paper: Colour
    shades: tuple[Colour, Colour]
    piece: BoardDisc | Letter
    lines: BoardLines | None = None
    dots: BoardDots | None = None
    frame: int = 0
    corner: int = 0

    @property
    def line_width(self) -> int:
        return self.lines.width if self.lines else 0


CREAM, FRAME = (246, 239, 229), (84, 62, 44)
WOOD = ((240, 217, 181), (181, 136, 99))
GREEN, BLUE = (22, 118, 58), (44, 90, 201)


def _plain(colour: Colour) -> tuple[Colour, Colour]:
    return colour, colour


def _tictactoe() -> dict[str, BoardLook]:
    lines = BoardLines(5, (20, 20, 20), outer=False)
    base = BoardLook(46, 97, WHITE, _plain(WHITE), Letter(22, 125), lines)
    inks = ((24, 24, 24), (246, 246, 246))
    board = BoardLook(42, 100, CREAM, WOOD, Letter(20, 125, inks), frame=4)
    return {"base": base, "checkerboard": board, "glyph": base}


def _reversi() -> dict[str, BoardLook]:
    discs = BoardDisc(32, (30, 30, 30), (None, (18, 18, 18), (250, 250, 250)))
    return {
        "base": BoardLook(40, 80, GREEN, _plain(GREEN), discs, BoardLines(2, (12, 45, 24))),
        "checkerboard": BoardLook(40, 80, CREAM, WOOD, discs, frame=4),
        "glyph": BoardLook(40, 80, WHITE, _plain(WHITE), Letter(18, 120), BoardLines(2, (24, 24, 24))),
    }


def _connect4() -> dict[str, BoardLook]:
    players = ((218, 45, 54), (245, 212, 65))
    holes = BoardDisc(36, (42, 62, 122), ((235, 239, 255), *players))
    discs = BoardDisc(36, (52, 52, 52), ((242, 242, 242), *players))
    return {
        "base": BoardLook(36, 94, (245, 247, 255), _plain(BLUE), holes, corner=19),
        "checkerboard": BoardLook(36, 94, CREAM, WOOD, discs, frame=4),
        "glyph": BoardLook(44, 90, WHITE, _plain(WHITE), Letter(20, 120), BoardLines(2, (28, 28, 28))),
    }


def _dots_boxes() -> dict[str, BoardLook]:
    letters, dots = Letter(27, 160, alike=True), BoardDots(7, (18, 18, 18))
    base = BoardLook(57, 61, WHITE, _plain(WHITE), letters, BoardLines(2, (145, 145, 145)), dots)
    board = BoardLook(57, 61, CREAM, WOOD, letters, BoardLines(2, (92, 72, 52)), dots, frame=2)
    return {"base": base, "checkerboard": board, "glyph": base}


LOOKS: Mapping[str, Mapping[str, BoardLook]] = MappingProxyType(
    {
        "tictactoe": _tictactoe(),
        "reversi": _reversi(),
        "connect4": _connect4(),
        "dots_boxes": _dots_boxes(),
    }
)
