"""The curve of the training behind a subject."""

import json
from pathlib import Path

import pytest

from snellen.examine.trained import CURVE, adapter_of, curve, curves_of

LINES = [{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0}]


def left(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / CURVE).write_text(text, encoding="utf-8")
    return folder


def test_a_subject_tells_of_its_adapter() -> None:
    assert adapter_of("local/./base:dtype=float32,adapter=runs/d2,batch=4") == Path("runs/d2")
    assert adapter_of("local/./base") is None


def test_the_curve_is_found_beside_the_adapter_or_above_it(tmp_path: Path) -> None:
    text = "\n".join(map(json.dumps, LINES))
    folder = left(tmp_path / "run", text)
    (folder / "adapter").mkdir()
    names = {"a": f"local/x:adapter={folder}", "b": f"local/x:adapter={folder / 'adapter'}", "base": "local/x"}
    assert curves_of(names) == {"a": LINES, "b": LINES}
    assert curves_of({"gone": f"local/x:adapter={tmp_path / 'nowhere'}"}) == {}


def test_a_curve_that_was_cut_short_is_told_as_far_as_it_is_whole(tmp_path: Path) -> None:
    folder = left(tmp_path / "run", json.dumps(LINES[0]) + '\n{"step": 2, "lo')
    assert curve(folder) == LINES[:1]


@pytest.mark.parametrize("text", ["[1, 2]\n", '{"loss": 1.0}\n', '{"step": "two"}\n', "\udcff"])
def test_a_file_that_is_no_curve_is_none(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / CURVE).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert curves_of({"a": f"local/x:adapter={folder}"}) == {}
