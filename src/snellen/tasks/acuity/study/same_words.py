"""How a comparison of two servers is told: a table, and the verdict in a few sentences."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log
from typing import TYPE_CHECKING

import numpy as np

from snellen.analysis.contrasts import p_text
from snellen.charts.blocks import Cell, Table, Value
from snellen.charts.rounds import number
from snellen.psychometric import PosteriorEstimate
from snellen.tasks.acuity.lines import INKS
from snellen.tasks.acuity.study.exchange import ChartReplies, Codes
from snellen.tasks.acuity.study.line_charts import side_words

if TYPE_CHECKING:
    from snellen.tasks.acuity.study.same import Alike, SizeCompared

SAME_NOTE = (
    "1st, 2nd: percent of letters read by either. Within, between: percent of letters in which two replies to one chart"
    " differ, within a server (the larger of the two) and between the servers. Size: how many times as large letters"
    " must be for the second to read as many as the first, with 95 % CI. p: exact permutation tests, adjusted by Holm's"
    " method over all sizes; different at 0.01. Would show: the least shrinking, and the least percentage of letters"
    " read otherwise, that these replies detect with 90 % power."
)
COLUMNS = ("charts", "1st %", "2nd %", "within %", "between %", "size", "p", "different", "would show")
LEVEL = 0.01
"""Of the whole family of tests: so often a difference is shown where there is none."""
_SHRINK = 1.4
"""A factor from which on fewer pixels are the likely cause; filters and compression do less."""
_GROWS = 1.25
"""By how much the factor grows from one canvas to the next of twice the size, behind a cap; without one it stays."""


def same_table(found: "Alike") -> Table:
    return Table(
        name="same-model",
        title=f"One model, two servers? {found.second.subject} against {found.first.subject}",
        note=SAME_NOTE,
        columns=COLUMNS,
        rows=tuple(same_rows(found)),
    )


def pair_table(pairs: Sequence["Alike"], name: str, title: str) -> Table:
    """All pairs in one table."""
    rows = tuple((each.first.subject, each.second.subject, *row) for each in pairs for row in same_rows(each))
    return Table(name, title, SAME_NOTE, ("1st", "2nd", *COLUMNS), rows)


def same_badge(pairs: Sequence["Alike"]) -> str:
    """A few words on how one subject compares with the others."""
    if any(each.apart for each in pairs):
        return "not alike"
    if any(each.compared for each in pairs):
        return "no difference shown"
    return "not measurable" if pairs else "one subject"


def same_rows(found: "Alike") -> Iterator[tuple[Cell, ...]]:
    """A row for every size, for all together, and for every ink."""
    for each in found.sizes:
        p = p_text(each.p)
        yield (*_counted(side_words(each.canvas), each.charts, each.factor), p, _different(each), _would_show(each))
    for canvas, why in found.missing.items():
        yield side_words(canvas), None, None, None, None, None, "", f"not compared: {why}", ""
    everything = [chart for each in found.sizes for chart in each.charts]
    if everything:
        shown = "yes" if found.p <= LEVEL else ""
        yield (*_counted("all sizes", everything, None), p_text(found.p), shown, "")
    for ink in INKS:
        own = [chart for chart in everything if chart.ink == ink]
        if own:
            yield (*_counted(f"contrast {100 * float(ink):g}\u00a0%", own, None), "", "", "")
    for size, one, two in found.bills:
        yield f"tokens, {size[0]} x {size[1]}\u00a0px", f"{one:,.0f}", f"{two:,.0f}", None, None, None, "", "yes", ""


def _counted(what: str, charts: Sequence[ChartReplies], factor: PosteriorEstimate | None) -> tuple[Cell, ...]:
    read = [_percent([_right(side, each.key) for each, side in zip(charts, sides, strict=True)])
            for sides in ([each.first for each in charts], [each.second for each in charts])]  # fmt: skip
    within = [_percent([_apart(each) for each in sides if len(each) > 1])
              for sides in ([each.first for each in charts], [each.second for each in charts])]  # fmt: skip
    between = _percent([float((each.first[:, None] != each.second[None]).mean()) for each in charts])
    own = [each for each in within if each is not None]
    size = None if factor is None else Value(factor.value, factor.low, factor.high)
    return what, read[0], read[1], max(own) if own else None, between, size


def _right(replies: Codes, key: Codes) -> float:
    return float((replies == key).mean())


def _apart(replies: Codes) -> float:
    return float(np.mean([(one != other).mean() for one, other in combinations(replies, 2)]))


def _percent(shares: Sequence[float]) -> float | None:
    return round(100 * float(np.mean(shares)), 1) if shares else None


def _different(each: "SizeCompared") -> str:
    return "yes" if each.differs else "" if each.measurable else "not measurable"


def _would_show(each: "SizeCompared") -> str:
    if each.differs or not each.measurable:
        return ""
    shrunk = f"{each.least_factor:g}\u00a0times" if each.least_factor else ""
    letters = f"{100 * each.least_share:g}\u00a0%" if each.least_share else ""
    return ", ".join(filter(None, (shrunk, letters))) or "nothing"


# The verdict


def same_verdict(found: "Alike") -> str:
    """Where they differ and how, or what is excluded; always with the sizes that this is about."""
    both = f"{found.first.subject} and {found.second.subject}"
    shown = [each for each in found.sizes if each.differs]
    quiet = [each for each in found.sizes if not each.differs and each.measurable]
    blind = [each for each in found.sizes if not each.differs and not each.measurable]
    if shown:
        lines = [f"{both} do not see alike: replies differ on canvases of {_sizes(shown)}."]
        lines += [*_worse(found, shown), *_cause(found, shown, quiet)]
        lines += [f"No difference shown on {_sizes(quiet)}."] if quiet else []
    elif found.p <= LEVEL:
        lines = [f"{both} do not see alike: replies differ over all sizes together, too few charts to say on which."]
        quiet = []
    elif quiet:
        lines = [f"{both}: no difference shown on canvases of {_sizes(quiet)}."]
    else:
        lines = [f"{both}: not measurable, so no conclusion about whether they see alike."]
    lines += _excluded(quiet)
    if blind:
        lines.append(f"Not measurable on {_sizes(blind)}: neither reads the largest letters there.")
    lines += [f"Not compared on {side_words(canvas)}: {why}." for canvas, why in found.missing.items()]
    failed = sum(n for each in (found.first, found.second) for c, n in each.failed.items() if c not in found.missing)
    if failed:
        lines.append(f"{failed} calls failed and are excluded; run the same exam again to retry them.")
    if found.bills:
        lines.append("Reported tokens grow with the size of pictures in different ways.")
    if not shown and found.sizes:
        lines.append("Other sizes were not shown.")
    return " ".join(lines)


def _sizes(sizes: Sequence["SizeCompared"]) -> str:
    *first, last = (f"{int(each.canvas):,}" if each.canvas.isdecimal() else each.canvas for each in sizes)
    return f"{', '.join(first)} and {last}\u00a0px" if first else f"{last}\u00a0px"


def _worse(found: "Alike", shown: Sequence["SizeCompared"]) -> Iterator[str]:
    """Who sees worse, and by how much where that is most."""
    clear = [each for each in shown if each.worse]
    if not clear:
        if shown:
            yield "Neither is shown to read fewer letters."
        return
    most = max(clear, key=lambda each: abs(log(each.factor.value)))
    who, factor = _told(found, most)
    least = "at least " if most.at_least else ""
    yield (
        f"{who} sees worse: on {side_words(most.canvas)} its letters must be {least}{number(factor.value)}"
        f" ({number(factor.low or 0)}\u2013{number(factor.high or 0)}) times as large."
    )


def _told(found: "Alike", each: "SizeCompared") -> tuple[str, PosteriorEstimate]:
    """Who sees worse at a size, and by a factor above 1."""
    factor = each.factor
    if factor.value >= 1:
        return found.second.subject, factor
    return found.first.subject, PosteriorEstimate(1 / factor.value, 1 / (factor.high or 1), 1 / (factor.low or 1))


def _cause(found: "Alike", shown: Sequence["SizeCompared"], quiet: Sequence["SizeCompared"]) -> Iterator[str]:
    """What the pattern over sizes is consistent with; nothing where it is no known one."""
    squares = [each for each in shown if each.canvas.isdecimal()]
    alike = [int(each.canvas) for each in quiet if each.canvas.isdecimal()]
    if not squares:
        return
    told = [_told(found, each) for each in squares]
    factors = [factor.value for _, factor in told]
    whose = {who for (who, _), each in zip(told, squares, strict=True) if each.worse}
    first = int(squares[0].canvas)
    if max(factors) < _SHRINK:
        yield "Consistent with another filter or with compression, less so with fewer pixels."
    elif len(whose) == 1 and all(side < first for side in alike):
        who = next(iter(whose))
        if alike:
            cap = f"a cap of {max(alike):,}\u00a0px or more, below {first:,}\u00a0px"
            yield f"Consistent with {cap}, on the pictures of {who}{_roughly(factors[-1], squares[-1])}."
        elif len(factors) == 1 or factors[-1] >= _GROWS * factors[0]:
            yield f"Consistent with a cap below {first:,}\u00a0px on the pictures of {who}."
        else:
            yield f"Consistent with {who} shrinking pictures of all these sizes alike."


def _roughly(factor: float, largest: "SizeCompared") -> str:
    """Where a cap would be by the letters lost on the largest canvas. How much harder letters get by resampling is not
    known, so there is no interval."""
    if largest.at_least:
        return ""
    side = float(f"{int(largest.canvas) / factor:.2g}")
    return f" (roughly {side:,.0f}\u00a0px, by the letters lost on {side_words(largest.canvas)})"


def _excluded(quiet: Sequence["SizeCompared"]) -> Iterator[str]:
    """What would have been found where nothing was."""
    by_factor: dict[float | None, list[SizeCompared]] = {}
    for each in quiet:
        by_factor.setdefault(each.least_factor, []).append(each)
    unknown = by_factor.pop(None, [])
    if by_factor:
        said = "; ".join(f"by {factor:g} or more on {_sizes(sizes)}" for factor, sizes in by_factor.items())
        yield f"Excluded there (90\u00a0% power): shrinking {said}."
    if unknown:
        yield f"Nothing is excluded on {_sizes(unknown)}: so few charts, or so few letters read, show no shrinking."
