"""The processing tree that a ladder implies, fitted to the joint pattern of every item over all rungs.

A **unit** is an item under one condition (a target, a caption that is given): what is asked on every rung. Units of an
item are nested in it. A fault strikes a whole item or, in a `nested` tree, also one of its units and not another. A
unit that fails at a step is guessed on from there. Each call may slip; a slip is a guess. A unit that is answered by
habit is wrong for sure where the habit is gone against, unless it slips.

The parameters are the losses themselves, one for each step, which sum to what is not right, and how much of what is
lost strikes whole items. An item that is solved in words *and* missed in pictures says more than two averages do: so
the tree needs fewer items than the steps. It refines the steps and never overrules them (see `case`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snellen.analysis.estimates import Floats

Ints = NDArray[np.int64]
RIGHT, WRONG, MISSING = 1, 0, -1
LEAST = 1e-12
"""No pattern is impossible: a share of this size keeps logarithms finite."""


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
    def struck(self) -> NDArray[np.bool_]:
        """Fates (each part, and last none) x rungs: whether a fate has struck."""
        return np.array([*self.falls, [False] * len(self.falls[0])])

    def shares(self, theta: Floats) -> tuple[Floats, Floats]:
        """How many items have each fate as a whole (the last: none), and how many units of those that have none."""
        whole, single = np.empty(len(self.own) + 1), np.zeros(len(self.own) + 1)
        lost = theta.take(self.own) / (1 - self.slips(theta))
        if self.nested:
            np.multiply(lost, theta[len(self.parts)], out=whole[:-1])
            spared = 1 - whole[:-1].sum()
            np.divide(lost - whole[:-1], spared + LEAST, out=single[:-1])
        else:
            whole[:-1] = lost
            spared = 1 - lost.sum()
        whole[-1], single[-1] = spared, 1 - single[:-1].sum()
        return whole, single

    def slips(self, theta: Floats) -> float:
        """How often a call slips."""
        return float(theta[self.slip]) if self.slip is not None else 0.0

    def answers(self, theta: Floats, luck: Floats) -> Floats:
        """How likely a right answer is: fates x levels of luck x rungs."""
        slip = self.slips(theta)
        habitual = slip * luck
        by_rung = np.repeat((1 - slip + habitual)[:, None], len(self.falls[0]), axis=1)
        for k, rung in enumerate(self.yields, self.size - len(self.yields)):
            by_rung[:, rung] = (1 - slip) * theta[k] + habitual
        kinds = [*(self.parts[k].kind for k in self.own), "none"]
        after = np.array([habitual if kind == "habit" else luck for kind in kinds])
        return np.where(self.struck[:, None], after[..., None], by_rung)


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
    kinds, lucks, places = alike(outcomes, luck)
    return Patterns(kinds, lucks, np.bincount(places, weights=count).astype(np.float64))


def alike(outcomes: Ints, luck: Floats) -> tuple[Ints, Floats, NDArray[np.intp]]:
    """The distinct patterns, ignoring the order of units; the luck of each; for every row the index of its pattern."""
    items, units, rungs = outcomes.shape
    codes = (outcomes + 1) @ 3 ** np.arange(rungs)
    order = np.argsort(codes, axis=1, kind="stable")
    flat = np.take_along_axis(outcomes, order[:, :, None], axis=1).reshape(items, -1)
    kinds, places = np.unique(np.column_stack([flat.astype(np.float64), luck]), axis=0, return_inverse=True)
    return kinds[:, :-1].astype(np.int64).reshape(-1, units, rungs), kinds[:, -1], np.ravel(places)
