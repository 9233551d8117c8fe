"""Sets of pieces: which four could be the result, and which two lead to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import offer

Pieces = frozenset[int]


@dataclass(frozen=True, slots=True)
class Operation:
    """`words` say what becomes of two panels, with the name of the pieces put in."""

    name: str
    words: str
    apply: Callable[[Pieces, Pieces], Pieces]


OPERATIONS = (
    Operation("joining", "the third panel has all {what} of the first and the second", frozenset.union),
    Operation(
        "in common", "the third panel has only the {what} that the first two have in common", frozenset.intersection
    ),
    Operation(
        "in one only",
        "the third panel has the {what} that only one of the first two has",
        frozenset.symmetric_difference,
    ),
    Operation(
        "taking away", "the third panel has the {what} of the first without those of the second", frozenset.difference
    ),
)


def variants(rng: Stream, pieces: Sequence[int], number: int, *, near: bool) -> list[Pieces]:
    """Two different sets of so many pieces: one piece exchanged if near, else as many as can be."""
    order = rng.sample(pieces, len(pieces))
    changed = 1 if near else min(number, len(pieces) - number)
    return [frozenset(order[:number]), frozenset(order[changed : number + changed])]


def results(rng: Stream, pieces: int, *, near: bool) -> tuple[list[Pieces], int]:
    """Four results of the same size: two halves of all pieces, two sets in each, in all combinations."""
    order = rng.sample(range(pieces), pieces)
    halves = order[: pieces // 2], order[pieces // 2 :]
    most = 2 if pieces < 12 else 3
    firsts, seconds = (variants(rng, half, 1 + rng.below(most), near=near) for half in halves)
    pairs, right = offer(rng, firsts, seconds)
    return [first | second for first, second in pairs], right


def sources(rng: Stream, operation: Operation, result: Pieces, pieces: int) -> tuple[Pieces, Pieces]:
    """Two sets that lead to the result: each has something of its own, and they have something in common."""
    inside = rng.sample(sorted(result), len(result))
    outside = rng.sample([i for i in range(pieces) if i not in result], pieces - len(result))
    name = operation.name
    if name == "taking away":
        shared = set(outside[: 1 + rng.below(max(1, len(outside) // 2))])
        return frozenset(shared) | result, frozenset(shared)
    if name == "in common":
        first, second = _shared_out(rng, outside[: 2 + rng.below(max(1, len(outside) // 2))])
        return first | result, second | result
    if name == "in one only":
        first, second = _shared_out(rng, inside)
        shared = set(outside[: 1 + rng.below(max(1, len(outside) // 3))])
        return first | shared, second | shared
    # One piece in both, so that joining is told from keeping what only one has.
    common = set(inside[2:3])
    first, second = _shared_out(rng, [piece for piece in inside if piece not in common])
    return first | common, second | common


def _shared_out(rng: Stream, pieces: Sequence[int]) -> tuple[Pieces, Pieces]:
    """Dealt to two, each with one or more."""
    cut = 1 + rng.below(len(pieces) - 1) if len(pieces) > 1 else 1
    return frozenset(pieces[:cut]), frozenset(pieces[cut:])
