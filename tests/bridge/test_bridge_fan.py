"""`snellen fan` on this machine: units, bills, retries, resuming."""

from pathlib import Path

import pytest
from fan_runs import PLAN, fan, is_as_on_one_machine, prepare

from support.commands import fails, snellen


def test_a_unit_whose_exam_was_killed_goes_on_and_all_is_as_on_one_machine(tmp_path: Path) -> None:
    prepare(tmp_path)
    assert "2 of 2 units are done" in fan(tmp_path, "local")
    is_as_on_one_machine(tmp_path, again=1)
