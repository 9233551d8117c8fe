"""The verdict: which faults the evidence shows, or why it cannot be told.

- A loss is a **fault** if its interval lies above 1 of 100 items, it is 10 of 100 or more, and the step that isolates
  it points that way. Every fault is named, the largest first; two whose difference is not shown are named together.
- A loss that no intervention isolated is not charged to anyone: if it is the largest, the verdict is *unclear*.
- *small*: no fault, but a loss whose interval lies above 0.
- *unclear*, and never *none*, if there are fewer than 8 items, if the pictures themselves were not asked about, if a
  rung could not be read, if one and the same option was right every time, if a rung with pictures is harder than those
  above it, if the exam cannot find a fault on half of the items, or if a fault on a quarter of them is still possible.
- *none* otherwise: no fault found, with the smallest fault that the exam finds with 90 % power.

Of an exam that stops when it knows, a fault is a step whose bets showed a loss of 10 of 100 or more; the verdict is
*none* if every step is excluded, and *unclear* if one is open or not measurable.
"""

from dataclasses import dataclass

from snellen.analysis.ladder.case import LadderEvidence, size_of
from snellen.analysis.ladder.leaning import only_one_was_right
from snellen.charts.blocks import Loss, Verdict
from snellen.faculties import family
from snellen.ladder import FEW
from snellen.sequential import SequentialResult

POSSIBLE = 0.25
DETECTED = 0.5


@dataclass(frozen=True, slots=True)
class LadderVerdict:
    """The verdict with what it rests on. `why`: the rule that made it unclear. `power`: the smallest fault that the
    exam finds with 90 % power, the largest over all faculties; None if there is one that it cannot find at all."""

    verdict: Verdict
    faults: tuple[Loss, ...] = ()
    why: str = ""
    power: float | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The faculties that the verdict charges, the largest loss first."""
        if self.verdict in ("unclear", "small"):
            return ()
        return tuple(dict.fromkeys(loss.faculties[0] for loss in self.faults if len(loss.faculties) == 1))


def judge(case: LadderEvidence) -> LadderVerdict:
    """The verdict by the rules above."""
    power = case.sequential.detect if case.sequential else _power(case)
    if case.items < FEW:
        return LadderVerdict("unclear", why="few", power=power)
    shown = tuple(sorted((loss for loss in (*case.losses, *case.beside) if loss.shown), key=lambda one: -size_of(one)))
    if shown:
        if len(shown[0].faculties) > 1:
            return LadderVerdict("unclear", shown, "together", power)
        return LadderVerdict(family(shown[0].faculties[0]), shown, power=power)
    if why := _unclosed(case.sequential) if case.sequential else _untold(case):
        return LadderVerdict("unclear", why=why, power=power)
    likely = tuple(sorted((loss for loss in case.losses if is_likely(loss)), key=lambda one: -size_of(one)))
    if likely:
        return LadderVerdict("small", likely, power=power)
    if power is None or power > DETECTED:
        return LadderVerdict("unclear", why="power", power=power)
    if case.sequential:
        return LadderVerdict("none", power=power)
    if max(((loss.among or loss.share).high or 0.0 for loss in case.losses), default=1.0) > POSSIBLE:
        return LadderVerdict("unclear", why="possible", power=power)
    return LadderVerdict("none", power=power)


def _unclosed(found: SequentialResult) -> str:
    """Why an exam that stops when it knows does not know; empty if it does."""
    if not found.steps:
        return "unfinished"
    statuses = {step.status for step in found.steps}
    return "open" if "open" in statuses else "not measurable" if "not measurable" in statuses else ""


def _untold(case: LadderEvidence) -> str:
    """Why no clean bill can be given, whatever was answered; empty if it can."""
    tested = [rung for rung in case.result.line if rung.is_tested]
    if any("eyes" in harder.rung.rung.demands for harder in case.harder):
        return "upside down"
    if not any("eyes" in rung.rung.demands for rung in case.result.line):
        return "unasked"
    if any(rung.is_unread for rung in case.untested):
        return "unread"
    return "one key" if only_one_was_right(tested[-1]) else ""


def is_likely(loss: Loss) -> bool:
    """Whether a loss is likely, though too small for a fault: its interval lies above 0."""
    share = loss.among or loss.share
    return (share.low or 0.0) > 0


def _power(case: LadderEvidence) -> float | None:
    """The smallest fault that is found whatever its faculty; None if some fault is not found at all."""
    steps = {(step.faculties, step.upper.rung.name) for step in case.steps}
    sizes = [loss.smallest for loss in case.losses if (loss.faculties, loss.upper) in steps]
    known = [size for size in sizes if size is not None]
    return max(known) if known and len(known) == len(sizes) else None


def alike(one: Loss, other: Loss) -> bool:
    """Whether it is not shown which of two losses is larger: their intervals overlap."""
    first, second = one.among or one.share, other.among or other.share
    return (first.low or 0.0) <= (second.high or 1.0) and (second.low or 0.0) <= (first.high or 1.0)
