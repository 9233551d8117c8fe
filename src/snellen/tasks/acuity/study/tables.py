"""The tables of the eye chart."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from snellen.analysis.columns import TableSpec, positions
from snellen.analysis.contrasts import p_equals
from snellen.analysis.study import unread_spec
from snellen.charts.blocks import Cell, Heat, Value, percent
from snellen.tasks.acuity.study.anchors import HERE, anchored, anchors, told
from snellen.tasks.acuity.study.differing import ThresholdRatio, differences
from snellen.tasks.acuity.study.places import ACROSS
from snellen.tasks.acuity.study.prescribing import prescription
from snellen.tasks.acuity.study.readings import CardLine, reading
from snellen.tasks.acuity.study.results import USUAL, AcuityResults, share
from snellen.tasks.acuity.study.sights import sight
from snellen.tasks.acuity.study.words import badly, resolution_lines

THRESHOLD = (
    "Threshold: the level at which accuracy has risen 63 % of the way from chance to its maximum, with its 95 %"
    " credible interval; an end outside the range asked is open. Unread answers count neither as right nor as wrong."
)
PAIRED = (
    "Charts: where both answered the same charts, the comparison is paired, which removes the effect the charts have"
    " on both; otherwise it is unpaired."
)
Cells = tuple[Cell, ...]


def _thresholds(results: AcuityResults) -> Iterator[Cells]:
    for subject, sitting in results.sittings.items():
        for measure in sitting.central:
            read = reading(measure, USUAL)
            yield (
                *(subject, read.title, read.condition or "usual", read.said.removesuffix(f"\u00a0{read.unit}")),
                *(read.within, read.unit if read.value is not None else ""),
                f"{read.slope:.1f}" if read.slope is not None and read.value is not None else "",
                f"{100 * read.lapse:.0f}" if read.lapse is not None else "",
                f"{read.fit:.3f}{' !' if badly(read) else ''}" if read.fit is not None else "",
                *(read.trials, read.unread),
            )


def _side_by_side(results: AcuityResults) -> Iterator[Cells]:
    """Tests down, subjects across."""
    for test in results.tests:
        known = [sitting for sitting in results.sittings.values() if test in sitting.readings]
        seen = (short(sitting.reading(test)) for sitting in results.sittings.values())
        yield (known[0].readings[test].title, sight(test).unit, *seen)


def _others(results: AcuityResults) -> str:
    """Readers of letters to compare with, where letters were asked and they are not among the subjects."""
    lines = anchors(results)
    shown = [anchored(sitting.reading(test), lines, "") for sitting in results.sittings.values() for test in lines]
    first = {read.test: read for read in reversed(shown) if read.anchors}
    others = [line for line in told(first[test] for test in lines if test in first) if HERE not in line]
    return f" To compare with: {'; '.join(others)}." if others else ""


def short(read: CardLine) -> str:
    value = read.said.removesuffix(f"\u00a0{read.unit}").replace(f"\u00a0{read.unit}", "")
    where = f", {read.condition}" if read.condition else ""
    return f"{value} ({read.within}){where}" if read.within else f"{value}{where}"


def _differing(results: AcuityResults) -> Iterator[Cells]:
    for first, second in combinations(results.sittings.values(), 2):
        for apart in differences(first, second):
            ratio = None if apart.ratio is None else Value(apart.ratio.value, apart.ratio.low, apart.ratio.high)
            better = apart.better or ("not shown" if apart.ratio is not None else "")
            seen = (short(apart.first), short(apart.second))
            yield (first.subject, second.subject, apart.first.title, *seen, ratio, better, charts(apart))


def charts(ratio: ThresholdRatio) -> str:
    """On which charts two were compared."""
    return f"paired, {ratio.shared} shared" if ratio.paired else f"unpaired, {ratio.shared} shared"


def _canvases(results: AcuityResults) -> Iterator[Cells]:
    for subject, sitting in results.sittings.items():
        spent = dict(sitting.tokens.counts) if sitting.tokens else {}
        for point in sitting.resolution.points if sitting.resolution else ():
            value = Value(point.threshold, point.low, point.high, note=point.said)
            count = spent.get(point.size)
            wide, high = point.size
            yield subject, f"{wide} x {high}", value, None if count is None else round(count)


def _resolutions(results: AcuityResults) -> str:
    own = ((subject, sitting) for subject, sitting in results.sittings.items() if sitting.resolution)
    return "".join(f" {subject}: {' '.join(resolution_lines(sitting))}" for subject, sitting in own)


def _points(results: AcuityResults) -> Iterator[Cells]:
    """Every point of every curve, with what the curve says there."""
    for subject, sitting in results.sittings.items():
        for test, measure in sitting.main.items():
            read = [(x, counts) for x, counts in measure.found.posterior.tally.items() if counts.read]
            curve = measure.found.posterior.curve([x for x, _ in read]) if read else ((), (), ())
            for (x, counts), *fitted in zip(read, *curve, strict=True):
                mean, low, high = (percent(float(end)) for end in fitted)
                right = share(counts.right, counts.read)
                title = sitting.readings[test].title
                yield subject, title, f"{10**x:.4g}", right, Value(mean, low, high), counts.read


def _field(results: AcuityResults) -> Iterator[Cells]:
    """Thresholds at every place, a row of the field a line."""
    for subject, sitting in results.sittings.items():
        for field in sitting.fields:
            places = f"{'differ' if field.differ else 'alike'}, {p_equals(field.p)}"
            for k, cells in enumerate(field.cells, 1):
                yield (subject, field.canvas, k, *("not asked" if c is None else short(c) for c in cells), places)


def _blank(results: AcuityResults) -> Iterator[Cells]:
    for subject, sitting in results.sittings.items():
        for test, seen in sitting.blanks.items():
            yield subject, sitting.reading(test).title, seen, seen.n, sitting.blank_pages[test]


def _confusions(results: AcuityResults) -> Iterator[Cells]:
    for subject, sitting in results.sittings.items():
        named = ((n, key, letter) for key, row in sitting.confusions.items() for letter, n in row.items())
        apart = (pair for pair in named if pair[1] != pair[2])
        for n, key, letter in sorted(apart, key=lambda pair: (-pair[0], *pair[1:])):
            yield subject, key, letter, n


Spec = TableSpec[AcuityResults]
Rows = Callable[[AcuityResults], Iterator[Cells]]
Remark = Callable[[AcuityResults], str] | None


def _spec(name: str, title: str, note: str, columns: Sequence[str], rows: Rows, remark: Remark = None) -> Spec:
    return TableSpec(f"acuity-{name}", f"Eye chart: {title}", note, lambda _: positions(*columns), rows, remark)


TABLES: tuple[Spec, ...] = (
    _spec(
        "thresholds",
        "thresholds",
        f"{THRESHOLD} Lapse: the error rate at the easiest levels. Fit: p of a goodness-of-fit test.",
        (
            *("subject", "test", "condition", "threshold", "interval", "unit", "slope", "lapse %", "fit p"),
            *("trials", "unread"),
        ),
        _thresholds,
    ),
    TableSpec(
        "acuity-side-by-side",
        "Eye chart: subjects side by side",
        THRESHOLD,
        lambda results: positions("test", "unit", *results.subjects),
        _side_by_side,
        remark=_others,
    ),
    _spec(
        "differences",
        "differences between subjects",
        "Ratio: the threshold of the second over that of the first, with its 95 % credible interval. Shown: the"
        f" interval, widened for the number of tests compared, excludes 1. {PAIRED}",
        ("first", "second", "test", "first sees", "second sees", "ratio", "sees more", "charts"),
        _differing,
    ),
    _spec(
        "canvases",
        "letters on canvases of many sizes",
        "Thresholds in px a stroke of the picture as it was sent.",
        ("subject", "canvas", "threshold", "tokens"),
        _canvases,
        _resolutions,
    ),
    _spec(
        "field",
        "letters at 25 positions",
        "Thresholds of letters in px a stroke at 25 positions, rows from the top. Positions differ: a likelihood"
        " ratio test of all positions, p under 0.01.",
        ("subject", "canvas", "row", *(f"column {k + 1}" for k in range(ACROSS)), "places"),
        _field,
    ),
    _spec(
        "points",
        "answers at every level",
        "Standard condition. Percent right of the answers that could be read, and what the fitted curve says,"
        " with 95 % CIs. Levels in the unit of the test (contrast as a fraction).",
        ("subject", "test", "level", "right %", "curve %", "answers"),
        _points,
    ),
    _spec(
        "blank",
        "false alarms on blank pages",
        "Percent of blank pages on which something was named, out of those with a read answer; 95 % CIs.",
        ("subject", "test", "seen %", "read", "pages"),
        _blank,
    ),
    _spec(
        "confusions",
        "confusions of letters",
        "Letters shown and letters named instead, most frequent first; all sizes pooled.",
        ("subject", "shown", "named", "times"),
        _confusions,
    ),
    _spec(
        "prescription",
        "prescriptions",
        "Advice rests only on what was measured.",
        ("subject", "prescription"),
        lambda results: (
            (subject, line) for subject, sitting in results.sittings.items() for line in prescription(sitting)
        ),
    ),
    unread_spec("acuity-unread", "Eye chart: unread answers", lambda results: results.rows),
)


def confusion_heats(results: AcuityResults) -> list[Heat]:
    """A map a subject: letters shown down, letters named across."""
    made = []
    for subject, sitting in results.sittings.items():
        keys = sorted(sitting.confusions)
        named = sorted({letter for row in sitting.confusions.values() for letter in row}, key=lambda a: (len(a), a))
        if len(keys) > 1 and len(named) <= _MOST_NAMED:
            rows = []
            for key in keys:
                total = sum(sitting.confusions[key].values())
                rows.append((key, tuple(share(sitting.confusions[key].get(letter, 0), total) for letter in named)))
            made.append(
                Heat(
                    title=f"Confusions of letters · {subject}" if len(results.subjects) > 1 else CONFUSIONS,
                    note="Percent of the answers to each letter, all sizes pooled; errors are off the diagonal.",
                    unit="percent",
                    down="letter shown",
                    across="letter named",
                    columns=tuple(named),
                    rows=tuple(rows),
                    quantity="share of the answers",
                )
            )
    return made


CONFUSIONS = "Confusions of letters"
_MOST_NAMED = 27
"""All letters, and nothing."""
