"""What an exam announces that it separates is what its diagnosis then tests."""

from pathlib import Path

import pytest

import snellen
from snellen.examine import make_plan
from snellen.examine.outlook import tells_apart

LEVELS = {"kind": ("gomoku", "sandbagging")}


@pytest.mark.parametrize("n", [12, 42])
def test_a_faculty_that_too_few_items_have_is_announced_as_such(n: int, tmp_path: Path) -> None:
    (part,) = make_plan("sim/ideal", tasks=["capacity"], n=n, levels=LEVELS).parts
    exam = snellen.exam("sim/ideal", tasks=["capacity"], n=n, levels=LEVELS, store=tmp_path / "s.sqlite")
    (diagnosis,) = exam.diagnoses
    is_untested = any(line.startswith("against habit: too few items") for line in diagnosis.missing)
    assert is_untested == (n == 12)
    assert ("too few items for habit" in tells_apart(part)) == is_untested
    assert tells_apart(part).startswith("separates attention, thinking, eyes" + (", habit" if n == 42 else ";"))
