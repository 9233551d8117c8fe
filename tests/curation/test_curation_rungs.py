"""A set with the rungs of its ladder is filtered like one without, and rungs go the way of their items."""

import json
from collections import Counter
from pathlib import Path

from click.testing import CliRunner

import snellen
from snellen.cli import cli


def rows_of(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "metadata.jsonl").read_text().splitlines()]


def test_rungs_go_with_their_items_and_hide_no_duplicate(tmp_path: Path) -> None:
    """Told rows carry a number of their item's own: taken for content, no item would duplicate another."""
    made = tmp_path / "set"
    options = ["--n", "3", "--set", "game=tictactoe", "--set", "prompt=base", "--format", "jsonl", "-o", str(made)]
    assert CliRunner().invoke(cli, ["make", "fixation", *options]).exit_code == 0
    rows = rows_of(made)
    first, *_ = dict.fromkeys(row["item"] for row in rows)
    copy = f"{first}-copy"
    copied = [{**row, "item": copy} for row in rows if row["item"] == first]
    for row in copied:  # what is told is numbered by the item's id
        if row["paradigm"] == "told":
            row["parts"] = json.dumps([part.replace("No. ", "No. 9") for part in json.loads(row["parts"])])
    lines = (json.dumps(row) + "\n" for row in (*rows, *copied))
    (made / "metadata.jsonl").write_text("".join(lines))
    store = tmp_path / "s.sqlite"
    snellen.exam("sim/blind", tasks=["fixation"], data={"fixation": str(made)}, store=store)
    result = CliRunner().invoke(cli, ["filter", str(made), "--with", str(store), "-o", str(tmp_path / "left")])
    assert result.exit_code == 0, result.exception
    fates = [json.loads(line) for line in (tmp_path / "left" / "filter-log.jsonl").read_text().splitlines()]
    assert [line["duplicate_of"] for line in fates if line["reason"] == "duplicate"] == [first]
    kept = Counter((row["item"], row["paradigm"]) for row in rows_of(tmp_path / "left"))
    whole = Counter((row["item"], row["paradigm"]) for row in rows)
    assert kept == {place: count for place, count in whole.items() if place[0] in {line[0] for line in kept}}
    assert {"words", "told"} < {paradigm for _, paradigm in kept}
    assert copy not in {item for item, _ in kept}
