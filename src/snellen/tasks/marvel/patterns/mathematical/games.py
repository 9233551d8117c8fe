"""Numbers on game pieces: dominoes whose halves each follow a rule, dice whose pips grow, dots in polygons."""

from collections.abc import Callable, Sequence
from itertools import product

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import counts, draft, four, in_words, off_by, square
from snellen.tasks.marvel.patterns.doodles import Mark, around, lattice
from snellen.tasks.marvel.patterns.quantities.courses import number_course
from snellen.tasks.marvel.patterns.quantities.drawings import line, path
from snellen.tasks.marvel.patterns.quantities.places import COLOURS, clutter
from snellen.tasks.marvel.puzzle import Panel, PuzzleDraft, PuzzleWish

# --- dominoes ---

_HALF, _WIDE, _PIP = 64, 40, 6
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    # in a box of 3 x 3, from -1 to 1
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def dominoes(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Two numbers to a panel, one above the other, each with a rule of its own."""
    uppers, lowers = (counts(rng, 2, 1, 6, near=wish.near) for _ in range(2))
    pairs, right = square(rng, uppers, lowers)
    courses = [number_course(rng, wish, pairs[right][half], 1, 6) for half in (0, 1)]
    colour = rng.choice(COLOURS)
    blots = wish.shapes == "abstract"

    def panel(numbers: Sequence[int]) -> Panel:
        marks = [mark | {"colour": colour} for mark in _domino(rng, numbers[0], numbers[1], blots=blots)]
        return {"marks": marks + clutter(rng, wish, ticks=True)}

    context = [panel(numbers) for numbers in list(zip(*(course.values for course in courses), strict=True))[:-1]]
    mechanisms = [
        " and ".join(
            f"{half}: {off_by(found, wanted)}"
            for half, found, wanted in zip(("upper half", "lower half"), pair, pairs[right], strict=True)
            if found != wanted
        )
        for pair in pairs
    ]
    parts = [
        f"the number of pips in the {half} half {c.words}" for half, c in zip(("upper", "lower"), courses, strict=True)
    ]
    rule = ", and ".join(parts)
    rule = f"In each row {rule}." if wish.lines > 1 else f"{rule[0].upper()}{rule[1:]}."
    return draft(context, [panel(pair) for pair in pairs], right, mechanisms, rule, "dominoes")


def _domino(rng: Stream, upper: int, lower: int, *, blots: bool) -> list[Mark]:
    frame = path(
        [(90 - _WIDE, 90 - _HALF), (90 + _WIDE, 90 - _HALF), (90 + _WIDE, 90 + _HALF), (90 - _WIDE, 90 + _HALF)],
        closed=True,
    )
    marks = [frame, line((90 - _WIDE, 90), (90 + _WIDE, 90))]
    for number, y in ((upper, 90 - _HALF // 2), (lower, 90 + _HALF // 2)):
        spots: Sequence[tuple[int, int]] = [(90 + 22 * i, y + 19 * j) for i, j in _PIPS[number]]
        if blots:  # strewn, not in the order of a die
            strewn, _ = lattice(rng, (90 - 34, y - 28, 90 + 34, y + 28), 3, 2)
            spots = strewn[:number]
        marks += [{"shape": "circle", "x": x, "y": at, "size": _PIP, "fill": "black"} for x, at in spots]
    return marks


# --- dice ---

_DICE = (((90, 90),), ((54, 90), (126, 90)), ((90, 50), (50, 126), (130, 126)))
_LEAST, _MOST = 3, 18


def dice(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """The pips of two or three dice add up to a number that grows, or shrinks, by ever more: in five or six panels."""
    chosen = _reached(rng, wish, range(_LEAST + 1, _MOST + 1), lambda last: bool(_growing(last, wish.length)))
    if wish.length < 5 or not chosen:
        return None
    choices, right = four(rng, chosen)
    numbers = rng.choice(_growing(choices[right], wish.length))
    many = 3 if max(*numbers, *choices) > 12 else 2 + rng.below(2)
    colour = rng.choice(COLOURS)
    size = 22 if many == 3 else 30

    def panel(total: int) -> Panel:
        shares = _shared(rng, total, many)
        marks: list[Mark] = []
        for (x, y), number in zip(_DICE[many - 1], shares, strict=True):
            if wish.shapes == "abstract":  # stones instead of dice: round, pips strewn
                marks.append({"shape": "circle", "x": x, "y": y, "size": size + 6, "fill": "none"})
            else:
                marks.append({"shape": "square", "x": x, "y": y, "size": size, "fill": "none"})
            marks += [
                {
                    "shape": "circle",
                    "x": x + i * size * 58 // 100,
                    "y": y + j * size * 58 // 100,
                    "size": 4,
                    "fill": "black",
                }
                for i, j in _PIPS[number]
            ]
        return {"marks": [mark | {"colour": colour} for mark in marks] + clutter(rng, wish, ticks=True)}

    first, second = numbers[1] - numbers[0], numbers[2] - numbers[1]
    how = f"by {in_words(abs(first)) if first else 'nothing'}, then by {in_words(abs(second))}, and so on"
    rule = f"The pips of all dice together {'grow' if first + second > 0 else 'shrink'} {how}."
    mechanisms = [off_by(n, choices[right]) for n in choices]
    context = [panel(number) for number in numbers[:-1]]
    return draft(context, [panel(n) for n in choices], right, mechanisms, rule, "dice")


def _reached(rng: Stream, wish: PuzzleWish, values: Sequence[int], can_be: Callable[[int], bool]) -> list[int]:
    """Four values that each could be right, neighbours if near: were one of them out of reach, it would be known as
    wrong. None if there are no four."""
    open_ones = [value for value in values if can_be(value)]
    runs = [open_ones[i : i + 4] for i in range(len(open_ones) - 3) if open_ones[i + 3] - open_ones[i] == 3]
    if wish.near:
        return rng.choice(runs) if runs else []
    return rng.sample(open_ones, 4) if len(open_ones) >= 4 else []


def _growing(last: int, length: int) -> list[list[int]]:
    """Sequences that end so, within bounds, whose steps grow (or shrink) by one from step to step: all up or down."""
    runs = []
    for sign in (1, -1):
        for first in (0, 1, 2):
            for back in (False, True):
                steps = [sign * (first + i) for i in range(length - 1)]
                steps = steps[::-1] if back else steps
                run = [last]
                for step in reversed(steps):
                    run.insert(0, run[0] - step)
                if all(_LEAST <= number <= _MOST for number in run):
                    runs.append(run)
    return runs


def _shared(rng: Stream, total: int, many: int) -> list[int]:
    """The number on so many dice, one to six on each."""
    shares = [1] * many
    for _ in range(total - many):
        open_ones = [i for i, share in enumerate(shares) if share < 6]
        shares[rng.choice(open_ones)] += 1
    return shares


# --- two rows in one ---


def interleaved(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """Odd and even panels go their own ways: tallies of strokes. Six panels at least."""
    chosen = _reached(rng, wish, range(1, 10), lambda last: bool(_two_rows(last, wish.length)))
    if wish.length < 6 or not chosen:
        return None
    choices, right = four(rng, chosen)
    numbers, a, b = rng.choice(_two_rows(choices[right], wish.length))
    free = wish.shapes == "abstract"
    colour = rng.choice(COLOURS)

    def panel(number: int) -> Panel:
        return {
            "marks": [m | {"colour": colour} for m in _tally(rng, number, free=free)] + clutter(rng, wish, ticks=False)
        }

    rule = f"Two rows in one: the number of strokes changes by {a:+d} in the one, by {b:+d} in the other."
    mechanisms = [off_by(n, choices[right]) for n in choices]
    context = [panel(number) for number in numbers[:-1]]
    return draft(context, [panel(n) for n in choices], right, mechanisms, rule, "two rows in one")


def _two_rows(last: int, length: int) -> list[tuple[list[int], int, int]]:
    """Sequences that end so, odd and even places each going on by a step of its own, and the two steps."""
    found = []
    for a, b in product((1, -1, 2, -2), repeat=2):
        for other in range(1, 10):
            run = [last, other]
            while len(run) < length:
                run.append(run[-2] - (a, b)[len(run) % 2])
            if a != b and all(1 <= number <= 9 for number in run) and len(set(run)) > 3:
                found.append((run[::-1], a, b))
    return found


def _tally(rng: Stream, number: int, *, free: bool) -> list[Mark]:
    """Strokes as one keeps a tally: upright, in two lines of five; wavy if free."""
    marks: list[Mark] = []
    for i in range(number):
        x, top = 42 + 24 * (i % 5), 36 + 62 * (i // 5)
        lean = 0 if free else rng.below(9) - 4  # wavy ones are all of one form
        ends = ((x - lean, top), (x + lean, top + 46))
        if free:
            swing = rng.choice((-7, 7))
            marks.append(path([ends[0], (x + swing, top + 15), (x - swing, top + 31), ends[1]], curved=True))
        else:
            marks.append(line(*ends))
    return marks


# --- dots and corners ---


def corners(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """Dots in a polygon: with its corners they make a fixed sum, or they are so many more or fewer."""
    sides, dots = _sides_and_dots(rng, near=wish.near)
    pairs, right = square(rng, sides, dots)
    total = rng.chance()
    number = wish.lines * wish.length - 1
    others = [_others(pair, total=total) for pair in pairs]
    if min(map(len, others)) < 2:  # whichever were right: panels that are all alike show no rule
        return None
    fixed = _fixed(pairs[right], total=total)
    shown = [others[right][i % len(others[right])] for i in range(number)]
    rng.shuffle(shown)
    colour = rng.choice(COLOURS)
    ragged = wish.shapes == "abstract"

    def panel(pair: tuple[int, int]) -> Panel:
        marks = [mark | {"colour": colour} for mark in _polygon(rng, *pair, ragged=ragged)]
        return {"marks": marks + clutter(rng, wish, ticks=True)}

    mechanisms = ["" if pair == pairs[right] else _slip(pair, pairs[right], total) for pair in pairs]
    rule = (
        f"Corners and dots add up to {in_words(fixed)} in every panel." if total else f"In every panel {_more(fixed)}."
    )
    return draft([panel(p) for p in shown], [panel(p) for p in pairs], right, mechanisms, rule, "dots and corners")


def _fixed(pair: tuple[int, int], *, total: bool) -> int:
    return pair[0] + pair[1] if total else pair[1] - pair[0]


def _others(pair: tuple[int, int], *, total: bool) -> list[tuple[int, int]]:
    """All other numbers of corners and dots of the same sum or difference."""
    every = product(range(3, 9), range(1, 9))
    return [one for one in every if one != pair and _fixed(one, total=total) == _fixed(pair, total=total)]


def _sides_and_dots(rng: Stream, *, near: bool) -> tuple[list[int], list[int]]:
    """Two of each, further apart for the one than for the other: four sums and four differences."""
    wide = 2 if near else 3
    gaps = rng.sample((1, wide), 2)
    sides, dots = 3 + rng.below(6 - gaps[0]), 2 + rng.below(6 - gaps[1])
    return [sides, sides + gaps[0]], [dots, dots + gaps[1]]


def _slip(pair: tuple[int, int], wanted: tuple[int, int], total: bool) -> str:
    if total:
        return f"{in_words(sum(pair))} in all instead of {in_words(sum(wanted))}"
    return off_by(pair[1] - pair[0], wanted[1] - wanted[0])


def _more(fixed: int) -> str:
    if fixed == 0:
        return "there are as many dots as corners"
    number = abs(fixed)
    dots = f"{in_words(number)} {'more' if fixed > 0 else 'fewer'} dot{'s' * (number > 1)}"
    return f"there {'is' if number == 1 else 'are'} {dots} than corners"


def _polygon(rng: Stream, sides: int, dots: int, *, ragged: bool) -> list[Mark]:
    start = rng.between(0, 1)
    reach = [rng.between(56, 68) if ragged else 66 for _ in range(sides)]
    points = [around(90, 90, r, start + i / sides) for i, r in enumerate(reach)]
    inner = 20 if sides == 3 else 34
    room = (90 - inner, 90 - inner, 90 + inner, 90 + inner)
    spots, _ = lattice(rng, room, 3, 3)
    size = 4 if sides == 3 else 6
    return [
        path(points, closed=True),
        *({"shape": "circle", "x": x, "y": y, "size": size, "fill": "black"} for x, y in spots[:dots]),
    ]
