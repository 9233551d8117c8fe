"""Two subjects side by side: by which factor their thresholds differ, and whether that is shown.

Where both answered the same charts (all of a constant design, some of two tracks) the luck of the charts is theirs
together and cancels; how far is told by the answers (`psychometric.pairing`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

import polars as pl

from snellen.psychometric import Marginal, PosteriorEstimate, TrackResult, correlation, paired_difference
from snellen.psychometric.pairing import FEW
from snellen.tasks.acuity.study.measuring import Measure
from snellen.tasks.acuity.study.readings import CardLine
from snellen.tasks.acuity.study.results import Sitting
from snellen.tasks.acuity.study.sights import order, sight

_TOLD = {"threshold", "better than drawn", "worse than drawn"}


@dataclass(frozen=True, slots=True)
class ThresholdRatio:
    """How two subjects differ on one test: the threshold of the second over that of the first; None where either has no
    threshold. `shown`: the interval, widened for the number of tests compared, excludes 1; `better`: who then sees
    more, else empty. `shared`: how many charts both answered; `paired`: whether they were enough to compare on."""

    test: str
    first: CardLine
    second: CardLine
    ratio: PosteriorEstimate | None
    shown: bool
    better: str
    shared: int = 0

    @property
    def paired(self) -> bool:
        return self.shared >= FEW


def differences(first: Sitting, second: Sitting) -> tuple[ThresholdRatio, ...]:
    """Test by test, of those that both were asked under the same condition."""
    shared = [
        test
        for test in sorted({*first.main} & {*second.main}, key=order)
        if first.main[test].condition == second.main[test].condition
    ]
    return tuple(_differences(first, second, shared))


def _differences(first: Sitting, second: Sitting, tests: list[str]) -> Iterator[ThresholdRatio]:
    for test in tests:
        one, two = first.main[test].found, second.main[test].found
        both = shared_charts(first, second, first.main[test])
        apart_by = _apart(one, two, both)
        ratio = _ratio(apart_by, 0.95)
        sure = _ratio(apart_by, 1 - 0.05 / len(tests))
        apart = sure is not None and ((sure.low or 0) > 1 or (sure.high is not None and sure.high < 1))
        better = _better(test, ratio) if apart and ratio is not None else None
        if one.threshold is None or two.threshold is None:
            ratio = None  # that they differ can be shown where by how much cannot
        names = {"first": first.subject, "second": second.subject}
        yield ThresholdRatio(
            *(test, first.readings[test], second.readings[test], ratio, apart),
            *(names[better] if better else "", len(both)),
        )


def shared_charts(first: Sitting, second: Sitting, measure: Measure) -> list[tuple[float, bool, bool]]:
    """The charts of a measure that both answered: log10 level, whether the first was right, whether the second was."""
    names = ["item", *(name for name in ("sample", "paradigm") if name in first.rows.columns)]
    one, two = (_answers(each, measure).select(*names, "level", "outcome") for each in (first, second))
    both = one.join(two, on=[*names, "level"], suffix=" too").unique(names, maintain_order=True)
    return [
        (log10(float(level)), a == "right", b == "right")
        for level, a, b in both.select("level", "outcome", "outcome too").iter_rows()
    ]


def _answers(sitting: Sitting, measure: Measure) -> pl.DataFrame:
    here = [pl.col(name).cast(pl.String) == level for name, level in measure.condition.items()]
    level = pl.col("level").cast(pl.String)
    return sitting.rows.with_columns(level=level).filter(
        pl.col("test").cast(pl.String) == measure.test,
        pl.col("outcome") != "unread",
        level.cast(pl.Float64, strict=False).is_not_null(),
        *here,
    )


def _apart(one: TrackResult, two: TrackResult, both: list[tuple[float, bool, bool]]) -> Marginal | None:
    """What is held likely of the second threshold less the first (log10), also where one lies beyond what was drawn."""
    if not {one.kind, two.kind} <= _TOLD:
        return None
    return paired_difference(one.posterior, two.posterior, correlation(one.posterior, two.posterior, both))


def _ratio(apart: Marginal | None, share: float) -> PosteriorEstimate | None:
    if apart is None:
        return None
    found = apart.estimate(share)
    low, high = (None if end is None else 10**end for end in (found.low, found.high))
    return PosteriorEstimate(10**found.value, low, high)


def _better(test: str, ratio: PosteriorEstimate) -> str:
    return "second" if (ratio.value < 1) != sight(test).falling else "first"
