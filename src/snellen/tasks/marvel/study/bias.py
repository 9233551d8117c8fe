"""Leaning to one option: is what a subject picks spread over the options like the key is?

**The test.** If the position of a choice does not matter to a subject, then, puzzle by puzzle, the option it picked and
the option that was right could as well change places. So every cluster of puzzles is turned around or not by the toss
of a coin, many times, and the p-value is how often the difference between the two distributions comes out as large as
the real one: an exact conditional test (of marginal homogeneity), by Monte Carlo with a fixed seed. A right answer says
nothing either way, so a subject that solves everything has no bias however the key is spread. The distance is the sum
over the options of the squared difference in counts over its variance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.contrasts import holm
from snellen.analysis.estimates import AtLevels, accuracy, groups
from snellen.analysis.rows import asked
from snellen.charts.blocks import Value
from snellen.tasks.marvel.study.puzzles import OPTIONS, SETTING, chosen, place

TOSSES = 9999
LEVEL = 0.05
DAGGER = "†"


@dataclass(frozen=True, slots=True)
class Bias(AtLevels):
    """How one subject's answers in one setting are spread over the options, and the key beside them (shares).

    `p` is the test above, Holm-adjusted over the settings of the subject; `moved`: the share of answers that would have
    to change option for the two to agree. Unread answers are left out.
    """

    chosen: tuple[Value, ...]
    key: tuple[float, ...]
    n: int
    p: float
    moved: float

    @property
    def dagger(self) -> str:
        """The paper's mark, if the test calls for it."""
        return DAGGER if self.p < LEVEL else ""

    @property
    def favourite(self) -> int:
        """The place of the option chosen most."""
        return int(np.argmax([share.value or 0.0 for share in self.chosen]))


def biases(rows: pl.DataFrame, seed: int) -> list[Bias]:
    """The bias of every subject in every setting in which it was asked the puzzles."""
    puzzles = asked(rows).filter(pl.col("question") == "avr").with_columns(picked=chosen(), right=place("key"))
    puzzles = puzzles.drop_nulls(["picked", "right"]).sort("setting", "cluster")
    if puzzles.is_empty():
        return []
    shares = _shares(puzzles, seed)
    spreads = []
    for levels, where in groups(puzzles, ["setting"]):
        own = puzzles[where]
        picked, right = (np.eye(OPTIONS, dtype=np.int64)[own[name].to_numpy()] for name in ("picked", "right"))
        _, cluster = np.unique(own["cluster"].cast(pl.String).to_numpy(), return_inverse=True)
        net = np.zeros((cluster.max() + 1, OPTIONS), dtype=np.int64)
        np.add.at(net, cluster, picked - right)
        keys = right.mean(0)
        spreads.append(
            Bias(
                levels={name: levels[name] for name in SETTING},
                chosen=tuple(shares[levels["setting"]]),
                key=tuple(float(share) for share in keys),
                n=own.height,
                p=turn_around(net, seed),
                moved=float(np.abs(picked.mean(0) - keys).sum() / 2),
            )
        )
    return _adjusted(spreads)


def turn_around(net: NDArray[np.int64], seed: int, tosses: int = TOSSES) -> float:
    """The p-value of clusters' net differences (clusters x options: picked minus right) under random signs.

    Clusters alike (up to sign) are tossed together: the sum of their signs is binomial.
    """
    net = net[(net != 0).any(1)]
    if not len(net):
        return 1.0
    first = net[np.arange(len(net)), (net != 0).argmax(1)]
    kinds, counts = np.unique(net * np.sign(first)[:, None], axis=0, return_counts=True)
    weight = 1 / np.maximum((net**2).sum(0), 1)
    signs = 2 * np.random.default_rng([seed, len(net)]).binomial(counts, 0.5, (tosses, len(counts))) - counts
    drawn = ((signs @ kinds) ** 2 * weight).sum(1)
    real = float((net.sum(0) ** 2 * weight).sum())
    return float((1 + (drawn >= real - 1e-9).sum()) / (1 + tosses))


def _shares(puzzles: pl.DataFrame, seed: int) -> dict[int, list[Value]]:
    """How often each option is picked, with clustered intervals."""
    shares: dict[int, list[Value]] = {}
    for option in range(OPTIONS):
        hit = pl.when(pl.col("picked") == option).then(pl.lit("right")).otherwise(pl.lit("wrong"))
        for estimate in accuracy(puzzles.with_columns(outcome=hit), ["setting"], seed):
            shares.setdefault(estimate["setting"], []).append(estimate.share)
    return shares


def _adjusted(biases: Sequence[Bias]) -> list[Bias]:
    adjusted = list(biases)
    for who in dict.fromkeys(bias["who"] for bias in biases):
        own = [k for k, bias in enumerate(biases) if bias["who"] == who]
        for k, p in zip(own, holm([biases[k].p for k in own]), strict=True):
            adjusted[k] = replace(biases[k], p=p)
    return adjusted
