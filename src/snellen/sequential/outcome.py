"""What a sequential test of a ladder found, as plain values for records, reports and terminals."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import exp
from typing import Any, NamedTuple

from snellen.sequential.design import Status
from snellen.sequential.interval import LEVEL, ConfidenceSequence, confidence_sequence
from snellen.sequential.testing import LadderTest

SEQUENTIAL = "sequential"
"""Where the record of an exam has these results, by task and subject."""
FORM: tuple[str, ...] = ("form",)
Evidence = tuple[tuple[float, float], ...]
"""For every step how far the logarithms of its e-values are to what closes it, in percent: against "nothing is lost
here", and against "`detect` or more is lost here"."""
_FEW = 8
"""With fewer pairs of a step's own its loss is what the shares solved on its rungs say."""
_LARGEST, _LARGEST_CHANCE = 700.0, 0.9
_SOMETHING = 0.01


@dataclass(frozen=True, slots=True)
class SequentialStep:
    """One step: the rungs, the faculties it adds, and how it was closed.

    `loss`: what it loses, as a share of the items, with a 95 % confidence sequence; where it is excluded, no more than
    the threshold. `items`: how many of them that rests on, of those that have the rung, a share `having` of all.
    `shown_by`, `excluded_by`: the e-values against "nothing is lost here" and "`detect` or more is lost here".
    """

    lower: str
    upper: str
    faculties: tuple[str, ...]
    status: Status
    loss: float
    low: float
    high: float
    items: int
    shown_by: float
    excluded_by: float
    having: float = 1.0


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """All steps, form last, with the rules they were closed by.

    `reached`: whether the calls were used up before every step was closed. `fixed`: the calls of the task's usual
    design, where they are known. `failed`: items that were left out because a call failed. `path`: after each batch of
    answers the calls so far and the evidence.
    """

    steps: tuple[SequentialStep, ...]
    detect: float
    alpha: float
    miss: float
    most: int
    calls: int
    items: int
    reached: bool
    fixed: int = 0
    failed: int = 0
    path: tuple[tuple[int, Evidence], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "SequentialResult":
        steps = tuple(SequentialStep(**{**step, "faculties": tuple(step["faculties"])}) for step in content["steps"])
        path = tuple((calls, tuple((none, loss) for none, loss in rows)) for calls, rows in content.get("path", ()))
        return cls(**{**content, "steps": steps, "path": path})


UNFINISHED = SequentialResult((), 0.0, 0.0, 0.0, 0, 0, 0, reached=True)
"""Of an exam that was killed, or is under way: what its answers say is known when it is resumed."""


def result_of(test: LadderTest, path: Sequence[tuple[int, Evidence]] = ()) -> SequentialResult:
    """The result as it stands."""
    return SequentialResult(
        steps=tuple(_step(test, step) for step in range(test.form + 1)),
        detect=test.design.detect,
        alpha=test.design.alpha,
        miss=test.design.miss,
        most=test.design.most,
        calls=test.calls,
        items=len(test.items),
        failed=sum(any(score.failed for score in item.values()) for item in test.items),
        reached=bool(test.open),
        path=tuple(path),
    )


def _step(test: LadderTest, step: int) -> SequentialStep:
    design = test.design
    if step == test.form:
        read = [item for item in test.items if not any(score.failed for score in item.values())]
        unread = [sum(score.lost_to_form for score in item.values()) / len(item) for item in read]
        own = ItemLosses([(share, 1.0) for share in unread], 0.0)
        upper, thought, names = [own], None, ("", "", FORM)
    else:
        own = _losses(test, step, step - 1 if step else None, step)
        upper = [own, *(_losses(test, step, None, rung) for rung in range(step, design.steps))]
        upper = [losses for losses in upper if losses.values]
        solved = test.expectation.solved
        thought = None if len(own.values) >= _FEW else (solved[step - 1] if step else 1.0) - solved[step]
        names = (design.rungs[step - 1] if step else "", design.rungs[step], design.faculties[step])
    # Either end of an interval may be wrong at half of its level: pairs alone tell the lower end, several the upper.
    pairs = _interval(own, LEVEL)
    low = max(pairs.low, 0.0)
    high = min([1.0, *(max(_interval(losses, LEVEL / len(upper)).high, 0.0) for losses in upper)])
    if test.status[step] == "excluded":  # that less is lost is said already, and at its own chance of error
        high = min(high, design.detect)
    if test.status[step] == "shown":  # so is that something is
        low, high = max(low, _SOMETHING), max(high, _SOMETHING)
    loss = min(max(pairs.mean if thought is None else thought, low), high)
    return SequentialStep(
        *(*names, test.status[step], loss, min(low, loss), high, max((len(part.values) for part in upper), default=0)),
        *(exp(min(test.against_none[step].log, _LARGEST)), exp(min(test.against_loss[step].log, _LARGEST))),
        having=design.having[step] if design.having and step < test.form else 1.0,
    )


class ItemLosses(NamedTuple):
    """What items lost, each with how far correcting for guesses can take it, and the least that the mean can be."""

    values: list[tuple[float, float]]
    least: float


def _interval(losses: ItemLosses, level: float) -> ConfidenceSequence:
    spreads = [spread for _, spread in losses.values]
    return confidence_sequence([loss for loss, _ in losses.values], losses.least, 1.0, level, spreads)


def _losses(test: LadderTest, step: int, lower: int | None, upper: int) -> ItemLosses:
    """What every item lost from a rung, or from all right, to another that no less can be lost up to than at the step:
    of its questions, corrected for guessing."""
    design, values = test.design, []
    for item in test.items:
        asked = [item.get(rung) for rung in (lower, upper) if rung is not None]
        known = [score for score in asked if score is not None and score.right is not None]
        if len(known) < len(asked) or design.above(step, tuple(item)) is None:
            continue
        spread = 1.0 if design.by_habit(step) else 1 / (1 - min(known[-1].chance, _LARGEST_CHANCE))
        values.append((((1.0 if lower is None else known[0].share) - known[-1].share) * spread, spread))
    return ItemLosses(values, 0.0 if lower is None else -1.0)
