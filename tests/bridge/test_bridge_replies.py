"""Replies to a made folder: what is wrong with them is said in one line, and what is missing is an error, not wrong."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from snellen.bridge.replies import import_replies
from snellen.cli import cli
from snellen.errors import UserError


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "boards"
    words = ["make", "fixation", "--n", "1", "--set", "game=tictactoe", "--set", "prompt=base", "-o", str(folder)]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return folder


def answered(path: Path, lines: list[object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def keys(boards: Path) -> list[str]:
    import polars as pl

    return pl.read_parquet(boards / "data" / "*.parquet")["key"].to_list()


def test_replies_are_marked_and_a_missing_one_is_an_error(boards: Path, tmp_path: Path) -> None:
    said: list[object] = [{"reply": key} for key in keys(boards)]
    said[0] = {"reply": None}
    said[1] = {"reply": "Let me", "finish": "length"}
    exam = import_replies(boards, answered(tmp_path / "mine.jsonl", said), tmp_path / "s.sqlite")
    assert exam.subjects == ("mine",)
    counts = dict(exam.rows.group_by("outcome", "reason").len().select("reason", "len").rows())
    assert counts == {"error": 1, "truncated": 1, "": len(said) - 2}


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda said: said[:-1], "has fewer replies than"),
        (lambda said: [*said, *said[:1]], "has more replies than"),
        (lambda said: [{"answer": "X"}, *said[1:]], "line 1: has no text under 'reply'"),
        (lambda said: [{"reply": 3}, *said[1:]], "line 1: has no text under 'reply'"),
        (lambda said: [{"reply": "X", "finish": "bored"}, *said[1:]], "finish 'bored'; expected one of stop, length"),
    ],
)
def test_what_is_wrong_with_them_is_one_line(boards: Path, tmp_path: Path, spoil, words: str) -> None:
    said = spoil([{"reply": key} for key in keys(boards)])
    with pytest.raises(UserError) as caught:
        import_replies(boards, answered(tmp_path / "mine.jsonl", said), tmp_path / "s.sqlite")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "s.sqlite").exists()


def test_files_that_are_none_are_named(boards: Path, tmp_path: Path) -> None:
    (tmp_path / "noise.jsonl").write_text("{")
    for replies, words in ((tmp_path / "none.jsonl", "cannot be read"), (tmp_path / "noise.jsonl", "line 1: not JSON")):
        with pytest.raises(UserError, match=words):
            import_replies(boards, replies, tmp_path / "s.sqlite")


def test_a_task_that_is_only_a_name_in_a_folder_is_not_run(boards: Path, tmp_path: Path) -> None:
    words = [
        "make",
        "fixation",
        "--n",
        "1",
        "--set",
        "game=tictactoe",
        "--format",
        "jsonl",
        "-o",
        str(tmp_path / "set"),
    ]
    assert CliRunner().invoke(cli, words).exit_code == 0
    table = tmp_path / "set" / "metadata.jsonl"
    rows = [json.loads(line) for line in table.read_text().splitlines()]
    (tmp_path / "evil.py").write_text("raise SystemExit('it was run')")
    answered(table, [{**row, "task": str(tmp_path / "evil.py")} for row in rows])
    replies = answered(tmp_path / "mine.jsonl", [{"reply": "X"}] * len(rows))
    with pytest.raises(UserError, match="is not known here; give its file with --task"):
        import_replies(tmp_path / "set", replies, tmp_path / "s.sqlite")
