"""Jigsaw: which loose piece belongs into which hole of a puzzle, when some pieces are left over.

A painting is cut into interlocking pieces, some are taken out, and others that fit nowhere are put among them: such a
piece either shows the right part of the painting and has another outline, or it has the outline of a hole and shows
another part of the same painting, as near in colour as can be told apart.
"""

from snellen.item import Picture
from snellen.tasks.capacity.kind import CapacityKind, Truth
from snellen.tasks.capacity.kinds.jigsaw.asking import ask, observe
from snellen.tasks.capacity.kinds.jigsaw.making import GRIDS, make
from snellen.tasks.capacity.kinds.jigsaw.puzzle import Jigsaw


def show(truth: Truth) -> tuple[Picture, ...]:
    """The puzzle with its holes, and the loose pieces."""
    puzzle = Jigsaw.of(truth)
    board, tray = puzzle.board().png(), puzzle.tray().png()
    return Picture(board, alt="a jigsaw puzzle with numbered holes"), Picture(tray, alt="loose pieces with letters")


KIND = CapacityKind(
    "jigsaw", 141, make, show, ask, sizes=tuple(GRIDS), captions=("jigsaw_board", "jigsaw_pieces"), observe=observe
)
