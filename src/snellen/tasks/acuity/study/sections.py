"""The eye chart's part of the page: prescriptions, thresholds, field maps, confusions, tables."""

from collections.abc import Sequence

from snellen.charts.blocks import Intervals, Section, Table, Text
from snellen.tasks.acuity.study.curves import curve_charts
from snellen.tasks.acuity.study.results import AcuityResults
from snellen.tasks.acuity.study.tables import confusion_heats
from snellen.tasks.acuity.study.words import resolution_lines

TABLES_NOTE = "Each can be printed with `snellen table STORE NAME`; so can every answer by level (`acuity-points`)."
PRINTED_ONLY = ("acuity-points", "acuity-prescription")
"""Too long for the page, or said there already."""


def sections(found: AcuityResults, made: Sequence[Table]) -> tuple[Section, ...]:
    by_name = {table.name: table for table in made if table.rows}
    first = [by_name.pop(name) for name in ("acuity-side-by-side", "acuity-differences") if name in by_name]
    for name in PRINTED_ONLY:
        by_name.pop(name, None)
    told = [
        Section("Eye chart: thresholds", (*first,)),
        Section("Eye chart: curves", tuple(curve_charts(found))),
        Section("Eye chart: effective resolution", _resolution(found, by_name)),
        Section("Eye chart: the field", tuple(by_name.pop(name) for name in ("acuity-field",) if name in by_name)),
        Section("Eye chart: blank pages", tuple(blank_charts(found))),
        Section("Eye chart: confusions", tuple(confusion_heats(found))),
        Section("Eye chart: tables", (Text(TABLES_NOTE), *by_name.values())),
    ]
    return tuple(section for section in told if section.blocks)


def _resolution(found: AcuityResults, tables: dict[str, Table]) -> tuple[Text | Table, ...]:
    lines = tuple(
        Text(f"{subject}: {' '.join(resolution_lines(sitting))}")
        for subject, sitting in found.sittings.items()
        if resolution_lines(sitting)
    )
    table = tables.pop("acuity-canvases", None)
    return (*lines, *([table] if table else []))


def blank_charts(found: AcuityResults) -> list[Intervals]:
    """A row for each subject: of single tests there are too few (`acuity-blank` has them)."""
    rows = [(subject, (seen,)) for subject, sitting in found.sittings.items() if (seen := sitting.hallucinated)]
    if not rows:
        return []
    return [
        Intervals(
            title="False alarms on blank pages",
            note="Percent of blank pages, over all tests, on which something was named, out of those with a read"
            " answer; 95 % CIs.",
            unit="percent",
            series=("seen",),
            rows=tuple(rows),
            quantity="blank pages",
        )
    ]
