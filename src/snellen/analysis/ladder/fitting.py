"""Fitting a processing tree to the patterns that were seen.

**Estimates** maximise the likelihood. **Intervals** hold the values whose profile likelihood falls short of the best by
less than WIDER x t^2 / 2 x inflation. Both are found by constrained optimisation, ends by following the profile to
where it crosses the floor: the same counts give the same digits whatever machine, kernel or number of threads.
**Inflation** is the number of items in a cluster (repeated samples of an item are items of one cluster).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.likelihood import TreeLikelihood
from snellen.analysis.ladder.tree import Patterns, Tree

FEW = 8
WIDER = 1.1
"""The usual amount is right for many items; with tens of them intervals must be this much more generous to hold."""
MOST_LOST = 1 - 1e-4
SHARP = 6
"""Decimals of a share: what a search leaves beyond them is noise."""
FIRST = 0.1
CLOSE = 2e-5
"""Ends of intervals are found to this share of the items."""


@dataclass(frozen=True, slots=True)
class TreeEstimate:
    """A fitted tree: its parameters, and for each step its loss with its ends."""

    tree: Tree
    theta: Floats
    losses: tuple[tuple[float, float, float], ...]


def estimate(
    tree: Tree, patterns: Patterns, *, inflation: float = 1.0, most_slips: float = 1.0, start: Sequence[float] = ()
) -> TreeEstimate | None:
    """The tree fitted to these items; None if there is too little to go by.

    `inflation`: how many items go into one independent observation. `most_slips`: slips are bounded by what is missed
    where the answer was told. `start`: what the steps say is lost.
    """
    independent = patterns.items / inflation
    if independent < FEW or not tree.own:
        return None
    bounds = bounds_of(tree, most_slips)
    model = TreeLikelihood(tree, patterns)
    theta = likeliest(model, most_slips, start)
    floor = model.value(theta) - critical(independent) ** 2 / 2 * inflation
    losses = []
    for step in range(tree.steps):
        member = tree.of_step(step)
        low, high = (_end(model, theta, sign * member, floor, bounds) for sign in (-1.0, 1.0))
        losses.append((_share(float(member @ theta)), _share(abs(low)), _share(high)))
    return TreeEstimate(tree, theta, tuple(losses))


def _share(value: float) -> float:
    """Without what the search leaves beyond the digits that count; all there is to lose is 1."""
    return 1.0 if value >= MOST_LOST - 1e-6 else round(value, SHARP)


def likeliest(model: TreeLikelihood, most_slips: float = 1.0, start: Sequence[float] = ()) -> Floats:
    """The most likely parameters, from what the steps say and from the middle."""
    tree = model.tree
    starts = [_start(tree, start), _start(tree, ()), *([_start(tree, start, 0.3)] if tree.nested else [])]
    return best(model, bounds_of(tree, most_slips), starts)


def critical(independent: float) -> float:
    """How many standard errors make an interval, for so many independent items."""
    return float(np.sqrt(WIDER) * scipy.special.stdtrit(max(independent - 1, 1), 0.975))


# Search


Bounds = list[tuple[float, float]]


def bounds_of(tree: Tree, most_slips: float = 1.0) -> Bounds:
    slips = min(most_slips, 0.999)
    losses = [(0.0, slips if part.kind == "slip" else 1.0) for part in tree.parts]
    return [*losses, *[(0.0, 1.0)] * (tree.size - len(losses))]


def _start(tree: Tree, losses: Sequence[float], whole: float = 0.9) -> Floats:
    """What the steps say, each loss spread over its parts, a little away from the edges."""
    even = np.full(len(tree.parts), 0.5 / len(tree.parts))
    if len(losses):
        split = [losses[part.step] / sum(other.step == part.step for other in tree.parts) for part in tree.parts]
        even = 0.9 * np.clip(split, 0, 1) + 0.1 * even
    return np.concatenate([even, [whole] if tree.nested else [], np.full(len(tree.yields), 0.9)])


def best(
    model: TreeLikelihood, bounds: Bounds, starts: Sequence[Floats], fixed: tuple[Floats, float] | None = None
) -> Floats:
    """The most likely parameters within the bounds; `fixed`: a combination of them that must have this value."""
    tree, items = model.tree, model.patterns.items
    losses = np.array([1.0] * len(tree.parts) + [0.0] * (tree.size - len(tree.parts)))
    constraints = [{"type": "ineq", "fun": lambda x: MOST_LOST - losses @ x, "jac": lambda x: -losses}]
    if fixed:
        constraints.append({"type": "eq", "fun": lambda x: fixed[0] @ x - fixed[1], "jac": lambda x: fixed[0]})
    found = []
    for start in starts:
        result = scipy.optimize.minimize(
            lambda x: -model.value(x) / items,
            _inside(tree, start, bounds),
            jac=lambda x: -model.slope(x) / items,
            bounds=bounds,
            constraints=constraints,
            method="SLSQP",
            options={"maxiter": 200, "ftol": 1e-12},
        )  # type: ignore[call-overload]
        found.append(_inside(tree, np.asarray(result.x), bounds))
    return max(found, key=model.value)


def _inside(tree: Tree, theta: Floats, bounds: Bounds) -> Floats:
    low, high = np.array(bounds).T
    inside = np.clip(np.nan_to_num(theta), low, high)
    losses = inside[: len(tree.parts)]
    losses *= min(1.0, MOST_LOST / max(float(losses.sum()), 1e-12))
    return np.asarray(inside)


def _end(model: TreeLikelihood, theta: Floats, towards: Floats, floor: float, bounds: Bounds) -> float:
    """How far one can go in a direction among the parameters that are likely enough.

    The profile falls on either side of the best, so there is one place where it crosses the floor.
    """
    near, far = float(towards @ theta), _limit(towards, bounds)
    top = model.value(theta)
    wanted = float(np.sqrt(top - floor))

    def depth(value: float, start: Floats) -> tuple[float, Floats]:
        """How far the profile lies below the best, as a root: nearly a straight line in the value."""
        found = best(model, bounds, [_moved(model.tree, start, towards, value)], (towards, value))
        if abs(towards @ found - value) > 1e-6:
            return float("inf"), start
        return float(np.sqrt(max(top - model.value(found), 0.0))), found

    here, limit, start = near, far, theta
    below, above = 0.0, float("inf")
    tried = min(near + FIRST, far)
    while far - near > CLOSE:
        deep, found = depth(tried, start)
        if abs(deep - wanted) < 1e-6 or (deep < wanted and tried >= limit):
            return tried
        if deep < wanted:
            near, below, start = tried, deep, found
        else:
            far, above = tried, deep
        if np.isfinite(above):
            # A straight line through both ends, kept off them so that either end moves.
            at = float(np.clip((wanted - below) / max(above - below, 1e-12), 0.02, 0.98))
            tried = near + at * (far - near)
        elif deep < wanted:
            # Nothing beyond is known yet: the line from the best on, and a little more.
            tried = min(here + 1.1 * (near - here) * max(wanted / max(below, 1e-9), 1.2), limit)
        else:
            tried = (near + far) / 2
    return (near + far) / 2


def _limit(towards: Floats, bounds: Bounds) -> float:
    """The furthest that bounds allow."""
    if (towards < 0).any():
        return 0.0
    return min(MOST_LOST, float(sum(weight * high for weight, (_, high) in zip(towards, bounds, strict=True))))


def _moved(tree: Tree, theta: Floats, towards: Floats, value: float) -> Floats:
    """The parameters with a combination of losses at another value, the others making room if they must."""
    moved = theta.copy()
    losses = moved[: len(tree.parts)]
    own = towards[: len(tree.parts)] != 0
    weights = towards[: len(tree.parts)][own]
    losses[own] += (value - towards @ theta) * weights / (weights**2).sum()
    room = max(MOST_LOST - float(losses[own].sum()), 0.0)
    losses[~own] *= min(1.0, room / max(float(losses[~own].sum()), 1e-12))
    return np.asarray(moved)
