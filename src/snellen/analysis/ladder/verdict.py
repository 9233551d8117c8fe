"""The verdict: which faults the evidence shows, or why it cannot be told.

- A fault is **shown** if its interval lies above 5 of 100 items, and the step that isolates it points that way. Every
  fault that is shown is named, the largest first; two whose difference is not shown are named together.
- *leaning* comes before it where the largest fault is no fault of a faculty: one answer, whatever is asked.
- A loss that no intervention isolated is not charged to anyone: if it is the largest, the verdict is *unclear*.
- *unclear*, too, if the tree and the steps disagree, if too little was asked, if the data leave a fault on a quarter
  of the items possible, or if one on half of them would not have been named.
- *unclear*, too, and never *none*, if the pictures themselves were not asked about, if one and the same option was
  right every time, or if pictures are answered clearly worse than the same against a habit: no faculty is charged with
  that, but it is no clean bill either.
- *none* otherwise: no fault found, and one on more than N of 100 would have been.
"""

from dataclasses import dataclass

from snellen.analysis.blocks import Loss, Verdict
from snellen.analysis.ladder.case import Case
from snellen.analysis.ladder.leaning import Leaning, gives_one_answer, only_one_was_right
from snellen.analysis.ladder.promise import worst
from snellen.tasks.ladder import THINKING

POSSIBLE = 0.25
NAMED = 0.5
FEW = 8
"""With fewer items than this nothing is said."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict with what it rests on. `why`: the reason of an unclear one; `promise`: the share of items on which a
    fault would have been named, where none is."""

    verdict: Verdict
    faults: tuple[Loss, ...] = ()
    why: str = ""
    leaning: Leaning | None = None
    promise: float | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The faculties that the verdict charges, the largest loss first."""
        if self.verdict in ("unclear", "leaning"):
            return ()
        return tuple(dict.fromkeys(loss.faculties[0] for loss in self.faults if len(loss.faculties) == 1))


def judge(case: Case) -> Judgement:
    """The verdict by the rules above."""
    if case.items < FEW:
        return Judgement("unclear", why="few")
    shown = _shown(case)
    leaning = _leaning(case, shown)
    if leaning:
        return Judgement("leaning", shown, leaning=leaning)
    if case.disagreements:
        return Judgement("unclear", why="disagree")
    if shown:
        if len(shown[0].faculties) > 1:
            return Judgement("unclear", shown, why="together")
        return Judgement(_word(shown[0].faculties[0]), shown)
    if any("eyes" in easier.lower.rung.demands for easier in case.easier):
        return Judgement("unclear", why="upside down")
    if not any("eyes" in stand.rung.demands for stand in case.climb.line):
        return Judgement("unclear", why="unasked")
    if only_one_was_right(case.climb.line[-1]):
        return Judgement("unclear", why="one key")
    promise = worst([loss.smallest for loss in case.losses if loss.faculties != ("form",)])
    possible = max((loss.share.high or 0.0 for loss in case.losses), default=1.0)
    if promise is None or promise > NAMED or possible > POSSIBLE:
        return Judgement("unclear", why="open", promise=promise)
    return Judgement("none", promise=promise)


def _shown(case: Case) -> tuple[Loss, ...]:
    shown = [loss for loss in (*case.losses, *case.beside) if loss.shown]
    return tuple(sorted(shown, key=lambda loss: -(loss.share.value or 0.0)))


def _leaning(case: Case, shown: tuple[Loss, ...]) -> Leaning | None:
    """The one answer that is given whatever is asked on the rung where most is lost."""
    stands = {stand.rung.name: stand for stand in case.climb.stands}
    largest = max(case.losses, key=lambda loss: loss.share.value or 0.0, default=None)
    if largest is None or largest.upper not in stands:
        return None
    return next((one for one in case.leanings if gives_one_answer(stands[largest.upper], one)), None)


def _word(faculty: str) -> Verdict:
    return "thinking" if faculty in THINKING else faculty  # type: ignore[return-value]


def alike(one: Loss, other: Loss) -> bool:
    """Whether it is not shown which of two losses is larger: their intervals overlap."""
    return (one.share.low or 0.0) <= (other.share.high or 1.0) and (other.share.low or 0.0) <= (one.share.high or 1.0)
