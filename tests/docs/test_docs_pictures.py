"""The first picture of the docs shows what an exam of its four models finds."""

import runpy

import pytest
from docs_pages import ROOT

HIDES = runpy.run_path(str(ROOT / "docs" / "make_accuracy_hides.py"))


@pytest.mark.soak
def test_the_picture_of_equal_accuracies_is_that_of_the_exam_of_its_models() -> None:
    diagnoses = HIDES["examined"]()
    assert [diagnosis.verdict for diagnosis in diagnoses] == ["attention", "thinking", "eyes", "habit"]
    assert HIDES["OUT"].read_text(encoding="utf-8") == HIDES["drawn"](diagnoses), "`make gallery` renews it"
