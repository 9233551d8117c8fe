"""Two subjects side by side: by which factor their thresholds differ, and whether that is shown."""

from collections.abc import Iterator
from dataclasses import dataclass

from snellen.analysis.acuity.readings import Reading
from snellen.analysis.acuity.results import Sitting
from snellen.analysis.acuity.sights import order, sight
from snellen.psychometric import Estimate, Finding


@dataclass(frozen=True, slots=True)
class Difference:
    """How two subjects differ on one test: the threshold of the second over that of the first; None where either has no
    threshold. `shown`: the interval, widened for the number of tests compared, leaves no doubt; `better`: who then sees
    more, else empty."""

    test: str
    first: Reading
    second: Reading
    ratio: Estimate | None
    shown: bool
    better: str


def differences(first: Sitting, second: Sitting) -> tuple[Difference, ...]:
    """Test by test, of those that both were asked under the same condition."""
    shared = [
        test
        for test in sorted({*first.main} & {*second.main}, key=order)
        if first.main[test].condition == second.main[test].condition
    ]
    return tuple(_differences(first, second, shared))


def _differences(first: Sitting, second: Sitting, tests: list[str]) -> Iterator[Difference]:
    for test in tests:
        one, two = first.main[test].found, second.main[test].found
        ratio = _ratio(one, two, 0.95)
        sure = _ratio(one, two, 1 - 0.05 / len(tests))
        apart = bool(sure and sure.low is not None and sure.high is not None and not sure.low <= 1 <= sure.high)
        apart = apart or _unlike(one, two)
        better = _better(test, one, two, ratio) if apart else None
        names = {"first": first.subject, "second": second.subject}
        yield Difference(
            test, first.readings[test], second.readings[test], ratio, apart, names[better] if better else ""
        )


def _ratio(one: Finding, two: Finding, share: float) -> Estimate | None:
    if one.threshold is None or two.threshold is None:
        return None
    found = (two.posterior.threshold - one.posterior.threshold).estimate(share)
    low, high = (None if end is None else 10**end for end in (found.low, found.high))
    return Estimate(10**found.value, low, high)


_RANK = {"worse than drawn": 0, "threshold": 1, "better than drawn": 2}


def _unlike(one: Finding, two: Finding) -> bool:
    """One sees what the other does not see at all: findings at the two ends, or an interval that keeps clear of one."""
    if one.kind == two.kind or not {one.kind, two.kind} <= set(_RANK):
        return False
    if {one.kind, two.kind} == {"worse than drawn", "better than drawn"}:
        return True
    known = one.threshold or two.threshold
    outside = one.kind if one.threshold is None else two.kind
    grid = (one if one.threshold else two).posterior.grid
    if known is None:
        return False
    # "better" lies at the low end of what was drawn, unless more is harder
    at_low = (outside == "better than drawn") != grid.falling
    return (
        known.low is not None and known.low > grid.low if at_low else known.high is not None and known.high < grid.high
    )


def _better(test: str, one: Finding, two: Finding, ratio: Estimate | None) -> str:
    if ratio is None:
        return "first" if _RANK[one.kind] > _RANK[two.kind] else "second"
    return "second" if (ratio.value < 1) != sight(test).falling else "first"
