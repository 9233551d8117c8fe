"""The tables of the eye chart."""

from functools import partial
from itertools import combinations

from snellen.analysis.acuity.anchors import HERE, anchored, anchors, told
from snellen.analysis.acuity.differing import Difference, differences
from snellen.analysis.acuity.places import ACROSS
from snellen.analysis.acuity.prescribing import prescription
from snellen.analysis.acuity.readings import Reading, reading
from snellen.analysis.acuity.results import USUAL, Results, Sitting, share
from snellen.analysis.acuity.sights import sight
from snellen.analysis.acuity.words import badly, resolution_lines
from snellen.analysis.blocks import Cell, Heat, Table, Value
from snellen.analysis.contrasts import p_text
from snellen.analysis.study import NamedTable, unread_table

THRESHOLD = (
    "Threshold: where answers have gone 63 % of their way from guessing to as good as they get, with its 95 % credible"
    " interval; an end beyond what was asked is open. Unread answers count neither as right nor as wrong."
)


PAIRED = (
    "Charts: where both answered the same ones, what these do to both alike is taken out of the interval (paired); else"
    " their answers are taken as independent (unpaired)."
)


def tables(found: Results) -> dict[str, NamedTable]:
    made = {
        "acuity-thresholds": ("Eye chart: thresholds", threshold_table),
        "acuity-side-by-side": ("Eye chart: subjects side by side", side_by_side),
        "acuity-differences": ("Eye chart: differences between subjects", difference_table),
        "acuity-canvases": ("Eye chart: letters on canvases of many sizes", canvas_table),
        "acuity-field": ("Eye chart: letters at 25 places", field_table),
        "acuity-points": ("Eye chart: answers at every level", point_table),
        "acuity-blank": ("Eye chart: what is seen on blank pages", blank_table),
        "acuity-confusions": ("Eye chart: which letter is taken for which", confusion_table),
        "acuity-prescription": ("Eye chart: prescriptions", prescription_table),
    }
    own = {name: NamedTable(title, partial(make, found, name, title)) for name, (title, make) in made.items()}
    unread = "acuity-unread"
    return {**own, unread: NamedTable("Eye chart: unread answers", partial(unread_table, found.rows, unread))}


def threshold_table(found: Results, name: str, title: str) -> Table:
    rows = []
    for subject, sitting in found.sittings.items():
        for measure in sitting.central:
            read = reading(measure, USUAL)
            rows.append((subject, read.title, *_reading_cells(read)))
    return Table(
        name=name,
        title=title,
        note=f"{THRESHOLD} Lapse: wrong even where nothing is hard to see. Fit: how often somebody with such a curve"
        " strays as far from it.",
        columns=(
            *("subject", "test", "condition", "threshold", "interval", "unit", "slope", "lapse %", "fit p"),
            *("trials", "unread"),
        ),
        rows=tuple(rows),
    )


def _reading_cells(read: Reading) -> tuple[Cell, ...]:
    said = read.said.removesuffix(f"\u00a0{read.unit}")
    return (
        *(read.condition or "usual", said, read.within, read.unit if read.value is not None else ""),
        f"{read.slope:.1f}" if read.slope is not None and read.value is not None else "",
        f"{100 * read.lapse:.0f}" if read.lapse is not None else "",
        f"{read.fit:.3f}{' !' if badly(read) else ''}" if read.fit is not None else "",
        *(read.trials, read.unread),
    )


def side_by_side(found: Results, name: str, title: str) -> Table:
    """Tests down, subjects across."""
    return Table(
        name=name,
        title=title,
        note=" ".join([THRESHOLD, *_others(found)]),
        columns=("test", "unit", *found.subjects),
        rows=tuple(
            (
                found_title(found, test),
                sight(test).unit,
                *(short(sitting.reading(test)) for sitting in found.sittings.values()),
            )
            for test in found.tests
        ),
    )


def _others(found: Results) -> list[str]:
    """Readers of letters to compare with, where letters were asked and they are not among the subjects."""
    lines = anchors(found)
    shown = [anchored(sitting.reading(test), lines, "") for sitting in found.sittings.values() for test in lines]
    first = {each.test: each for each in reversed(shown) if each.anchors}
    said = [line for line in told(first[test] for test in lines if test in first) if HERE not in line]
    return [f"To compare with: {'; '.join(said)}."] if said else []


def found_title(found: Results, test: str) -> str:
    return next(sitting.readings[test].title for sitting in found.sittings.values() if test in sitting.readings)


def short(read: Reading) -> str:
    said = read.said.removesuffix(f"\u00a0{read.unit}").replace(f"\u00a0{read.unit}", "")
    where = f", {read.condition}" if read.condition else ""
    return f"{said} ({read.within}){where}" if read.within else f"{said}{where}"


def difference_table(found: Results, name: str, title: str) -> Table:
    rows = []
    for first, second in combinations(found.sittings.values(), 2):
        rows += [difference_cells(first, second, each) for each in differences(first, second)]
    return Table(
        name=name,
        title=title,
        note=f"Ratio: the threshold of the second over that of the first, with its 95 % credible interval. Shown: the"
        f" interval, widened for the number of tests compared, leaves no doubt. {PAIRED}",
        columns=("first", "second", "test", "first sees", "second sees", "ratio", "sees more", "charts"),
        rows=tuple(rows),
    )


def difference_cells(first: Sitting, second: Sitting, each: Difference) -> tuple[Cell, ...]:
    ratio = None if each.ratio is None else Value(each.ratio.value, each.ratio.low, each.ratio.high)
    better = each.better or ("not shown" if each.ratio is not None else "")
    seen = (short(each.first), short(each.second))
    return (first.subject, second.subject, each.first.title, *seen, ratio, better, charts(each))


def charts(each: Difference) -> str:
    """On which charts two were compared."""
    return f"paired, {each.shared} shared" if each.paired else f"unpaired, {each.shared} shared"


def canvas_table(found: Results, name: str, title: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for subject, sitting in found.sittings.items():
        spent = dict(sitting.tokens.counts) if sitting.tokens else {}
        for point in sitting.resolution.points if sitting.resolution else ():
            wide, high = point.size
            value = Value(point.threshold, point.low, point.high, note=point.said)
            count = spent.get(point.size)
            rows.append((subject, f"{wide} x {high}", value, None if count is None else round(count)))
    lines = [f"{subject}: {' '.join(resolution_lines(s))}" for subject, s in found.sittings.items() if s.resolution]
    return Table(
        name=name,
        title=title,
        note=" ".join(["Thresholds in px a stroke of the picture as it was sent.", *lines]),
        columns=("subject", "canvas", "threshold", "tokens"),
        rows=tuple(rows),
    )


def point_table(found: Results, name: str, title: str) -> Table:
    """Every point of every curve, with what the curve says there."""
    rows: list[tuple[Cell, ...]] = []
    for subject, sitting in found.sittings.items():
        for test, measure in sitting.main.items():
            read = [(x, counts) for x, counts in measure.found.posterior.tally.items() if counts.read]
            curve = measure.found.posterior.curve([x for x, _ in read]) if read else ((), (), ())
            for (x, counts), *said in zip(read, *curve, strict=True):
                right = share(counts.right, counts.read)
                mean, low, high = (100 * float(each) for each in said)
                fitted = Value(mean, low, high)
                rows.append((subject, sitting.readings[test].title, f"{10**x:.4g}", right, fitted, counts.read))
    return Table(
        name=name,
        title=title,
        note="Under the usual condition. Percent right of the answers that could be read, and what the fitted curve"
        " says, with 95 % intervals. Levels in the unit that is drawn (contrast as a share).",
        columns=("subject", "test", "level", "right %", "curve %", "answers"),
        rows=tuple(rows),
    )


def field_table(found: Results, name: str, title: str) -> Table:
    """Thresholds at every place, a row of the field a line."""
    rows: list[tuple[Cell, ...]] = []
    for subject, sitting in found.sittings.items():
        for field in sitting.fields:
            told = "differ" if field.differ else "alike"
            for k, cells in enumerate(field.cells, 1):
                said = ("not asked" if each is None else short(each) for each in cells)
                rows.append((subject, field.canvas, k, *said, f"{told}, p {p_text(field.p)}"))
    return Table(
        name=name,
        title=title,
        note="Thresholds of letters in px a stroke at 25 places, rows from the top. Places differ: a likelihood ratio"
        " test of all of them together, p under 0.01.",
        columns=("subject", "canvas", "row", *(f"column {k + 1}" for k in range(ACROSS)), "places"),
        rows=tuple(rows),
    )


def blank_table(found: Results, name: str, title: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for subject, sitting in found.sittings.items():
        for test, seen in sitting.blanks.items():
            rows.append((subject, sitting.reading(test).title, seen, seen.n, sitting.blank_pages[test]))
    return Table(
        name=name,
        title=title,
        note="Percent of pages with nothing on them on which something was named, of those whose answers could be read;"
        " 95 % intervals.",
        columns=("subject", "test", "seen %", "read", "pages"),
        rows=tuple(rows),
    )


def confusion_table(found: Results, name: str, title: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for subject, sitting in found.sittings.items():
        pairs = [(n, key, said) for key, row in sitting.confusions.items() for said, n in row.items() if said != key]
        rows += [(subject, key, said, n) for n, key, said in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:]))]
    return Table(
        name=name,
        title=title,
        note="Letters shown and letters named in their place, commonest first; all sizes together.",
        columns=("subject", "shown", "named", "times"),
        rows=tuple(rows),
    )


def confusion_heats(found: Results) -> list[Heat]:
    """A map a subject: letters shown down, letters named across."""
    made = []
    for subject, sitting in found.sittings.items():
        keys = sorted(sitting.confusions)
        named = sorted({said for row in sitting.confusions.values() for said in row}, key=lambda a: (len(a), a))
        if len(keys) > 1 and len(named) <= _MOST_NAMED:
            rows = []
            for key in keys:
                total = sum(sitting.confusions[key].values())
                rows.append((key, tuple(share(sitting.confusions[key].get(said, 0), total) for said in named)))
            made.append(
                Heat(
                    title=f"Which letter is taken for which · {subject}" if len(found.subjects) > 1 else CONFUSIONS,
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


def prescription_table(found: Results, name: str, title: str) -> Table:
    rows = [(subject, line) for subject, sitting in found.sittings.items() for line in prescription(sitting)]
    return Table(name, title, "Only what was measured is prescribed.", ("subject", "prescription"), tuple(rows))
