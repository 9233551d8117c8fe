"""A jigsaw puzzle as its truth says it: cut, holes, loose pieces, and what they look like."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import Any

from snellen.draw.canvas import Canvas, Pixels
from snellen.tasks.capacity.data import frozen, listed
from snellen.tasks.capacity.draw.jigsaws import (
    STRAIGHT,
    Cut,
    JigsawPiece,
    JigsawSide,
    Outline,
    Place,
    board,
    tray,
    window,
)
from snellen.tasks.capacity.draw.paintings import paint
from snellen.tasks.capacity.kind import Truth

Seam = tuple[str, int, str]
"""Between two pieces: the shape of the knob, its place along the side, and which of the two has it: the first (left or
upper) or the second."""


_TOLD = ("columns", "rows", "cell", "painter", "seed", "level", "upright", "holes", "order")
"""What a truth says of a puzzle in the puzzle's own words."""


@dataclass(frozen=True)
class Extra:
    """A piece that fits nowhere.

    `lure` says by what it looks as if it belonged into hole number `slot`: its "colour" or its "shape". It shows what
    the painting shows at `place`.
    """

    lure: str
    slot: int
    outline: Outline
    place: Place


@dataclass(frozen=True)
class Jigsaw:
    """`holes` are in the order of their numbers (from 1); `order` gives for each loose piece the number of its hole; 0,
    -1, ... are the extra ones. `level` are the seams below each row but the last, `upright` those right of each column.
    """

    columns: int
    rows: int
    cell: int
    painter: str
    seed: int
    level: tuple[tuple[Seam, ...], ...]
    upright: tuple[tuple[Seam, ...], ...]
    holes: tuple[Place, ...]
    order: tuple[int, ...]
    extras: tuple[Extra, ...]

    @classmethod
    def of(cls, truth: Truth) -> "Jigsaw":
        return cls(**{name: frozen(truth[name]) for name in _TOLD}, extras=tuple(map(_extra, truth["extras"])))

    def told(self) -> dict[str, Any]:
        """The puzzle in JSON types."""
        extras = [
            {
                **{"lure": extra.lure, "slot": extra.slot, "place": list(extra.place)},
                "sides": [[side.kind, side.knob, side.place] for side in extra.outline],
            }
            for extra in self.extras
        ]
        return {name: listed(getattr(self, name)) for name in _TOLD} | {"extras": extras}

    @cached_property
    def cut(self) -> Cut:
        places = ((column, row) for row in range(self.rows) for column in range(self.columns))
        return Cut(self.columns, self.rows, self.cell, tuple(self._outline(place) for place in places))

    def _outline(self, place: Place) -> Outline:
        column, row = place
        return (
            _side(self.level[row - 1][column], "second") if row else STRAIGHT,
            _side(self.upright[row][column], "first") if column < self.columns - 1 else STRAIGHT,
            _side(self.level[row][column], "first") if row < self.rows - 1 else STRAIGHT,
            _side(self.upright[row][column - 1], "second") if column else STRAIGHT,
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The letters of the loose pieces."""
        return tuple(ascii_uppercase[: len(self.order)])

    def picture(self) -> Pixels:
        """The painting that was cut."""
        return paint(self.painter, self.seed, self.rows * self.cell, self.columns * self.cell)

    def outline_of(self, number: int) -> Outline:
        """The outline of a hole's piece, or of an extra one (0, -1, ...)."""
        return self.cut.outline(self.holes[number - 1]) if number > 0 else self.extras[-number].outline

    def piece(self, number: int) -> JigsawPiece:
        """The piece of a hole, or an extra one (0, -1, ...)."""
        place = self.holes[number - 1] if number > 0 else self.extras[-number].place
        return JigsawPiece(self.outline_of(number), window(self.picture(), place, self.cell))

    def board(self) -> Canvas:
        return board(self.picture(), self.cut, self.holes)

    def tray(self) -> Canvas:
        return tray([self.piece(number) for number in self.order], self.labels, self.cell)


def _side(seam: Seam, which: str) -> JigsawSide:
    knob, place, owner = seam
    return JigsawSide("tab" if owner == which else "blank", knob, place)


def _extra(told: Mapping[str, Any]) -> Extra:
    top, right, bottom, left = (JigsawSide(kind, knob, place) for kind, knob, place in told["sides"])
    column, row = told["place"]
    return Extra(told["lure"], told["slot"], (top, right, bottom, left), (column, row))
