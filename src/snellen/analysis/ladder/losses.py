"""From shares to losses that add up: what is lost to whom, of all items, and what is right.

- `solved` at a rung is the share solved among the units that could be read there; a step loses the difference.
- Replies that could not be read are lost to *form* (or *refusal*) at the rung where they begin, out of what was solved
  below it; the losses of the rungs from there on are shares of what can be read.
- A leaning takes from attention and thinking what is its own.
- A habit is charged with no more than its signature shows; the rest of its step is not told apart.
- A rung that not all items have loses a share of those that do (`Loss.among`), and counts with their weight.
- A rung with next to no reply that could be read tests nothing: its faculties have no number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from snellen.analysis.blocks import Loss, Value, scaled
from snellen.analysis.estimates import wilson
from snellen.analysis.ladder.habit import Signature
from snellen.analysis.ladder.joint import SHOWN_LOW, SHOWN_SIZE
from snellen.analysis.ladder.leaning import LeaningLoss
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.analysis.ladder.steps import Step, added

NEXT_TO_NOTHING, PRINTED = 0.02, 0.005
FORM, REFUSAL, LEANING = "form", "refusal", "leaning"


@dataclass(frozen=True, slots=True)
class Charge:
    """What one step is charged with, among the units that can be read: its share, and the smallest fault that would
    have been found. `weight`: the share of the items that have the rung."""

    step: Step
    share: Value
    smallest: float | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Unread:
    """Replies that could not be read, added up along the line: shares of all items."""

    shares: dict[str, float] = field(default_factory=dict)
    at: dict[str, RungResult] = field(default_factory=dict)
    """The rung where most of them begin."""


def with_leaning(charges: Sequence[Charge], leaning: LeaningLoss | None) -> list[Charge]:
    """The charges less what is a leaning's own; nothing is known of anything else where it hides all."""
    if leaning is None:
        return list(charges)
    if leaning.hides_all:
        return [replace(charge, share=Value(None)) for charge in charges]
    kept = len(leaning.rest)
    rest = [replace(charge, share=share) for charge, share in zip(charges[:kept], leaning.rest, strict=True)]
    return [*rest, *charges[kept:]]


def with_signature(charges: Sequence[Charge], signature: Signature | None) -> list[Charge]:
    """The charges with a habit that its signature supports.

    Step and signature measure the same thing in two ways: where they agree, the habit is the mean of both. Where the
    signature falls short of the step, something else is lost there, too, and no rung says what: the rest is a charge of
    its own, to the faculty of the step below or to habit. Where it goes beyond the step, most of what is answered by
    habit was not solved below either: the habit is charged with the step.
    """
    if signature is None or len(charges) < 2 or charges[-1].step.faculties != ("habit",):
        return list(charges)
    *lower, habit = charges
    step, excess = habit.share, signature.excess
    if step.value is None or step.low is None or step.high is None or excess.value is None or excess.high is None:
        return list(charges)
    if signature.shows_habit and excess.high >= step.value:
        agree = (excess.low or 0.0) <= step.high
        return [*lower, replace(habit, share=_at_most(_mean(step, excess), lower) if agree else step)]
    narrowest = step.high - step.value
    own = min(max(excess.value, 0.0), step.value) if signature.supported is not False else 0.0
    low = min(max(excess.low or 0.0, 0.0), own) if signature.shows_habit else 0.0
    kept = Value(own, low, min(max(excess.high, own + narrowest), 1.0), step.n)
    rest = step.value - own
    if rest < NEXT_TO_NOTHING:
        return [*lower, replace(habit, share=kept)]
    left = Value(rest, max(step.low - own, 0.0), min(step.high - own, 1.0), step.n)
    together = replace(habit.step, faculties=(*lower[-1].step.faculties, "habit"))
    return [*lower, replace(habit, step=together, share=left), replace(habit, share=kept)]


def _at_most(share: Value, lower: Sequence[Charge]) -> Value:
    """The share, kept to what is not lost below."""
    left = max(1 - sum(charge.share.value or 0.0 for charge in lower), 0.0)
    return Value(min(share.value or 0.0, left), min(share.low or 0.0, left), share.high, share.n)


def _mean(one: Value, other: Value) -> Value:
    value, low, high = (((getattr(one, e) or 0.0) + (getattr(other, e) or 0.0)) / 2 for e in ("value", "low", "high"))
    return Value(min(max(value, 0.0), 1.0), max(low, 0.0), min(high, 1.0), one.n)


def losses_of(
    result: LadderResult, charges: Sequence[Charge], leaning: LeaningLoss | None, untested: Sequence[RungResult]
) -> list[Loss]:
    """Every loss as a share of all items: unread replies first, then leaning, then the steps."""
    shares = [charge.share.value or 0.0 for charge in charges]
    lean = leaning.total.value or 0.0 if leaning else 0.0
    lost: dict[str, float] = {}
    for charge, share in zip(charges, shares, strict=True):
        lost[charge.step.upper.rung.name] = lost.get(charge.step.upper.rung.name, 0.0) + share
    readable, unread = _reading(result, lost, lean)
    losses = [
        _unread_loss(result, kind, share, unread.at[kind]) for kind, share in unread.shares.items() if share > 1e-9
    ]
    if leaning:
        lowest = charges[0].step.upper if charges else result.line[0]
        total = scaled(leaning.total, readable.get(lowest.rung.name, 1.0))
        losses.append(Loss((LEANING,), total, leaning.total, "", leaning.leaning.rung, leaning.leaning.p))
    losses += [_step_loss(charge, readable[charge.step.upper.rung.name]) for charge in charges]
    losses += [_not_tested(result, rung) for rung in untested]
    losses = [replace(loss, share=_printed(loss.share), among=loss.among and _printed(loss.among)) for loss in losses]
    return [replace(loss, shown=is_shown(loss)) for loss in losses]


def _printed(share: Value) -> Value:
    """A lower end that prints as 0 is 0: what is said of an interval holds for the digits that are shown."""
    return replace(share, low=0.0) if share.low is not None and 0 < share.low < PRINTED else share


def right_of(losses: Sequence[Loss]) -> Value:
    """The share of items that is lost to nothing."""
    if all(loss.share.value is None for loss in losses):
        return Value(None)
    return Value(max(0.0, 1 - sum(loss.share.value or 0.0 for loss in losses)))


def is_shown(loss: Loss) -> bool:
    """Whether a loss is a fault: its interval lies above 1 of 100, it is 10 of 100 or more, and its own step points
    that way."""
    share = loss.among or loss.share
    if share.value is None or share.low is None or (loss.step.value is not None and loss.step.value <= 0):
        return False
    return bool(share.low > SHOWN_LOW and share.value >= SHOWN_SIZE)


def _step_loss(charge: Charge, readable: float) -> Loss:
    step, partial = charge.step, charge.weight < 1
    share = scaled(charge.share, readable)
    return Loss(
        faculties=step.faculties,
        share=scaled(share, charge.weight) if partial else share,
        step=step.measured,
        lower=step.lower.rung.name if step.lower else "",
        upper=step.upper.rung.name,
        p=step.p,
        smallest=charge.smallest,
        among=share if partial else None,
    )


def _not_tested(result: LadderResult, rung: RungResult) -> Loss:
    below = [lower for lower in result.line[: result.line.index(rung)] if lower.is_tested]
    lower = below[-1] if below else None
    return Loss(added(lower, rung), Value(None), Value(None), lower.rung.name if lower else "", rung.rung.name)


# Replies that could not be read


def _reading(result: LadderResult, lost: dict[str, float], lean: float) -> tuple[dict[str, float], Unread]:
    """The share of replies that can be read on each rung, and what is lost to those that cannot."""
    line = result.line
    shares = [float(rung.read.sum() / max(rung.asked.sum(), 1)) for rung in line]
    # What a higher rung shows can be read, a lower one could have been: only what lasts to the top is lost.
    whole = [share for share, rung in zip(shares, line, strict=True) if rung.for_all]
    lasting = [*np.maximum.accumulate(whole[::-1])[::-1].tolist(), *shares[len(whole) :]]
    readable, unread = {}, Unread()
    before, solved = 1.0, 1.0
    largest: dict[str, float] = {}
    for rung, kept in zip(line, lasting, strict=True):
        weight = float(rung.has.mean())
        drop = max(before - kept, 0.0) * solved * weight
        for kind, part in _kinds(rung).items():
            unread.shares[kind] = unread.shares.get(kind, 0.0) + drop * part
            if drop * part > largest.get(kind, 0.0):
                largest[kind], unread.at[kind] = drop * part, rung
        readable[rung.rung.name] = min(kept, before)
        before, solved, lean = min(kept, before), solved - lost.get(rung.rung.name, 0.0) - lean, 0.0
    return readable, unread


def _kinds(rung: RungResult) -> dict[str, float]:
    """How unread replies on a rung divide into refusals and others."""
    unread = float(rung.asked.sum() - rung.read.sum())
    refused = float(rung.refused.sum()) / unread if unread else 0.0
    return {REFUSAL: refused, FORM: 1 - refused}


def _unread_loss(result: LadderResult, kind: str, share: float, rung: RungResult) -> Loss:
    """An unread share with Wilson's interval at the number of clusters."""
    asked = rung.asked > 0
    n = len(np.unique(result.clusters[asked]))
    count = rung.refused if kind == REFUSAL else rung.asked - rung.read - rung.refused
    rate = float(count.sum() / rung.asked.sum())
    low, high = (share * end / rate for end in wilson(rate, n))
    value = Value(share, min(low, share), min(max(high, share), 1.0), int(rung.asked.sum()))
    return Loss((kind,), value, value, "", rung.rung.name)
