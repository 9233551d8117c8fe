"""A judge that fails, or never keeps to the form, shows on the terminal."""

from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from snellen.analysis.judges import Judging, judgings
from snellen.call import CallFailed
from snellen.cli import cli
from snellen.examine import make_plan, run_plan
from snellen.examine.judging import SCORES
from support.fakes import FakeSubject

MUTE = "def answer(parts):\n    return 'Hard to say.'\n"
FAIR = f"def answer(parts):\n    return {SCORES[1]!r}\n"


def held(tmp_path: Path, subject: object, judging: object) -> pl.DataFrame:
    plan = make_plan(subject, n=1, levels={"game": ("tictactoe",)}, roles={"judge": judging})
    return run_plan(plan, tmp_path / "s.sqlite").rows


def test_a_judge_out_of_form_is_counted(tmp_path: Path) -> None:
    rows = held(tmp_path, FakeSubject("X", name="fake/one"), FakeSubject("Well ...", name="fake/judge"))
    due = rows.filter(pl.col("judge").is_not_null()).height
    assert judgings(rows) == [Judging("fake/judge", due, due, 0)]


def test_a_judge_whose_calls_fail_is_counted(tmp_path: Path) -> None:
    failing = FakeSubject(SCORES[1], [CallFailed("rejected", "no")], name="fake/judge")
    rows = held(tmp_path, FakeSubject("X", name="fake/one"), failing)
    judging = judgings(rows)[0]
    assert (judging.formless, judging.unread) == (0, judging.errors)
    assert 0 < judging.errors <= judging.verdicts


def test_what_the_subject_failed_at_is_not_the_judges_fault(tmp_path: Path) -> None:
    failing = FakeSubject("X", [CallFailed("rejected", "no")] * 9, name="fake/one")
    assert not any(
        judging.unread for judging in judgings(held(tmp_path, failing, FakeSubject(SCORES[1], name="fake/j")))
    )
    silent = held(tmp_path, FakeSubject("", name="fake/two"), FakeSubject("Well ...", name="fake/k"))
    assert not any(judging.unread for judging in judgings(silent))


def test_the_line() -> None:
    assert str(Judging("openai/x", 40, 9, 3)) == (
        "judge openai/x: 12 of 40 verdicts unread (9 kept no form, 3 errors); those trials count as unread"
    )
    assert "1 of 1 verdict unread (1 error)" in str(Judging("openai/x", 1, 0, 1))
    assert judgings(pl.DataFrame({"outcome": ["right"]})) == []


@pytest.mark.parametrize(("words", "shown"), [(MUTE, True), (FAIR, False)])
def test_exam_and_report_say_it(words: str, shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scorer.py").write_text(words, "utf-8")
    exam = ["exam", "sim/ideal", "--n", "1", "--set", "game=tictactoe", "--role", "judge=./scorer.py"]
    for command in (exam, ["report", "snellen.sqlite"]):
        ran = CliRunner().invoke(cli, command)
        assert ran.exit_code == 0, ran.output
        assert ("verdicts unread" in ran.stderr) == shown, ran.stderr
        assert "verdicts unread" not in ran.stdout
