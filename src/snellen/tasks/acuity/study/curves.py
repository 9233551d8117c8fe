"""Psychometric curves of all subjects as charts: single tests, stripes, colours."""

from collections.abc import Iterator

from snellen.charts.blocks import Bend, Graded, Psychometrics, Value
from snellen.tasks.acuity.study.anchors import HERE, anchored, anchors, told
from snellen.tasks.acuity.study.readings import Anchor, CardLine
from snellen.tasks.acuity.study.results import AcuityResults, share
from snellen.tasks.acuity.study.sights import SEVERAL, family, short_title, sight

TITLE = "Percent right at every level"
NOTE = (
    "Dots: answers that could be read, with 95 % CIs. Lines: fitted curves with 95 % bands; upright lines:"
    " thresholds. Dotted: guessing."
)


def curve_charts(found: AcuityResults) -> list[Psychometrics]:
    """A chart of the tests with one number each, one of stripes and one of colours, as far as they were asked."""
    lines = anchors(found)
    named = (("", TITLE), *((name, f"{TITLE}: {name}") for name in SEVERAL))
    made = []
    for which, title in named:
        tests = [test for test in found.tests if (family(test) if family(test) in SEVERAL else "") == which]
        read = [[anchored(s.reading(test), lines, "") for s in found.sittings.values()] for test in tests]
        others = told(dict.fromkeys(_first(each) for each in read))
        kept = [line for line in others if HERE not in line]
        note = f"{NOTE} Thin lines: {'; '.join(kept)}." if kept else NOTE
        panels = tuple(panel for each in read for panel in _panel(each))
        if panels:
            made.append(Psychometrics(title, note, tuple(found.subjects), panels))
    return made


def _first(read: list[CardLine]) -> CardLine:
    """Whose lines stand in a panel: everybody has the same, unless asked under another condition."""
    return next((each for each in read if each.anchors), read[0])


def _panel(read: list[CardLine]) -> Iterator[Graded]:
    bends = tuple(_bend(each) for each in read)
    if not any(bends):
        return
    shown = next(each for each in read if each.curve is not None)
    outside = tuple((line.name, line.at) for line in _first(read).anchors if _apart(line))
    references = tuple((name, at) for name, at in outside if at is not None)
    yield Graded(short_title(shown.test), shown.unit, 100 * shown.chance, bends, references)


def _apart(line: Anchor) -> bool:
    """Readers of the store have curves of their own; who sees beyond what was drawn has no line."""
    return line.since != HERE and line.kind == "threshold"


def _bend(read: CardLine) -> Bend | None:
    curve = read.curve
    if curve is None or not curve.points:
        return None
    scale = sight(read.test).scale
    mean, low, high = (tuple(100 * y for y in ys) for ys in (curve.mean, curve.low, curve.high))
    return Bend(
        tuple(scale * x for x in curve.xs),
        mean,
        low,
        high,
        tuple((scale * x, share(right, n)) for x, right, n in curve.points),
        Value(read.value, read.low, read.high, read.trials, read.said),
    )
