"""What the data could have shown: the smallest fault that would have been named nine times in ten.

It is computed for this design and these data: with the subject's other losses as they are, a fault of the size in
question is put into the tree, and the tree's information says how wide its interval would be.
"""

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.steps import Step
from snellen.analysis.ladder.tree import WIDER, Fit, Patterns, enumerated

SHOWN = 0.05
"""A fault is shown if its interval lies above this share of the items."""
POWER = 1.2815515655446004  # below it lie 90 % of a normal distribution
SIZES = np.arange(0.06, 0.995, 0.02)
_APART = 1e-4
EDGE = 0.02


def smallest_by_tree(fit: Fit, patterns: Patterns, inflation: float) -> list[float | None]:
    """For each step of the tree the smallest fault that would have been named."""
    whole = enumerated(patterns)
    if whole is None:
        return [None] * fit.tree.rungs
    return [_smallest(fit, whole[0], whole[1], whole[2], step, inflation) for step in range(fit.tree.rungs)]


def smallest_by_step(step: Step, luck: float) -> float | None:
    """The same from a step alone: to what its interval shows of spread comes what a fault of each size would bring."""
    loss = step.loss
    if loss.low is None or loss.high is None or loss.n is None:
        return None
    spread = ((loss.high - loss.low) / 2 / 1.96) ** 2
    counted = 1.0 if step.by_habit else 1 / (1 - luck)  # an item that is lost and not lucky counts so much
    errors = np.sqrt(spread + SIZES * np.maximum(counted - SIZES, 0.0) / loss.n)
    enough = (1.96 + POWER) * errors <= SIZES - SHOWN
    return float(SIZES[int(np.argmax(enough))]) if enough.any() else None


def _smallest(
    fit: Fit,
    patterns: Patterns,
    kind_of: NDArray[np.intp],
    ways: Floats,
    step: int,
    inflation: float,
) -> float | None:
    member = fit.tree.of_step(step)
    planted = _planted(fit, member)
    items = float(patterns.count.sum())
    errors = _errors(fit, patterns, kind_of, ways, planted, member) * np.sqrt(inflation)
    reach = float(scipy.special.stdtrit(max(items / inflation - 1, 1), 0.975)) * np.sqrt(WIDER) + POWER
    enough = reach * errors <= SIZES - SHOWN
    return float(SIZES[int(np.argmax(enough))]) if enough.any() else None


def _planted(fit: Fit, member: Floats) -> Floats:
    """The fitted parameters with a fault of each size in place of what the step loses."""
    theta = np.clip(fit.theta, 0.002, 0.998)
    if fit.tree.has_habit:
        theta[-1] = 0.5
    losses = len(fit.tree.parts)
    rows = np.repeat(theta[None], len(SIZES), axis=0)
    own = member[:losses] > 0
    others = rows[:, :losses] * ~own
    room = np.minimum(1.0, (1 - SIZES - 0.003) / np.maximum(others.sum(1), 1e-9))
    rows[:, :losses] = others * room[:, None] + np.outer(SIZES, own / own.sum())
    return rows


def _errors(
    fit: Fit,
    patterns: Patterns,
    kind_of: NDArray[np.intp],
    ways: Floats,
    planted: Floats,
    member: Floats,
) -> Floats:
    """The standard error that the step's loss would have at each of the planted parameters."""
    tree, size = fit.tree, planted.shape[1]
    offsets = np.concatenate([np.zeros((1, size)), _APART * np.eye(size), -_APART * np.eye(size)])
    points = np.clip((planted[:, None, :] + offsets[None]).reshape(-1, size), 1e-6, 1 - 1e-6)
    chances = (tree.chances(points, patterns) * ways).reshape(len(planted), len(offsets), -1)
    asked = np.bincount(kind_of, weights=patterns.count)[kind_of]
    slopes = (chances[:, 1 : size + 1] - chances[:, size + 1 :]) / (2 * _APART)
    information = np.einsum("bpm,bqm->bpq", slopes * (asked / np.maximum(chances[:, :1], 1e-12)), slopes)
    free = (member > 0) | (fit.theta > EDGE)  # what lies at the edge has nowhere to go and costs no certainty
    information = np.where(free[:, None] & free, information, 0.0)
    inverse = np.linalg.pinv(information, rcond=1e-10, hermitian=True)
    return np.asarray(np.sqrt(np.maximum(np.einsum("p,bpq,q->b", member, inverse, member), 0)))


def worst(smallest: Sequence[float | None]) -> float | None:
    """The largest of the smallest: what is promised of every fault."""
    known = [size for size in smallest if size is not None]
    return max(known) if len(known) == len(smallest) and known else None
