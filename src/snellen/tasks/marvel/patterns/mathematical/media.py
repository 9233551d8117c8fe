"""What can be there or not in a panel: lines, black cells, black figures, dots. Joined and compared piece by piece.

A **medium** has so many pieces and draws any set of them. Every piece has its fixed place, so that sets of pieces can
be laid over each other; pieces never hide one another.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, MIDDLE, Mark, coloured, figure, grid, line, on_circle
from snellen.tasks.marvel.patterns.quantities.drawings import curl
from snellen.tasks.marvel.patterns.quantities.puzzles import COLOURS
from snellen.tasks.marvel.patterns.quantities.symbols import KINDS, Stamp, blot, of_kind


@dataclass(frozen=True, slots=True)
class Medium:
    """`what` names the pieces in a sentence."""

    pieces: int
    draw: Callable[[Collection[int]], list[Mark]]
    what: str


Maker = Callable[[Stream, int], Medium]
"""A medium of half this size."""


def _lines(lines: Sequence[Mark], outline: Sequence[Mark] = (), what: str = "lines") -> Medium:
    """Lines that are there or not, within an outline that always is."""
    return Medium(len(lines), lambda shown: [*outline, *(lines[i] for i in sorted(shown))], what)


def spokes(rng: Stream, size: int) -> Medium:
    """Eight lines from the middle of a square or a circle."""
    kind = rng.choice(("square", "circle"))
    if kind == "square":
        ends = [(MIDDLE + dx * size, MIDDLE + dy * size) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    else:
        ends = [on_circle(*CENTRE, size, i / 8) for i in range(8)]
    return _lines([line(CENTRE, end) for end in ends], [figure(kind, CENTRE, size)])


def bars(rng: Stream, size: int) -> Medium:
    """Lines across a square: three lying, three upright, two slanting."""
    del rng
    low, high = MIDDLE - size, MIDDLE + size
    lines = [line((low, low), (high, high)), line((low, high), (high, low))]
    for at in (MIDDLE - size // 2, MIDDLE, MIDDLE + size // 2):
        lines += [line((low, at), (high, at)), line((at, low), (at, high))]
    return _lines(lines, [figure("square", CENTRE, size)])


def edges(rng: Stream, size: int) -> Medium:
    """The twelve sides of four squares that make up a square."""
    del rng
    at = (MIDDLE - size, MIDDLE, MIDDLE + size)
    lines = [line((at[i], y), (at[i + 1], y)) for i in range(2) for y in at]
    lines += [line((x, at[i]), (x, at[i + 1])) for i in range(2) for x in at]
    return _lines(lines)


def curls(rng: Stream, size: int) -> Medium:
    """Nine free strokes, each with its own place."""
    gap = 2 * size // 3
    strokes = [curl(rng, MIDDLE + dx * gap, MIDDLE + dy * gap, gap // 2 - 3) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    return _lines(strokes, what="strokes")


def cells(rng: Stream, size: int) -> Medium:
    """Cells of a small grid, black if there."""
    side = 3 + rng.below(2)
    cell = 2 * size // side

    def draw(shown: Collection[int]) -> list[Mark]:
        rows = ["".join("#" if side * i + j in shown else "." for j in range(side)) for i in range(side)]
        return [grid(cell, rows)]

    return Medium(side * side, draw, "black cells")


def fills(stamp: Stamp, size: int) -> Medium:
    """Eight figures in a ring, black if there, else white."""
    spots = [on_circle(*CENTRE, size * 0.78, i / 8) for i in range(8)]
    small = size * 24 // 100

    def draw(shown: Collection[int]) -> list[Mark]:
        return [stamp(spot, small, "black" if i in shown else "white") for i, spot in enumerate(spots)]

    return Medium(8, draw, "black figures")


def places(stamp: Stamp, size: int, columns: int = 3) -> Medium:
    """Places for solid figures: three rows of them."""
    gap, wide = 2 * size // 3, 2 * size // columns
    left = MIDDLE - wide * (columns - 1) // 2
    spots = [(left + wide * i, MIDDLE + dy * gap) for i in range(columns) for dy in (-1, 0, 1)]
    small = size * (22 if columns == 3 else 18) // 100

    def draw(shown: Collection[int]) -> list[Mark]:
        return [stamp(spots[i], small, "black") for i in sorted(shown)]

    return Medium(3 * columns, draw, "figures")


def rim(stamp: Stamp) -> Medium:
    """Eight places around a drawing in the middle."""
    spots = ((26, 26), (90, 24), (154, 26), (156, 90), (154, 154), (90, 156), (26, 154), (24, 90))
    return Medium(8, lambda shown: [stamp(spots[i], 9, "black") for i in sorted(shown)], "outer figures")


def any_symbol(rng: Stream, shapes: str) -> Stamp:
    return of_kind(rng.choice(KINDS)) if shapes == "geometric" else blot(rng)


def any_medium(rng: Stream, shapes: str) -> Maker:
    """A maker of media of one sort, one for each row."""

    def filled(rng: Stream, size: int) -> Medium:
        return fills(any_symbol(rng, shapes), size)

    def placed(rng: Stream, size: int) -> Medium:
        return places(any_symbol(rng, shapes), size)

    colour = rng.choice(COLOURS)

    def lines(make: Maker) -> Maker:
        return lambda rng, size: in_colour(make(rng, size), colour)

    if shapes == "abstract":
        return rng.choice((lines(curls), lines(curls), filled, placed))
    return rng.choice((lines(spokes), lines(spokes), lines(bars), lines(edges), cells, cells, cells, filled, placed))


def in_colour(medium: Medium, colour: str) -> Medium:
    """The same medium, in this colour when drawn in colour."""
    return Medium(medium.pieces, lambda shown: coloured(medium.draw(shown), colour), medium.what)
