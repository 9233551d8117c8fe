"""The ladder's last rung: is a puzzle solved more often if its perception questions were right?

For each puzzle, what came of perception stands beside what came of the puzzle itself. The difference between the two
rates has an interval clustered on duplicates: a t interval on the spread between clusters, after adding one right and
one wrong imaginary puzzle to either side (Agresti and Caffo's adjustment), lest agreement pass for certainty.

Two exact tests: Fisher's takes puzzles as independent. The other exchanges whole clusters of equal size, so that
duplicates stay together: perception of one cluster is set beside the answers of another, at random with a fixed seed.
Without duplicates the two are the same test.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from snellen.analysis.contrasts import Contrast, adjust
from snellen.analysis.estimates import groups
from snellen.analysis.rows import asked
from snellen.tasks.marvel.study.puzzles import SETTING

PERCEPTION = ("perc_c", "fine", "perc_cf")
TIMES = 4999
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPerception(Contrast):
    """AVR where perception was right (`n_a` puzzles) and where it was wrong (`n_b`)."""

    n_a: int
    n_b: int


def given_perception(scored: pl.DataFrame, seed: int) -> list[GivenPerception]:
    """AVR where perception was right (`a`) minus where it was wrong (`b`), for every setting and measure of perception
    (`given`); absent where it was always right or always wrong. Holm family: all of one subject."""
    done = asked(scored).with_columns(right=(pl.col("outcome") == "right").cast(pl.Int64))
    solved = done.filter(pl.col("score") == "avr").select("setting", "item", *SETTING, "cluster", y="right")
    given = []
    for measure in PERCEPTION:
        seen = done.filter(pl.col("score") == measure).select("setting", "item", x="right")
        both = solved.join(seen, on=["setting", "item"], how="inner").sort("setting", "cluster", "item")
        for levels, where in groups(both, ["setting"]):
            own = both[where]
            x, y = (own[name].to_numpy() for name in ("x", "y"))
            _, cluster = np.unique(own["cluster"].cast(pl.String).to_numpy(), return_inverse=True)
            if 0 < x.sum() < len(x):
                setting = {name: levels[name] for name in SETTING}
                given.append(conditional({**setting, "given": measure}, x, y, cluster, seed))
    return adjust(given, ["who"])


def conditional(levels: dict[str, Any], x: Ints, y: Ints, cluster: Ints, seed: int) -> GivenPerception:
    """Rates of y where x holds and where not, their difference with its interval, and the tests."""
    n, right = int(x.sum()), int((x * y).sum())
    others, lucky = len(x) - n, int(y.sum()) - right
    a, b = right / n, lucky / others
    low, high = interval(x, y, cluster)
    p = fisher(right, n, lucky, others)
    return GivenPerception(
        levels,
        pairs=len(x),
        items=int(cluster.max()) + 1,
        a=a,
        b=b,
        n_a=n,
        n_b=others,
        difference=a - b,
        low=max(min(low, a - b), -1.0),
        high=min(max(high, a - b), 1.0),
        p=p,
        p_items=p if cluster.max() + 1 == len(x) else exchange(x, y, cluster, seed),
    )


def interval(x: Ints, y: Ints, cluster: Ints) -> tuple[float, float]:
    """The interval of the difference between the rates of y where x holds and where not."""
    clusters = int(cluster.max()) + 1
    more_x, more_y = np.append(x, [1, 1, 0, 0]), np.append(y, [1, 0, 1, 0])
    home = np.append(cluster, clusters + np.arange(4))
    rates = [more_y[more_x == side].mean() for side in (0, 1)]
    sizes = [(more_x == side).sum() for side in (0, 1)]
    pull = np.where(more_x == 1, (more_y - rates[1]) / sizes[1], -(more_y - rates[0]) / sizes[0])
    total = np.bincount(home, weights=pull)
    half = float(
        scipy.special.stdtrit(max(clusters - 1, 1), 0.975) * np.sqrt((total**2).sum() * clusters / max(clusters - 1, 1))
    )
    middle = float(rates[1] - rates[0])
    return middle - half, middle + half


def fisher(a: int, n: int, b: int, m: int) -> float:
    """Fisher's exact two-sided p-value: a of n against b of m."""
    total = a + b
    count = np.arange(max(0, total - m), min(n, total) + 1)

    def ways(size: int, k: NDArray[np.int64] | int) -> Any:
        return (
            scipy.special.gammaln(size + 1)
            - scipy.special.gammaln(np.add(k, 1))
            - scipy.special.gammaln(np.add(size, 1) - k)
        )

    chance = np.exp(ways(n, count) + ways(m, total - count) - ways(n + m, total))
    return float(min(1.0, chance[chance <= chance[count == a][0] * (1 + 1e-7)].sum()))


def exchange(x: Ints, y: Ints, cluster: Ints, seed: int) -> float:
    """The p-value of how often x and y hold together, exchanging the y of clusters of equal size."""
    rng = np.random.default_rng([seed, len(x)])
    order = np.argsort(cluster, kind="stable")
    x, y, sizes = x[order], y[order], np.bincount(cluster)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    drawn, mean = np.zeros(TIMES), 0.0
    for size in np.unique(sizes):
        members = starts[sizes == size][:, None] + np.arange(size)
        together = x[members] @ y[members].T  # of every cluster's x with every cluster's y
        mean += together.sum() / len(members)
        if size == 1:
            ones = int(x[members].sum())
            drawn += rng.hypergeometric(int(y[members].sum()), int((1 - y[members]).sum()), ones, TIMES)
        else:
            swapped = rng.permuted(np.tile(np.arange(len(members)), (TIMES, 1)), axis=1)
            drawn += together[np.arange(len(members)), swapped].sum(1)
    real = abs(float((x * y).sum()) - mean)
    return float((1 + (np.abs(drawn - mean) >= real - 1e-9).sum()) / (1 + TIMES))
