"""Numbers on game pieces: dominoes whose halves each follow a rule, dice whose pips grow; and two numbers, of dots and
corners or of black and white symbols, with a fixed sum or difference in every panel."""

from collections.abc import Callable, Sequence
from itertools import product

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, Mark, Spot, coloured, figure, line, on_circle, path
from snellen.tasks.marvel.patterns.choices import counts, draft, four, in_words, instead, named, off_by, offer, slips
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.doodles import lattice
from snellen.tasks.marvel.patterns.quantities.courses import number_course
from snellen.tasks.marvel.patterns.quantities.puzzles import COLOURS, box, in_each_row
from snellen.tasks.marvel.patterns.quantities.symbols import stamps
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

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
    pairs, right = offer(rng, uppers, lowers)
    courses = [number_course(rng, wish, pairs[right][half], 1, 6) for half in (0, 1)]
    colour = rng.choice(COLOURS)

    def show(numbers: Sequence[int]) -> list[Mark]:
        return coloured(_domino(rng, numbers, wish.shapes), colour) + rim_clutter(rng, wish, ticks=True)

    told = list(zip(*(course.values for course in courses), strict=True))[:-1]
    wrong = slips(pairs, right, *(named(f"{half} half: ", off_by) for half in ("upper", "lower")))
    halves = zip(("upper", "lower"), courses, strict=True)
    rule = in_each_row(wish, [f"the number of pips in the {half} half {course.words}" for half, course in halves])
    return draft(map(show, told), map(show, pairs), right, wrong, rule, "dominoes")


def _domino(rng: Stream, numbers: Sequence[int], shapes: str) -> list[Mark]:
    left, right, top, bottom = 90 - _WIDE, 90 + _WIDE, 90 - _HALF, 90 + _HALF
    marks = [path([(left, top), (right, top), (right, bottom), (left, bottom)]), line((left, 90), (right, 90))]
    for number, y in zip(numbers, (90 - _HALF // 2, 90 + _HALF // 2), strict=True):
        spots: Sequence[Spot] = [(90 + 22 * i, y + 19 * j) for i, j in _PIPS[number]]
        if shapes == "abstract":  # strewn, not in the order of a die
            spots = lattice(rng, (90 - 34, y - 28, 90 + 34, y + 28), 3, 2)[0][:number]
        marks += [figure("circle", spot, _PIP, "black") for spot in spots]
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
    size = 28 if many == 3 else 30
    step = size * 54 // 100  # pips touch neither each other nor the outline
    # Stones instead of dice if abstract: round.
    shape, reach = ("circle", size + 6) if wish.shapes == "abstract" else ("square", size)

    def show(total: int) -> list[Mark]:
        marks: list[Mark] = []
        for (x, y), number in zip(_DICE[many - 1], _shared(rng, total, many), strict=True):
            spots = [(x + i * step, y + j * step) for i, j in _PIPS[number]]
            marks += [figure(shape, (x, y), reach), *(figure("circle", spot, _PIP, "black") for spot in spots)]
        return coloured(marks, colour) + rim_clutter(rng, wish, ticks=True)

    first, second = numbers[1] - numbers[0], numbers[2] - numbers[1]
    how = f"by {in_words(abs(first)) if first else 'nothing'}, then by {in_words(abs(second))}, and so on"
    rule = f"The pips of all dice together {'grow' if first + second > 0 else 'shrink'} {how}."
    wrong = [off_by(n, choices[right]) for n in choices]
    return draft(map(show, numbers[:-1]), map(show, choices), right, wrong, rule, "dice")


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
    colour = rng.choice(COLOURS)

    def show(number: int) -> list[Mark]:
        return coloured(_tally(rng, number, wish.shapes), colour) + rim_clutter(rng, wish, ticks=False)

    rule = f"Two rows in one: the number of strokes changes by {a:+d} in the one, by {b:+d} in the other."
    wrong = [off_by(n, choices[right]) for n in choices]
    return draft(map(show, numbers[:-1]), map(show, choices), right, wrong, rule, "two rows in one")


def _two_rows(last: int, length: int) -> list[tuple[list[int], int, int]]:
    """Sequences that end so, odd and even places each going on by a step of its own, and the two steps."""
    rows = []
    for a, b in product((1, -1, 2, -2), repeat=2):
        for other in range(1, 10):
            run = [last, other]
            while len(run) < length:
                run.append(run[-2] - (a, b)[len(run) % 2])
            if a != b and all(1 <= number <= 9 for number in run) and len(set(run)) > 3:
                rows.append((run[::-1], a, b))
    return rows


def _tally(rng: Stream, number: int, shapes: str) -> list[Mark]:
    """Strokes as one keeps a tally: upright, in two lines of five; wavy, all of one form, if abstract."""
    marks: list[Mark] = []
    for i in range(number):
        x, top = 42 + 24 * (i % 5), 36 + 62 * (i // 5)
        if shapes == "abstract":
            swing = rng.choice((-7, 7))
            points = [(x, top), (x + swing, top + 15), (x - swing, top + 31), (x, top + 46)]
            marks.append(path(points, closed=False, curved=True))
        else:
            lean = rng.below(9) - 4
            marks.append(line((x - lean, top), (x + lean, top + 46)))
    return marks


# --- dots and corners ---


def corners(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """Dots in a polygon: with its corners they make a fixed sum, or they are so many more or fewer."""
    pairs, right = offer(rng, *two_and_two(rng, (3, 6), (2, 6), near=wish.near))
    total = rng.chance()

    def fixed(pair: tuple[int, ...]) -> int:
        return pair[0] + pair[1] if total else pair[1] - pair[0]

    every = list(product(range(3, 9), range(1, 9)))
    others = [[other for other in every if other != pair and fixed(other) == fixed(pair)] for pair in pairs]
    if min(map(len, others)) < 2:  # whichever were right: panels that are all alike show no rule
        return None
    told = [others[right][i % len(others[right])] for i in range(wish.lines * wish.length - 1)]
    rng.shuffle(told)
    colour = rng.choice(COLOURS)

    def show(pair: tuple[int, ...]) -> list[Mark]:
        return coloured(_polygon(rng, pair, wish.shapes), colour) + rim_clutter(rng, wish, ticks=True)

    wanted = fixed(pairs[right])
    numbers = [fixed(pair) for pair in pairs]
    wrong = [f"{in_words(n)} in all instead of {in_words(wanted)}" if total else off_by(n, wanted) for n in numbers]
    rule = (
        f"Corners and dots add up to {in_words(wanted)} in every panel."
        if total
        else f"In every panel {_more(wanted)}."
    )
    return draft(map(show, told), map(show, pairs), right, wrong, rule, "dots and corners")


def two_and_two(
    rng: Stream, first: tuple[int, int], second: tuple[int, int], *, near: bool
) -> tuple[list[int], list[int]]:
    """Two numbers each of two sorts, from a least one within a range, further apart for the one sort than for the
    other: four sums and four differences."""
    gaps = rng.sample((1, 2 if near else 3), 2)
    lows = [least + rng.below(room - gap) for (least, room), gap in zip((first, second), gaps, strict=True)]
    return [lows[0], lows[0] + gaps[0]], [lows[1], lows[1] + gaps[1]]


def _more(dots: int) -> str:
    if dots == 0:
        return "there are as many dots as corners"
    number = abs(dots)
    told = f"{in_words(number)} {'more' if dots > 0 else 'fewer'} dot{'s' * (number > 1)}"
    return f"there {'is' if number == 1 else 'are'} {told} than corners"


def _polygon(rng: Stream, pair: tuple[int, ...], shapes: str) -> list[Mark]:
    sides, dots = pair
    start = rng.between(0, 1)
    reach = [rng.between(56, 68) if shapes == "abstract" else 66 for _ in range(sides)]
    points = [on_circle(*CENTRE, r, start + i / sides) for i, r in enumerate(reach)]
    inner, size = (20, 4) if sides == 3 else (34, 6)
    spots, _ = lattice(rng, (90 - inner, 90 - inner, 90 + inner, 90 + inner), 3, 3)
    return [path(points), *(figure("circle", spot, size, "black") for spot in spots[:dots])]


# --- black and white ---

Pair = tuple[int, ...]
"""How many black, how many white."""


def relations(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """The four choices have four different sums and four different differences."""
    pairs, right = offer(rng, *two_and_two(rng, (2, 5), (2, 5), near=wish.near))
    wanted = pairs[right]
    total = rng.chance()
    blank = wish.lines * wish.length - 1
    told = _pairs_like(rng, wanted, blank, total=total)
    stamp = stamps(rng, wish)

    def show(pair: Pair, place: int) -> list[Mark]:
        spots, size = lattice(rng, box(wish), 4, 3)
        fills = ["black"] * pair[0] + ["white"] * pair[1]
        marks = [stamp[place](spot, size, fill) for spot, fill in zip(spots, fills, strict=False)]
        return marks + rim_clutter(rng, wish, ticks=True)

    shown = [show(pair, blank + i) for i, pair in enumerate(pairs)]
    context = [show(pair, place) for place, pair in enumerate(told)]
    if total:
        wrong = [f"{in_words(sum(pair))} in all instead of {in_words(sum(wanted))}" for pair in pairs]
        rule = f"Black and white symbols add up to {in_words(sum(wanted))} in every panel."
    else:
        wrong = [instead(_more_black(pair), _more_black(wanted)) for pair in pairs]
        rule = f"Every panel has {_more_black(wanted)}."
    return draft(context, shown, right, wrong, rule, "relation of two numbers")


def _pairs_like(rng: Stream, right: Pair, number: int, *, total: bool) -> list[Pair]:
    """Pairs with the same sum or difference, each as often as the others, no two alike in a row."""
    fixed = right[0] + right[1] if total else right[0] - right[1]
    fitting = [
        (black, white)
        for black in range(1, 9)
        for white in range(1, 9)
        if (black + white if total else black - white) == fixed and black + white <= 12
    ]
    pairs: list[Pair] = []
    while len(pairs) < number:
        more = rng.sample(fitting, len(fitting))
        if pairs and len(more) > 1 and more[0] == pairs[-1]:
            more.reverse()
        pairs += more
    return pairs[:number]


def _more_black(pair: Pair) -> str:
    if pair[0] == pair[1]:
        return "as many black symbols as white ones"
    kinds = ("black", "white") if pair[0] > pair[1] else ("white", "black")
    number = abs(pair[0] - pair[1])
    return f"{in_words(number)} more {kinds[0]} symbol{'s' if number > 1 else ''} than {kinds[1]} ones"
