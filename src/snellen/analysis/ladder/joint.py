"""The processing tree of one subject: from a line of rungs to the tree's losses, if they may be used.

The tree refines and never overrules. It is used only if it fits, and if no loss lies outside the interval of its own
step (widened by a third, since several are looked at): else the steps speak.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from snellen.analysis.estimates import Floats, wilson
from snellen.analysis.ladder.fitting import estimate, likeliest
from snellen.analysis.ladder.likelihood import TreeLikelihood
from snellen.analysis.ladder.misfit import fits
from snellen.analysis.ladder.power import TreeDesign, design_of, smallest_by_step, smallest_fault
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.analysis.ladder.steps import LadderStep
from snellen.analysis.ladder.tree import MISSING, RIGHT, WRONG, Ints, Patterns, Tree, patterns_of, tree_of
from snellen.charts.blocks import Value

WIDENED = 4 / 3
CLEARLY = 3.84
"""A likelihood ratio (twice the difference of logarithms) that one more parameter brings by chance once in 20."""
SHOWN_LOW, SHOWN_SIZE = 0.01, 0.10
"""A loss is a fault if its interval lies above the first and its estimate reaches the second share of the items."""


@dataclass(frozen=True, slots=True)
class JointFit:
    """The tree's losses by step, how well it fits (p), whether it does, and which steps it contradicts."""

    losses: tuple[Value, ...]
    p: float
    fits: bool
    contradicts: tuple[LadderStep, ...]

    @property
    def is_used(self) -> bool:
        return self.fits and not self.contradicts


def joint_of(result: LadderResult, steps: Sequence[LadderStep], seed: int) -> JointFit | None:
    """The tree of these steps; None if there is too little to go by."""
    if len(steps) < 2:
        return None
    tree, rungs = _tree(result, steps)
    patterns = patterns_of(*_arranged(result, rungs))
    values = [step.loss.value or 0.0 for step in steps]
    most = _most_slips(result, steps[0].upper)
    if result.n_items < len(result.units):
        tree = _nested_if_needed(tree, patterns, most, values, _inflation(result))
    fitted = estimate(tree, patterns, inflation=_inflation(result), most_slips=most, start=values)
    if fitted is None:
        return None
    fit, p = fits(tree, patterns, fitted.theta, seed)
    losses = tuple(
        Value(value, low, high, step.loss.n) for (value, low, high), step in zip(fitted.losses, steps, strict=True)
    )
    apart = tuple(step for step, loss in zip(steps, losses, strict=True) if _is_apart(step.loss, loss))
    return JointFit(losses, p, fit, apart)


def smallest_faults(result: LadderResult, steps: Sequence[LadderStep]) -> list[float | None]:
    """For each step the smallest fault that this design finds with 90 % power."""
    if any(step.upper.rung.signature for step in steps):  # the tree knows of no signature, and is not used
        return [smallest_by_step(step.loss.n or 0, SHOWN_LOW, SHOWN_SIZE) for step in steps]
    tree, rungs = _tree(result, steps)
    if not steps or not tree.own:
        return [None] * len(steps)
    design = design_of(tree, patterns_of(*_arranged(result, rungs)), _inflation(result))
    key = design.asked.tobytes(), design.luck.tobytes(), design.count.tobytes()
    return [_smallest(_Keyed(key, design), step) for step in range(len(steps))]


class _Keyed:
    """A design that is known by its numbers: subjects who were asked the same share what is computed of it."""

    def __init__(self, key: tuple[bytes, ...], design: TreeDesign) -> None:
        self.key, self.design = (*key, repr(design.tree).encode(), str(design.inflation).encode()), design

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self.key == other.key


@lru_cache(maxsize=256)
def _smallest(keyed: _Keyed, step: int) -> float | None:
    return smallest_fault(keyed.design, step, SHOWN_LOW, SHOWN_SIZE)


def _nested_if_needed(
    tree: Tree, patterns: Patterns, most_slips: float, start: Sequence[float], inflation: float
) -> Tree:
    """The tree in which a fault strikes whole items, or the one in which it may strike single units, if that is clearly
    more likely: what strikes units looks much like a slip, so allowing for it costs certainty."""
    nested = replace(tree, nested=True)
    models = [TreeLikelihood(one, patterns) for one in (tree, nested)]
    tops = [model.value(likeliest(model, most_slips, start)) for model in models]
    return nested if 2 * (tops[1] - tops[0]) / inflation > CLEARLY else tree


def _tree(result: LadderResult, steps: Sequence[LadderStep]) -> tuple[Tree, list[RungResult]]:
    """The tree of the steps and of the rungs beside the line that are of one piece with it."""
    demanded = {faculty for step in steps for faculty in step.faculties}
    beside = [rung for rung in result.beside if rung.rung.joint and set(rung.rung.demands) <= demanded]
    tree = tree_of([step.faculties for step in steps], [rung.rung.demands for rung in beside], nested=False)
    return tree, [*(step.upper for step in steps), *beside]


def _arranged(result: LadderResult, rungs: Sequence[RungResult]) -> tuple[Ints, Floats]:
    """Outcomes as items x units x rungs, and the luck of each item."""
    items = result.n_items
    sizes = np.bincount(result.items, minlength=items)
    order = np.argsort(result.items, kind="stable")
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    within = np.empty(len(order), dtype=np.intp)
    within[order] = np.arange(len(order)) - first[result.items[order]]
    outcomes = np.full((items, int(sizes.max(initial=0)), len(rungs)), MISSING)
    for k, rung in enumerate(rungs):
        read = rung.read > 0
        right = np.where(rung.right >= rung.read, RIGHT, WRONG)
        outcomes[result.items[read], within[read], k] = right[read]
    luck = np.bincount(result.items, weights=result.luck, minlength=items) / np.maximum(sizes, 1)
    asked = (outcomes != MISSING).any(axis=(1, 2))
    return outcomes[asked], np.round(luck[asked], 9)


def _inflation(result: LadderResult) -> float:
    """How many items make one independent observation."""
    return result.n_items / max(len(np.unique(result.clusters)), 1)


def _most_slips(result: LadderResult, lowest: RungResult) -> float:
    """Slips are bounded by what is missed where the answer is told; where it was not, by nothing."""
    if lowest.rung.demands != ("attention",):
        return 1.0
    read = lowest.read > 0
    n = len(np.unique(result.clusters[read]))
    missed = 1 - float(lowest.right[read].sum() / lowest.read[read].sum())
    return min(wilson(missed, n)[1] / (1 - float(result.luck[read].mean())), 1.0)


def _is_apart(step: Value, tree: Value) -> bool:
    if step.value is None or step.low is None or step.high is None or tree.value is None:
        return False
    low = step.value - WIDENED * (step.value - step.low)
    high = step.value + WIDENED * (step.high - step.value)
    return not low - 1e-9 <= tree.value <= high + 1e-9
