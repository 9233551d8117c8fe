"""All the evidence about one subject on one ladder: rungs, steps, tree, losses, leanings. The verdict rests on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from snellen.analysis.estimates import accuracy
from snellen.analysis.ladder.habit import Signature, signature_of
from snellen.analysis.ladder.joint import JointFit, joint_of, smallest_faults
from snellen.analysis.ladder.leaning import LeaningLoss, OptionLeaning, leaning_loss, leanings
from snellen.analysis.ladder.losses import (
    NEXT_TO_NOTHING,
    Charge,
    is_shown,
    losses_of,
    right_of,
    with_leaning,
    with_signature,
)
from snellen.analysis.ladder.perception import PerceptionSplit, perception_of, with_perception
from snellen.analysis.ladder.rungs import LadderResult, RungResult, luck
from snellen.analysis.ladder.sequential import sequential_losses
from snellen.analysis.ladder.steps import Harder, LadderStep, step_loss, steps_of, within
from snellen.analysis.ladder.where import DRAWS, FEWER_DRAWS, LossPlace, place_of, step_losses
from snellen.charts.blocks import Loss, RungScore, Value, percent
from snellen.sequential import SequentialResult


@dataclass(frozen=True, slots=True)
class LadderEvidence:
    """One subject's evidence. `losses` and `right` add up to one. `harder`: rungs that are harder than those above.
    `untested`: rungs that were asked, but not answered in a way that could be read. `tree`: the joint fit, used or
    not. `perception`: what perception questions say, where no rung tells thinking and eyes apart. `sequential`: what
    the losses rest on if the exam stopped when it knew."""

    result: LadderResult
    rungs: tuple[RungScore, ...]
    steps: tuple[LadderStep, ...]
    harder: tuple[Harder, ...]
    untested: tuple[RungResult, ...]
    tree: JointFit | None
    losses: tuple[Loss, ...]
    right: Value
    beside: tuple[Loss, ...]
    leanings: tuple[OptionLeaning, ...]
    leaning: LeaningLoss | None
    signature: Signature | None
    perception: PerceptionSplit | None = None
    place: LossPlace | None = None
    sequential: SequentialResult | None = None

    @property
    def items(self) -> int:
        """Independent items: repeated samples of one, and items of one cluster, count once."""
        return len(np.unique(self.result.clusters))

    @property
    def largest(self) -> Loss | None:
        """The largest loss that is a fault."""
        shown = [loss for loss in (*self.losses, *self.beside) if loss.shown]
        return max(shown, key=size_of, default=None)


def size_of(loss: Loss) -> float:
    """How large a loss is, among the items that can show it."""
    return (loss.among or loss.share).value or 0.0


def case_of(result: LadderResult, seed: int) -> LadderEvidence:
    """The evidence of one subject."""
    if (sequential := result.spec.sequential.get(result.subject)) is not None:
        return _sequential_case(result, sequential, seed)
    tested = [rung for rung in result.line if rung.is_tested]
    whole = [rung for rung in tested if rung.for_all]
    made = steps_of(result, whole, seed)
    found = tuple(leanings(result))
    leaning = leaning_loss(made.line, found)
    signature = signature_of(result, whole[-1], seed) if whole else None
    # The tree knows neither of leanings nor of signatures.
    tree = joint_of(result, made.steps, seed) if leaning is None and signature is None else None
    charges = with_signature(with_leaning(_charges(result, made.steps, tree), leaning), signature)
    perception = perception_of(result, charges, seed)
    charges = with_perception(charges, perception)
    if not (leaning and leaning.hides_all):
        charges += [_partial(result, whole, rung, seed) for rung in tested if not rung.for_all]
    untested = tuple(rung for rung in result.line if not rung.is_tested)
    above = [rung for rung in untested if not any(_is_above(result, other, rung) for other in tested)]
    losses = losses_of(result, charges, leaning, above)
    case = LadderEvidence(
        result=result,
        rungs=tuple(_score(rung, seed) for rung in (*result.rungs, *(perception.probes if perception else ()))),
        steps=tuple(charge.step for charge in charges),
        harder=made.harder,
        untested=untested,
        tree=tree,
        losses=tuple(losses),
        right=Value(None) if _hides_right(made.harder, result.line) else right_of(losses),
        beside=tuple(_beside(result, seed)),
        leanings=found,
        leaning=leaning,
        signature=signature,
        perception=perception,
    )
    return replace(case, place=_place(case, seed))


def _sequential_case(result: LadderResult, found: SequentialResult, seed: int) -> LadderEvidence:
    """The evidence of an exam that stopped when it knew: none of a fixed design, whose tests do not hold there."""
    unread = sum(float((rung.asked - rung.read).sum()) for rung in result.line)
    refused = sum(float(rung.refused.sum()) for rung in result.line)
    losses = sequential_losses(found, refused=refused > unread / 2)
    return LadderEvidence(
        result=result,
        rungs=tuple(_score(rung, seed) for rung in result.rungs),
        steps=(),
        harder=(),
        untested=(),
        tree=None,
        losses=tuple(losses),
        right=right_of(losses),
        beside=(),
        leanings=(),
        leaning=None,
        signature=None,
        sequential=found,
    )


def _is_above(result: LadderResult, one: RungResult, other: RungResult) -> bool:
    return result.line.index(one) > result.line.index(other)


def _hides_right(harder: Sequence[Harder], line: Sequence[RungResult]) -> bool:
    """Whether what is right with pictures is not known: none was shown, or a rung with pictures was left out."""
    left_out = any("eyes" in one.rung.rung.demands for one in harder)
    return left_out or not any("eyes" in rung.rung.demands for rung in line)


def _charges(result: LadderResult, steps: Sequence[LadderStep], tree: JointFit | None) -> list[Charge]:
    """What each step of a line is charged with: by the tree if it may be used, else by the step itself."""
    shares = tree.losses if tree and tree.is_used else tuple(step.loss for step in steps)
    smallest = smallest_faults(result, steps)
    return [Charge(step, share, size) for step, share, size in zip(steps, shares, smallest, strict=True)]


def _partial(result: LadderResult, line: Sequence[RungResult], rung: RungResult, seed: int) -> Charge:
    """What is lost at a rung that some items lack, among those that have it."""
    own = result.only(rung.has)
    kept = [other for other in own.line if other.rung.name in {below.rung.name for below in line}]
    upper = next(other for other in own.line if other.rung.name == rung.rung.name)
    steps = steps_of(own, [*kept, upper], seed).steps
    return replace(_charges(own, steps, joint_of(own, steps, seed))[-1], weight=float(rung.has.mean()))


def _score(rung: RungResult, seed: int) -> RungScore:
    estimate = accuracy(rung.trials.with_columns(rung=pl.lit(rung.rung.name)), ["rung"], seed)[0]
    chance = 100 * float(rung.trials.select(luck().mean()).item() or 0.0)
    unread = percent(estimate.unread_rate or 0.0)
    of = rung.rung
    return RungScore(of.name, of.about, of.demands, percent(estimate.noted), unread, chance, of.on_line)


def _beside(result: LadderResult, seed: int) -> list[Loss]:
    """Losses to rungs beside the line, each from the rung that demands all but one of its faculties."""
    losses = []
    for upper in result.beside:
        lower = _one_below(result, upper)
        if lower is None or not upper.is_tested:
            continue
        (faculty,) = set(upper.rung.demands) - set(lower.rung.demands)
        share, p = step_loss(result, lower, upper, seed, by_habit=faculty == "habit")
        if share.value is not None:
            loss = Loss((faculty,), within(max(share.value, 0.0), share), share, lower.rung.name, upper.rung.name, p)
            losses.append(replace(loss, shown=is_shown(loss) and faculty == "saying"))
    return losses


def _one_below(result: LadderResult, upper: RungResult) -> RungResult | None:
    wanted = set(upper.rung.demands)
    for lower in (*result.line, *result.beside):
        demands = set(lower.rung.demands)
        if lower.is_tested and demands < wanted and len(wanted - demands) == 1:
            return lower
    return None


def _place(case: LadderEvidence, seed: int) -> LossPlace | None:
    """Where the largest fault sits, if it is one of a step."""
    largest = case.largest
    parts = [step for step in case.steps if largest and step.upper.rung.name == largest.upper]
    step = next((part for part in parts if largest and part.faculties == largest.faculties), None)
    # Of a step that is divided the place of one part is known only if it is as good as all of it.
    if (
        largest is None
        or step is None
        or any((part.loss.value or 0) >= NEXT_TO_NOTHING for part in parts if part is not step)
    ):
        return None
    result = case.result
    if largest.among:
        result = result.only(next(rung.has for rung in result.line if rung.rung.name == largest.upper))
    losses = step_losses(result, step.lower, step.upper, step.faculties == ("habit",))
    return place_of(losses, seed, FEWER_DRAWS if result.has_very_many else DRAWS)
