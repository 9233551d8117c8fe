"""Boards of five in a row where a side is told by the kind of its pieces: the picture and its twin in characters.

One side's pieces have several looks (chessmen, suits of cards, shapes, dice), the other's are all of one other kind.
Both come in the same two colours, so that colour tells nothing about the side.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from snellen.draw.looks import Colour
from snellen.draw.soft import SoftCanvas, box, disc, fitted, glyph, ring, shade, widened
from snellen.item import Picture
from snellen.tasks.capacity.data import table

Cell = tuple[int, int]
"""Row and column, both from 0, row 0 at the bottom: (5, 3) is d6."""

MIXED, PLAIN = "mixed", "plain"
COLUMNS = "abcdefghijklmnopqrstuvwxyz"

_SIDE, _LEFT, _TOP = 640, 46, 24
_WHITE: Colour = (255, 255, 255)
_BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class StoneTheme:
    """Two sets of pieces and how they look.

    `looks` are the kinds of the mixed set by letter: a name and a sign (for dice the sign is the number of pips).
    `colours` are by letter. `only` says which colours a look has; without it, all have both.
    """

    mixed: str
    looks: Mapping[str, tuple[str, str]]
    plain: str
    colours: Mapping[str, tuple[str, Colour]]
    style: str
    board: Colour
    line: Colour
    paper: Colour
    only: Mapping[str, str] = field(default_factory=dict)

    def in_colour(self, colour: str) -> list[str]:
        """The letters of the looks that come in this colour."""
        return [letter for letter in self.looks if self.only.get(letter, colour) == colour]


THEMES: Mapping[str, StoneTheme] = {name: StoneTheme(style=name, **facts) for name, facts in table("gomoku").items()}


@dataclass(frozen=True, slots=True)
class Stone:
    """A piece of the mixed side (`look` is its letter) or of the plain side (`look` is "o")."""

    look: str
    colour: str

    @property
    def side(self) -> str:
        return PLAIN if self.look == "o" else MIXED


@dataclass(frozen=True, slots=True)
class Position:
    extent: int
    theme: str
    pieces: Mapping[Cell, Stone]


def name(cell: Cell) -> str:
    """A cell as players call it: d6."""
    return f"{COLUMNS[cell[1]]}{cell[0] + 1}"


def draw(position: Position) -> Picture:
    """The position as a picture of the same size whatever the board's extent."""
    theme, pitch = THEMES[position.theme], _pitch(position.extent)
    sheet = _empty(position.extent, position.theme).copy()
    for (row, column), piece in sorted(position.pieces.items()):
        top, left = _TOP + (position.extent - 1 - row) * pitch, _LEFT + column * pitch
        _put(sheet, theme, piece, (top, left, pitch))
    alt = f"Board of {position.extent} x {position.extent} cells with {theme.mixed} and {theme.plain}"
    return Picture(sheet.png(), alt=alt)


def _pitch(extent: int) -> int:
    return (_SIDE - _LEFT - _TOP) // extent


@lru_cache(maxsize=16)
def _empty(extent: int, theme_name: str) -> SoftCanvas:
    """The board without pieces, column letters below it and row numbers on its left."""
    theme, pitch = THEMES[theme_name], _pitch(extent)
    across = pitch * extent
    sheet = SoftCanvas(_SIDE, _SIDE, theme.paper)
    sheet.lay(box(across + 13, across + 13, 6), _TOP - 6, _LEFT - 6, shade(theme.line, _BLACK, 25))
    sheet.fill(_TOP, _LEFT, across + 1, across + 1, theme.board)
    for step in range(extent + 1):
        sheet.fill(_TOP + step * pitch, _LEFT, 1, across + 1, theme.line)
        sheet.fill(_TOP, _LEFT + step * pitch, across + 1, 1, theme.line)
    ink, side = shade(theme.line, _BLACK, 60), 28
    for step in range(extent):
        middle = step * pitch + (pitch - side) // 2
        sheet.lay(glyph(COLUMNS[step], 17, side), _TOP + across + 10, _LEFT + middle, ink)
        sheet.lay(glyph(str(extent - step), 17, side), _TOP + middle, _LEFT - 38, ink)
    return sheet


Window = tuple[int, int, int]
"""Top, left and side of a cell in pixels."""


def _put(sheet: SoftCanvas, theme: StoneTheme, piece: Stone, window: Window) -> None:
    colour = theme.colours[piece.colour][1]
    edge = shade(colour, _BLACK, 60) if sum(colour) > 300 else shade(colour, _WHITE, 80)
    if piece.side == PLAIN:
        _put_round(sheet, theme, colour, window)
    elif theme.style == "dice":
        _put_die(sheet, int(piece.look), colour, window)
    elif theme.style == "cards":
        _put_card(sheet, theme.looks[piece.look][1], colour, window)
    else:
        _put_sign(sheet, theme.looks[piece.look][1], colour, edge if theme.style == "chess" else None, window)


def _put_sign(sheet: SoftCanvas, sign: str, colour: Colour, edge: Colour | None, window: Window) -> None:
    top, left, pitch = window
    cover = fitted(sign, pitch * (68 if edge else 62) // 100, pitch)
    if edge:
        sheet.lay(widened(cover, 2), top, left, edge)
    sheet.lay(cover, top, left, colour)


def _put_card(sheet: SoftCanvas, sign: str, colour: Colour, window: Window) -> None:
    top, left, pitch = window
    height, width = pitch * 82 // 100, pitch * 68 // 100
    down, right = top + (pitch - height) // 2, left + (pitch - width) // 2
    sheet.lay(box(height, width, 5), down + 2, right + 1, (30, 84, 60))
    sheet.lay(box(height, width, 5), down, right, (252, 252, 248))
    sheet.lay(fitted(sign, pitch * 52 // 100, pitch), top, left, colour)


def _put_die(sheet: SoftCanvas, pips: int, colour: Colour, window: Window) -> None:
    top, left, pitch = window
    side = pitch * 70 // 100
    down, right = top + (pitch - side) // 2, left + (pitch - side) // 2
    sheet.lay(box(side, side, side // 5), down, right, shade(colour, _BLACK, 35))
    sheet.lay(box(side - 3, side - 3, side // 5), down + 1, right + 1, colour)
    dot = side // 4
    for across, along in _PIPS[pips]:
        at = down + (side - dot) // 2 + along * side * 28 // 100, right + (side - dot) // 2 + across * side * 28 // 100
        sheet.lay(disc(dot, dot * 4), *at, _WHITE)


_DIAGONAL, _OTHER, _MIDDLES = ((-1, -1), (1, 1)), ((1, -1), (-1, 1)), ((-1, 0), (1, 0))
_PIPS = {
    1: ((0, 0),),
    2: _DIAGONAL,
    3: (*_DIAGONAL, (0, 0)),
    4: (*_DIAGONAL, *_OTHER),
    5: (*_DIAGONAL, *_OTHER, (0, 0)),
    6: (*_DIAGONAL, *_OTHER, *_MIDDLES),
}


def _put_round(sheet: SoftCanvas, theme: StoneTheme, colour: Colour, window: Window) -> None:
    """A piece of the plain set: a grooved draughtsman, a stone, a ring or a button."""
    top, left, pitch = window
    outer = pitch * 4 * 74 // 100
    groove = shade(colour, _BLACK, 28) if sum(colour) > 300 else shade(colour, _WHITE, 40)
    if theme.style == "shapes":
        sheet.lay(ring(pitch, outer, outer * 48 // 100), top, left, colour)
        return
    sheet.lay(disc(pitch, outer), top, left, shade(colour, _BLACK, 45))
    sheet.lay(disc(pitch, outer - 10), top, left, colour)
    if theme.style == "chess":
        for share in (72, 36):
            sheet.lay(ring(pitch, outer * share // 100, outer * share // 100 - 12), top, left, groove)
    elif theme.style == "cards":
        shine = pitch * 18 // 100
        sheet.lay(disc(shine, shine * 4), top + pitch * 24 // 100, left + pitch * 26 // 100, shade(colour, _WHITE, 55))
    else:
        hole = pitch * 14 // 100
        for across in (-1, 1):
            at = left + (pitch - hole) // 2 + across * pitch * 12 // 100
            sheet.lay(disc(hole, hole * 4), top + (pitch - hole) // 2, at, _WHITE)


def words(position: Position) -> str:
    """The board in characters with its columns and rows named, and what the characters mean: the picture's twin."""
    theme = THEMES[position.theme]
    lines = []
    for row in reversed(range(position.extent)):
        cells = (position.pieces.get((row, column)) for column in range(position.extent))
        lines.append(f"{row + 1:2} " + " ".join(piece.look + piece.colour if piece else " ." for piece in cells))
    lines.append("   " + " ".join(f" {COLUMNS[column]}" for column in range(position.extent)))
    looks = ", ".join(f"{letter} {word}" for letter, (word, _) in theme.looks.items())
    colours = ", ".join(f"{letter} {word}" for letter, (word, _) in theme.colours.items())
    lines.append(f"First character: {looks} (all of them {theme.mixed}), o one of the {theme.plain}.")
    lines.append(f"Second character, the colour: {colours}. A dot: empty.")
    return "\n".join(lines)
