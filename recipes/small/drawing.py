"""Drawing lots by shares."""

from collections.abc import Mapping

from snellen.rng import Stream


def drawn(rng: Stream, shares: Mapping[str, float]) -> str:
    """One of the names, each as often as its share says; shares need not add up to one."""
    left = rng.between(0, sum(shares.values()))
    for name, share in shares.items():
        if left < share:
            return name
        left -= share
    return list(shares)[-1]
