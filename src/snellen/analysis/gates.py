"""Gates for a team's checks: has the new model become worse than the old one by more than we can bear?

A gate is passed if the 95 % interval of the difference lies on the good side of the margin: then it is *shown* that the
second subject is not worse by more than that (non-inferiority). It fails if the interval lies on the bad side. If it
reaches over the margin nobody can tell, which is no pass: more items would tell. Nor can anybody where calls of the
second subject failed: what it broke on may be just what it is worse at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from snellen.analysis.comparing import Metric, lacking, pairs_of
from snellen.analysis.contrasts import contrast
from snellen.analysis.rows import factors
from snellen.charts.blocks import Value, percent
from snellen.errors import UserError, unknown

ALL = "all"
Outcome = Literal["passed", "failed", "cannot tell"]
EXPECTED = "expected TASK:accuracy<-POINTS or TASK:unread>POINTS, such as all:accuracy<-3"


@dataclass(frozen=True, slots=True)
class Gate:
    """What must not happen: the accuracy falling, or the unread rate rising, by more than a margin in points. `levels`:
    only trials with these."""

    words: str
    task: str
    levels: tuple[tuple[str, str], ...]
    metric: Metric
    margin: float


@dataclass(frozen=True, slots=True)
class Judged:
    """How a gate was passed or not, with the difference it was held against."""

    gate: Gate
    outcome: Outcome
    difference: Value
    failed: int = 0
    """How many trials of the second subject ended in errors."""

    @property
    def line(self) -> str:
        value = self.difference
        said = f"{value.value:+.1f} points ({value.low:+.1f} to {value.high:+.1f}), {value.n:,} pairs"
        advice = "; ask more items (--n)" if self.outcome == "cannot tell" else ""
        if self.failed:
            advice = f"; {self.failed:,} trials ended in errors, run the exam again"
        return f"{self.outcome}: {self.gate.words}: {said}{advice}"


_GATE = re.compile(
    r"(?P<task>[\w./-]+?)(?:\[(?P<levels>[^\]]+)\])?"
    r":(?P<metric>accuracy|unread)(?P<sign>[<>])(?P<margin>[+-]?\d+(?:\.\d+)?)"
)


def gate(words: str) -> Gate:
    """A gate from words such as `all:unread>2`, `lamps:accuracy<-3` or `lamps[count=dark]:accuracy<-5`."""
    match = _GATE.fullmatch(words.replace(" ", ""))
    if match is None:
        raise UserError(f"--fail-if {words!r}: {EXPECTED}")
    metric: Metric = "unread" if match["metric"] == "unread" else "accuracy"
    margin, sign = float(match["margin"]), match["sign"]
    if (sign, margin <= 0) != ("<", True) if metric == "accuracy" else (sign, margin >= 0) != (">", True):
        raise UserError(f"--fail-if {words!r}: this would fail on an improvement; {EXPECTED}")
    levels = [pair.partition("=") for pair in (match["levels"] or "").split(",") if pair]
    return Gate(words, match["task"], tuple((name, level) for name, _, level in levels), metric, margin)


def judge(rows: pl.DataFrame, before: str, after: str, gates: Sequence[Gate], seed: int = 0) -> list[Judged]:
    """Every gate held against the trials both subjects answered."""
    judged = []
    for one in gates:
        failed = lacking(rows, before, after, None if one.task == ALL else one.task).failed_after
        judged.append(_judged(_concerned(pairs_of(rows, before, after, one.metric), one), one, failed, seed))
    return judged


def _concerned(pairs: pl.DataFrame, gate: Gate) -> pl.DataFrame:
    """The pairs a gate is about."""
    tasks = pairs["task"].unique(maintain_order=True).to_list()
    if gate.task != ALL:
        if gate.task not in tasks:
            raise unknown("task that both were asked", gate.task, [*tasks, ALL])
        pairs = pairs.filter(pl.col("task") == gate.task)
    for name, level in gate.levels:
        if name not in factors(pairs):
            raise unknown(f"factor of {gate.task}", name, factors(pairs))
        known = pairs[name].drop_nulls().unique(maintain_order=True).to_list()
        if level not in known:
            raise unknown(f"level of factor {name}", level, known)
        pairs = pairs.filter(pl.col(name) == level)
    if pairs.is_empty():
        raise UserError(f"--fail-if {gate.words!r}: no shared trial matches")
    return pairs


def _judged(pairs: pl.DataFrame, gate: Gate, failed: int, seed: int) -> Judged:
    [found] = contrast(pairs, [], seed)
    low, high = percent(found.low), percent(found.high)
    margin = gate.margin
    if gate.metric == "unread":  # here more is worse
        low, high, margin = -high, -low, -margin
    passed = low >= margin and not failed
    outcome: Outcome = "passed" if passed else "failed" if high < margin else "cannot tell"
    return Judged(gate, outcome, percent(found.gap), failed)
