"""What a sequential test of a ladder found, as plain values for records, reports and terminals."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import exp
from typing import Any, NamedTuple

from snellen.sequential.design import Scores, Status
from snellen.sequential.interval import LEVEL, confidence_sequence
from snellen.sequential.testing import LadderTest

SEQUENTIAL = "sequential"
"""Where the record of an exam has these results, by task and subject."""
FORM: tuple[str, ...] = ("form",)
Evidence = tuple[tuple[float, float], ...]
"""For every step the logarithms (base 10) of its e-values: against "nothing is lost here", and against "`detect` or
more is lost here"."""
_FEW = 8
"""With fewer pairs of a step's own its loss is what the shares solved on its rungs say."""
_LARGEST, _LARGEST_CHANCE = 700.0, 0.9


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
    design, where they are known. `path`: after each batch of answers the calls so far and the evidence.
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
    path: tuple[tuple[int, Evidence], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "SequentialResult":
        steps = tuple(SequentialStep(**{**step, "faculties": tuple(step["faculties"])}) for step in content["steps"])
        path = tuple((calls, tuple((none, loss) for none, loss in rows)) for calls, rows in content.get("path", ()))
        return cls(**{**content, "steps": steps, "path": path})


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
        reached=bool(test.open),
        path=tuple(path),
    )


def _step(test: LadderTest, step: int) -> SequentialStep:
    design = test.design
    if step == test.form:
        own = [float(score.right is None) for item in test.items for score in item.values()]
        sources, thought, names = [Losses(own, 0.0, 1.0)], None, ("", "", FORM)
    else:
        own = _own_losses(test, step)
        largest = 1.0 if design.by_habit(step) else 1 / (1 - min(test.largest_chance, _LARGEST_CHANCE))
        further = [_losses_up_to(test, step, rung, largest) for rung in range(step, design.steps)]
        sources = [Losses(own, -largest if step else 0.0, largest), *(losses for losses in further if losses.values)]
        solved = test.expectation.solved
        thought = None if len(own) >= _FEW else (solved[step - 1] if step else 1.0) - solved[step]
        names = (design.rungs[step - 1] if step else "", design.rungs[step], design.faculties[step])
    # Half of the level is for the lower end, which pairs alone tell; the upper ends share the other half.
    pairs = confidence_sequence(*sources[0], LEVEL / 2)
    highs = [confidence_sequence(*source, LEVEL / 2 / len(sources)).high for source in sources]
    low, high = max(pairs.low, 0.0), min(1.0, *(max(end, 0.0) for end in highs))
    if test.status[step] == "excluded":  # that less is lost is said already, and at its own chance of error
        high = min(high, design.detect)
    loss = min(max(pairs.mean if thought is None else thought, low), high)
    return SequentialStep(
        *(*names, test.status[step], loss, min(low, loss), high, max(len(source.values) for source in sources)),
        *(exp(min(test.against_none[step], _LARGEST)), exp(min(test.against_loss[step], _LARGEST))),
        having=design.having[step] if design.having and step < test.form else 1.0,
    )


class Losses(NamedTuple):
    """What items lost, one value an item, and the least and the largest that one can."""

    values: list[float]
    least: float
    largest: float


def _own_losses(test: LadderTest, step: int) -> list[float]:
    """What every item lost that was asked on both rungs of a step."""
    lower = step - 1 if step else None
    losses = (_lost(test, item, step, lower, step) for item in test.items)
    return [loss for loss in losses if loss is not None]


def _losses_up_to(test: LadderTest, step: int, rung: int, largest: float) -> Losses:
    """What every item lost that was asked on a rung, from all right: no less than at any step below the rung."""
    wanted = test.design.is_partial(step) == test.design.is_partial(rung)
    items = [item for item in test.items if wanted and test.design.above(step, tuple(item)) is not None]
    losses = (_lost(test, item, step, None, rung) for item in items)
    return Losses([loss for loss in losses if loss is not None], 0.0, largest)


def _lost(test: LadderTest, item: Scores, step: int, lower: int | None, upper: int) -> float | None:
    """What an item loses from one rung to another, corrected for guessing; None if it was not read on both."""
    asked = [item.get(rung) for rung in (lower, upper) if rung is not None]
    if any(score is None or score.right is None for score in asked):
        return None
    drop = (1.0 if lower is None else item[lower].share) - item[upper].share
    return drop if test.design.by_habit(step) else drop / (1 - item[upper].chance)
