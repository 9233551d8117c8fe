"""Movement shared by a group: clocks that show one angle, tiles turned, steps, rows that turn, stairs of cells."""

from collections.abc import Callable, Sequence

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft, four, in_words, square, square_mechanisms
from snellen.tasks.marvel.patterns.doodles import blob, moved
from snellen.tasks.marvel.patterns.temporal.marks import (
    COLOURS,
    MIDDLE,
    SMALL,
    Mark,
    around,
    clutter,
    coloured,
    figure,
    line,
    panel,
)
from snellen.tasks.marvel.patterns.temporal.turning import POINTERS, hand, swirl, turned_about
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish

_HOURS = 12


def clock(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Clock faces: the long hand is always as far ahead of the short one."""
    apart = rng.sample(range(1, _HOURS) if wish.near else range(1, _HOURS, 2 - rng.below(2)), CHOICES)
    right = rng.below(CHOICES)
    first = rng.sample(range(_HOURS), 3)
    colours, extra = rng.sample(COLOURS, 2), clutter(rng, wish)
    wavy = wish.shapes == "abstract"
    face: list[Mark] = [figure("circle", (MIDDLE, MIDDLE), 60)]
    face += [line(around(51 - 4 * (not i % 3), 30 * i), around(57, 30 * i)) for i in range(_HOURS)]

    def show(gap: int, start: int) -> list[Mark]:
        long, short = 30 * (start + gap), 30 * start
        hands = coloured(hand(40, long, "black", wavy), colours[0]) + coloured(
            hand(24, short, "white", wavy), colours[1]
        )
        return [*face, *hands]

    context = [panel(show(apart[right], start), extra()) for start in first[:2]]
    shared = extra()
    shown = [panel(show(gap, first[2] if i == right else rng.below(_HOURS)), shared) for i, gap in enumerate(apart)]
    slips = [f"the long hand {_ahead(gap)} instead of {_ahead(apart[right])}" for gap in apart]
    rule = f"In all panels the long hand is {_ahead(apart[right])} of the short one."
    return draft(context, shown, right, slips, rule, "clock")


def _ahead(gap: int) -> str:
    return f"{in_words(gap)} hour{'s' * (gap > 1)} ahead"


_CELLS = {3: 36, 4: 27}


def tiles(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Black cells of a grid: the panels are one pattern turned, never mirrored."""
    width = 4 if wish.rules > 1 else 3
    patterns = None
    while patterns is None:  # about one in three will do
        patterns = _two_patterns(rng, width, near=wish.near)
    pairs, right = square(rng, (0, 1), (False, True))
    turns = [rng.below(4) for _ in pairs]
    before = rng.sample([turn for turn in range(4) if turn != turns[right]], 2)
    colour, extra = rng.choice(COLOURS), clutter(rng, wish)
    cell = _CELLS[width]
    corner = MIDDLE - width * cell // 2

    def show(which: int, flip: bool, turn: int) -> list[Mark]:
        cells = _spun(patterns[which], width, turn, flip)
        rows = ["".join("#" if (i, j) in cells else "." for i in range(width)) for j in range(width)]
        return [{"shape": "grid", "x": corner, "y": corner, "cell": cell, "rows": rows, "colour": colour}]

    context = [panel(show(*pairs[right], turn), extra()) for turn in before]
    shared = extra()
    shown = [panel(show(*pair, turn), shared) for pair, turn in zip(pairs, turns, strict=True)]
    slips = square_mechanisms(pairs, right, "another figure", "mirrored, not only turned")
    return draft(context, shown, right, slips, "All panels are the same grid turned, never mirrored.", "tiles")


Cells = frozenset[tuple[int, int]]


def _spun(cells: Cells, width: int, turn: int, flip: bool) -> Cells:
    for _ in range(turn):
        cells = frozenset((width - 1 - j, i) for i, j in cells)
    return frozenset((width - 1 - i, j) for i, j in cells) if flip else cells


def _two_patterns(rng: Stream, width: int, *, near: bool) -> tuple[Cells, Cells] | None:
    """Two patterns of as many cells that no turn and no mirror makes alike, nor itself to its mirror image."""
    every = [(i, j) for i in range(width) for j in range(width)]
    many = 3 + rng.below(2) + width - 3
    one = frozenset(rng.sample(every, many))
    outside = [cell for cell in every if cell not in one]
    two = (one - {rng.choice(sorted(one))}) | {rng.choice(outside)} if near else frozenset(rng.sample(every, many))
    looks = [{_spun(cells, width, turn, flip) for turn in range(4)} for cells in (one, two) for flip in (False, True)]
    apart = all(not looks[a] & looks[b] for a in range(4) for b in range(a))
    return (one, two) if apart and all(len(look) == 4 for look in looks) else None


_WAYS = (
    *("up", "up to the right", "to the right", "down to the right"),
    *("down", "down to the left", "to the left", "up to the left"),
)


_MORE = ("pentagon", "hexagon", "moon", "drop", "trapezoid")
_SIZES, _FAR = (16, 24), (30, 37, 44)
"""Of a figure that moves, and how far from the middle it was and is."""


def step(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """A white figure and where it has moved to, black: always the same way."""
    first = rng.below(8)
    ways, right = four(rng, [(first + (i if wish.near else 2 * i)) % 8 for i in range(4)])
    kinds, extra, colour = rng.sample((*SMALL, *_MORE), 3), clutter(rng, wish), rng.choice(COLOURS)
    size, far, turn = rng.choice(_SIZES), rng.choice(_FAR), rng.choice((0, 90, 180, 270))
    blobs = [blob(rng, 0, 0, 24) for _ in kinds] if wish.shapes == "abstract" else []
    slide = [rng.below(13) - 6 for _ in range(6)]

    def show(way: int, number: int) -> list[Mark]:
        ends = [around(far, 45 * way + 180), around(far, 45 * way)]
        aside = slide[2 * number : 2 * number + 2]
        spots = [(x + aside[0], y + aside[1]) for x, y in ends]
        marks = []
        for spot, fill in zip(spots, ("white", "black"), strict=True):
            if blobs:
                marks.append(moved(blobs[number] | {"fill": fill}, *spot))
            else:
                marks.append(figure(kinds[number], spot, size, fill, turn=turn))
        return [marks[0], marks[1] | {"colour": colour}]

    context = [panel(show(ways[right], number), extra()) for number in (0, 1)]
    shared = extra()
    shown = [panel(show(way, 2), shared) for way in ways]
    slips = [f"moved {_WAYS[way]} instead of {_WAYS[ways[right]]}" for way in ways]
    rule = f"In all panels the figure has moved {_WAYS[ways[right]]}: white is where it was, black where it is."
    return draft(context, shown, right, slips, rule, "step")


_TURNS = {45: "an eighth", 90: "a quarter", 135: "three eighths", 180: "half a turn"}


def row(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Three alike figures side by side, each turned on from the one before by the same angle."""
    abstract = wish.shapes == "abstract"
    pool = (90, 180, 270, 0) if abstract else (45, 90, 135, 225, 270, 315) if wish.near else (45, 135, 180, 225, 315)
    turns, right = four(rng, pool)
    kinds, fills = rng.sample(POINTERS, 3), [rng.choice(("black", "white", "grey")) for _ in range(3)]
    starts = [(90 if abstract else 45) * rng.below(4 if abstract else 8) for _ in range(6)]
    shapes = [swirl(rng, 25) for _ in range(3)] if abstract else []
    colour, extra = rng.choice(COLOURS), clutter(rng, wish)

    def show(turn: int, number: int, start: int) -> list[Mark]:
        marks: list[Mark] = []
        for i in range(3):
            spot, degrees = (MIDDLE - 50 + 50 * i, MIDDLE), start + turn * i
            if abstract:
                marks += turned_about([shapes[number][0]], spot, degrees)
            else:
                marks.append(figure(kinds[number], spot, 22, fills[number], turn=degrees))
        return coloured(marks, colour)

    context = [panel(show(turns[right], number, starts[number]), extra()) for number in (0, 1)]
    shared = extra()
    shown = [panel(show(turn, 2, starts[2 + i]), shared) for i, turn in enumerate(turns)]
    slips = [f"turned by {_turn_words(turn)} instead of {_turn_words(turns[right])}" for turn in turns]
    rule = f"In all panels each figure is the one to its left turned by {_turn_words(turns[right])}."
    return draft(context, shown, right, slips, rule, "row")


def _turn_words(turn: int) -> str:
    if turn in (0, 180):
        return "nothing at all" if turn == 0 else "half a turn"
    way, by = ("clockwise", turn) if turn < 180 else ("anticlockwise", 360 - turn)
    return f"{_TURNS[by]} {way}"


_ROWS, _COLUMNS, _CELL = 4, 7, 20


def stairs(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """One filled cell in each row of a grid: from row to row it moves equally far the same way."""
    shifts, right = four(rng, (-2, -1, 0, 1, 2))
    fills: Sequence[str] = rng.sample(("#", "o", "/"), 3)
    extra = clutter(rng, wish)
    corner_x, corner_y = MIDDLE - _COLUMNS * _CELL // 2, MIDDLE - _ROWS * _CELL // 2
    fitting: Callable[[int], list[int]] = lambda shift: [  # noqa: E731
        start for start in range(_COLUMNS) if 0 <= start + shift * (_ROWS - 1) < _COLUMNS
    ]

    def show(shift: int, fill: str, start: int) -> list[Mark]:
        rows = ["".join(fill if i == start + shift * j else "." for i in range(_COLUMNS)) for j in range(_ROWS)]
        return [{"shape": "grid", "x": corner_x, "y": corner_y, "cell": _CELL, "rows": rows}]

    starts = rng.sample(fitting(shifts[right]), len(fitting(shifts[right])))
    context = [panel(show(shifts[right], fills[number], starts[number % len(starts)]), extra()) for number in (0, 1)]
    shared = extra()
    shown = [panel(show(shift, fills[2], rng.choice(fitting(shift))), shared) for shift in shifts]
    slips = [f"moves {_shift_words(shift)} instead of {_shift_words(shifts[right])}" for shift in shifts]
    rule = f"In all panels the filled cell moves {_shift_words(shifts[right])} from row to row."
    return draft(context, shown, right, slips, rule, "stairs")


def _shift_words(shift: int) -> str:
    return f"{in_words(abs(shift))} to the {'right' if shift > 0 else 'left'}" if shift else "straight down"
