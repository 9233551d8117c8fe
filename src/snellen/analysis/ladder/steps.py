"""What is lost at each step of a ladder, from the paired outcomes of the same units alone.

**Solved** is accuracy with luck taken out: (a - c) / (1 - c), c the chance of a right guess. So a step from one rung to
the next loses (a below - a above) / (1 - c) of the units, on those asked on both. Where the step adds a habit, whoever
errs by habit errs for sure and is not lucky: there the loss is a below - a above.

Losses cannot be negative. Where a higher rung does better than the one below, solved shares are averaged (pool adjacent
violators); where a habit helps on the higher one, doing better there shows nothing, and the lower one holds. If the
rungs above are clearly better, the lower rung is harder than what it is meant to spare: that is a finding of its own,
the rung is left out, and what it would have told apart is left together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from snellen.analysis.contrasts import differences, holm, sign_flip
from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.charts.blocks import Value
from snellen.faculties import NAMES as FACULTIES

SURELY = 0.01
"""A rung is clearly harder than those above if the exact test says so at this level (Holm over rungs)."""
SURELY_TOLD = 0.05
"""The lowest rung is tested by itself: nothing should be easier than to repeat an answer."""


@dataclass(frozen=True, slots=True)
class LadderStep:
    """One step: the faculties it adds, what it loses (a share of the units), and the exact test of its pairs (Holm over
    the ladder). `measured` is the loss as measured, before it was made to fit a ladder that only goes down."""

    faculties: tuple[str, ...]
    lower: RungResult | None
    upper: RungResult
    loss: Value
    measured: Value
    p: float | None


@dataclass(frozen=True, slots=True)
class Harder:
    """A rung that is clearly harder than rungs above it, which demand more: by so many points of accuracy."""

    rung: RungResult
    above: tuple[str, ...]
    points: Value
    p: float


@dataclass(frozen=True, slots=True)
class LadderSteps:
    """The steps of a line, the rungs they rest on, and the rungs that were left out as harder than those above."""

    steps: tuple[LadderStep, ...]
    line: tuple[RungResult, ...]
    harder: tuple[Harder, ...] = ()


def steps_of(result: LadderResult, line: Sequence[RungResult], seed: int) -> LadderSteps:
    """The steps of a line, without the rungs that are harder than what they are meant to spare."""
    kept = list(line)
    harder: list[Harder] = []
    while found := _hardest(result, kept, seed):
        harder.append(found)
        kept.remove(found.rung)
    return LadderSteps(_going_down(_steps(result, kept, seed)), tuple(kept), tuple(harder))


def added(lower: RungResult | None, upper: RungResult) -> tuple[str, ...]:
    """The faculties that the upper rung demands and the lower does not, in their usual order."""
    spared = set(lower.rung.demands) if lower else set()
    return tuple(name for name in FACULTIES if name in upper.rung.demands and name not in spared)


def _steps(result: LadderResult, line: Sequence[RungResult], seed: int) -> list[LadderStep]:
    pairs: list[tuple[RungResult | None, RungResult]] = [(None, line[0]), *pairwise(line)] if line else []
    made = []
    for lower, upper in pairs:
        faculties = added(lower, upper)
        loss, p = step_loss(result, lower, upper, seed, by_habit=faculties == ("habit",))
        made.append(LadderStep(faculties, lower, upper, loss, loss, p))
    tested = [k for k, step in enumerate(made) if step.p is not None]
    for k, p in zip(tested, holm([made[k].p or 0.0 for k in tested]), strict=True):
        made[k] = replace(made[k], p=p)
    return made


def step_loss(
    result: LadderResult, lower: RungResult | None, upper: RungResult, seed: int, *, by_habit: bool
) -> tuple[Value, float | None]:
    """What is lost from one rung to another on the units asked on both, and the exact test of the pairs."""
    both = (upper.read > 0) & (lower.read > 0 if lower else True)
    units = int(both.sum())
    if units < 2:
        return Value(None, n=units), None
    above = upper.right[both] / upper.read[both]
    below = lower.right[both] / lower.read[both] if lower else np.ones(units)
    weight = np.ones(units) if by_habit else 1 / (1 - result.luck[both])
    widest = float(weight.max())
    clusters = result.clusters[both]
    net = by_cluster((below - above) * weight / widest, clusters)
    ((gap, low, high),) = differences([(net, by_cluster(np.ones(units), clusters))], seed)
    p = _exact(lower, upper, both, clusters) if lower else None
    return _as_share(Value(widest * gap, widest * low, widest * high, units)), p


def _as_share(loss: Value) -> Value:
    """A loss corrected for guessing, kept to what a share can be: where luck went the wrong way, or there are few
    clusters, the correction leads beyond all items."""
    value, low, high = loss.value or 0.0, loss.low or 0.0, loss.high or 0.0
    kept = min(max(value, -1.0), 1.0)
    return Value(kept, max(low + kept - value, -1.0), min(high + kept - value, 1.0), loss.n)


def _exact(lower: RungResult, upper: RungResult, both: NDArray[np.bool_], clusters: NDArray[np.intp]) -> float:
    whole = lower.right[both] * upper.read[both] - upper.right[both] * lower.read[both]
    return sign_flip(np.rint(by_cluster(whole, clusters)).astype(np.int64))


def by_cluster(values: Floats, clusters: NDArray[np.intp]) -> Floats:
    """Values summed over each cluster that has any."""
    sums = np.bincount(clusters, weights=values)
    return np.asarray(sums[np.bincount(clusters) > 0])


# Rungs that are harder than those above


def _hardest(result: LadderResult, line: Sequence[RungResult], seed: int) -> Harder | None:
    """The rung that falls furthest below what the rungs above it reach, if the exact test is sure of it."""
    candidates = [found for k in range(len(line) - 1) if (found := _against_above(result, line, k, seed))]
    first = [found for found in candidates if found.rung is line[0] and found.p < SURELY_TOLD]
    later = [found for found in candidates if found.rung is not line[0]]
    adjusted = holm([found.p for found in later])
    sure = [*first, *(found for found, p in zip(later, adjusted, strict=True) if p < SURELY)]
    return max(sure, key=lambda found: found.points.value or 0.0, default=None)


def _against_above(result: LadderResult, line: Sequence[RungResult], k: int, seed: int) -> Harder | None:
    """A rung against all above that go against no habit (or against the next, if all do), taken together. Where a
    habit helps, nothing can be seen."""
    higher = [above for above in line[k + 1 :] if not above.rung.habit_helps]
    plain = [above for above in higher if "habit" not in above.rung.demands] or higher[:1]
    if not plain:
        return None
    pooled = pooled_rungs(plain)
    rung = line[k]
    both = (rung.read > 0) & (pooled.read > 0)
    if both.sum() < 2:
        return None
    clusters = result.clusters[both]
    gain = pooled.right[both] / pooled.read[both] - rung.right[both] / rung.read[both]
    if gain.sum() <= 0:
        return None
    ((points, low, high),) = differences([(by_cluster(gain, clusters), by_cluster(np.ones(len(gain)), clusters))], seed)
    names = tuple(above.rung.name for above in plain)
    return Harder(rung, names, Value(points, low, high, int(both.sum())), _exact(rung, pooled, both, clusters))


def pooled_rungs(rungs: Sequence[RungResult]) -> RungResult:
    """One result with the counts of all these rungs added up, unit by unit."""
    sums = {name: sum(getattr(rung, name) for rung in rungs) for name in ("asked", "read", "right", "refused")}
    return replace(rungs[0], **sums)


# A ladder that only goes down


def _going_down(steps: Sequence[LadderStep]) -> tuple[LadderStep, ...]:
    """The steps with losses that are not negative and do not exceed what is left."""
    solved = 1 - np.cumsum([step.measured.value or 0.0 for step in steps])
    for k, step in enumerate(steps[1:], 1):
        if step.upper.rung.habit_helps:
            solved[k] = min(solved[k - 1 : k + 1])
    fitted = np.clip(pooled(solved), 0.0, 1.0)
    losses = np.abs(np.diff(np.concatenate([[1.0], fitted])))
    return tuple(replace(step, loss=within(float(loss), step.loss)) for step, loss in zip(steps, losses, strict=True))


def pooled(values: Floats) -> Floats:
    """The nearest sequence that does not rise (pool adjacent violators)."""
    runs: list[tuple[float, int]] = []
    for value in values:
        runs.append((float(value), 1))
        while len(runs) > 1 and runs[-2][0] < runs[-1][0]:
            (one, m), (other, n) = runs[-2:]
            runs[-2:] = [((one * m + other * n) / (m + n), m + n)]
    return np.concatenate([np.full(n, value) for value, n in runs]) if runs else np.zeros(0)


def within(loss: float, measured: Value) -> Value:
    """The loss with the measured interval, moved along with it, and kept to shares."""
    if measured.value is None or measured.low is None or measured.high is None:
        return Value(None, n=measured.n)
    low, high = (loss + end - measured.value for end in (measured.low, measured.high))
    return Value(loss, max(low, 0.0), min(high, 1.0), measured.n)
