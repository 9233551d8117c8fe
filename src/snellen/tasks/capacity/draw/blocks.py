"""Trays of sliding blocks with one way out: the picture and its twin in characters, both from one description."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from snellen.draw.looks import Colour
from snellen.draw.soft import SoftCanvas, box, glyph, shade
from snellen.item import Picture

SIDES = ("right", "bottom", "left", "top")
"""Of the exit, each a quarter turn (clockwise) after the one before."""

_EXTENT, _MARGIN, _FRAME = 540, 50, 26
_PAPER: Colour = (240, 236, 228)
_RIM: Colour = (112, 74, 44)
_FLOOR: Colour = (74, 50, 32)
_GROOVE: Colour = (88, 61, 40)
_WOODS: tuple[Colour, ...] = ((226, 178, 116), (214, 162, 98))
_RED: Colour = (206, 52, 46)
_LIGHT: Colour = (255, 255, 255)
_DARK: Colour = (40, 22, 8)


@dataclass(frozen=True, slots=True)
class SlidingBlock:
    """A block one cell wide, by its upper or left end. It slides along its length: up and down if `upright`."""

    name: str
    row: int
    column: int
    length: int
    upright: bool

    def cells(self) -> list[tuple[int, int]]:
        if self.upright:
            return [(self.row + step, self.column) for step in range(self.length)]
        return [(self.row, self.column + step) for step in range(self.length)]


@dataclass(frozen=True, slots=True)
class BlockTray:
    """A tray of `extent` x `extent` cells. The first block is the red one; the gap in the frame is at the end of its
    row or column on the side `exit`."""

    extent: int
    blocks: tuple[SlidingBlock, ...]
    exit: str


@lru_cache(maxsize=64)
def draw(level: BlockTray, side: int = _EXTENT) -> Picture:
    """The level as a picture whose tray is about `side` pixels wide."""
    pitch = side // level.extent
    margin = _margin(level.extent, side)
    sheet = _empty(level.extent, side).copy()
    _gap(sheet, level, margin, pitch)
    for number, block in enumerate(level.blocks):
        _put(sheet, block, margin, pitch, number == 0)
    return Picture(sheet.png(), alt=f"Tray of {level.extent} x {level.extent} cells with sliding blocks")


def _margin(extent: int, side: int) -> int:
    return (side + 2 * _MARGIN - side // extent * extent) // 2


@lru_cache(maxsize=8)
def _empty(extent: int, side: int) -> SoftCanvas:
    """The tray without blocks and without a gap in its frame."""
    pitch, margin = side // extent, _margin(extent, side)
    sheet = SoftCanvas(side + 2 * _MARGIN, side + 2 * _MARGIN, _PAPER)
    across, out = pitch * extent, margin - _FRAME
    rim = box(across + 2 * _FRAME, across + 2 * _FRAME, 16)
    sheet.lay(rim, out + 4, out + 4, shade(_PAPER, _DARK, 18))
    sheet.lay(rim, out, out, _RIM)
    sheet.fill(margin - 4, margin - 4, across + 8, across + 8, shade(_RIM, _DARK, 45))
    sheet.fill(margin, margin, across, across, _FLOOR)
    for row, column in product(range(extent), repeat=2):
        well = box(pitch - 8, pitch - 8, 8)
        sheet.lay(well, margin + row * pitch + 4, margin + column * pitch + 4, _GROOVE)
    return sheet


def _gap(sheet: SoftCanvas, level: BlockTray, margin: int, pitch: int) -> None:
    """The opening in the frame, in line with the red block."""
    red, far = level.blocks[0], level.extent * pitch
    along = margin + (red.column if red.upright else red.row) * pitch
    begin = margin + far if level.exit in ("right", "bottom") else margin - _FRAME - 1
    depth = _FRAME + 5
    if level.exit in ("left", "top"):
        begin -= 4
    if red.upright:
        sheet.fill(begin, along, depth, pitch, _PAPER)
    else:
        sheet.fill(along, begin, pitch, depth, _PAPER)


def _put(sheet: SoftCanvas, block: SlidingBlock, margin: int, pitch: int, red: bool) -> None:
    """A block with a shadow, a lit upper edge and its name in the middle."""
    colour = _RED if red else _WOODS[block.upright]
    long, wide = block.length * pitch - 8, pitch - 8
    height, width = (long, wide) if block.upright else (wide, long)
    top, left = margin + block.row * pitch + 4, margin + block.column * pitch + 4
    sheet.lay(box(height, width, 10), top + 3, left + 2, shade(_FLOOR, (0, 0, 0), 45))
    sheet.lay(box(height, width, 10), top, left, shade(colour, _DARK, 45))
    sheet.lay(box(height - 4, width - 4, 9), top + 2, left + 2, shade(colour, _LIGHT, 45))
    sheet.lay(box(height - 7, width - 6, 8), top + 5, left + 3, colour)
    side = min(height, width) - 16
    ink = _LIGHT if red else _DARK
    name = glyph(block.name, pitch * 44 // 100, side)
    sheet.lay(name, top + (height - side) // 2, left + (width - side) // 2, ink)


def words(level: BlockTray) -> str:
    """The level as rows of block names, empty cells as dots, with the frame around it broken at the exit."""
    named = {cell: block.name for block in level.blocks for cell in block.cells()}
    span = range(level.extent)
    red = level.blocks[0]
    left, right = (["#" for _ in span] for _ in range(2))
    top, bottom = (["#" for _ in span] for _ in range(2))
    side = {"left": left, "right": right, "top": top, "bottom": bottom}[level.exit]
    side[red.column if red.upright else red.row] = " "
    rows = [" ".join((left[row], *(named.get((row, column), ".") for column in span), right[row])) for row in span]
    return "\n".join((" ".join(("#", *top, "#")), *rows, " ".join(("#", *bottom, "#"))))
