"""Rungs that are not read alike: a loss from one to the other may then be one of reading."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from snellen.analysis.contrasts import holm, sign_flip
from snellen.analysis.ladder.case import Case
from snellen.analysis.ladder.rungs import RungResult
from snellen.analysis.ladder.steps import by_cluster
from snellen.analysis.reading_rates import SURELY, rates_differ


def unread_steps(case: Case) -> tuple[str, ...]:
    """A sentence for each step of the ladder whose two rungs differ in their unread rates on the same units: exact
    sign-flip test by item, Holm over the ladder."""
    tested = [(lower, upper, *_compared(case, lower, upper)) for lower, upper in _steps(case)]
    adjusted = holm([p for *_, p in tested])
    return tuple(
        rates_differ((upper.rung.name, above), (lower.rung.name, below), p, what="step")
        for (lower, upper, below, above, _), p in zip(tested, adjusted, strict=True)
        if p < SURELY
    )


def _steps(case: Case) -> Iterator[tuple[RungResult, RungResult]]:
    """The rungs of the line, each with the next, and those that are compared beside it."""
    yield from pairwise(case.result.line)
    known = {rung.rung.name: rung for rung in case.result.rungs}
    yield from ((known[loss.lower], known[loss.upper]) for loss in case.beside)


def _compared(case: Case, lower: RungResult, upper: RungResult) -> tuple[float, float, float]:
    """Unread rates of two rungs on the units asked on both, and the exact test."""
    both = (lower.asked > 0) & (upper.asked > 0)
    if not both.any():
        return 0.0, 0.0, 1.0
    asked = [rung.asked[both] for rung in (lower, upper)]
    unread = [rung.asked[both] - rung.read[both] for rung in (lower, upper)]
    net = by_cluster(unread[0] * asked[1] - unread[1] * asked[0], case.result.clusters[both])
    below, above = (float(part.sum() / whole.sum()) for part, whole in zip(unread, asked, strict=True))
    return below, above, sign_flip(np.rint(net).astype(np.int64))
