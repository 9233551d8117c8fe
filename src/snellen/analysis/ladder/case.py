"""All the evidence about one subject on one ladder: rungs, steps, tree, losses, leanings. The verdict rests on it."""

from dataclasses import dataclass
from itertools import takewhile

import numpy as np
import polars as pl

from snellen.analysis.blocks import Loss, RungScore, Value, scaled
from snellen.analysis.estimates import accuracy, percent, wilson
from snellen.analysis.ladder.climb import Climb, Stand
from snellen.analysis.ladder.leaning import Leaning, leanings
from snellen.analysis.ladder.promise import SHOWN, smallest_by_step, smallest_by_tree
from snellen.analysis.ladder.steps import Easier, Step, step_loss, steps_of
from snellen.analysis.ladder.tree import Fit, fit, patterns_of

FORM = "form"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A step whose loss the tree puts elsewhere than the step itself does."""

    faculties: tuple[str, ...]
    step: Value
    tree: Value


@dataclass(frozen=True, slots=True)
class Case:
    """One subject's evidence. `losses` and `right` add up to one; `unread`: the share of replies to the item as it is
    that could not be read."""

    climb: Climb
    rungs: tuple[RungScore, ...]
    steps: tuple[Step, ...]
    easier: tuple[Easier, ...]
    tree: Fit | None
    losses: tuple[Loss, ...]
    right: Value
    beside: tuple[Loss, ...]
    leanings: tuple[Leaning, ...]
    disagreements: tuple[Disagreement, ...]
    unread: float

    @property
    def top(self) -> Stand | None:
        return self.climb.line[-1] if self.climb.line else None

    @property
    def items(self) -> int:
        return len(self.climb.items)


def case_of(climb: Climb, seed: int) -> Case:
    """The evidence of one climb."""
    steps = steps_of(climb, seed)
    inflation = len(climb.items) / max(len(np.unique(climb.clusters)), 1)
    found = tuple(leanings(climb))
    luck = float(climb.luck.mean()) if len(climb.luck) else 0.0
    # A rung that is not for all items repeats answers of the rung below; a tree would count them twice.
    joint = tuple(takewhile(lambda step: step.upper.for_all, steps.steps))
    line = steps.line[: len(joint)]
    tree = fit(joint, line, climb.luck, inflation, seed) if len(joint) > 1 and not found else None
    used = tree if tree and tree.fits else None
    apart = _disagreements(joint, used)
    shares = [step.loss for step in steps.steps]
    smallest: list[float | None] = [smallest_by_step(step, luck) for step in steps.steps]
    if used and not apart:
        shares[: len(joint)] = [_by_tree(used, k, step) for k, step in enumerate(joint)]
        smallest[: len(joint)] = smallest_by_tree(used, patterns_of(line, climb.luck), inflation)
    unread = _unread(climb)
    losses = [
        _loss(step, share, size, 1 - (unread.value or 0.0))
        for step, share, size in zip(steps.steps, shares, smallest, strict=True)
    ]
    if unread.value:
        losses.insert(0, Loss((FORM,), unread, unread, "", climb.line[-1].rung.name, None, _above(unread)))
    return Case(
        climb=climb,
        rungs=tuple(_score(climb, stand, seed) for stand in climb.stands),
        steps=steps.steps,
        easier=steps.easier,
        tree=used,
        losses=tuple(losses),
        right=_right(losses),
        beside=tuple(_beside(climb, seed)),
        leanings=found,
        disagreements=apart,
        unread=unread.value or 0.0,
    )


def _above(share: Value) -> bool:
    return share.low is not None and share.low > SHOWN


def _by_tree(tree: Fit, k: int, step: Step) -> Value:
    value, low, high = tree.losses[k]
    return Value(value, low, high, step.loss.n)


def _loss(step: Step, share: Value, smallest: float | None, readable: float) -> Loss:
    """A step's loss among all replies; a fault is shown only if the step itself points that way."""
    shown = _above(share) and step.raw > 0
    lower = step.lower.rung.name if step.lower else ""
    return Loss(
        step.faculties, scaled(share, readable), step.loss, lower, step.upper.rung.name, step.p, shown, smallest
    )


def _right(losses: list[Loss]) -> Value:
    """What is left."""
    if not losses or any(loss.share.value is None for loss in losses):
        return Value(None)
    return Value(max(0.0, 1 - sum(loss.share.value or 0.0 for loss in losses)))


def _disagreements(steps: tuple[Step, ...], tree: Fit | None) -> tuple[Disagreement, ...]:
    """Steps whose interval and the tree's have nothing in common."""
    if tree is None:
        return ()
    apart = []
    for k, step in enumerate(steps):
        by_tree = _by_tree(tree, k, step)
        if step.loss.low is None or step.loss.high is None or by_tree.low is None or by_tree.high is None:
            continue
        if by_tree.low > step.loss.high or by_tree.high < step.loss.low:
            apart.append(Disagreement(step.faculties, step.loss, by_tree))
    return tuple(apart)


def _unread(climb: Climb) -> Value:
    """The share of replies to the item as it is that could not be read."""
    if not climb.line:
        return Value(None)
    trials = climb.line[-1].trials
    lost = int((trials["outcome"] == "unread").sum())
    items = trials["cluster"].n_unique()
    if not trials.height:
        return Value(None)
    low, high = wilson(lost / trials.height, items)
    return Value(lost / trials.height, low, high, trials.height) if lost else Value(0.0, 0.0, high, trials.height)


def _score(climb: Climb, stand: Stand, seed: int) -> RungScore:
    estimate = accuracy(stand.trials.with_columns(rung=pl.lit(stand.rung.name)), ["rung"], seed)[0]
    chance = 100 * float(climb.luck.mean()) if len(climb.luck) else 0.0
    unread = 100 * (estimate["unread_rate"] or 0.0)
    rung = stand.rung
    return RungScore(rung.name, rung.about, rung.demands, percent(estimate), unread, chance, rung.on_line)


def _beside(climb: Climb, seed: int) -> list[Loss]:
    """Losses to rungs beside the line, each from the rung that demands all but one of its faculties."""
    losses = []
    for upper in climb.beside:
        lower = _one_below(climb, upper)
        if lower is None:
            continue
        (faculty,) = set(upper.rung.demands) - set(lower.rung.demands)
        share, p = step_loss(climb, lower, upper, seed, by_habit=faculty == "habit")
        if share.value is not None:
            plain = Value(max(share.value, 0.0), max(share.low or 0.0, 0.0), max(share.high or 0.0, 0.0), share.n)
            shown = _above(share) and faculty == "saying"
            losses.append(Loss((faculty,), plain, share, lower.rung.name, upper.rung.name, p, shown))
    return losses


def _one_below(climb: Climb, upper: Stand) -> Stand | None:
    wanted = set(upper.rung.demands)
    for lower in (*climb.line, *climb.beside):
        demands = set(lower.rung.demands)
        if demands < wanted and len(wanted - demands) == 1:
            return lower
    return None
