"""What a sequential test of a ladder found, as plain values for records, reports and terminals."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import exp
from typing import Any, NamedTuple

from snellen.sequential.design import Scores, Status
from snellen.sequential.interval import LEVEL, confidence_sequence
from snellen.sequential.testing import LadderTest

FORM: tuple[str, ...] = ("form",)
Evidence = tuple[tuple[float, float], ...]
"""For every step the logarithms (base 10) of its e-values: against "nothing is lost here", and against "`detect` or
more is lost here"."""
_FEW = 8
"""With fewer pairs of a step's own the interval is that of all that may be lost there."""
_FAR = 0.01
"""The part of the level that such an interval takes: which of the two is shown depends on the answers."""
_LARGEST_CHANCE = 0.9


class _Drop(NamedTuple):
    """What an item lost, corrected for guessing, and how far from zero that correction can take it."""

    loss: float
    spread: float


@dataclass(frozen=True, slots=True)
class SequentialStep:
    """One step: the rungs, the faculties it adds, how it was closed, what it loses (shares of the items, with a 95 %
    confidence sequence), on how many items that rests, and the evidence: e-values against "nothing is lost here" and
    against "`detect` or more is lost here"."""

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


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """All steps, form last, with the rules they were closed by. `right`: the share solved on the most demanding rung.
    `reached`: whether the calls were used up before every step was closed. `path`: after each block the calls so far
    and the logarithms (base 10) of both e-values of every step."""

    steps: tuple[SequentialStep, ...]
    detect: float
    alpha: float
    miss: float
    most: int
    calls: int
    items: int
    reached: bool
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
        lower, upper, faculties, floor = "", "", FORM, None
        drops = [_Drop(sum(score.right is None for score in item.values()) / len(item), 1.0) for item in test.items]
        level = LEVEL
    else:
        lower, upper = design.rungs[step - 1] if step else "", design.rungs[step]
        faculties = design.faculties[step]
        drops, floor, level = _drops(test, step)
    least = 0.0 if step in (0, test.form) else -1.0
    interval = confidence_sequence(
        [drop.loss for drop in drops], least, 1.0, level, spreads=[drop.spread for drop in drops]
    )
    low, high = max(interval.low, 0.0), min(max(interval.high, 0.0), 1.0)
    loss = min(max(interval.mean, 0.0), 1.0)
    if floor is not None:  # from further away: no more can be lost here, and perhaps nothing is
        loss, low = min(max(floor, 0.0), high), 0.0
    return SequentialStep(
        *(lower, upper, faculties, test.status[step], loss, low, high, len(drops)),
        *(exp(min(test.against_none[step].log, 700)), exp(min(test.against_loss[step].log, 700))),
    )


def _drops(test: LadderTest, step: int) -> tuple[list[_Drop], float | None, float]:
    """What every item lost at a step; where too few were asked on both of its rungs, what they lost from the nearest
    rung below to the nearest above, and what of that is thought to be lost here; and the level of the interval."""
    own = [
        drop for item in test.items if (drop := _lost(test, item, step, step - 1 if step else None, step)) is not None
    ]
    if len(own) >= _FEW:
        return own, None, LEVEL - _FAR
    design, near = test.design, []
    for item in test.items:
        rungs = tuple(sorted(item))
        upper = design.above(step, rungs)
        if upper is not None and (drop := _lost(test, item, step, design.below(step, rungs), upper)) is not None:
            near.append(drop)
    solved = test.expectation.solved
    return near, (solved[step - 1] if step else 1.0) - solved[step], _FAR


def _lost(test: LadderTest, item: Scores, step: int, lower: int | None, upper: int) -> _Drop | None:
    if upper not in item or (lower is not None and lower not in item):
        return None
    if item[upper].right is None or (lower is not None and item[lower].right is None):
        return None
    spread = 1.0 if test.design.by_habit(step) else 1 / (1 - min(item[upper].chance, _LARGEST_CHANCE))
    return _Drop(((1.0 if lower is None else item[lower].share) - item[upper].share) * spread, spread)
