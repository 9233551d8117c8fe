"""The example task of the page on writing one's own passes its own audit, and the audit of it is awake."""

from dataclasses import replace
from pathlib import Path

import pytest

from snellen.tasks import Task, task
from snellen.tasks.audit import audit_task

LAMPS = Path(__file__).parents[2] / "docs" / "examples" / "lamps.py"


@pytest.fixture(scope="module")
def lamps() -> Task:
    return task(str(LAMPS))


@pytest.mark.soak
@pytest.mark.parametrize("count", ["lit", "dark"])
def test_the_example_passes_its_audit(lamps: Task, count: str) -> None:
    report = audit_task(lamps, {"count": (count,)}, 300, 0)
    assert not report.leaks, str(report)
    # Files are as long as one another: nothing but what is seen in the picture is excused.
    assert all(row.observer.startswith(("picture: ", "first", "last")) for row in report.rows if row.part)
    assert not [row for row in report.rows if "file size" in row.observer or "width" in row.observer]


def test_without_what_is_due_the_light_counts_the_lamps(lamps: Task) -> None:
    report = audit_task(replace(lamps, due=lambda shown: {}), {}, 300, 0)
    assert "picture: brightness" in {row.observer for row in report.leaks}
