"""A set that was made is examined as it lies on disk."""

from pathlib import Path

import pytest

import snellen
from snellen.errors import UserError
from snellen.prompts import load
from snellen.tasks import task
from snellen.tasks.export import write_items


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_an_exam_over_a_made_set_asks_what_it_holds_and_no_more(kind: str, tmp_path: Path) -> None:
    found = task("marvel")
    pack = load(found.prompts, found.name)
    design = found.changed(found.design(), {"pattern": ("quantities",), "configuration": ("group",)})
    stimuli = list(found.stimuli(design, 6, 3, pack))
    kept = [stimulus for stimulus in stimuli if not stimulus.item.id.endswith("00001")]
    folder = tmp_path / "set"
    write_items(kept, folder, kind)
    rows = snellen.exam("sim/ideal", tasks=["marvel"], data={"marvel": str(folder)}, store=tmp_path / "s.sqlite").rows
    assert rows.height == len(kept)
    assert set(rows["outcome"]) == {"right"}
    assert set(rows["item"]) == {stimulus.item.id for stimulus in kept}


def test_a_set_of_another_task_is_refused(tmp_path: Path) -> None:
    found = task("fixation")
    first = next(found.stimuli(found.design(), 1, 0, load(found.prompts, found.name)))
    write_items([first], tmp_path / "set", "jsonl")
    with pytest.raises(UserError, match="its items are of the task fixation"):
        task("marvel", str(tmp_path / "set"))
