"""The ladder tells habit from eyes: subjects with known deficits are called what they are."""

from pathlib import Path

import pytest

import snellen

FAULTS = {
    "sim/ideal": (),
    "sim/fixated": ("habit",),
    "sim/stubborn": ("habit",),
    "sim/nearsighted": ("eyes",),
    "sim/blind": ("eyes",),  # who cannot count bars is short-sighted, not biased
}


@pytest.mark.soak
def test_the_quick_design_finds_the_fault_and_no_other(tmp_path: Path) -> None:
    found = snellen.exam(list(FAULTS), tasks=["bias"], store=tmp_path / "s.sqlite").findings.diagnoses
    # Bad eyes may be worse at drawings than at bars (clutter): they are still eyes.
    faults = {each.subject: tuple(fault for fault in each.faults if fault != "clutter") for each in found}
    assert faults == FAULTS
