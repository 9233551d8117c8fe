"""One model, two servers: do both show it the same pictures? Asked on charts of many lines from 512 to 4,096 px (design
`same`), which both read twice.

For every canvas size, and for all together, there are two exact tests (`exchange`): whether replies differ between the
servers more than within them, and whether one reads fewer letters. p values are adjusted by Holm's method over all of
these. Where no difference is shown, the least that would have been shown is computed from the replies (`sensitivity`);
nothing is said of sizes that were not compared.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import polars as pl
import scipy

from snellen.analysis.contrasts import holm
from snellen.analysis.rows import unspared
from snellen.charts.blocks import Table
from snellen.errors import UserError, invocation, unknown
from snellen.psychometric import PosteriorEstimate
from snellen.tasks.acuity.draw.lines import ACROSS, STEP
from snellen.tasks.acuity.eyes.scaling import Size
from snellen.tasks.acuity.lines import LINES
from snellen.tasks.acuity.study.exchange import ChartReplies, Exchanged, exchange_tests
from snellen.tasks.acuity.study.line_charts import (
    CHANCE,
    LineSitting,
    in_common,
    line_sittings,
    reads_any,
    sorted_canvases,
)
from snellen.tasks.acuity.study.same_words import LEVEL, same_table, same_verdict
from snellen.tasks.acuity.study.sensitivity import least_factor, least_share
from snellen.tasks.acuity.study.tokens import token_counts
from snellen.tasks.ladder_spec import task_rows

_TOKENS, _SHARE = 2, 0.02
"""Tokens, or the share of them, that two servers may count otherwise for what are the same pictures."""


@dataclass(frozen=True)
class SizeCompared:
    """Two servers on one canvas size. `tests`: the p values of both tests, adjusted; `level`: what an unadjusted one is
    held against at worst."""

    canvas: str
    charts: tuple[ChartReplies, ...]
    tests: Exchanged
    level: float

    @property
    def p(self) -> float:
        return min(self.tests.distance, self.tests.letters)

    @property
    def differs(self) -> bool:
        return self.p <= LEVEL

    @property
    def worse(self) -> bool:
        """Whether one of the two is shown to read fewer letters."""
        return self.tests.letters <= LEVEL

    @cached_property
    def at_least(self) -> bool:
        """Whether the better of the two reads even the smallest lines, so that `factor` may be larger than it seems."""
        better = [chart.first if self.factor.value >= 1 else chart.second for chart in self.charts]
        small = [reply[:, -ACROSS:] == chart.key[-ACROSS:] for reply, chart in zip(better, self.charts, strict=True)]
        return bool(np.mean([each.mean() for each in small]) > 0.5)

    @cached_property
    def measurable(self) -> bool:
        """Whether at least one of the two reads the largest lines."""
        return reads_any(self.charts)

    @cached_property
    def factor(self) -> PosteriorEstimate:
        """How many times as large letters must be for the second to read as many as the first: from letters to lines to
        sizes, as clinics score such charts; a t interval over charts."""
        lost = np.array([chart.letters_lost for chart in self.charts]) / (ACROSS * (1 - CHANCE))
        half = 0.0
        if len(lost) > 1:
            half = float(scipy.stats.t.ppf(0.975, len(lost) - 1) * lost.std(ddof=1) / len(lost) ** 0.5)
        middle = float(lost.mean())
        return PosteriorEstimate(STEP**middle, STEP ** (middle - half), STEP ** (middle + half))

    @cached_property
    def least_factor(self) -> float | None:
        """The least shrinking that would have been found here."""
        return least_factor(self.charts, self.level) if self.measurable else None

    @cached_property
    def least_share(self) -> float | None:
        """The least share of letters read otherwise that would have been found here."""
        return least_share(self.charts, self.level) if self.measurable else None


@dataclass(frozen=True)
class Alike:
    """Two servers compared. `sizes`: what both replied to, the smallest first; `missing`: sizes that only one, or none,
    replied to, with why. `p`: of all sizes together. `bills`: tokens by size, where they differ."""

    first: LineSitting
    second: LineSitting
    sizes: tuple[SizeCompared, ...]
    missing: Mapping[str, str]
    p: float
    bills: tuple[tuple[Size, float, float], ...] = ()

    @property
    def apart(self) -> tuple[str, ...]:
        """Canvas sizes at which they are shown to differ; `all` where only all of them together show it, `tokens` where
        reported tokens do."""
        sizes = tuple(each.canvas for each in self.sizes if each.differs)
        together = ("all",) if self.p <= LEVEL and not sizes else ()
        return (*sizes, *together, *(("tokens",) if self.bills else ()))

    @property
    def compared(self) -> bool:
        """Whether anything was shown or could have been."""
        return bool(self.apart) or any(each.least_factor for each in self.sizes)

    @cached_property
    def table(self) -> Table:
        return same_table(self)

    @cached_property
    def verdict(self) -> str:
        return same_verdict(self)


def same_model(rows: pl.DataFrame, first: str, second: str) -> Alike:
    """Two subjects that should be one. `rows`: all trials of a store."""
    chart = rows.filter(rows["task"] == "acuity")
    known = chart["subject"].unique(maintain_order=True).to_list()
    for name in (first, second):
        if name not in known:
            raise unknown("subject with an eye chart in this store", name, known)
    if first == second:
        raise UserError(f"{first!r} is on both sides; name two different subjects to compare")
    own = task_rows(unspared(chart), "acuity")
    sittings = line_sittings(own)
    lacking = [name for name in (first, second) if name not in sittings]
    if lacking:
        who = " and ".join(map(repr, lacking))
        command = invocation("exam", "A", "B", "--design", "same")
        raise UserError(f"{who}: no charts for comparing servers in this store; ask both with `{command}`")
    found = alike(own, sittings[first], sittings[second])
    if not found.sizes and not found.missing:
        raise UserError(
            f"{first!r} and {second!r} were shown no chart in common; ask both with the same --seed and --n"
        )
    return found


def all_pairs(rows: pl.DataFrame) -> Iterator[Alike]:
    """Every two subjects that were shown such charts; rows as `Results` has them."""
    for first, second in combinations(line_sittings(rows).values(), 2):
        yield alike(rows, first, second)


def alike(rows: pl.DataFrame, first: LineSitting, second: LineSitting) -> Alike:
    canvases = sorted_canvases({*first.canvases, *second.canvases, *first.failed, *second.failed})
    charts = {canvas: in_common(first, second, canvas) for canvas in canvases}
    missing = {canvas: _why(canvas, first, second) for canvas, common in charts.items() if not common}
    shared = {canvas: common for canvas, common in charts.items() if common}
    families = [*shared.values(), *([[chart for own in shared.values() for chart in own]] if shared else [])]
    tests = [exchange_tests(family) for family in families]
    adjusted = holm([p for test in tests for p in (test.distance, test.letters)])
    tests = [Exchanged(*adjusted[2 * k : 2 * k + 2]) for k in range(len(tests))]
    level = LEVEL / max(1, len(adjusted))
    sizes = tuple(SizeCompared(c, tuple(own), p, level) for (c, own), p in zip(shared.items(), tests, strict=False))
    together = min(tests[-1].distance, tests[-1].letters) if tests else 1.0
    return Alike(first, second, sizes, missing, together, _bills(rows, first, second))


def _why(canvas: str, first: LineSitting, second: LineSitting) -> str:
    """Why a size cannot be compared."""
    failed = [
        f"{each.failed[canvas]} calls of {each.subject} failed" for each in (first, second) if canvas in each.failed
    ]
    absent = [each.subject for each in (first, second) if canvas not in {*each.canvases, *each.failed}]
    asked = [f"{subject} was not asked" for subject in absent]
    return " and ".join(failed + asked) or "no chart in common"


def _bills(rows: pl.DataFrame, first: LineSitting, second: LineSitting) -> tuple[tuple[Size, float, float], ...]:
    """Tokens reported for the same canvases, where these grow otherwise: words cost what they cost."""
    one, two = (dict(token_counts(_own(rows, each.subject))) for each in (first, second))
    shared: Sequence[Size] = sorted({*one} & {*two})
    if not shared:
        return ()
    grown = [(one[size] - one[shared[0]], two[size] - two[shared[0]]) for size in shared]
    if all(abs(a - b) <= max(_TOKENS, _SHARE * max(a, b)) for a, b in grown):
        return ()
    return tuple((size, one[size], two[size]) for size in shared)


def _own(rows: pl.DataFrame, subject: str) -> pl.DataFrame:
    return rows.filter(pl.col("subject").cast(pl.String) == subject, pl.col("test").cast(pl.String) == LINES)
