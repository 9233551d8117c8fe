"""From trials to thresholds: one for every subject, test and condition, whichever design asked for them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log10

import numpy as np
import polars as pl

from snellen.analysis.acuity.sights import known, order, sight
from snellen.analysis.acuity.spots import offset
from snellen.answer import Outcome
from snellen.psychometric import Counts, Estimate, Finding, Reach, Track, finding, fit_test, reach
from snellen.tasks.acuity.kind import NOTHING

CONDITION = ("polarity", "canvas", "place", "font", "enlarged")
_FINE = 61
"""Points of a drawn curve."""
_TIMES = 200
_AT_PLACE = 16
"""Fewer charts at one offset are part of a row of them (`patches`)."""
_FEW, _MOSTLY = 12, 0.6
"""Of so many answers and more, one that is given to more than this share of them leans."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A fitted curve to draw: intensities (in the test's unit), the share right held likely there with the ends of its
    band, and the points it goes through: intensity, right, read."""

    xs: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    points: tuple[tuple[float, int, int], ...]


@dataclass(frozen=True)
class Measure:
    """What one subject did on one test under one condition. `asked`: the levels it was asked, rising."""

    subject: str
    test: str
    condition: Mapping[str, str]
    asked: tuple[float, ...]
    found: Finding

    @cached_property
    def fit(self) -> float:
        """How likely somebody with such a curve strays so far from it."""
        return fit_test(self.found.posterior, times=_TIMES)

    @property
    def hardest(self) -> float:
        return self.asked[-1] if sight(self.test).falling else self.asked[0]

    @property
    def easiest(self) -> float:
        return self.asked[0] if sight(self.test).falling else self.asked[-1]

    @cached_property
    def caught(self) -> Counts:
        """Answers at the easiest level, where only a lapse makes wrong."""
        return self.found.posterior.tally.get(log10(self.easiest), Counts())

    @cached_property
    def curve(self) -> Curve:
        low, high = log10(self.asked[0]), log10(self.asked[-1])
        xs = np.linspace(low - 0.1, high + 0.1, _FINE)
        mean, below, above = (tuple(map(float, each)) for each in self.found.posterior.curve(xs.tolist()))
        tally = self.found.posterior.tally
        points = tuple((10**x, n.right, n.read) for x, n in tally.items() if n.read)
        return Curve(tuple(float(10**x) for x in xs), mean, below, above, points)

    @cached_property
    def reach(self) -> Reach:
        """Where 95 % are right."""
        return reach(self.found.posterior)

    @property
    def reached(self) -> Estimate | None:
        """From which log10 intensity on 95 % are right; ends of its interval beyond what was asked are None, and so is
        all of it where there is no threshold, or where lapses or what was asked leave no such intensity."""
        if self.found.kind != "threshold" or (at := self.reach.at) is None:
            return None
        first, last = log10(self.asked[0]), log10(self.asked[-1])
        if not first <= at.value <= last:
            return None
        low, high = (None if end is None or not first <= end <= last else end for end in (at.low, at.high))
        return Estimate(at.value, low, high)


def measures(rows: pl.DataFrame) -> list[Measure]:
    """All thresholds of these rows. Failed calls are missing; levels that are no number (blank) are not for this."""
    graded = rows.filter(
        pl.col("level").cast(pl.String).cast(pl.Float64, strict=False).is_not_null()
        & (pl.col("reason").fill_null("") != "error")
    )
    found = list(_measures(graded))
    return sorted(found, key=lambda each: (order(each.test), *each.condition.values()))


def _measures(graded: pl.DataFrame) -> Iterator[Measure]:
    names = ["subject", "test", *CONDITION]
    for cell, own in graded.group_by(names, maintain_order=True):
        said = dict(zip(names, map(str, cell), strict=True))
        test = said["test"]
        if not known(test):
            continue
        history = own.select(pl.col("level").cast(pl.String), "outcome").rows()
        asked = tuple(sorted({float(level) for level, _ in history}))
        if len(asked) == 1 or (own.height < _AT_PLACE and offset(said["place"]) is not None):
            continue  # one level by wish, or an offset that takes turns with others: no threshold was looked for
        yield Measure(
            said["subject"],
            test,
            {name: said[name] for name in CONDITION},
            asked,
            _unless_leaning(own, measured(test, [(float(level), outcome) for level, outcome in history])),
        )


def _unless_leaning(own: pl.DataFrame, found: Finding) -> Finding:
    """The finding, unless one answer was given to nearly everything: that is no limit of sight. To say that there is
    nothing, where nothing is seen, is one."""
    said = own.filter(pl.col("outcome") != "unread")
    if said.height < _FEW:
        return found
    answer, count = said["answer"].value_counts(sort=True).row(0)
    if answer in (NOTHING, "0"):
        return found
    wanted = int((said["key"] == answer).sum())
    if count <= _MOSTLY * said.height or wanted > (1 - _MOSTLY) * said.height:
        return found
    # Who counts to six says six to all that is more: that is a limit. Whoever leans does so on what is easy, too.
    falling = sight(str(said["test"][0])).falling
    level = pl.col("level").cast(pl.String).cast(pl.Float64)
    easy = said.sort(level, descending=not falling, maintain_order=True).head(said.height // 4)
    if int((easy["answer"] == answer).sum()) <= _MOSTLY * easy.height:
        return found
    why = f"not measurable: it says {answer} to {count} of {said.height} charts, whatever is shown"
    return replace(found, kind="not measurable", why=why, threshold=None)


def together(several: Sequence[Measure], place: str) -> Measure:
    """Measures of one test at several places as one, said to be at `place`."""
    first = several[0]
    kinds: tuple[Outcome, ...] = ("right", "wrong", "unread")
    history = [
        (10**x, kind)
        for each in several
        for x, counts in each.found.posterior.tally.items()
        for kind in kinds
        for _ in range(getattr(counts, kind))
    ]
    asked = tuple(sorted({level for each in several for level in each.asked}))
    near = [(min(asked, key=lambda level: abs(level - x)), kind) for x, kind in history]
    found = measured(first.test, near)
    return Measure(first.subject, first.test, {**first.condition, "place": place}, asked, found)


def measured(test: str, history: Sequence[tuple[float, Outcome]]) -> Finding:
    """What answers at levels say. Nothing is said of levels beyond those asked: a threshold there is better, or worse,
    than what was drawn."""
    about = sight(test)
    names = {x: f"{x:.12g}" for x in sorted({x for x, _ in history})}
    track = Track(test, {name: log10(x) for x, name in names.items()}, about.chance, falling=about.falling)
    return finding(track, [(names[x], outcome) for x, outcome in history])
