"""Rungs that are not read alike: a loss from one to the other may then be one of reading."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from snellen.analysis.contrasts import holm, sign_flip
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.analysis.ladder.steps import by_cluster
from snellen.analysis.reading_rates import SURELY, rates_differ
from snellen.charts.blocks import Loss


def unread_steps(result: LadderResult, beside: Sequence[Loss] = ()) -> tuple[str, ...]:
    """A sentence for each step of the ladder, and for each loss beside it, whose two rungs differ in their unread rates
    on the same units: exact sign-flip test by item, Holm over the ladder."""
    tested = [(lower, upper, *_compared(result, lower, upper)) for lower, upper in _steps(result, beside)]
    adjusted = holm([p for *_, p in tested])
    return tuple(
        rates_differ((upper.rung.name, above), (lower.rung.name, below), p, what="step")
        for (lower, upper, below, above, _), p in zip(tested, adjusted, strict=True)
        if p < SURELY
    )


def _steps(result: LadderResult, beside: Sequence[Loss]) -> Iterator[tuple[RungResult, RungResult]]:
    """The rungs of the line, each with the next, and those that are compared beside it."""
    yield from pairwise(result.line)
    known = {rung.rung.name: rung for rung in result.rungs}
    yield from ((known[loss.lower], known[loss.upper]) for loss in beside)


def _compared(result: LadderResult, lower: RungResult, upper: RungResult) -> tuple[float, float, float]:
    """Unread rates of two rungs on the units asked on both, and the exact test."""
    both = (lower.asked > 0) & (upper.asked > 0)
    if not both.any():
        return 0.0, 0.0, 1.0
    asked = [rung.asked[both] for rung in (lower, upper)]
    unread = [rung.asked[both] - rung.read[both] for rung in (lower, upper)]
    net = by_cluster(unread[0] * asked[1] - unread[1] * asked[0], result.clusters[both])
    below, above = (float(part.sum() / whole.sum()) for part, whole in zip(unread, asked, strict=True))
    return below, above, sign_flip(np.rint(net).astype(np.int64))
