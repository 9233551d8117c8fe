"""`snellen exam --tests`: which tests of the eye chart are asked."""

import sys
from pathlib import Path

import pytest

from snellen import cli
from snellen.examine import Exam

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def examine(monkeypatch: Patch, folder: Path, *words: str) -> int:
    """Run `snellen exam sim/ideal` in a folder; its exit status."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["snellen", "exam", "sim/ideal", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_chosen_tests_are_asked_without_naming_the_task(tmp_path: Path, monkeypatch: Patch) -> None:
    words = ("--tests", "letters, gratings", "--design", "constant", "--n", "1")
    assert examine(monkeypatch, tmp_path, *words) == 0
    rows = Exam(tmp_path / "snellen.sqlite").rows
    assert set(rows["task"]) == {"acuity"}
    assert set(rows["test"]) == {"letters", *(f"gratings-{fineness}" for fineness in (2, 4, 8, 16, 32))}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--tests", "lettres"), "unknown test 'lettres' of the eye chart; did you mean letters?"),
        (("--tests", "letters", "--set", "test=number"), "--set test is given twice"),
        (("--tests", "letters", "--tasks", "fixation"), "--tests are those of acuity"),
        (("--tasks", "acuity", "--set", "canvas=8192"), "unknown level '8192' of factor canvas"),
        (("--tests", "number", "--set", "level=0.501"), "none of these tests has it (number: 1 to 44)"),
    ],
)
def test_what_is_no_test_is_one_line(
    words: tuple[str, ...], line: str, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    assert examine(monkeypatch, tmp_path, *words) == 2
    heard = capsys.readouterr().err
    assert heard.count("\n") == 1
    assert line in heard
    assert not list(tmp_path.iterdir())
