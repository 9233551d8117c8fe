"""The tables of the eye chart."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from snellen.analysis.columns import Column, TableSpec
from snellen.analysis.contrasts import p_text
from snellen.analysis.study import unread_spec
from snellen.charts.blocks import Heat, Value
from snellen.psychometric import Counts
from snellen.tasks.acuity.study.anchors import HERE, anchored, anchors, told
from snellen.tasks.acuity.study.differing import ThresholdRatio, differences
from snellen.tasks.acuity.study.places import ACROSS, FieldMap
from snellen.tasks.acuity.study.prescribing import prescription
from snellen.tasks.acuity.study.readings import CardLine, reading
from snellen.tasks.acuity.study.resolution import Point
from snellen.tasks.acuity.study.results import USUAL, AcuityResults, Sitting, share
from snellen.tasks.acuity.study.sights import sight
from snellen.tasks.acuity.study.words import badly, resolution_lines

THRESHOLD = (
    "Threshold: where answers have gone 63 % of their way from guessing to as good as they get, with its 95 % credible"
    " interval; an end beyond what was asked is open. Unread answers count neither as right nor as wrong."
)
PAIRED = (
    "Charts: where both answered the same ones, what these do to both alike is taken out of the interval (paired); else"
    " their answers are taken as independent (unpaired)."
)
SUBJECT: Column[Any] = Column("subject", "", lambda row: row[0])
"""Rows begin with whose they are."""

Read = tuple[str, CardLine]
_THRESHOLDS: list[Column[Read]] = [
    SUBJECT,
    Column("test", "", lambda row: row[1].title),
    Column("condition", "", lambda row: row[1].condition or "usual"),
    Column("threshold", "", lambda row: row[1].said.removesuffix(f"\u00a0{row[1].unit}")),
    Column("interval", "", lambda row: row[1].within),
    Column("unit", "", lambda row: row[1].unit if row[1].value is not None else ""),
    Column("slope", "", lambda row: f"{row[1].slope:.1f}" if None not in (row[1].slope, row[1].value) else ""),
    Column("lapse %", "", lambda row: f"{100 * row[1].lapse:.0f}" if row[1].lapse is not None else ""),
    Column("fit p", "", lambda row: _fit(row[1])),
    Column("trials", "", lambda row: row[1].trials),
    Column("unread", "", lambda row: row[1].unread),
]


def _fit(read: CardLine) -> str:
    return f"{read.fit:.3f}{' !' if badly(read) else ''}" if read.fit is not None else ""


def _seen_by(subject: str, results: AcuityResults) -> Column[str]:
    return Column(subject, "", lambda test: short(results.sittings[subject].reading(test)))


def _side_by_side(results: AcuityResults) -> list[Column[str]]:
    """Tests down, subjects across."""
    return [
        Column("test", "", lambda test: _title(results, test)),
        Column("unit", "", lambda test: sight(test).unit),
        *(_seen_by(subject, results) for subject in results.subjects),
    ]


def _title(results: AcuityResults, test: str) -> str:
    return next(sitting.readings[test].title for sitting in results.sittings.values() if test in sitting.readings)


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


Apart = tuple[Sitting, Sitting, ThresholdRatio]
_DIFFERENCES: list[Column[Apart]] = [
    Column("first", "", lambda row: row[0].subject),
    Column("second", "", lambda row: row[1].subject),
    Column("test", "", lambda row: row[2].first.title),
    Column("first sees", "", lambda row: short(row[2].first)),
    Column("second sees", "", lambda row: short(row[2].second)),
    Column("ratio", "", lambda row: (ratio := row[2].ratio) and Value(ratio.value, ratio.low, ratio.high)),
    Column("sees more", "", lambda row: row[2].better or ("not shown" if row[2].ratio is not None else "")),
    Column("charts", "", lambda row: charts(row[2])),
]


def _differing(results: AcuityResults) -> Iterator[Apart]:
    for first, second in combinations(results.sittings.values(), 2):
        yield from ((first, second, ratio) for ratio in differences(first, second))


def charts(ratio: ThresholdRatio) -> str:
    """On which charts two were compared."""
    return f"paired, {ratio.shared} shared" if ratio.paired else f"unpaired, {ratio.shared} shared"


Canvas = tuple[str, Point, float | None]
_CANVASES: list[Column[Canvas]] = [
    SUBJECT,
    Column("canvas", "", lambda row: f"{row[1].size[0]} x {row[1].size[1]}"),
    Column("threshold", "", lambda row: Value(row[1].threshold, row[1].low, row[1].high, note=row[1].said)),
    Column("tokens", "", lambda row: None if row[2] is None else round(row[2])),
]


def _canvases(results: AcuityResults) -> Iterator[Canvas]:
    for subject, sitting in results.sittings.items():
        spent = dict(sitting.tokens.counts) if sitting.tokens else {}
        for point in sitting.resolution.points if sitting.resolution else ():
            yield subject, point, spent.get(point.size)


def _resolutions(results: AcuityResults) -> str:
    own = ((subject, sitting) for subject, sitting in results.sittings.items() if sitting.resolution)
    return "".join(f" {subject}: {' '.join(resolution_lines(sitting))}" for subject, sitting in own)


class LevelPoint(NamedTuple):
    """A point of a curve (log10 of the level), with what the curve says there."""

    subject: str
    test: str
    level: float
    answers: Counts
    curve: Value


_POINTS: list[Column[LevelPoint]] = [
    SUBJECT,
    Column("test", "", lambda point: point.test),
    Column("level", "", lambda point: f"{10**point.level:.4g}"),
    Column("right %", "", lambda point: share(point.answers.right, point.answers.read)),
    Column("curve %", "share", lambda point: point.curve),
    Column("answers", "", lambda point: point.answers.read),
]


def _points(results: AcuityResults) -> Iterator[LevelPoint]:
    for subject, sitting in results.sittings.items():
        for test, measure in sitting.main.items():
            read = [(x, counts) for x, counts in measure.found.posterior.tally.items() if counts.read]
            curve = measure.found.posterior.curve([x for x, _ in read]) if read else ((), (), ())
            for (x, counts), *fitted in zip(read, *curve, strict=True):
                mean, low, high = map(float, fitted)
                yield LevelPoint(subject, sitting.readings[test].title, x, counts, Value(mean, low, high))


FieldRow = tuple[str, FieldMap, int]


def _place(column: int) -> Column[FieldRow]:
    return Column(f"column {column + 1}", "", lambda row: _at_place(row[1].cells[row[2]][column]))


def _at_place(read: CardLine | None) -> str:
    return "not asked" if read is None else short(read)


_FIELD: list[Column[FieldRow]] = [
    SUBJECT,
    Column("canvas", "", lambda row: row[1].canvas),
    Column("row", "", lambda row: row[2] + 1),
    *map(_place, range(ACROSS)),
    Column("places", "", lambda row: f"{'differ' if row[1].differ else 'alike'}, p {p_text(row[1].p)}"),
]


class BlankPages(NamedTuple):
    """Pages with nothing on them: the percentage on which something was named, and how many there were."""

    subject: str
    test: str
    seen: Value
    pages: int


_BLANK: list[Column[BlankPages]] = [
    SUBJECT,
    Column("test", "", lambda row: row.test),
    Column("seen %", "", lambda row: row.seen),
    Column("read", "", lambda row: row.seen.n),
    Column("pages", "", lambda row: row.pages),
]


class Confusion(NamedTuple):
    subject: str
    shown: str
    named: str
    times: int


_CONFUSIONS: list[Column[Confusion]] = [
    SUBJECT,
    Column("shown", "", lambda row: row.shown),
    Column("named", "", lambda row: row.named),
    Column("times", "", lambda row: row.times),
]


def _confusions(results: AcuityResults) -> Iterator[Confusion]:
    for subject, sitting in results.sittings.items():
        pairs = [
            Confusion(subject, key, letter, n) for key, row in sitting.confusions.items() for letter, n in row.items()
        ]
        apart = (pair for pair in pairs if pair.shown != pair.named)
        yield from sorted(apart, key=lambda pair: (-pair.times, pair.shown, pair.named))


TABLES: tuple[TableSpec[AcuityResults], ...] = (
    TableSpec(
        "acuity-thresholds",
        "Eye chart: thresholds",
        f"{THRESHOLD} Lapse: wrong even where nothing is hard to see. Fit: how often somebody with such a curve strays"
        " as far from it.",
        lambda _: _THRESHOLDS,
        lambda results: (
            (subject, reading(measure, USUAL))
            for subject, sitting in results.sittings.items()
            for measure in sitting.central
        ),
    ),
    TableSpec(
        "acuity-side-by-side",
        "Eye chart: subjects side by side",
        THRESHOLD,
        _side_by_side,
        lambda results: results.tests,
        remark=_others,
    ),
    TableSpec(
        "acuity-differences",
        "Eye chart: differences between subjects",
        "Ratio: the threshold of the second over that of the first, with its 95 % credible interval. Shown: the"
        f" interval, widened for the number of tests compared, leaves no doubt. {PAIRED}",
        lambda _: _DIFFERENCES,
        _differing,
    ),
    TableSpec(
        "acuity-canvases",
        "Eye chart: letters on canvases of many sizes",
        "Thresholds in px a stroke of the picture as it was sent.",
        lambda _: _CANVASES,
        _canvases,
        remark=_resolutions,
    ),
    TableSpec(
        "acuity-field",
        "Eye chart: letters at 25 places",
        "Thresholds of letters in px a stroke at 25 places, rows from the top. Places differ: a likelihood ratio test"
        " of all of them together, p under 0.01.",
        lambda _: _FIELD,
        lambda results: (
            (subject, field, line)
            for subject, sitting in results.sittings.items()
            for field in sitting.fields
            for line in range(len(field.cells))
        ),
    ),
    TableSpec(
        "acuity-points",
        "Eye chart: answers at every level",
        "Under the usual condition. Percent right of the answers that could be read, and what the fitted curve says,"
        " with 95 % intervals. Levels in the unit that is drawn (contrast as a share).",
        lambda _: _POINTS,
        _points,
    ),
    TableSpec(
        "acuity-blank",
        "Eye chart: what is seen on blank pages",
        "Percent of pages with nothing on them on which something was named, of those whose answers could be read;"
        " 95 % intervals.",
        lambda _: _BLANK,
        lambda results: (
            BlankPages(subject, sitting.reading(test).title, seen, sitting.blank_pages[test])
            for subject, sitting in results.sittings.items()
            for test, seen in sitting.blanks.items()
        ),
    ),
    TableSpec(
        "acuity-confusions",
        "Eye chart: which letter is taken for which",
        "Letters shown and letters named in their place, commonest first; all sizes together.",
        lambda _: _CONFUSIONS,
        _confusions,
    ),
    TableSpec(
        "acuity-prescription",
        "Eye chart: prescriptions",
        "Only what was measured is prescribed.",
        lambda _: [SUBJECT, Column("prescription", "", lambda row: row[1])],
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
                    title=f"Which letter is taken for which · {subject}" if len(results.subjects) > 1 else CONFUSIONS,
                    note="Percent of the answers to each letter, all sizes together; off the diagonal: misread.",
                    unit="percent",
                    down="letter shown",
                    across="letter named",
                    columns=tuple(named),
                    rows=tuple(rows),
                    quantity="share of the answers",
                )
            )
    return made


CONFUSIONS = "Which letter is taken for which"
_MOST_NAMED = 27
"""All letters, and nothing."""
