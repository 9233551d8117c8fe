"""Numbers that follow from numbers: sums and differences in a line, and sequences that go up and down."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark, grid
from snellen.tasks.marvel.patterns.choices import counts, draft, four, named, off_by, offer, slips
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.doodles import lattice
from snellen.tasks.marvel.patterns.quantities.puzzles import box
from snellen.tasks.marvel.patterns.quantities.symbols import stamps
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_MOST = 12
_PATIENCE = 12
_TURNS = ((2, -1), (3, -1), (3, -2), (1, -2), (1, -3), (2, -3), (-1, 2), (-2, 1), (-1, 3), (-3, 1), (-2, 3), (-3, 2))

Numbers = tuple[int, ...]
Draw = Callable[[Stream, Numbers, int], list[Mark]]
"""The marks of a panel with so many black (and so many white) symbols, at this place of the puzzle."""


def symbols(rng: Stream, wish: PuzzleWish) -> Draw:
    """Symbols in random places, the first number of them black, the second white; or cells of a bar filled in order."""
    stamp = stamps(rng, wish)
    room = box(wish)
    bar = wish.shapes == "geometric" and wish.rules == 1 and rng.chance(0.25)

    def draw(rng: Stream, numbers: Numbers, place: int) -> list[Mark]:
        more = rim_clutter(rng, wish, ticks=True)
        if bar:
            filled = "#" * numbers[0] + "." * (_MOST - numbers[0])
            rows = [filled[i : i + 4] for i in range(0, _MOST, 4)]
            return [grid(26, rows), *more]
        spots, size = lattice(rng, room, 3 if sum(numbers) <= 9 else 4, 3)
        fills = [fill for fill, number in zip(("black", "white"), numbers, strict=False) for _ in range(number)]
        marks = [stamp[place](spot, size, fill) for spot, fill in zip(spots, fills, strict=False)]
        return marks + more

    return draw


def sums(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """In lines of three the third number from the first two; in a sequence each number from the two before it.

    Four panels would show only one such sum.
    """
    if wish.configuration == "sequence" and wish.length < 5:
        return None
    draw = symbols(rng, wish)
    if wish.configuration == "sequence":
        return _sequence(rng, wish, draw)
    return _two_sums(rng, wish, draw) if wish.rules > 1 else _one_sum(rng, wish, draw)


def _one_sum(rng: Stream, wish: PuzzleWish, draw: Draw) -> PuzzleDraft:
    choices, right = four(rng, counts(rng, 4, 2, 9, near=wish.near))
    rows, added = _rows(rng, wish.lines, choices[right], choices, _MOST)
    rule = f"In each row the third number of symbols is the {_sum_or_difference(added=added)} the first two."
    values = [(number,) for row in rows for number in row]
    return _drafted(rng, draw, values[:-1], [(number,) for number in choices], right, rule, "sums of numbers")


def _two_sums(rng: Stream, wish: PuzzleWish, draw: Draw) -> PuzzleDraft:
    """Black and white symbols, each with their own sum or difference."""
    blacks, whites = (counts(rng, 2, 2, 5, near=wish.near) for _ in range(2))
    pairs, right = offer(rng, blacks, whites)
    black, added = _rows(rng, wish.lines, pairs[right][0], blacks, 6)
    white, white_added = _rows(rng, wish.lines, pairs[right][1], whites, 6)
    rule = (
        f"In each row the third number of black symbols is the {_sum_or_difference(added=added)} the first two, "
        f"and that of white symbols the {_sum_or_difference(added=white_added)} the first two."
    )
    values = [pair for b, w in zip(black, white, strict=True) for pair in zip(b, w, strict=True)]
    return _drafted(rng, draw, values[:-1], pairs, right, rule, "sums of numbers")


def _rows(rng: Stream, lines: int, right: int, choices: Sequence[int], most: int) -> tuple[list[Numbers], bool]:
    """Lines of three that end with `right`, and whether their numbers are added or taken away."""
    added = right > 2 and rng.chance()
    rows: list[Numbers] = []
    for _ in range(_PATIENCE):
        ends = [2 + rng.below(most - 3) for _ in range(lines - 1)] + [right]
        rows = [_row(rng, end, most, added=added) for end in ends]
        if len(set(rows)) == lines and _only(rows, choices):
            break
    return rows, added


def _row(rng: Stream, end: int, most: int, *, added: bool) -> Numbers:
    if added:
        first = 1 + rng.below(end - 1)
        return first, end - first, end
    less = 1 + rng.below(most - end)
    return end + less, less, end


def _only(rows: Sequence[Numbers], choices: Sequence[int]) -> bool:
    """Whether no other simple rule that fits the lines before leads to another choice."""
    *before, (a, b, right) = rows
    first = before[0]
    rules: list[Callable[[int, int], int]] = [
        lambda x, y: x + y,
        lambda x, y: abs(x - y),
        lambda x, y: 2 * y - x,
        lambda x, y: x * y,
        lambda x, y: x + first[2] - first[0],
        lambda x, y: y + first[2] - first[1],
        lambda x, y: first[2],
        lambda x, y: sum(first) - x - y,
    ]
    fitting = [rule for rule in rules if all(rule(x, y) == z for x, y, z in before)]
    return all(rule(a, b) == right or rule(a, b) not in choices for rule in fitting)


def _sequence(rng: Stream, wish: PuzzleWish, draw: Draw) -> PuzzleDraft:
    choices, right = four(rng, counts(rng, 4, 2, 9, near=wish.near))
    added = bool(_chains(choices[right], wish.length, 1)) and rng.chance()
    numbers = rng.choice(_chains(choices[right], wish.length, 1 if added else -1))
    rule = f"Each number of symbols is the {_sum_or_difference(added=added)} the two numbers before it."
    values = [(number,) for number in numbers[:-1]]
    return _drafted(rng, draw, values, [(number,) for number in choices], right, rule, "sums of numbers")


@lru_cache(maxsize=128)
def _chains(right: int, length: int, sign: int) -> list[list[int]]:
    """All sequences that end with `right`, each number the sum of (or difference between) the two before it."""
    chains = []
    for first, second in product(range(1, _MOST + 1), repeat=2):
        numbers = [first, second]
        while len(numbers) < length and numbers[-1] > 0:
            numbers.append(abs(numbers[-2] + sign * numbers[-1]))
        if len(numbers) == length and numbers[-1] == right and len(set(numbers[:-1])) > 2:
            chains.append(numbers)
    return chains


def _sum_or_difference(*, added: bool) -> str:
    return "sum of" if added else "difference between"


def steps(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """A sequence that goes up and down by turns. Four panels would not show by how much."""
    if wish.length < 5:
        return None
    draw = symbols(rng, wish)
    choices, right = four(rng, counts(rng, 4, 1, _MOST, near=wish.near))
    a, b = rng.choice([pair for pair in _TURNS if _fits(choices[right], _moves(pair, wish.length))])
    numbers = [choices[right]]
    for move in reversed(_moves((a, b), wish.length)):
        numbers.insert(0, numbers[0] - move)
    rule = f"The number of symbols changes by {a:+d} and {b:+d} by turns."
    values = [(number,) for number in numbers[:-1]]
    return _drafted(rng, draw, values, [(number,) for number in choices], right, rule, "steps by turns")


def _moves(pair: tuple[int, int], length: int) -> list[int]:
    return [pair[i % 2] for i in range(length - 1)]


def _fits(right: int, moves: Sequence[int]) -> bool:
    number = right
    for move in reversed(moves):
        number -= move
        if not 1 <= number <= _MOST:
            return False
    return True


def _drafted(
    rng: Stream, draw: Draw, values: Sequence[Numbers], choices: Sequence[Numbers], right: int, rule: str, family: str
) -> PuzzleDraft:
    names = ("black: ", "white: ") if len(choices[0]) == 2 else ("",)
    return draft(
        (draw(rng, numbers, place) for place, numbers in enumerate(values)),
        (draw(rng, numbers, len(values) + i) for i, numbers in enumerate(choices)),
        right,
        slips(choices, right, *(named(name, off_by) for name in names)),
        rule,
        family,
    )
