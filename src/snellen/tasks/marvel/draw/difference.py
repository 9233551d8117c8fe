"""Whether two panels can be told apart by eye: what the choices of a puzzle are measured by before it is asked.

What both panels have is taken away first: a dot that moves along a grid differs by the dot, not by the lines near it.
Of the rest a difference is visible if, at the size panels are sent in,

- some ink of one panel has nothing of the other within 12 px to any side (something came or went), or
- a patch of 12 x 12 px changed as a whole (another fill), or
- 3 % of the panel's pixels changed, or
- a figure or a straight line has none of the other panel within 12 px: its middle, the tip it is turned by or an end of
  the line moved so far.

A line that swings a few pixels to another side, or a small figure exchanged for one of much the same outline, is none
of these.
"""

from collections.abc import Sequence
from itertools import combinations
from math import dist, radians, sin

import numpy as np
from numpy.typing import NDArray

from snellen.draw.pens import Mask, Pixels
from snellen.tasks.marvel.draw.figures import upright
from snellen.tasks.marvel.draw.marks import WHITE, render
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.puzzle import Panel, Puzzle

LEAST = 12
"""Pixels of the 180 that a panel is wide."""
SHARE = 0.03
"""Of the pixels of a panel."""
_GAP, _STRIPE = 6, 4
"""More than the white between two stripes, more than a stripe."""


def choices_visibly_differ(puzzle: Puzzle) -> bool:
    """Whether any two choices can be told apart by eye. All pairs, as else a choice that has a double would be known
    to be wrong."""
    return all(visibly_different(a, b) for a, b in combinations(puzzle.choices, 2))


def visibly_different(panel: Panel, other: Panel) -> bool:
    whole, other_whole = _ink(panel["marks"]), _ink(other["marks"])
    changed = whole != other_whole
    if changed.sum() >= SHARE * changed.size or _has_patch(changed):
        return True
    own, others = ([mark for mark in a["marks"] if mark not in b["marks"]] for a, b in ((panel, other), (other, panel)))
    if not changed.any():
        return False
    if any(_moved_far(a, b) for a, b in ((own, others), (others, own))):
        return True
    first, second = _ink(own) != WHITE, _ink(others) != WHITE
    if any(_stands_alone(a & changed, b) for a, b in ((first, second), (second, first))):
        return True
    solid = [_filled(picture != WHITE, _GAP) for picture in (whole, other_whole)]
    return _has_patch(_filled(changed, _STRIPE) | (solid[0] != solid[1]))


def _moved_far(marks: Sequence[Mark], others: Sequence[Mark]) -> bool:
    """Whether some mark is so far from all the others."""
    return any(others and min(_gap(mark, other) for other in others) >= LEAST for mark in marks)


def _gap(mark: Mark, other: Mark) -> float:
    """How far a mark has moved or turned if it is the other one; 0 for what only pixels can tell."""
    shape = mark["shape"]
    if shape == other["shape"] == "line":
        (a, b), (c, d) = (((m["x"], m["y"]), (m["x2"], m["y2"])) for m in (mark, other))
        straight, crosswise = max(dist(a, c), dist(b, d)), max(dist(a, d), dist(b, c))
        return float(min(straight, crosswise))
    if "size" not in mark or "size" not in other:
        return 0
    moved = dist((mark["x"], mark["y"]), (other["x"], other["y"]))
    if shape != other["shape"]:
        return moved
    turn = mark.get("turn", 0) - other.get("turn", 0)
    turned = min(upright(shape, turn), upright(shape, -turn))
    return float(max(moved, 2 * min(mark["size"], other["size"]) * sin(radians(turned / 2))))


def _ink(marks: Sequence[Mark]) -> Pixels:
    return render(marks, colour=False)


def _has_patch(changed: Mask) -> bool:
    return bool((_window_sums(changed, LEAST) == LEAST**2).any())


def _stands_alone(ink: Mask, other: Mask) -> bool:
    """Whether some of the ink is so far from all of the other."""
    around = np.pad(other, LEAST - 1)
    return bool((ink & (_window_sums(around, 2 * LEAST - 1) == 0)).any())


def _filled(mask: Mask, gap: int) -> Mask:
    """The mask with narrower gaps filled in, so that a striped patch differs from a white or black one as a whole."""
    spread = _window_sums(np.pad(mask, gap - 1), gap) > 0
    return np.asarray(_window_sums(spread, gap) == gap**2)


def _window_sums(mask: Mask, side: int) -> NDArray[np.int32]:
    """How many pixels of each square window of this side are set."""
    total = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    total[1:, 1:] = mask.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    return np.asarray(total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side])
