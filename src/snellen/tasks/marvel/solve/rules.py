"""What values in lines may follow: hypotheses, each tested before it predicts.

Values come line by line, the last line one short. A hypothesis must hold without exception on every line, the known
part of the last one included, and must have been put to the test: `tests` counts how many values it foretold beyond
those that fix its free parameters (a first value; a first value and a step; ...), and none that foretold nothing is
told. A sequence is a single line, so short ones cannot support the richer hypotheses: a sequence of four shows three
values, two tests for "always the same", one for a step, none for a period of three. `cost` is how complicated it is.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

Lines = Sequence[Sequence[Any]]
Same = Callable[[Any, Any], bool]


class Guess(NamedTuple):
    """A hypothesis that held, and what it says about the blank. `still`: it says that values do not change."""

    cost: float
    tests: float
    name: str
    value: Any
    still: bool = False


def same_symbol(a: Any, b: Any) -> bool:
    return bool(a == b)


def same_length(a: float, b: float) -> bool:
    """Whole-number coordinates, rounded once or twice on the way."""
    return abs(a - b) <= 3


def same_angle(a: float, b: float) -> bool:
    """Degrees around the circle. A pixel of rounding on a short arm is a few degrees."""
    return abs((a - b + 180) % 360 - 180) <= 7


def symbol_guesses(lines: Lines, same: Same = same_symbol) -> Iterator[Guess]:
    """For values that can only be equal or not."""
    yield from _constant(lines, same)
    yield from _alike(lines, same)
    yield from _periods(lines, same)
    yield from _three(lines, same)


def number_guesses(lines: Lines, same: Same = same_symbol, turn: float = 0) -> Iterator[Guess]:
    """For values that can be added; `turn` is where they begin anew (360 for angles)."""
    yield from symbol_guesses(lines, same)
    yield from _steps(lines, same, turn)
    yield from _growth(lines, same, turn)


def count_guesses(lines: Lines) -> Iterator[Guess]:
    """For numbers of things, which may be sums and differences of one another."""
    yield from number_guesses(lines)
    yield from _sums(lines)


def _constant(lines: Lines, same: Same) -> Iterator[Guess]:
    first, count = lines[0][0], sum(map(len, lines))
    if all(same(value, first) for line in lines for value in line):
        yield Guess(0, count - 1, "the same everywhere", first, still=True)
    elif len(lines) > 1 and all(same(value, line[0]) for line in lines for value in line):
        yield Guess(0.5, count - len(lines), "the same along a line", lines[-1][0])


def _alike(lines: Lines, same: Same) -> Iterator[Guess]:
    """Every line repeats the first."""
    if len(lines) > 1:
        first = lines[0]
        if all(same(value, first[i]) for line in lines[1:] for i, value in enumerate(line)):
            yield Guess(0.5, sum(map(len, lines[1:])), "every line alike", first[-1])


def _steps(lines: Lines, same: Same, turn: float) -> Iterator[Guess]:
    last = lines[-1]
    steps = [[b - a for a, b in pairwise(line)] for line in lines]
    step = steps[0][0]
    if not steps[-1] or same(step, 0):
        return
    if all(same(move, step) for line in steps for move in line):
        tests = sum(map(len, steps)) - 1
        if tests:
            yield Guess(1, tests, "a step", _wrap(last[-1] + step, turn))
    elif len(lines) > 1 and all(same(move, line[0]) and not same(move, 0) for line in steps for move in line):
        # Without a second step in the last line, its first is taken on trust: the other lines support it.
        tests = sum(map(len, steps)) - len(lines)
        if tests:
            yield Guess(2, tests, "a step of its own in each line", _wrap(last[-1] + steps[-1][0], turn))


def _periods(lines: Lines, same: Same) -> Iterator[Guess]:
    """Values that come back: every second or third of a sequence the same; the third of a line the first again."""
    line = lines[0]
    if len(lines) > 1:
        if len(line) == 3 and all(same(line[0], line[2]) and not same(line[0], line[1]) for line in lines[:-1]):
            yield Guess(1.5, len(lines) - 1, "the third is the first again", lines[-1][0])
        return
    if all(same(value, line[0]) for value in line):
        return
    for period in (2, 3):
        if len(line) > period and all(same(line[i], line[i - period]) for i in range(period, len(line))):
            yield Guess(period / 2, len(line) - period, f"period of {period}", line[len(line) - period])
            return


def _three(lines: Lines, same: Same) -> Iterator[Guess]:
    """Every line has the same values, in any order."""
    if len(lines) < 2:
        return
    bag = list(lines[0])
    for line in lines[1:-1]:
        if _taken(bag, line, same) != []:
            return
    rest = _taken(bag, lines[-1], same)
    if rest is not None and len(rest) == 1 and not (same(bag[0], bag[-1]) and same(bag[0], bag[1])):
        distinct = all(not same(a, b) for i, a in enumerate(bag) for b in bag[:i])
        # Each further line could have gone wrong at all but its last value, the unfinished one at both it shows.
        tests = 2.5 * (len(lines) - 2) + 1.5
        yield Guess(1.25 if distinct else 2.5, tests, "the same values in every line", rest[0])


def _taken(bag: Sequence[Any], line: Sequence[Any], same: Same) -> list[Any] | None:
    """What is left of the bag when the line's values are taken out; None if one of them is not in it."""
    rest = list(bag)
    for value in line:
        place = next((i for i, other in enumerate(rest) if same(value, other)), None)
        if place is None:
            return None
        rest.pop(place)
    return rest


_SUMS: tuple[tuple[str, Callable[[int, int], int]], ...] = (
    ("the third is the sum of the others", lambda a, b: a + b),
    ("the third is the first less the second", lambda a, b: a - b),
    ("the third is the second less the first", lambda a, b: b - a),
    ("the third is the difference of the others", lambda a, b: abs(a - b)),
)


def _sums(lines: Lines) -> Iterator[Guess]:
    triples, pair = triples_of(lines)
    # Adding nothing is no adding: such lines say no more than that values stay the same.
    tests = sum(bool(a and b) for a, b, _ in triples)
    if tests:
        for name, result in _SUMS:
            if all(result(a, b) == c for a, b, c in triples):
                yield Guess(1.5, tests, name, result(*pair))
                return
    if len(lines) > 2 and len(lines[0]) == 3:
        whole = sum(lines[0])
        if all(sum(line) == whole for line in lines[:-1]):
            yield Guess(2.5, len(lines) - 2, "lines of equal sum", whole - sum(pair))


def triples_of(lines: Lines) -> tuple[list[tuple[Any, Any, Any]], tuple[Any, Any]]:
    """First, second, third of each complete line (any three in a row of a sequence), and the pair before the blank."""
    last = lines[-1]
    if len(lines) == 1:
        triples = [(last[i], last[i + 1], last[i + 2]) for i in range(len(last) - 2)]
        return (triples if len(triples) > 1 else []), (last[-2], last[-1])
    return [(line[0], line[1], line[2]) for line in lines[:-1]], (last[0], last[1])


def _growth(lines: Lines, same: Same, turn: float) -> Iterator[Guess]:
    """A sequence whose steps grow by a step, double, turn back halfway, or differ at odd and even places."""
    line = lines[0]
    if len(lines) > 1 or len(line) < 4 or (same(line[1] - line[0], line[2] - line[1]) and len(line) % 2):
        return
    steps = [b - a for a, b in pairwise(line)]
    growth, count = steps[1] - steps[0], len(line)
    if len(line) % 2 == 0 and not same(steps[0], 0) and _there_and_back(steps, same):
        yield Guess(1.5, count - 2, "there and back", line[0])
    if same(growth, 0):
        return
    if all(same(steps[i], steps[i - 2]) for i in range(2, len(steps))):
        yield Guess(1.5, count - 3, "two steps by turns", _wrap(line[-1] + steps[-2], turn))
    if not turn and all(same(b - a, growth) for a, b in pairwise(steps)):
        yield Guess(2.5, count - 3, "growing steps", line[-1] + steps[-1] + growth)
    if not turn and line[0] and all(same(b, 2 * a) for a, b in pairwise(line)):
        yield Guess(2, count - 2, "doubling", 2 * line[-1])
    if count > 4:
        jumps = [b - a for a, b in zip(line, line[2:], strict=False)]
        if all(same(jumps[i], jumps[i - 2]) for i in range(2, len(jumps))):
            yield Guess(3, count - 4, "two interleaved rows", _wrap(line[-2] + jumps[-2], turn))


def _there_and_back(steps: Sequence[float], same: Same) -> bool:
    """Up to the middle of the sequence in equal steps and down by the same; the last step is the blank's."""
    half = (len(steps) + 1) // 2
    return all(same(step, steps[0]) for step in steps[:half]) and all(same(step, -steps[0]) for step in steps[half:])


def _wrap(value: float, turn: float) -> float:
    return value % turn if turn else value
