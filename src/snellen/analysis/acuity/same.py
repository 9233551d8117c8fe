"""One model, two servers: do both see alike? If the weights are the same and sight is not, somebody handles pictures
differently: shrinks them, resamples them otherwise, or drops them."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from snellen.analysis.acuity.differing import Difference, differences
from snellen.analysis.acuity.resolution import Resolution
from snellen.analysis.acuity.results import Results, Sitting
from snellen.analysis.acuity.tables import PAIRED, charts, short
from snellen.analysis.acuity.tokens import Tokens
from snellen.analysis.acuity.words import about_cap, percent, pixels
from snellen.analysis.blocks import Cell, Table, Value
from snellen.analysis.rows import of_task, unspared
from snellen.errors import UserError, unknown
from snellen.psychometric import Estimate

UNREAD = 10.0
"""Percentage points of unread answers that are worth a word."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Whether two see alike: every comparison in a table, and the verdict in a sentence. `apart`: on what they are
    shown to differ."""

    table: Table
    verdict: str
    apart: tuple[str, ...]


def same_model(rows: pl.DataFrame, first: str, second: str) -> Alike:
    """Two subjects that should be one."""
    chart = rows.filter(rows["task"] == "acuity")
    known = chart["subject"].unique(maintain_order=True).to_list()
    for name in (first, second):
        if name not in known:
            raise unknown("subject with an eye chart in this store", name, known)
    if first == second:
        raise UserError(f"{first!r} is on both sides; name two different subjects to compare")
    sittings = Results(of_task(unspared(chart), "acuity")).sittings
    return _alike(sittings[first], sittings[second])


def _alike(first: Sitting, second: Sitting) -> Alike:
    tests = differences(first, second)
    if not tests:
        raise UserError(
            f"{first.subject!r} and {second.subject!r} share no test of the eye chart under one condition; examine both"
            " with the same design and --tests"
        )
    others = [*_sizes(first, second), *_bills(first, second), *_blanks(first, second)]
    apart = (*(each.first.title for each in tests if each.shown), *(name for name, *_, shown in others if shown))
    table = Table(
        name="same-model",
        title=f"One model, two servers? {second.subject} against {first.subject}",
        note="Ratio: thresholds of the second over those of the first, 95 % credible interval. Different: the interval,"
        f" widened for the number of tests compared, leaves no doubt. {PAIRED}",
        columns=("what", first.subject, second.subject, "ratio", "different", "charts"),
        rows=(*map(_row, tests), *((name, one, two, None, _yes(shown), "") for name, one, two, shown in others)),
    )
    return Alike(table, _verdict(first, second, tests, apart), apart)


def _row(each: Difference) -> tuple[Cell, ...]:
    ratio = None if each.ratio is None else Value(each.ratio.value, each.ratio.low, each.ratio.high)
    return each.first.title, short(each.first), short(each.second), ratio, _yes(each.shown), charts(each)


def _yes(shown: bool) -> str:
    return "yes" if shown else ""


def _verdict(first: Sitting, second: Sitting, tests: tuple[Difference, ...], apart: tuple[str, ...]) -> str:
    both = f"{first.subject} and {second.subject}"
    if apart:
        on = ", ".join(apart).lower()
        return f"{both} do not see alike ({on}): if the weights are the same, somebody handles pictures differently."
    told = [each for each in tests if each.ratio is not None]
    if not told:
        return f"{both}: no difference shown, but no test gave both a threshold to compare."
    finest = min(told, key=lambda each: _excluded(each.ratio))
    return (
        f"{both}: no difference shown; on {finest.first.title.lower()} a factor of more than"
        f" {_excluded(finest.ratio):.2g} is excluded."
    )


def _excluded(ratio: Estimate | None) -> float:
    """The factor beyond which a difference is excluded."""
    if ratio is None or ratio.low is None or ratio.high is None:
        return float("inf")
    return max(ratio.high, 1 / ratio.low)


Compared = tuple[str, str, str, bool]
_TOKENS, _SHARE = 2, 0.02
"""Tokens, or the share of them, that two servers may count otherwise for what are the same pictures."""


def _sizes(first: Sitting, second: Sitting) -> Iterator[Compared]:
    one, two = first.resolution, second.resolution
    if one is not None and two is not None:
        yield "effective resolution", _size_words(one), _size_words(two), _unlike(one, two)


def _size_words(found: Resolution) -> str:
    if found.kind == "whole":
        return f"whole up to {pixels(found.up_to)}"
    return f"shrunk above {about_cap(found)}" if found.kind == "shrunk" else f"not measurable: {found.why}"


def _unlike(one: Resolution, two: Resolution) -> bool:
    """One shrinks where the other does not, or their caps keep apart."""
    if {one.kind, two.kind} == {"shrunk", "whole"}:
        shrunk, whole = (one, two) if one.kind == "shrunk" else (two, one)
        high = shrunk.side.high if shrunk.side else None
        return high is not None and whole.up_to is not None and high < whole.up_to
    ends = [(each.side.low, each.side.high) for each in (one, two) if each.side is not None]
    if len(ends) < 2:
        return False
    (low, high), (other_low, other_high) = ends
    if low is None or high is None or other_low is None or other_high is None:
        return False
    return high < other_low or other_high < low


def _bills(first: Sitting, second: Sitting) -> Iterator[Compared]:
    """Tokens reported for the same canvases."""
    one, two = first.tokens, second.tokens
    if one is None or two is None:
        return
    shared = sorted({size for size, _ in one.counts} & {size for size, _ in two.counts})
    if shared:
        counts = [dict(each.counts) for each in (one, two)]
        grows = [[count[size] - count[shared[0]] for size in shared] for count in counts]  # words cost what they cost
        unlike = any(abs(a - b) > max(_TOKENS, _SHARE * max(a, b)) for a, b in zip(*grows, strict=True))
        yield "tokens by size", _tokens_words(one), _tokens_words(two), unlike


def _tokens_words(said: Tokens) -> str:
    if said.kind == "capped":
        return f"stop growing at {pixels(said.low)} to {pixels(said.high)}"
    return {"growing": "grow with every size", "fixed": "the same at every size"}.get(said.kind, "no known rule")


def _blanks(first: Sitting, second: Sitting) -> Iterator[Compared]:
    one, two = first.hallucinated, second.hallucinated
    if one is not None and two is not None:
        yield "things seen on blank pages", percent(one), percent(two), _clear(one, two)
    if first.unread.value is not None and second.unread.value is not None:
        gap = abs(first.unread.value - second.unread.value) > UNREAD and _clear(first.unread, second.unread)
        yield "unread answers", percent(first.unread), percent(second.unread), gap


def _clear(one: Value, two: Value) -> bool:
    """Whether two intervals keep apart."""
    return (one.high or 0) < (two.low or 0) or (two.high or 0) < (one.low or 0)
