"""A set that was made is examined as it lies on disk."""

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

import snellen
from snellen.cli import cli
from snellen.errors import UserError
from snellen.prompts import load
from snellen.tasks import task
from snellen.tasks.audit import audit_folder
from snellen.tasks.export import write_items


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_an_exam_over_a_made_set_asks_what_it_holds_and_no_more(kind: str, tmp_path: Path) -> None:
    found = task("marvel")
    pack = load(found.prompts, found.name)
    design = found.changed(found.design(), {"pattern": ("quantities",), "configuration": ("group",)})
    stimuli = list(found.stimuli(design, 6, 3, pack))
    kept = [stimulus for stimulus in stimuli if not stimulus.item.id.endswith("00001")]
    folder = tmp_path / "set"
    write_items(kept, folder, cast(Any, kind))
    rows = snellen.exam("sim/ideal", tasks=["marvel"], data={"marvel": str(folder)}, store=tmp_path / "s.sqlite").rows
    assert rows.height == len(kept)
    assert set(rows["outcome"]) == {"right"}
    assert set(rows["item"]) == {stimulus.item.id for stimulus in kept}


def test_a_set_of_another_task_is_refused(tmp_path: Path) -> None:
    found = task("fixation")
    first = next(found.stimuli(found.design(), 1, 0, load(found.prompts, found.name)))
    write_items([first], tmp_path / "set", "jsonl")
    with pytest.raises(UserError, match="its items belong to task fixation"):
        task("marvel", str(tmp_path / "set"))


def made_folder(folder: Path, *options: str) -> list[dict]:
    words = ["make", *options, "-o", str(folder), "--format", "jsonl"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.exception
    return [json.loads(line) for line in (folder / "metadata.jsonl").read_text().splitlines()]


def test_rungs_are_rows_of_a_folder_and_the_task_alone_can_be_had(tmp_path: Path) -> None:
    rows = made_folder(tmp_path / "all", "winoground", "--n", "2")
    assert Counter(row["paradigm"] for row in rows) == {"direct": 8, "words": 8, "told": 4}
    for row in rows:
        pictures = [*([row["file_name"]] if row["file_name"] else []), *row["more_images"]]
        assert row["prompt"].count("<image>") == len(pictures)
        assert (not pictures) == (row["paradigm"] != "direct")
        assert row["question"] in row["prompt"]
    alone = made_folder(tmp_path / "alone", "winoground", "--n", "2", "--no-rungs")
    assert [row["prompt"] for row in alone] == [row["prompt"] for row in rows if row["paradigm"] == "direct"]
    words = made_folder(tmp_path / "words", "winoground", "--n", "2", "--paradigm", "words", "--no-rungs")
    assert [row["prompt"] for row in words] == [row["prompt"] for row in rows if row["paradigm"] == "words"]


def test_a_folder_of_one_rung_is_asked_by_it(tmp_path: Path) -> None:
    rows = made_folder(tmp_path / "words", "winoground", "--n", "2", "--paradigm", "words", "--no-rungs")
    choices: dict[str, Any] = {"tasks": ["winoground"], "data": {"winoground": str(tmp_path / "words")}}
    asked = snellen.exam("sim/ideal", store=tmp_path / "s.sqlite", **choices).rows
    assert (set(asked["paradigm"]), asked.height) == ({"words"}, len(rows))
    with pytest.raises(UserError, match="nothing to ask"):
        snellen.exam("sim/ideal", store=tmp_path / "t.sqlite", paradigms="describe", **choices)


def test_solved_examples_come_first_among_the_pictures(tmp_path: Path) -> None:
    """Few-shot: the prompt, the pictures and what an exam over the folder sends are in one order."""
    options = ("marvel", "--n", "1", "--design", "shots", "--set", "shots=one")
    [row] = [row for row in made_folder(tmp_path / "set", *options) if row["paradigm"] == "direct"]
    files = [row["file_name"], *row["more_images"]]
    assert row["prompt"].count("<image>") == len(files) > 1
    snellen.exam("sim/ideal", tasks=["marvel"], data={"marvel": str(tmp_path / "set")}, store=tmp_path / "s.sqlite")
    with sqlite3.connect(tmp_path / "s.sqlite") as db:
        [[request]] = db.execute("SELECT request FROM calls")
    [[_, *parts]] = json.loads(request)["messages"]
    assert [f"images/{part['picture']}.png" for part in parts if not isinstance(part, str)] == files
    assert "\n\n".join(part if isinstance(part, str) else "<image>" for part in parts) == row["prompt"]


def test_folders_made_before_there_were_rungs_are_asked_as_before(tmp_path: Path) -> None:
    """Such rows have neither paradigm nor prompt, and the pictures of solved examples come last."""
    folder = tmp_path / "set"
    rows = made_folder(folder, "marvel", "--n", "1", "--design", "shots", "--set", "shots=one", "--no-rungs")
    first, *own = [rows[0]["file_name"], *rows[0]["more_images"]]
    old = {**rows[0], "file_name": own[0], "more_images": [*own[1:], first]}
    del old["paradigm"], old["prompt"]
    (folder / "metadata.jsonl").write_text(json.dumps(old) + "\n")
    asked = snellen.exam("sim/ideal", tasks=["marvel"], data={"marvel": str(folder)}, store=tmp_path / "s.sqlite")
    assert asked.rows.select("paradigm", "outcome").rows() == [("direct", "right")]
    with sqlite3.connect(tmp_path / "s.sqlite") as db:
        [[request]] = db.execute("SELECT request FROM calls")
    [[_, *parts]] = json.loads(request)["messages"]
    shown = [f"images/{part['picture']}.png" for part in parts if not isinstance(part, str)]
    assert shown == [first, *own]


def test_what_takes_several_calls_is_no_row(tmp_path: Path) -> None:
    words = ["make", "fixation", "--n", "1", "--paradigm", "describe", "-o", str(tmp_path / "set")]
    error = CliRunner().invoke(cli, words).exception
    assert isinstance(error, UserError)
    assert "its later calls contain replies to earlier ones" in str(error)
    assert not (tmp_path / "set").exists()


def test_steps_that_a_folder_lacks_are_not_applicable(tmp_path: Path) -> None:
    made_folder(tmp_path / "set", "bongard", "--n", "1", "--set", "source=strokes")
    choices: dict[str, Any] = {"tasks": ["bongard"], "data": {"bongard": str(tmp_path / "set")}, "paradigms": "drl"}
    with pytest.raises(UserError, match="drl: these items have no wording for its step 'induce'"):
        snellen.exam("sim/ideal", store=tmp_path / "s.sqlite", **choices)


@pytest.mark.soak
def test_an_audit_looks_at_the_task_and_not_at_its_rungs(tmp_path: Path) -> None:
    """Told rows state the answer: an observer of the prompt would know it."""
    made_folder(tmp_path / "set", "winoground", "--n", "8")
    made_folder(tmp_path / "alone", "winoground", "--n", "8", "--no-rungs")
    assert audit_folder(tmp_path / "set") == audit_folder(tmp_path / "alone")
    made_folder(tmp_path / "words", "winoground", "--n", "2", "--paradigm", "words", "--no-rungs")
    with pytest.raises(UserError, match="only rungs of a ladder"):
        audit_folder(tmp_path / "words")
