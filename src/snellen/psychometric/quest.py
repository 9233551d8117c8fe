"""Which intensities to ask next: QUEST+ (Watson 2017), many at a time.

The intensity asked next is the one whose answer is expected to leave the least entropy in the posterior. That is the
one whose answer says most: entropy of the answer as expected now, less the entropy it would still have if threshold,
slope and lapse were known. (The two differ by the entropy of the posterior, which is the same for every intensity.)

A batch is chosen one by one. After each choice the posterior is sharpened as its answer would sharpen it on average:
right and wrong both count, in the shares they are expected in. One trial in ten is a catch trial at the easiest level,
where only a lapse makes wrong. Everything is a function of settings, history and seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.answer import Outcome
from snellen.psychometric.posterior import Posterior, PosteriorGrid, count, log_shares, posterior
from snellen.rng import stream

Floats = NDArray[np.float64]
History = Sequence[tuple[float, Outcome]]
"""What was asked, in the order of asking: log10 intensity and outcome."""

_NEGLIGIBLE = 1e-9
"""Points with so little of the mass of the likeliest are left out of the sums: after a batch or two, most of them."""
_DIGITS = 9
"""Intensities that say equally much to so many digits are equal; the lower is taken, on every machine."""

ENOUGH = 0.04


@dataclass(frozen=True)
class QuestSettings:
    """How a threshold is looked for."""

    levels: tuple[float, ...]
    chance: float
    falling: bool = False
    batch: int = 8
    least: int = 16
    most: int = 96
    enough: float = ENOUGH
    """The sd of the threshold in log10 below which nobody needs to be asked more."""
    catch_every: int = 10

    def __post_init__(self) -> None:
        if list(self.levels) != sorted(set(self.levels)):
            raise ValueError("levels: expected rising intensities, each once")
        if self.batch < 1 or self.catch_every < 2 or not 0 < self.least <= self.most:
            raise ValueError(
                f"batch {self.batch}, catch_every {self.catch_every}, least {self.least}, most {self.most}: expected "
                "batches from 1 on, catch trials every 2 or more, and at most no fewer than at least"
            )

    @property
    def grid(self) -> PosteriorGrid:
        return PosteriorGrid(self.levels[0], self.levels[-1], self.chance, self.falling)

    @property
    def easiest(self) -> float:
        return self.levels[0] if self.falling else self.levels[-1]


def believe(settings: QuestSettings, history: History) -> Posterior:
    """What the answers so far say."""
    return posterior(settings.grid, count(history), settings.levels)


def is_catch(settings: QuestSettings, number: int, seed: int) -> bool:
    """Whether the trial of this number (from 0) is a catch trial: one in every ten, anywhere among them."""
    block, place = divmod(number, settings.catch_every)
    return stream(seed, "catch", block).below(settings.catch_every) == place


def next_batch(settings: QuestSettings, history: History, seed: int) -> tuple[float, ...]:
    """The intensities to ask next, in the order of asking; none when as many were asked as may be."""
    numbers = range(len(history), min(len(history) + settings.batch, settings.most))
    catch = [is_catch(settings, number, seed) for number in numbers]
    chosen = informative(settings, believe(settings, history).masses, catch.count(False))
    stream(seed, "order", len(history)).shuffle(chosen)
    return tuple(settings.easiest if caught else chosen.pop() for caught in catch)


def informative(settings: QuestSettings, masses: Floats, number: int) -> list[float]:
    """The intensities that say most, given what is held likely."""
    from scipy.special import entr  # here, for whoever lists the tasks needs none of it

    tables: tuple[Floats, ...] = (settings.grid.shares(settings.levels), *_tables(settings.grid, settings.levels))
    likely = np.flatnonzero(masses > _NEGLIGIBLE * masses.max())
    if len(likely) < len(masses) / 3:  # to take some out costs about as much as one sum over all
        masses = masses[likely] / masses[likely].sum()
        tables = tuple(np.take(table, likely, axis=1) for table in tables)
    shares, right, wrong, spread = tables
    chosen = []
    for _ in range(number):
        expected = shares @ masses
        says = entr(expected) + entr(1 - expected) - spread @ masses
        best = int(np.argmax(np.round(says, _DIGITS)))
        chosen.append(settings.levels[best])
        masses = masses * np.exp(expected[best] * right[best] + (1 - expected[best]) * wrong[best])
        masses = masses / masses.sum()
    return chosen


@lru_cache(maxsize=32)
def _tables(grid: PosteriorGrid, levels: tuple[float, ...]) -> tuple[Floats, Floats, Floats]:
    """Levels x points: log likelihood of right, of wrong, and the entropy of an answer whose point is known."""
    from scipy.special import entr

    shares = grid.shares(levels)
    return *log_shares(grid, levels), entr(shares) + entr(1 - shares)
