"""Exams in tracks on the command line."""

import json
import re
from pathlib import Path

from support import cards
from support.commands import snellen

ONE_GAME = ("--tasks", "fixation", "--design", "adaptive", "--set", "game=tictactoe")


def test_a_dry_run_says_about_how_many_calls_and_how_many_at_most(tmp_path: Path) -> None:
    ran = snellen("exam", "sim/ideal", *ONE_GAME, "--dry-run", cwd=tmp_path)
    assert ran.returncode == 0
    assert "sim/ideal: about 96 calls to make, at most 96, 0 already in the store" in ran.stdout
    assert "would show" not in ran.stdout
    assert "fixation: looks for limits in 2 tracks" in ran.stderr
    assert not list(tmp_path.iterdir())
    told = json.loads(snellen("exam", "sim/ideal", *ONE_GAME, "--dry-run", "--json", "--n", 16, cwd=tmp_path).stdout)
    assert told["at_most"]["sim/ideal"]["to_make"] == 2 * 16


def test_an_exam_in_tracks_says_its_limits_and_asks_nothing_twice(tmp_path: Path) -> None:
    ran = snellen("exam", "sim/ideal", *ONE_GAME, cwd=tmp_path)
    assert ran.returncode == 0
    words = re.sub(r"\s+", " ", ran.stdout)
    assert "LIMITS fixation · sim/ideal" in words
    assert "tictactoe, standard rule: cells of the board: no limit up to the hardest there is (25)." in words
    page = (tmp_path / "snellen-report" / "index.html").read_text(encoding="utf-8")
    assert "How difficult it may be" in page
    again = snellen("exam", "sim/ideal", *ONE_GAME, "--dry-run", cwd=tmp_path)
    assert "sim/ideal: 0 calls to make, 48 already in the store" in again.stdout


def test_tasks_say_how_many_trials_tracks_take_at_most(tmp_path: Path) -> None:
    listed = snellen("tasks", cards.__file__, cwd=tmp_path).stdout
    assert re.search(r"adaptive +192 trials or less", listed)
    assert re.search(r"constant +48 trials at --n 3", listed)


def test_what_depends_on_answers_cannot_be_made_ahead(tmp_path: Path) -> None:
    ran = snellen("make", "fixation", "--design", "adaptive", "-o", "out", cwd=tmp_path)
    assert ran.returncode == 2
    assert "depends on answers" in ran.stderr
    assert not list(tmp_path.iterdir())
