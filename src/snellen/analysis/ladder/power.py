"""How small a fault an exam can find: the one definition of power, for `--dry-run` and for every verdict.

**Power** is the probability that a fault on a given share of the items is named, in a subject without other faults.
It is computed for a design, not for answers: the rungs, units and options of the exam as it was (or will be) asked.
The likelihood ratio of "this much is lost" against "no more than would be named" over all patterns that a subject with
the fault would show, each with its probability, is what the test statistic is expected to be; it varies by one standard
error around that. `python -m bench power` holds it against simulated exams.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.fitting import FEW, best, bounds_of, critical
from snellen.analysis.ladder.likelihood import TreeLikelihood
from snellen.analysis.ladder.tree import MISSING, RIGHT, Ints, Patterns, Tree, alike

Bools = NDArray[np.bool_]
POWER = 0.9
RARE = 1e-4
"""Patterns that fewer items than this are expected to show say nothing and cost time."""
SLIPS = 0.002
"""A subject without fault slips in so many calls: none at all would make a single wrong answer decide everything."""


@dataclass(frozen=True, slots=True)
class TreeDesign:
    """What is asked, as the tree sees it: ways of asking an item (ways x units x rungs: asked or not), the luck of
    each, how many items are asked so, and how many of them make one independent observation."""

    tree: Tree
    asked: Floats
    luck: Floats
    count: Floats
    inflation: float = 1.0

    @property
    def independent(self) -> float:
        return float(self.count.sum()) / self.inflation


def design_of(tree: Tree, patterns: Patterns, inflation: float) -> TreeDesign:
    """The design of items that were asked."""
    asked = (patterns.outcomes != MISSING).astype(np.float64)
    flat = np.column_stack([asked.reshape(len(asked), -1), patterns.luck])
    ways, places = np.unique(flat, axis=0, return_inverse=True)
    count = np.bincount(np.ravel(places), weights=patterns.count).astype(np.float64)
    return TreeDesign(tree, ways[:, :-1].reshape(-1, *asked.shape[1:]), ways[:, -1], count, inflation)


class _Fault:
    """A fault at a step, and every pattern that a subject with it may show: the same ones, however large it is."""

    def __init__(self, design: TreeDesign, step: int) -> None:
        self.design, self.step = design, step
        ways = zip(design.asked > 0, design.luck, strict=True)
        rows = [(own := _patterns(design.tree, asked, step), np.full(len(own), luck)) for asked, luck in ways]
        self._models = [TreeLikelihood(design.tree, Patterns(*own, np.ones(len(own[1])))) for own in rows]
        self._kinds, self._lucks, self._places = alike(*map(np.concatenate, zip(*rows, strict=True)))

    def expected(self, theta: Floats) -> Patterns:
        """The patterns, with how many items are expected to show each."""
        chances = [model.chances(theta) for model in self._models]
        counts = [own / own.sum() * items for own, items in zip(chances, self.design.count, strict=True)]
        count = np.bincount(self._places, weights=np.concatenate(counts)).astype(np.float64)
        kept = count > RARE
        return Patterns(self._kinds[kept], self._lucks[kept], count[kept])


def smallest_fault(design: TreeDesign, step: int, above: float, least: float) -> float | None:
    """The smallest fault at a step that is found with 90 % power, a share of the items in whole percent; None if none
    is. A fault is named if its interval lies above the share `above` and its estimate reaches `least`."""
    if design.independent < FEW:
        return None
    wanted, fault = float(scipy.special.ndtri(POWER)), _Fault(design, step)
    low, high = least, 0.99
    below, beyond = -wanted, _margin(fault, high, above, least)
    if beyond < wanted:
        return None
    while high - low > 0.005:
        # Margins grow about in proportion to the size: a straight line finds the place in a few steps.
        at = np.clip((wanted - below) / max(beyond - below, 1e-9), 0.1, 0.9)
        middle = low + float(at) * (high - low)
        margin = _margin(fault, middle, above, least)
        if abs(margin - wanted) < 0.01:
            high = middle
            break
        low, below, high, beyond = (middle, margin, high, beyond) if margin < wanted else (low, below, middle, margin)
    return float(np.ceil(100 * high - 0.25)) / 100


def smallest_by_step(units: int, above: float, least: float) -> float | None:
    """The same where the tree is not used, for a paired step of so many units and no luck in it."""
    if units < FEW:
        return None
    sizes = (points / 100 for points in range(1, 101))
    return next((size for size in sizes if power_by_step(units, size, above, least) >= POWER), None)


def power_by_step(units: int, size: float, above: float, least: float) -> float:
    """How likely a fault of this size is named by the step alone: every number of lost units with its probability, and
    whether the step's interval (Bonett and Price) would lie high enough."""
    lost = np.arange(units + 1)
    middle = lost / (units + 2)
    error = np.sqrt((lost + 2 - (units + 2) * middle**2) / (units + 1) / (units + 2))
    low = np.minimum(middle - float(scipy.special.stdtrit(units + 1, 0.975)) * error, lost / units)
    named = (low > above) & (lost / units >= least - 1e-9)
    return float(scipy.special.bdtrc(int(np.argmax(named)) - 1, units, size)) if named.any() else 0.0


def power(design: TreeDesign, step: int, size: float, above: float, least: float) -> float:
    """How likely a fault of this size is named."""
    return float(scipy.special.ndtr(_margin(_Fault(design, step), size, above, least)))


def _margin(fault: _Fault, size: float, above: float, least: float) -> float:
    """By how many standard errors a fault of this size is expected to be named."""
    design, step = fault.design, fault.step
    theta = _planted(design.tree, step, min(size, 0.99))
    # Of the rarest patterns none are counted: the parameters that fit the others best are not quite those planted.
    model = TreeLikelihood(design.tree, fault.expected(theta))
    theta = best(model, bounds_of(design.tree), [np.clip(theta, 0.001, 0.98)])
    by_interval = _errors_from(design, model, theta, step, above) - critical(design.independent)
    return by_interval if size > 2 * least else min(by_interval, _errors_from(design, model, theta, step, least))


def _errors_from(design: TreeDesign, model: TreeLikelihood, theta: Floats, step: int, value: float) -> float:
    """How many standard errors the fault is expected to lie above this value."""
    tree = design.tree
    member = tree.of_step(step)
    size = float(member @ theta)
    start = np.clip(theta * np.where(member > 0, value / size, 1.0), 0.005, 0.98)
    other = best(model, bounds_of(tree), [start], (member, value))
    ratio = 2 * max(model.value(theta) - model.value(other), 0.0) / design.inflation
    return float(np.sign(size - value) * np.sqrt(ratio))


def _planted(tree: Tree, step: int, size: float) -> Floats:
    """A subject with one fault, on whole items."""
    theta = np.concatenate([np.zeros(len(tree.parts)), np.ones(tree.size - len(tree.parts))])
    if tree.slip is not None:
        theta[tree.slip] = SLIPS
    own = np.flatnonzero(tree.of_step(step))
    # Of a step that adds several faculties the last part is the harder to find.
    theta[own[-1]] = size
    return theta


def _patterns(tree: Tree, asked: Bools, step: int) -> Ints:
    """All patterns of an item that is right wherever the fault does not strike."""
    part = tree.parts[int(np.flatnonzero(tree.of_step(step))[-1])]
    struck = asked.copy()
    if part.kind != "slip":
        struck &= np.array(tree.falls[tree.own.index(tree.parts.index(part))])
    cells = np.argwhere(struck)
    rows = np.repeat(np.where(asked, RIGHT, MISSING)[None], 2 ** len(cells), axis=0)
    bits = (np.arange(len(rows))[:, None] >> np.arange(len(cells))) & 1
    rows[:, cells[:, 0], cells[:, 1]] = bits
    return rows
