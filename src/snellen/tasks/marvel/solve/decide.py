"""Which choices fit: measurements from the plain to the far-fetched, and what follows from them for the blank."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from snellen.tasks.marvel.solve.measure import Measurement
from snellen.tasks.marvel.solve.rules import (
    Guess,
    Same,
    number_guesses,
    same_angle,
    same_length,
    same_symbol,
    symbol_guesses,
)

SAME: dict[str, Same] = {
    "symbol": same_symbol,
    "number": same_symbol,
    "set": same_symbol,
    "length": same_length,
    "angle": same_angle,
}


class Vote(NamedTuple):
    """What a measurement with the simplest rule that it follows says: these choices fit, the others do not."""

    level: int
    why: str
    fits: frozenset[int]


def tells_apart(measurement: Measurement) -> bool:
    """Whether the choices differ in it at all; most measurements are dropped here."""
    same = SAME[measurement.sort]
    first = measurement.choices[0]
    if first is None:
        return any(value is not None for value in measurement.choices)
    return any(value is None or not same(value, first) for value in measurement.choices)


def votes(measurement: Measurement, way: Sequence[Sequence[int]]) -> Iterator[Vote]:
    """The simplest rule that holds for the measurement and that some choice, but not every one, follows."""
    if any(value is None for value in measurement.values):
        return
    lines = [[measurement.values[place] for place in line] for line in way]
    same = SAME[measurement.sort]
    best: int | None = None
    for guess in sorted(_guesses(measurement, lines, same), key=lambda guess: guess.level):
        if best is not None and guess.level > best:
            return
        fits = _fitting(measurement.choices, guess.value, same)
        if fits:
            best = guess.level
            yield Vote(measurement.level + guess.level, f"{measurement.name}: {guess.name}", fits)


def _guesses(measurement: Measurement, lines: Sequence[Sequence[Any]], same: Same) -> Iterator[Guess]:
    if measurement.sort == "symbol":
        return symbol_guesses(lines, same)
    return number_guesses(lines, same, measurement.turn if measurement.sort == "angle" else 0)


def _fitting(choices: Sequence[Any], value: Any, same: Same) -> frozenset[int]:
    return frozenset(i for i, choice in enumerate(choices) if choice is not None and same(choice, value))


def agreed(found: Sequence[Vote], left: frozenset[int]) -> frozenset[int]:
    """What is left when all votes of a level have been heard: those who fit all of them, else those who fit most."""
    telling = [vote for vote in found if vote.fits & left and not left <= vote.fits]
    if not telling:
        return left
    score = {choice: sum(choice in vote.fits for vote in telling) for choice in left}
    best = max(score.values())
    return frozenset(choice for choice in left if score[choice] == best)
