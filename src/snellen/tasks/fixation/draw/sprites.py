"""The parts a picture of a board is put together from, each drawn once.

A **ground** is the empty board with its lines, a **tile** the inside of a cell with or without a piece on it. Both
are arrays of colour numbers. A look's colours are numbered once and for all, soft edges included: an edge steps
through a **ramp** of mixtures of the two colours it lies between. All of it is integer arithmetic.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from snellen.draw.letters import coverage, fitted
from snellen.draw.looks import Colour
from snellen.tasks.fixation.draw.looks import FRAME, BoardDisc, BoardLook, Letter

Pixels = NDArray[np.uint8]

FINE = 3
"""Letter sizes are in thirds of a pixel, as the published pictures were drawn three times as large."""
_SOFT, _INK = 6, 10
"""Steps of the ramps at the edges of round shapes and of letters."""
_LONGEST_SIDE = 960
_SMALLEST_PITCH = 16


class Paints:
    """A look's colours by number. Everything the look can need is mixed at once, so numbers never depend on use."""

    def __init__(self, look: BoardLook) -> None:
        self._numbers: dict[Colour, int] = {}
        lines = (look.lines.colour,) if look.lines else ()
        below = dict.fromkeys((look.paper, *look.shades, FRAME, *lines))
        self._ramps: dict[tuple[Colour, Colour], Pixels] = {}
        for colour in below:
            self._number(colour)
        if look.corner:
            self._mix(look.paper, look.shades[0], _SOFT)
        if look.dots:
            for colour in below:
                self._mix(colour, look.dots.colour, _SOFT)
        if isinstance(look.piece, BoardDisc):
            for shade, fill in product(look.shades, filter(None, look.piece.fills)):
                self._mix(shade, look.piece.edge, _SOFT)
                self._mix(look.piece.edge, fill, _SOFT)
        else:
            for shade, ink in zip(look.shades, look.piece.inks, strict=True):
                self._mix(shade, ink, _INK)
        self.palette = np.array(list(self._numbers), np.uint8)

    def _number(self, colour: Colour) -> int:
        return self._numbers.setdefault(colour, len(self._numbers))

    def _mix(self, one: Colour, other: Colour, steps: int) -> None:
        mixtures = (
            tuple((a * (steps - k) + b * k + steps // 2) // steps for a, b in zip(one, other, strict=True))
            for k in range(steps + 1)
        )
        self._ramps[one, other] = np.array([self._number((r, g, b)) for r, g, b in mixtures], np.uint8)

    def number(self, colour: Colour) -> int:
        return self._numbers[colour]

    def ramp(self, one: Colour, other: Colour) -> Pixels:
        """The numbers of the colours from one to the other."""
        return self._ramps[one, other]

    def over(self, colour: Colour) -> Pixels:
        """For each number below, the ramp from its colour to this one (zeros where none was mixed)."""
        table = np.zeros((len(self._numbers), _SOFT + 1), np.uint8)
        for (below, above), ramp in self._ramps.items():
            if above == colour and len(ramp) == _SOFT + 1:
                table[self._numbers[below]] = ramp
        return table


@lru_cache(maxsize=32)
def paints(look: BoardLook) -> Paints:
    return Paints(look)


@dataclass(frozen=True, slots=True)
class BoardGeometry:
    """Where things lie on a board of this look and size, in pixels."""

    look: BoardLook
    rows: int
    columns: int

    @property
    def pitch(self) -> int:
        """From cell to cell. Larger boards make larger pictures, not smaller pieces, up to a reasonable size."""
        room = (_LONGEST_SIDE - 2 * self.look.margin) // max(self.rows, self.columns)
        return min(self.look.pitch, max(room, _SMALLEST_PITCH))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the picture. A line of odd width has a middle pixel, and so has then the picture."""
        frame = 2 * self.look.margin + self.look.line_width % 2
        return self.rows * self.pitch + frame, self.columns * self.pitch + frame

    @property
    def inset(self) -> int:
        """From a cell's corner to its tile, which is no larger than its piece can be."""
        width = self.look.line_width
        clear = (self.pitch - width - self.piece) // 2
        return width - width // 2 + clear

    @property
    def tile(self) -> int:
        """The side of a tile: centred between the lines of its cell."""
        width = self.look.line_width
        return self.pitch - width - 2 * (self.inset - (width - width // 2))

    @property
    def piece(self) -> int:
        """The most a piece takes up, in whole pixels."""
        piece = self.look.piece
        if isinstance(piece, BoardDisc):
            return 2 * (-(-piece.radius * self.pitch // 100) + 1)
        return -(-self.letter_side // FINE) + 1

    @property
    def letter_side(self) -> int:
        """The side of the square a letter must fit, in thirds of a pixel."""
        cell = FINE * self.pitch
        pad = self.look.piece.pad if isinstance(self.look.piece, Letter) else 0
        return cell - 2 * (pad * cell // 100)

    @property
    def dot(self) -> int:
        """The radius of a dot, in sixteenths of a pixel."""
        return self.look.dots.radius * self.pitch * 16 // 100 if self.look.dots else 0

    def cells(self, pixels: Pixels) -> Pixels:
        """The places of the tiles in a picture: rows x columns x side x side."""
        begin, (height, width) = self.look.margin + self.inset, pixels.strides
        shape = (self.rows, self.columns, self.tile, self.tile)
        strides = (self.pitch * height, self.pitch * width, height, width)
        return as_strided(pixels[begin:, begin:], shape, strides)


@lru_cache(maxsize=64)
def ground(plan: BoardGeometry) -> Pixels:
    """The empty board (read-only: copy it before drawing on it)."""
    look, colours = plan.look, paints(plan.look)
    pixels = np.full(plan.shape, colours.number(look.paper), np.uint8)
    ends = look.margin + plan.pitch * plan.rows, look.margin + plan.pitch * plan.columns
    board = pixels[look.margin : ends[0], look.margin : ends[1]]
    if look.frame:
        out = look.margin - look.frame - look.line_width // 2
        pixels[out : pixels.shape[0] - out, out : pixels.shape[1] - out] = colours.number(FRAME)
    checks = np.add.outer(np.arange(plan.rows), np.arange(plan.columns)) % 2
    shades = np.array([colours.number(shade) for shade in look.shades], np.uint8)[checks]
    board[:] = shades.repeat(plan.pitch, axis=0).repeat(plan.pitch, axis=1)
    if look.corner:
        _round_corners(board, look.corner, colours.ramp(look.paper, look.shades[0]))
    if look.lines:
        _rule(pixels, plan)
    if look.dots:
        _dot(pixels, plan)
    pixels.setflags(write=False)
    return pixels


def _round_corners(board: Pixels, radius: int, ramp: Pixels) -> None:
    disc = ramp[_soft(_distances(2 * radius), 16 * radius)]
    for rows, columns in product((slice(None, radius), slice(-radius, None)), repeat=2):
        board[rows, columns] = disc[rows, columns]


def _rule(pixels: Pixels, plan: BoardGeometry) -> None:
    """The lines. Without outer ones they end where the board does."""
    lines = plan.look.lines
    if lines is None:
        return
    number, half = paints(plan.look).number(lines.colour), lines.width // 2
    begin = plan.look.margin - (half if lines.outer else 0)
    for target, count in ((pixels, plan.rows), (pixels.T, plan.columns)):
        long = slice(begin, target.shape[1] - begin)
        for k in range(0 if lines.outer else 1, count + (1 if lines.outer else 0)):
            first = plan.look.margin + k * plan.pitch - half
            target[first : first + lines.width, long] = number


def _dot(pixels: Pixels, plan: BoardGeometry) -> None:
    dots = plan.look.dots
    if dots is None:
        return
    ramps = paints(plan.look).over(dots.colour)
    side = 2 * (-(-plan.dot // 16) + 1)
    steps = _soft(_distances(side), plan.dot)
    for row, column in product(range(plan.rows + 1), range(plan.columns + 1)):
        top, left = (plan.look.margin + k * plan.pitch - side // 2 for k in (row, column))
        patch = pixels[top : top + side, left : left + side]
        patch[:] = ramps[patch, steps]


def _distances(side: int) -> NDArray[np.int64]:
    """How far each pixel of a square lies from the middle, in sixteenths of a pixel, rounded down."""
    offsets = 2 * np.arange(side) + 1 - side  # in half pixels
    squares = offsets[:, None] ** 2 + offsets[None, :] ** 2
    roots: NDArray[np.float64] = np.sqrt(64 * squares)  # rounds correctly everywhere (IEEE 754)
    return roots.astype(np.int64)


def _soft(distances: NDArray[np.int64], radius: int) -> NDArray[np.int64]:
    """Steps of a ramp across the edge of a disc (0 outside), one pixel wide."""
    steps: NDArray[np.int64] = np.clip((radius - distances + 8) * _SOFT // 16, 0, _SOFT)
    return steps


@lru_cache(maxsize=256)
def tiles(plan: BoardGeometry, letters: tuple[str, str]) -> Pixels:
    """The tiles of this board by number: empty, first player, second player; on dark cells the same plus 3."""
    shades = range(len(set(plan.look.shades)))
    stack = np.stack([_piece(plan, letters, player, shade) for shade in shades for player in range(3)])
    stack.setflags(write=False)
    return stack


def _piece(plan: BoardGeometry, letters: tuple[str, str], player: int, shade: int) -> Pixels:
    piece = plan.look.piece
    if isinstance(piece, BoardDisc):
        return _disc(plan, piece, player, shade)
    if player == 0:
        return _empty(plan, shade)
    ramp = paints(plan.look).ramp(plan.look.shades[shade], piece.inks[shade])
    return ramp[_letter_steps(letters[player - 1], letter_size(plan, piece, letters, player), plan.tile)]


def letter_size(plan: BoardGeometry, piece: Letter, letters: tuple[str, str], player: int) -> int:
    """The font size of a player's letter, in thirds of a pixel."""
    together = letters if piece.alike else letters[player - 1 : player]
    return min(fitted(letter, piece.start * plan.letter_side // 100, plan.letter_side) for letter in together)


def _empty(plan: BoardGeometry, shade: int) -> Pixels:
    return np.full((plan.tile, plan.tile), paints(plan.look).number(plan.look.shades[shade]), np.uint8)


def _disc(plan: BoardGeometry, piece: BoardDisc, player: int, shade: int) -> Pixels:
    colours, below, fill = paints(plan.look), plan.look.shades[shade], piece.fills[player]
    if fill is None:
        return _empty(plan, shade)
    ramp = np.concatenate((colours.ramp(below, piece.edge), colours.ramp(piece.edge, fill)[1:]))
    radius, distances = piece.radius * plan.pitch * 16 // 100, _distances(plan.tile)
    painted: Pixels = ramp[_soft(distances, radius) + _soft(distances, radius - 16)]
    return painted


@lru_cache(maxsize=512)
def _letter_steps(letter: str, size: int, side: int) -> NDArray[np.int64]:
    """Steps of a ramp across a letter, 0 where it leaves the cell bare."""
    return (coverage(letter, size, FINE, side) * _INK + 127) // 255
