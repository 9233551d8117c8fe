"""Which choices fit: how much each finding says, and what all of them say together.

A finding is a measurement, the simplest rule its values follow, and the choices that go on by it. It weighs, in bits,
as much as it would be surprising by chance: every test that the rule passed could have failed, the more likely the
more the choices differ in this measurement. What it costs to think of the measurement and the rule is taken off. So a
simple rule put to many tests outweighs a far-fetched one that happens to hold. Findings that favour the same choices
are not added up, as they are often the same thing seen twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import log2
from typing import Any, NamedTuple

from snellen.tasks.marvel.solve.rules import (
    Guess,
    Same,
    count_guesses,
    number_guesses,
    same_angle,
    same_length,
    same_symbol,
    symbol_guesses,
)

SURE = 1.75
"""So many bits ahead of all others is decided: nothing more far-fetched needs to be looked at."""
CLOSE = 0.45
"""So many bits are no difference."""


_UNNOTICED = 1.5
_FAINT = 1.5
_FIRM = 0.3


class Measurement(NamedTuple):
    """One value a panel: of the context, then of the choices. None: the panel has no such value.

    `sort` says what can be done with values: symbols are equal or not, counts can be added, lengths go in steps and are
    off by a pixel or two, angles begin anew after 360. `cost` is how far-fetched it is to look at this at all.
    """

    name: str
    cost: float
    sort: str
    values: Sequence[Any]
    choices: Sequence[Any]
    plain: Any = None
    """A value that goes unnoticed: that all panels lack something is less of a rule than that all have it."""


class RuleFinding(NamedTuple):
    bits: float
    why: str
    fits: frozenset[int]


SAME: dict[str, Same] = {"symbol": same_symbol, "count": same_symbol, "length": same_length, "angle": same_angle}


def tells_apart(measurement: Measurement) -> bool:
    """Whether the choices differ in it at all; most measurements are dropped here."""
    same, choices = SAME[measurement.sort], measurement.choices
    first = choices[0]
    if choices.count(first) == len(choices):
        return False
    return same is same_symbol or first is None or any(value is None or not same(value, first) for value in choices)


def surprise(choices: Sequence[Any], same: Same) -> float:
    """How many bits it is worth that a value was foretold: the more, the more the choices differ in it."""
    if same is same_symbol:
        alike = sum([choices.count(value) for value in choices])
    else:
        alike = sum([_same(a, b, same) for a in choices for b in choices])
    return -log2(alike / len(choices) ** 2)


def variety(measurement: Measurement, same: Same) -> float:
    """The same, for values that change in the context too: the more, the more different ones there are."""
    if same is same_symbol:
        return log2(max(2, len({*measurement.values, *measurement.choices} - {None})))
    different: list[Any] = []
    for value in (*measurement.values, *measurement.choices):
        if value is not None and not any(same(value, other) for other in different):
            different.append(value)
    return log2(max(2, len(different)))


def _same(a: Any, b: Any, same: Same) -> bool:
    return a is b or (a is not None and b is not None and same(a, b))


def findings(measurement: Measurement, way: Sequence[Sequence[int]]) -> Iterator[RuleFinding]:
    """The rules that hold for the measurement along these lines and that some choice follows: the weightiest."""
    if None in measurement.values:
        return
    lines = [[measurement.values[place] for place in line] for line in way]
    same = SAME[measurement.sort]
    still = surprise(measurement.choices, same)
    moving = max(still, variety(measurement, same))
    followed = []
    for guess in _guesses(measurement.sort, lines, same):
        fits = fitting(measurement.choices, guess.value, same)
        if fits:
            bits = guess.tests * (still if guess.still else moving) - guess.cost - measurement.cost
            if guess.still and guess.value == measurement.plain:
                bits -= _UNNOTICED
            followed.append(RuleFinding(bits, f"{measurement.name}: {guess.name}", fits))
    if followed:
        best = max(finding.bits for finding in followed)
        yield from (finding for finding in followed if finding.bits > -_FAINT and finding.bits >= best - CLOSE)


def shared(measurement: Measurement) -> Iterator[RuleFinding]:
    """What the panels of a group have in common: their value, and the choices that have it too."""
    same = SAME[measurement.sort]
    first = measurement.values[0]
    if first is None or any(not _same(value, first, same) for value in measurement.values):
        return
    fits = fitting(measurement.choices, first, same)
    if fits:
        worth = surprise(measurement.choices, same) * (len(measurement.values) - 1)
        unnoticed = _UNNOTICED * (first == measurement.plain)
        yield RuleFinding(worth - measurement.cost - unnoticed, measurement.name, fits)


def _guesses(sort: str, lines: Sequence[Sequence[Any]], same: Same) -> Iterator[Guess]:
    if sort == "symbol":
        return symbol_guesses(lines, same)
    if sort == "count":
        return count_guesses(lines)
    return number_guesses(lines, same, 360 if sort == "angle" else 0)


def fitting(choices: Sequence[Any], value: Any, same: Same) -> frozenset[int]:
    return frozenset(i for i, choice in enumerate(choices) if choice is not None and same(choice, value))


class PuzzleVerdict(NamedTuple):
    """`best`: the choices that no other is ahead of; `lead`: by how many bits they are ahead of the rest."""

    best: tuple[int, ...]
    lead: float


def verdict(evidence: Iterable[RuleFinding], number: int) -> PuzzleVerdict:
    """The choices that go best with all findings.

    A choice that goes with everything that any other goes with, and more, is ahead whatever the weights. Faint
    findings, which say less than it takes to think of them, are heard only where the firm ones do not tell choices
    apart; where firm ones contradict each other with equal weight, the puzzle is ambiguous.
    """
    weight: dict[frozenset[int], float] = {}
    for finding in evidence:
        if len(finding.fits) < number:
            weight[finding.fits] = max(finding.bits, weight.get(finding.fits, -_FAINT))
    firm = {fits: bits for fits, bits in weight.items() if bits > _FIRM}
    best, lead = _ahead(firm, range(number))
    if len(best) > 1 and all(len(fits.intersection(best)) in (0, len(best)) for fits in firm):
        faint = {fits: bits + _FAINT for fits, bits in weight.items() if bits <= _FIRM}
        best, lead = _ahead(faint, best)[0], 0.0
    return PuzzleVerdict(tuple(best), lead)


def _ahead(weight: dict[frozenset[int], float], among: Sequence[int]) -> tuple[Sequence[int], float]:
    """Those of them that have most weight, and how far they are ahead of the others."""
    met = {choice: {fits for fits in weight if choice in fits} for choice in among}
    # Rounded, so that the last digit of a logarithm, which machines differ in, decides nothing.
    score = {choice: round(sum(weight[fits] for fits in met[choice]), 6) for choice in among}
    top = max(score.values())
    rest = sorted(score.values(), reverse=True)[1:]
    for choice in among:
        if score[choice] == top and all(met[choice] > met[other] for other in among if other != choice):
            return [choice], top - max(rest, default=0.0)
    best = [choice for choice in among if score[choice] >= top - CLOSE]
    return best, top - max((score[choice] for choice in among if choice not in best), default=top)
