"""What is lost at each step of a ladder, from the paired outcomes of the same items alone.

**Solved** is accuracy with luck taken out: (a - c) / (1 - c), c the chance of a right guess. So a step from one rung to
the next loses (a below - a above) / (1 - c) of the items, on those asked on both. Where the step adds a habit, whoever
errs by habit errs for sure and is not lucky: there the loss is a below - a above.

Losses cannot be negative. Where a higher rung does better than the one below, solved shares are averaged (pool adjacent
violators); if it is clearly better, that is a finding of its own, and the lower rung is left out of account: what it
would have told apart is then left together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from snellen.analysis.blocks import Value
from snellen.analysis.contrasts import differences, holm, sign_flip
from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.climb import Climb, Stand
from snellen.tasks.ladder import FACULTIES

SURELY = 0.01
"""A higher rung is clearly better than a lower one if the exact test says so at this level (Holm)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the faculties it adds, what it loses (a share of the items), and the exact test of its pairs (Holm over
    the ladder). `raw` is the loss as measured, before it was made to fit a ladder that only goes down."""

    faculties: tuple[str, ...]
    lower: Stand | None
    upper: Stand
    loss: Value
    raw: float
    p: float | None

    @property
    def by_habit(self) -> bool:
        return self.faculties == ("habit",)


@dataclass(frozen=True, slots=True)
class Easier:
    """A higher rung that was clearly easier than the one below, by so many of 100 items."""

    lower: Stand
    upper: Stand
    gain: Value
    p: float


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a line; the rungs they rest on; rungs that were left out, because the next was clearly easier."""

    steps: tuple[Step, ...]
    line: tuple[Stand, ...]
    easier: tuple[Easier, ...] = ()


def steps_of(climb: Climb, seed: int) -> Steps:
    """The steps of a climb, without the rungs that a higher one makes a mockery of."""
    line = list(climb.line)
    easier: list[Easier] = []
    while True:
        steps = _steps(climb, line, seed)
        reversed_ = [s for s in steps if s.lower and s.raw < 0 and s.p is not None and s.p < SURELY]
        if not reversed_:
            return Steps(_going_down(steps), tuple(line), tuple(easier))
        worst = min(reversed_, key=lambda step: step.raw)
        lower = worst.lower
        if lower is None:
            raise AssertionError("a first step has nothing below it")
        gain = Value(-worst.raw, -(worst.loss.high or 0), -(worst.loss.low or 0), worst.loss.n)
        easier.append(Easier(lower, worst.upper, gain, worst.p or 0.0))
        line.remove(lower)


def added(lower: Stand | None, upper: Stand) -> tuple[str, ...]:
    """The faculties that the upper rung demands and the lower does not, in their usual order."""
    spared = set(lower.rung.demands) if lower else set()
    return tuple(name for name in FACULTIES if name in upper.rung.demands and name not in spared)


def _steps(climb: Climb, line: Sequence[Stand], seed: int) -> list[Step]:
    pairs: list[tuple[Stand | None, Stand]] = [(None, line[0]), *pairwise(line)] if line else []
    made = [_step(climb, lower, upper, seed) for lower, upper in pairs]
    tested = [k for k, step in enumerate(made) if step.p is not None]
    adjusted = dict(zip(tested, holm([made[k].p or 0.0 for k in tested]), strict=True))
    return [
        Step(step.faculties, step.lower, step.upper, step.loss, step.raw, adjusted.get(k))
        for k, step in enumerate(made)
    ]


def _step(climb: Climb, lower: Stand | None, upper: Stand, seed: int) -> Step:
    faculties = added(lower, upper)
    loss, p = step_loss(climb, lower, upper, seed, by_habit=faculties == ("habit",))
    return Step(faculties, lower, upper, loss, loss.value or 0.0, p)


def step_loss(
    climb: Climb, lower: Stand | None, upper: Stand, seed: int, *, by_habit: bool
) -> tuple[Value, float | None]:
    """What is lost from one rung to another on the items asked on both, and the exact test of the pairs."""
    both = (upper.read > 0) & (lower.read > 0 if lower else True)
    items = int(both.sum())
    if items < 2:
        return Value(None, n=items), None
    above = upper.right[both] / upper.read[both]
    below = lower.right[both] / lower.read[both] if lower else np.ones(items)
    weight = np.ones(items) if by_habit else 1 / (1 - climb.luck[both])
    widest = float(weight.max())
    clusters = climb.clusters[both]
    net = _by_cluster((below - above) * weight / widest, clusters)
    sizes = _by_cluster(np.ones(items), clusters)
    ((gap, low, high),) = differences([(net, sizes)], seed)
    p = None
    if lower:
        whole = lower.right[both] * upper.read[both] - upper.right[both] * lower.read[both]
        p = sign_flip(np.rint(_by_cluster(whole, clusters)).astype(np.int64))
    return Value(widest * gap, widest * low, widest * high, items), p


def _by_cluster(values: Floats, clusters: NDArray[np.intp]) -> Floats:
    sums = np.bincount(clusters, weights=values)
    return np.asarray(sums[np.bincount(clusters) > 0])


def _going_down(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with losses that are not negative and do not exceed what is left."""
    solved = np.cumsum([0.0, *(step.raw for step in steps)])
    fitted = np.clip(pooled(1 - solved[1:]), 0.0, 1.0)
    losses = -np.diff(np.concatenate([[1.0], fitted]))
    return tuple(
        Step(step.faculties, step.lower, step.upper, _within(float(loss), step.loss), step.raw, step.p)
        for step, loss in zip(steps, losses, strict=True)
    )


def pooled(values: Floats) -> Floats:
    """The nearest sequence that does not rise (pool adjacent violators)."""
    runs: list[tuple[float, int]] = []
    for value in values:
        runs.append((float(value), 1))
        while len(runs) > 1 and runs[-2][0] < runs[-1][0]:
            (one, m), (other, n) = runs[-2:]
            runs[-2:] = [((one * m + other * n) / (m + n), m + n)]
    return np.concatenate([np.full(n, value) for value, n in runs]) if runs else np.zeros(0)


def _within(loss: float, measured: Value) -> Value:
    if measured.value is None or measured.low is None or measured.high is None:
        return Value(None, n=measured.n)
    low, high = (min(max(end, 0.0), 1.0) for end in (measured.low, measured.high))
    return Value(loss, min(low, loss), max(high, loss), measured.n)
