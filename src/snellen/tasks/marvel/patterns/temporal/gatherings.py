"""Movement shared by a group: marks and clock hands that keep their distance, tiles turned, steps, rows, stairs."""

from collections.abc import Sequence
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, COLOURS, MIDDLE, SMALL, Mark, around, coloured, figure, grid, line, moved
from snellen.tasks.marvel.patterns.choices import draft, four, in_words, instead, offer, slips
from snellen.tasks.marvel.patterns.clutter import cluttered, corner_clutter
from snellen.tasks.marvel.patterns.doodles import blob
from snellen.tasks.marvel.patterns.temporal.flips import ANOTHER_OR_MIRRORED
from snellen.tasks.marvel.patterns.temporal.orbits import LANES, wheel
from snellen.tasks.marvel.patterns.temporal.turning import POINTERS, hand, swirl, turned_about
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish


def offset(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Marks that go round together: how far one is from another is the same in all panels."""
    sides = 6 if wish.shapes == "abstract" else rng.choice((6, 8))
    many = 2 if wish.rules == 1 else 3
    lanes = rng.sample(LANES, many)
    round_it = wheel(rng, wish.shapes, sides, lanes)
    colours, extra = rng.sample(COLOURS, 3), corner_clutter(rng, wish)
    if many == 2:
        gaps, right = [(gap,) for gap in _gaps(rng, sides, CHOICES)], rng.below(CHOICES)
    else:
        gaps, right = offer(rng, _gaps(rng, sides, 2), _gaps(rng, sides, 2))

    def show(gap: Sequence[int], start: int) -> list[Mark]:
        return round_it.marks(lanes, [(start + away) % sides for away in (0, *gap)], colours)

    begin = [rng.below(sides) for _ in gaps]
    starts = rng.sample([start for start in range(sides) if start != begin[right]], 2)
    panels = cluttered(
        extra,
        (show(gaps[right], start) for start in starts),
        (show(gap, start) for gap, start in zip(gaps, begin, strict=True)),
    )
    first, *names = (round_it.who[lane] for lane in lanes)
    wrong = [
        " and ".join(
            f"{name} {_gap_words(gap, sides)} of {first} instead of {_gap_words(wanted, sides)}"
            for name, gap, wanted in zip(names, choice, gaps[right], strict=True)
            if gap != wanted
        )
        for choice in gaps
    ]
    rule = "In all panels the marks are equally far from each other around the middle, in the same direction."
    return draft(*panels, right, wrong, rule, "offset")


def _gaps(rng: Stream, sides: int, number: int) -> list[int]:
    """So many distances round a cycle, all different even if nobody minds the direction."""
    ways = rng.sample(range(sides // 2 + 1), number)
    return [gap if rng.chance() else -gap % sides for gap in ways]


def _gap_words(gap: int, sides: int) -> str:
    """To go before "of the grey sector"."""
    if gap == 0:
        return "in the place"
    if 2 * gap == sides:
        return "on the other side"
    ahead, way = (gap, "clockwise") if 2 * gap < sides else (sides - gap, "anticlockwise")
    return f"{in_words(ahead)} {way}"


_HOURS = 12


def clock(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Clock faces: the long hand is always as far ahead of the short one."""
    apart = rng.sample(range(1, _HOURS) if wish.near else range(1, _HOURS, 2 - rng.below(2)), CHOICES)
    right = rng.below(CHOICES)
    first = rng.sample(range(_HOURS), 3)
    colours, extra = rng.sample(COLOURS, 2), corner_clutter(rng, wish)
    wavy = wish.shapes == "abstract"
    face: list[Mark] = [figure("circle", CENTRE, 60)]
    face += [line(around(51 - 4 * (not i % 3), 30 * i), around(57, 30 * i)) for i in range(_HOURS)]

    def show(gap: int, start: int) -> list[Mark]:
        long = hand(40, 30 * (start + gap), "black", wavy)
        return face + coloured(long, colours[0]) + coloured(hand(24, 30 * start, "white", wavy), colours[1])

    panels = cluttered(
        extra,
        (show(apart[right], start) for start in first[:2]),
        (show(gap, first[2] if i == right else rng.below(_HOURS)) for i, gap in enumerate(apart)),
    )
    wrong = [f"the long hand {instead(_ahead(gap), _ahead(apart[right]))}" for gap in apart]
    rule = f"In all panels the long hand is {_ahead(apart[right])} of the short one."
    return draft(*panels, right, wrong, rule, "clock")


def _ahead(gap: int) -> str:
    return f"{in_words(gap)} hour{'s' * (gap > 1)} ahead"


def tiles(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Black cells of a grid: the panels are one pattern turned, never mirrored."""
    width = 4 if wish.rules > 1 else 3
    patterns = None
    while patterns is None:  # about one in three will do
        patterns = _two_patterns(rng, width, near=wish.near)
    pairs, right = offer(rng, (0, 1), (False, True))
    turns = [rng.below(4) for _ in pairs]
    before = rng.sample([turn for turn in range(4) if turn != turns[right]], 2)
    colour, extra = rng.choice(COLOURS), corner_clutter(rng, wish)

    def show(pair: tuple[Any, ...], turn: int) -> list[Mark]:
        which, flip = pair
        cells = _spun(patterns[which], width, turn, flip)
        rows = ["".join("#" if (i, j) in cells else "." for i in range(width)) for j in range(width)]
        return [grid(36 if width == 3 else 27, rows) | {"colour": colour}]

    panels = cluttered(
        extra,
        (show(pairs[right], turn) for turn in before),
        (show(pair, turn) for pair, turn in zip(pairs, turns, strict=True)),
    )
    wrong = slips(pairs, right, *ANOTHER_OR_MIRRORED)
    return draft(*panels, right, wrong, "All panels are the same grid turned, never mirrored.", "tiles")


Cells = frozenset[tuple[int, int]]


def _spun(cells: Cells, width: int, turn: int, flip: bool) -> Cells:
    for _ in range(turn):
        cells = frozenset((width - 1 - j, i) for i, j in cells)
    return frozenset((width - 1 - i, j) for i, j in cells) if flip else cells


def _two_patterns(rng: Stream, width: int, *, near: bool) -> tuple[Cells, Cells] | None:
    """Two patterns of as many cells that no turn and no mirror makes alike, nor itself to its mirror image."""
    every = [(i, j) for i in range(width) for j in range(width)]
    many = 3 + rng.below(2) + width - 3
    first = second = frozenset(rng.sample(every, many))
    if near:
        outside = [cell for cell in every if cell not in first]
        second = (first - {rng.choice(sorted(first))}) | {rng.choice(outside)}
    else:
        second = frozenset(rng.sample(every, many))
    both = ((cells, flip) for cells in (first, second) for flip in (False, True))
    looks = [{_spun(cells, width, turn, flip) for turn in range(4)} for cells, flip in both]
    apart = all(not looks[a] & looks[b] for a in range(4) for b in range(a))
    return (first, second) if apart and all(len(look) == 4 for look in looks) else None


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
    kinds, extra, colour = rng.sample((*SMALL, *_MORE), 3), corner_clutter(rng, wish), rng.choice(COLOURS)
    size, far, turn = rng.choice(_SIZES), rng.choice(_FAR), rng.choice((0, 90, 180, 270))
    blobs = [blob(rng, 0, 0, 24) for _ in kinds] if wish.shapes == "abstract" else []
    slide = [rng.below(13) - 6 for _ in range(6)]

    def show(way: int, number: int) -> list[Mark]:
        marks = []
        for degrees, fill in ((45 * way + 180, "white"), (45 * way, "black")):
            x, y = around(far, degrees)
            spot = x + slide[2 * number], y + slide[2 * number + 1]
            blob_there = moved(blobs[number], spot, fill=fill) if blobs else None
            marks.append(blob_there or figure(kinds[number], spot, size, fill, turn=turn))
        return [marks[0], marks[1] | {"colour": colour}]

    panels = cluttered(extra, (show(ways[right], number) for number in (0, 1)), (show(way, 2) for way in ways))
    wrong = [f"moved {instead(_WAYS[way], _WAYS[ways[right]])}" for way in ways]
    rule = f"In all panels the figure has moved {_WAYS[ways[right]]}: white is where it was, black where it is."
    return draft(*panels, right, wrong, rule, "step")


_TURNS = {45: "an eighth", 90: "a quarter", 135: "three eighths", 180: "half a turn"}


def row(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Three alike figures side by side, each turned on from the one before by the same angle."""
    abstract = wish.shapes == "abstract"
    pool = (90, 180, 270, 0) if abstract else (45, 90, 135, 225, 270, 315) if wish.near else (45, 135, 180, 225, 315)
    turns, right = four(rng, pool)
    kinds, fills = rng.sample(POINTERS, 3), [rng.choice(("black", "white", "grey")) for _ in range(3)]
    starts = [(90 if abstract else 45) * rng.below(4 if abstract else 8) for _ in range(6)]
    shapes = [swirl(rng, 25) for _ in range(3)] if abstract else []
    colour, extra = rng.choice(COLOURS), corner_clutter(rng, wish)

    def show(turn: int, number: int, start: int) -> list[Mark]:
        marks: list[Mark] = []
        for i in range(3):
            spot, degrees = (MIDDLE - 50 + 50 * i, MIDDLE), start + turn * i
            if abstract:
                marks += turned_about([shapes[number][0]], spot, degrees)
            else:
                marks.append(figure(kinds[number], spot, 22, fills[number], turn=degrees))
        return coloured(marks, colour)

    panels = cluttered(
        extra,
        (show(turns[right], number, starts[number]) for number in (0, 1)),
        (show(turn, 2, starts[2 + i]) for i, turn in enumerate(turns)),
    )
    wanted = _turn_words(turns[right])
    wrong = [f"turned by {instead(_turn_words(turn), wanted)}" for turn in turns]
    rule = f"In all panels each figure is the one to its left turned by {wanted}."
    return draft(*panels, right, wrong, rule, "row")


def _turn_words(turn: int) -> str:
    if turn in (0, 180):
        return "nothing at all" if turn == 0 else "half a turn"
    way, by = ("clockwise", turn) if turn < 180 else ("anticlockwise", 360 - turn)
    return f"{_TURNS[by]} {way}"


_ROWS, _COLUMNS = 4, 7
_FITTING = {
    shift: [start for start in range(_COLUMNS) if 0 <= start + shift * (_ROWS - 1) < _COLUMNS]
    for shift in (-2, -1, 0, 1, 2)
}
"""Where the first cell may be, so that the last one is still in the grid."""


def stairs(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """One filled cell in each row of a grid: from row to row it moves equally far the same way."""
    shifts, right = four(rng, tuple(_FITTING))
    fills = rng.sample(("#", "o", "/"), 3)
    extra = corner_clutter(rng, wish)

    def show(shift: int, fill: str, start: int) -> list[Mark]:
        rows = ["".join(fill if i == start + shift * j else "." for i in range(_COLUMNS)) for j in range(_ROWS)]
        return [grid(20, rows)]

    starts = rng.sample(_FITTING[shifts[right]], len(_FITTING[shifts[right]]))
    panels = cluttered(
        extra,
        (show(shifts[right], fills[number], starts[number % len(starts)]) for number in (0, 1)),
        (show(shift, fills[2], rng.choice(_FITTING[shift])) for shift in shifts),
    )
    wanted = _shift_words(shifts[right])
    wrong = [f"moves {instead(_shift_words(shift), wanted)}" for shift in shifts]
    rule = f"In all panels the filled cell moves {wanted} from row to row."
    return draft(*panels, right, wrong, rule, "stairs")


def _shift_words(shift: int) -> str:
    return f"{in_words(abs(shift))} to the {'right' if shift > 0 else 'left'}" if shift else "straight down"
