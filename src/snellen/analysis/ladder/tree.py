"""The processing tree that a ladder implies, fitted to the joint pattern of every item over all rungs.

A **unit** is an item under one condition (a target, a caption that is given): what is asked on every rung. Units of an
item are nested in it. A fault strikes a whole item or, in a `nested` tree, also one of its units and not another. A
unit that fails at a step is guessed on from there. Each call may slip; a slip is a guess. A unit that is answered by
habit is wrong for sure where the habit is gone against, unless it slips.

The parameters are the losses themselves, one for each step, which sum to what is not right, and how much of what is
lost strikes whole items. An item that is solved in words *and* missed in pictures says more than two averages do: so
the tree needs fewer items than the steps. It refines the steps and never overrules them (see `case`).

**Estimates** maximise the likelihood. **Intervals** hold the values whose profile likelihood falls short of the best by
less than WIDER x t^2 / 2 x inflation. Both are found by constrained optimisation, ends by following the profile to
where it crosses the floor: the same counts give the same digits whatever machine, kernel or number of threads.
**Inflation** is the number of items in a cluster (repeated samples of an item are items of one cluster).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from snellen.analysis.estimates import Floats

Ints = NDArray[np.int64]
RIGHT, WRONG, MISSING = 1, 0, -1
FEW = 8
WIDER = 1.1
"""The usual amount is right for many items; with tens of them intervals must be this much more generous to hold."""
LEAST = 1e-12
"""No pattern is impossible: a share of this size keeps logarithms finite."""
MOST_LOST = 1 - 1e-4
SHARP = 6
"""Decimals of a share: what a search leaves beyond them is noise."""
FIRST = 0.1
CLOSE = 2e-5
"""Ends of intervals are found to this share of the items."""


@dataclass(frozen=True, slots=True)
class TreeLoss:
    """One loss. `kind`: slip (of a call), fail (from a rung on), or habit (wrong for sure)."""

    kind: str
    step: int


@dataclass(frozen=True)
class Patterns:
    """Items alike in all that matters, counted. `outcomes`: right, wrong or missing (patterns x units x rungs)."""

    outcomes: Ints
    luck: Floats
    count: Floats
    counts: "dict[Tree, _Counts]" = field(default_factory=dict, repr=False, compare=False)

    @property
    def items(self) -> float:
        return float(self.count.sum())

    @cached_property
    def lucks(self) -> Floats:
        return np.unique(self.luck)

    @cached_property
    def units(self) -> "_Units":
        """Units are few of a kind: each kind is computed once."""
        patterns, units, rungs = self.outcomes.shape
        luck = np.repeat(np.searchsorted(self.lucks, self.luck), units)
        table = np.column_stack([self.outcomes.reshape(-1, rungs), luck])
        kinds, places = np.unique(table, axis=0, return_inverse=True)
        right, wrong = (kinds[:, :-1] == outcome for outcome in (RIGHT, WRONG))
        return _Units(right.astype(np.float64), wrong.astype(np.float64), kinds[:, -1], places.reshape(patterns, units))


class _Units(NamedTuple):
    """Kinds of units x rungs: whether right, whether wrong; the place of each kind's luck; patterns x units: kinds."""

    right: Floats
    wrong: Floats
    luck: Ints
    places: Ints


@dataclass(frozen=True)
class Tree:
    """The tree of a line of rungs and of rungs beside it that it takes in. `falls`: for each part that strikes items or
    units, the rungs it makes a guess of. `yields`: the rungs beside the line that go against a habit of their own.

    Parameters: the loss of each part; if nested, how much of what is lost (but to slips) strikes whole items; for each
    of `yields` how often it is answered right by who has all else it demands.
    """

    parts: tuple[TreeLoss, ...]
    falls: tuple[tuple[bool, ...], ...]
    yields: tuple[int, ...] = ()
    nested: bool = True
    """Whether items have several units; else a loss cannot strike one and not another."""

    def of_step(self, step: int) -> Floats:
        """Which parameters add up to a step's loss."""
        return np.array([*(float(part.step == step) for part in self.parts), *[0.0] * (self.size - len(self.parts))])

    @property
    def steps(self) -> int:
        return max(part.step for part in self.parts) + 1

    @cached_property
    def slip(self) -> int | None:
        return next((k for k, part in enumerate(self.parts) if part.kind == "slip"), None)

    @cached_property
    def own(self) -> tuple[int, ...]:
        """The parts that strike items or units."""
        return tuple(k for k, part in enumerate(self.parts) if part.kind != "slip")

    @cached_property
    def size(self) -> int:
        return len(self.parts) + self.nested + len(self.yields)

    @cached_property
    def _falls(self) -> NDArray[np.bool_]:
        """Fates (each part, and last none) x rungs: whether a fate has struck."""
        return np.array([*self.falls, [False] * len(self.falls[0])])

    def shares(self, theta: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """How many items have each fate as a whole (the last: none), and how many units of those that have none."""
        slip = theta[:, [self.slip]] if self.slip is not None else np.zeros((len(theta), 1))
        lost = theta[:, list(self.own)] / (1 - slip)
        if not self.nested:
            spared = 1 - lost.sum(1, keepdims=True)
            return np.hstack([lost, spared]), np.hstack([np.zeros_like(lost), np.ones_like(spared)])
        whole = lost * theta[:, [len(self.parts)]]
        spared = 1 - whole.sum(1, keepdims=True)
        single = (lost - whole) / (spared + LEAST)
        return np.hstack([whole, spared]), np.hstack([single, 1 - single.sum(1, keepdims=True)])

    def answers(self, theta: NDArray[Any], luck: Floats) -> NDArray[Any]:
        """How likely a right answer is: parameters x fates x levels of luck x rungs."""
        slip = (theta[:, self.slip] if self.slip is not None else np.zeros(len(theta)))[:, None]
        habitual = slip * luck
        solved = 1 - slip + habitual
        lost = np.broadcast_to(luck, solved.shape)
        kinds = [*(self.parts[k].kind for k in self.own), "none"]
        after = np.stack([habitual if kind == "habit" else lost for kind in kinds], axis=1)
        by_rung = np.repeat(solved[:, :, None], len(self._falls[0]), axis=2)
        for k, rung in enumerate(self.yields, self.size - len(self.yields)):
            by_rung[:, :, rung] = (1 - slip) * theta[:, [k]] + habitual
        return np.where(self._falls[None, :, None, :], after[..., None], by_rung[:, None])

    def chances(self, theta: NDArray[Any], patterns: Patterns) -> NDArray[Any]:
        """The probability of each pattern under each row of parameters. Holds for complex parameters, too: a tiny
        imaginary part in one of them brings the derivative by it, exact to the last digit."""
        whole, single = self.shares(theta)
        each = self._of_kinds(theta, patterns)
        each[:, -1] = (single[:, :, None] * each).sum(1) if self.nested else each[:, -1]
        return np.asarray((whole[:, :, None] * each[:, :, patterns.units.places].prod(-1)).sum(1))

    def _of_kinds(self, theta: NDArray[Any], patterns: Patterns) -> NDArray[Any]:
        """The probability of each kind of unit: parameters x fates x kinds. Rungs that are alike in what decides the
        answer are counted first, so that a logarithm is taken once for all of them."""
        if self not in patterns.counts:
            patterns.counts[self] = self._counted(patterns)
        counts, kinds = patterns.counts[self], patterns.units.luck
        slip = (theta[:, self.slip] if self.slip is not None else np.zeros(len(theta)))[:, None]
        habitual = slip * patterns.lucks
        rights = [1 - slip + habitual]
        if counts.habitual:
            rights.append(habitual)
        rights += ((1 - slip) * theta[:, [k]] + habitual for k in range(self.size - len(self.yields), self.size))
        sums: NDArray[Any] = counts.guessed
        for right, (solved, missed) in zip(rights, counts.answered, strict=True):
            logs = np.log(right + LEAST)[:, None, kinds], np.log(1 - right + LEAST)[:, None, kinds]
            sums = sums + logs[0] * solved + logs[1] * missed
        return np.asarray(np.exp(sums))

    def _counted(self, patterns: Patterns) -> "_Counts":
        units, beside = patterns.units, list(self.yields)
        falls = self._falls.T.astype(np.float64)
        habit = np.array([*(self.parts[k].kind == "habit" for k in self.own), False])
        plain = 1 - falls
        plain[beside] = 0

        def count(rungs: Floats) -> tuple[Floats, Floats]:
            """Of each fate (the columns) and kind of unit, how many of these rungs are right and how many wrong."""
            return (units.right @ rungs).T, (units.wrong @ rungs).T

        answered = [count(plain)]
        if habit.any():
            answered.append(count(falls * habit))
        for rung in beside:
            only = np.zeros_like(falls)
            only[rung] = 1 - falls[rung]
            answered.append(count(only))
        luck = patterns.lucks[units.luck]
        right, wrong = count(falls * ~habit)
        guessed = right * np.log(luck + LEAST) + wrong * np.log(1 - luck + LEAST)
        return _Counts(guessed, tuple(answered), bool(habit.any()))


class _Counts(NamedTuple):
    """What patterns say to a tree, fates x kinds of units. `guessed`: the logarithm of how likely the guesses are;
    `answered`: how many rungs are right and wrong of those that are solved, then (if `habitual`) of those answered by
    habit, then of each of `yields`."""

    guessed: Floats
    answered: tuple[tuple[Floats, Floats], ...]
    habitual: bool


def tree_of(adds: Sequence[Sequence[str]], beside: Sequence[Sequence[str]] = (), *, nested: bool = True) -> Tree:
    """The tree of a line whose rungs add these faculties, and of rungs beside it that demand these. `nested`: whether
    items have several units."""
    parts: list[TreeLoss] = []
    falls: list[tuple[bool, ...]] = []
    for step, faculties in enumerate(adds):
        own = [faculty for faculty in faculties if faculty not in ("attention", "habit")]
        if "attention" in faculties:
            parts.append(TreeLoss("slip", step))
        if own:
            parts.append(TreeLoss("fail", step))
            falls.append((*_from(step, len(adds)), *(bool(set(own) & set(demands)) for demands in beside)))
        if "habit" in faculties:
            parts.append(TreeLoss("habit", step))
            falls.append((*_from(step, len(adds)), *(False for _ in beside)))
    yields = tuple(k for k, demands in enumerate(beside, len(adds)) if "habit" in demands)
    return Tree(tuple(parts), tuple(falls), yields, nested)


def _from(step: int, rungs: int) -> tuple[bool, ...]:
    return tuple(rung >= step for rung in range(rungs))


def patterns_of(outcomes: Ints, luck: Floats) -> Patterns:
    """Items (items x units x rungs) counted by pattern."""
    return merged(outcomes, luck, np.ones(len(luck)))


def merged(outcomes: Ints, luck: Floats, count: Floats) -> Patterns:
    """Patterns that are the same but for the order of their units, which says nothing, counted as one."""
    items, units, rungs = outcomes.shape
    codes = (outcomes + 1) @ 3 ** np.arange(rungs)
    order = np.argsort(codes, axis=1, kind="stable")
    flat = np.take_along_axis(outcomes, order[:, :, None], axis=1).reshape(items, -1)
    kinds, places = np.unique(np.column_stack([flat.astype(np.float64), luck]), axis=0, return_inverse=True)
    shaped = kinds[:, :-1].astype(np.int64).reshape(-1, units, rungs)
    return Patterns(shaped, kinds[:, -1], np.bincount(np.ravel(places), weights=count).astype(np.float64))


def likelihood(tree: Tree, patterns: Patterns, theta: Floats) -> float:
    """The log-likelihood of the parameters."""
    chances = tree.chances(theta[None], patterns)[0].real
    return float((np.log(np.maximum(chances, 0) + LEAST) * patterns.count).sum())


def slope(tree: Tree, patterns: Patterns, theta: Floats) -> Floats:
    """Its derivative by each parameter."""
    tiny = 1e-30
    points = theta.astype(np.complex128)[None] + 1j * tiny * np.eye(len(theta))
    chances = tree.chances(points, patterns)
    return np.asarray((chances.imag / tiny / (chances.real + LEAST) * patterns.count).sum(1))


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
    theta = likeliest(tree, patterns, most_slips, start)
    floor = likelihood(tree, patterns, theta) - critical(independent) ** 2 / 2 * inflation
    losses = []
    for step in range(tree.steps):
        member = tree.of_step(step)
        low, high = (_end(tree, patterns, theta, sign * member, floor, bounds) for sign in (-1.0, 1.0))
        losses.append((_share(float(member @ theta)), _share(abs(low)), _share(high)))
    return TreeEstimate(tree, theta, tuple(losses))


def _share(value: float) -> float:
    """Without what the search leaves beyond the digits that count; all there is to lose is 1."""
    return 1.0 if value >= MOST_LOST - 1e-6 else round(value, SHARP)


def likeliest(tree: Tree, patterns: Patterns, most_slips: float = 1.0, start: Sequence[float] = ()) -> Floats:
    """The most likely parameters, from what the steps say and from the middle."""
    starts = [_start(tree, start), _start(tree, ()), *([_start(tree, start, 0.3)] if tree.nested else [])]
    return best(tree, patterns, bounds_of(tree, most_slips), starts)


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
    tree: Tree, patterns: Patterns, bounds: Bounds, starts: Sequence[Floats], fixed: tuple[Floats, float] | None = None
) -> Floats:
    """The most likely parameters within the bounds; `fixed`: a combination of them that must have this value."""
    losses = np.array([1.0] * len(tree.parts) + [0.0] * (tree.size - len(tree.parts)))
    constraints = [{"type": "ineq", "fun": lambda x: MOST_LOST - losses @ x, "jac": lambda x: -losses}]
    if fixed:
        constraints.append({"type": "eq", "fun": lambda x: fixed[0] @ x - fixed[1], "jac": lambda x: fixed[0]})
    found = []
    for start in starts:
        result = scipy.optimize.minimize(
            lambda x: -likelihood(tree, patterns, x) / patterns.items,
            _inside(tree, start, bounds),
            jac=lambda x: -slope(tree, patterns, x) / patterns.items,
            bounds=bounds,
            constraints=constraints,
            method="SLSQP",
            options={"maxiter": 200, "ftol": 1e-12},
        )  # type: ignore[call-overload]
        found.append(_inside(tree, np.asarray(result.x), bounds))
    return max(found, key=lambda theta: likelihood(tree, patterns, theta))


def _inside(tree: Tree, theta: Floats, bounds: Bounds) -> Floats:
    low, high = np.array(bounds).T
    inside = np.clip(np.nan_to_num(theta), low, high)
    losses = inside[: len(tree.parts)]
    losses *= min(1.0, MOST_LOST / max(float(losses.sum()), 1e-12))
    return np.asarray(inside)


def _end(tree: Tree, patterns: Patterns, theta: Floats, towards: Floats, floor: float, bounds: Bounds) -> float:
    """How far one can go in a direction among the parameters that are likely enough.

    The profile falls on either side of the best, so there is one place where it crosses the floor.
    """
    near, far = float(towards @ theta), _limit(towards, bounds)
    top = likelihood(tree, patterns, theta)
    wanted = float(np.sqrt(top - floor))

    def depth(value: float, start: Floats) -> tuple[float, Floats]:
        """How far the profile lies below the best, as a root: nearly a straight line in the value."""
        found = best(tree, patterns, bounds, [_moved(tree, start, towards, value)], (towards, value))
        if abs(towards @ found - value) > 1e-6:
            return float("inf"), start
        return float(np.sqrt(max(top - likelihood(tree, patterns, found), 0.0))), found

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
