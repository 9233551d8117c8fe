"""The stages of a chain as the likeliest way through them.

A sentence alone seldom tells: "the wall is at column 4" may be gathered or argued with. So a sentence only speaks for
stages, more or less; going on in a stage is free, and going over to another one has a price. The stages of a chain are
the way that has most to speak for it, prices taken off (Viterbi's algorithm).
"""

from collections.abc import Sequence

from snellen.analysis.thought.cues import Weights

BEGINNING: Weights = (0.0, 1.4, 2.4)
"""The price of beginning in each stage."""
PRICE: tuple[Weights, Weights, Weights] = (
    (0.0, 0.6, 1.9),  # from collecting
    (1.7, 0.0, 1.0),  # from analysing
    (3.0, 1.2, 0.0),  # from concluding: only an answer that is taken back, or was none
)
_PRICES_TO = tuple(zip(*PRICE, strict=True))


def best_path(evidence: Sequence[Weights]) -> list[int]:
    """The stage of each sentence, by number."""
    if not evidence:
        return []
    totals = [weight - price for weight, price in zip(evidence[0], BEGINNING, strict=True)]
    origins: list[list[int]] = []
    for weights in evidence[1:]:
        ways = [[total - price for total, price in zip(totals, prices, strict=True)] for prices in _PRICES_TO]
        origins.append([way.index(max(way)) for way in ways])
        totals = [max(way) + weight for way, weight in zip(ways, weights, strict=True)]
    stages = [totals.index(max(totals))]
    for origin in reversed(origins):
        stages.append(origin[stages[-1]])
    return stages[::-1]
