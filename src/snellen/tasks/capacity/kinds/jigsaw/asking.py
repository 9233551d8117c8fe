"""What is asked of a jigsaw puzzle, what wrong answers betray, and the puzzle in words."""

from collections.abc import Mapping, Sequence

from snellen.item import Field, Form
from snellen.tasks.capacity.draw.jigsaws import SIDES, JigsawSide, mask
from snellen.tasks.capacity.kind import KindQuestion, Truth
from snellen.tasks.capacity.kinds.jigsaw.fit import PLAIN_STEP, SMOOTH_STEP, difference
from snellen.tasks.capacity.kinds.jigsaw.puzzle import Jigsaw

_SIMILAR = 100
"""Outlines that differ by at most so many thousandths of a square are similar: three in four of the extra pieces that
are cut a little otherwise than a missing one do, and one in a hundred of the other pieces."""
Colours = Sequence[Sequence[int] | None]
"""The mean colours along four sides; None where there is nothing beyond."""
_PLACES = {"level": ("left of the middle", "in the middle", "right of the middle")}
_PLACES["upright"] = ("above the middle", "in the middle", "below the middle")


def ask(truth: Truth) -> KindQuestion:
    puzzle = Jigsaw.of(truth)
    numbers = range(1, len(puzzle.holes) + 1)
    fields = tuple(Field(f"slot {number}", "label", puzzle.labels) for number in numbers)
    letter = dict(zip(puzzle.order, puzzle.labels, strict=True))
    key = "; ".join(f"slot {number}: {letter[number]}" for number in numbers)
    mechanisms = {
        f"slot {slot}={letter[piece]}": _mechanism(truth, puzzle, slot, piece)
        for slot in numbers
        for piece in puzzle.order
        if piece != slot
    }
    values = {
        "slots": str(len(puzzle.holes)),
        "pieces": str(len(puzzle.order)),
        "last": puzzle.labels[-1],
        "extras": str(len(puzzle.extras)),
        "lines": "\n".join(f"slot {number}: (letter)" for number in numbers),
    }
    return KindQuestion(Form("fields", fields=fields), key, values, mechanisms, twin=_twin(truth, puzzle))


def _mechanism(truth: Truth, puzzle: Jigsaw, slot: int, piece: int) -> str:
    """What putting a wrong piece into a slot betrays."""
    if piece <= 0:
        extra = puzzle.extras[-piece]
        return f"fits by {extra.lure} only" if extra.slot == slot else "an extra piece"
    if _colours_go_on(truth["colours"]["slots"][slot - 1], truth["colours"]["pieces"][puzzle.order.index(piece)]):
        return "fits by colour only"
    if _are_near(puzzle, slot, piece):
        return "neighbouring slot"
    return "similar outline" if _is_similar(puzzle, slot, piece) else "another slot"


def _colours_go_on(around: Colours, along: Colours) -> bool:
    """Whether no side of a piece plainly breaks off what is painted around a slot, and on the whole they go on; a piece
    whose straight sides leave most of that without an answer shows nothing."""
    steps = [
        sum(abs(a - b) for a, b in zip(outer, inner, strict=True)) // 3
        for outer, inner in zip(around, along, strict=True)
        if outer and inner
    ]
    return (
        2 * len(steps) > len([side for side in around if side])
        and max(steps) < PLAIN_STEP
        and sum(steps) <= SMOOTH_STEP * len(steps)
    )


def _is_similar(puzzle: Jigsaw, slot: int, piece: int) -> bool:
    own, other = (mask(puzzle.outline_of(number), puzzle.cell) for number in (slot, piece))
    return difference(own, other) * 1000 <= _SIMILAR * puzzle.cell**2


def _are_near(puzzle: Jigsaw, slot: int, other: int) -> bool:
    """Whether another slot is as near as slots come: no two lie side by side."""
    (column, row), (x, y) = (puzzle.holes[number - 1] for number in (slot, other))
    return abs(column - x) + abs(row - y) == 2


def _twin(truth: Truth, puzzle: Jigsaw) -> str:
    lines = [
        f"A jigsaw puzzle of {puzzle.columns} columns and {puzzle.rows} rows of pieces, counted from the upper left. A "
        "side of a piece is straight, or it has a tab (a knob) or a blank (a hollow) of a certain shape at a certain "
        "place along the side. A tab fits a blank of the same shape at the same place. Colours are the mean red, green "
        "and blue (0 to 255) along that side; across a seam that fits they are nearly the same.",
        "What surrounds the empty slots, that is, the sides that their neighbours turn towards them:",
    ]
    for number, hole in enumerate(puzzle.holes, 1):
        mates = [side.mate for side in puzzle.cut.outline(hole)]
        around = _sides(mates, truth["colours"]["slots"][number - 1], "the edge of the puzzle")
        lines.append(f"Slot {number} (column {hole[0] + 1}, row {hole[1] + 1}): {around}.")
    lines.append("The loose pieces, the way up they belong:")
    for label, number, colours in zip(puzzle.labels, puzzle.order, truth["colours"]["pieces"], strict=True):
        lines.append(f"Piece {label}: {_sides(puzzle.outline_of(number), colours, 'straight')}.")
    return "\n".join(lines)


def _sides(sides: Sequence[JigsawSide], colours: Colours, straight: str) -> str:
    return "; ".join(
        f"{name}: {_side(side, name, colour, straight)}"
        for name, side, colour in zip(SIDES, sides, colours, strict=True)
    )


def _side(side: JigsawSide, name: str, colour: Sequence[int] | None, straight: str) -> str:
    if side.kind == "straight" or colour is None:
        return straight
    place = _PLACES["level" if name in ("top", "bottom") else "upright"][side.place + 1]
    return f"{side.kind}, {side.knob}, {place}, colour {' '.join(map(str, colour))}"


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    """What might be gone by without fitting anything."""
    puzzle = Jigsaw.of(truth)
    bright = [sum(sum(side) for side in sides if side) for sides in truth["colours"]["pieces"]]
    tabs = [sum(side.kind == "tab" for side in puzzle.outline_of(number)) for number in puzzle.order]
    return {
        "pieces": len(puzzle.order),
        "painter": puzzle.painter,
        "row of slot 1": puzzle.holes[0][1],
        "column of slot 1": puzzle.holes[0][0],
        "brightest piece": puzzle.labels[bright.index(max(bright))],
        "piece with most tabs": puzzle.labels[tabs.index(max(tabs))],
    }
