"""Intervals keep their promise: over a grid of subjects the losses put in lie inside as often as they say."""

from itertools import product

import pytest
from bongard_rows import FULL, bongard_rows
from snellen.analysis.bongard.evidence import evidence

from snellen.analysis.bongard.results import Results
from snellen.analysis.rows import of_task

GRID = list(product((0.4, 0.8, 1.0), (0.5, 1.0), (0.7, 1.0)))
REPEATS = 6
WAYS = FULL[1:]


@pytest.fixture(scope="module")
def inside():
    """For each loss, at every point of the grid and repeat, whether the truth lay in the interval."""
    kept: dict[str, list[bool]] = {}
    for k, (see, find, apply) in enumerate(GRID):
        for repeat in range(REPEATS):
            rows = bongard_rows(see=see, find=find, apply=apply, guess=0.6, n=50, seed=100 * k + repeat, ways=WAYS)
            found = evidence(Results(of_task(rows, "bongard"), 0), "sim")
            shares = (see * find * apply, (1 - see) * find * apply, 1 - find, find * (1 - apply))
            checks = {
                "seeing": (found.seeing, (1 - see) * find * apply),
                "thinking": (found.thinking, 1 - find * apply),
                "finding": (found.finding, see * apply * (1 - find)),
                "applying": (found.applying, 1 - see * apply),
            }
            if found.parts.lean.value is not None:
                names = ("solved", "part seeing", "part finding", "part applying")
                checks |= dict(zip(names, zip(found.parts.shares[:4], shares, strict=True), strict=True))
            for name, (value, truth) in checks.items():
                kept.setdefault(name, []).append(value.low - 1e-9 <= truth <= value.high + 1e-9)
    return kept


@pytest.mark.soak
def test_the_truth_lies_in_95_percent_intervals(inside):
    for name, hits in inside.items():
        assert len(hits) >= 0.8 * len(GRID) * REPEATS
        # 72 draws: below 86 % would be a 1-in-500 accident at the nominal rate
        assert sum(hits) / len(hits) >= 0.86, name
    everything = [hit for hits in inside.values() for hit in hits]
    assert sum(everything) / len(everything) >= 0.94
