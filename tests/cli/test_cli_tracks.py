"""Exams in tracks on the command line."""

import json
import re
from pathlib import Path

import pytest

from support import cards
from support.commands import snellen
from support.pages import page_head

ONE_GAME = ("--tasks", "fixation", "--design", "adaptive", "--set", "game=tictactoe")


def test_a_dry_run_says_about_how_many_calls_and_how_many_at_most(tmp_path: Path) -> None:
    ran = snellen("exam", "sim/ideal", *ONE_GAME, "--dry-run", cwd=tmp_path)
    assert ran.returncode == 0
    assert "sim/ideal: about 96 calls to make, at most 96, 0 already in the store" in ran.stdout
    assert "would show" not in ran.stdout
    assert "fixation: measures thresholds in 2 adaptive tracks" in ran.stderr
    assert not list(tmp_path.iterdir())
    told = json.loads(snellen("exam", "sim/ideal", *ONE_GAME, "--dry-run", "--json", "--n", 16, cwd=tmp_path).stdout)
    assert told["at_most"]["sim/ideal"]["to_make"] == 2 * 16


def test_an_exam_in_tracks_says_its_limits_and_asks_nothing_twice(tmp_path: Path) -> None:
    ran = snellen("exam", "sim/ideal", *ONE_GAME, cwd=tmp_path)
    assert ran.returncode == 0
    words = re.sub(r"\s+", " ", ran.stdout)
    assert "LIMITS fixation · sim/ideal" in words
    assert "tictactoe, standard rule: cells of the board: no limit up to the hardest level (25)." in words
    assert "Difficulty limits" in page_head(tmp_path / "snellen-report" / "index.html")
    again = snellen("exam", "sim/ideal", *ONE_GAME, "--dry-run", cwd=tmp_path)
    assert "sim/ideal: 0 calls to make, 48 already in the store" in again.stdout


def test_tasks_say_how_many_trials_tracks_take_at_most(tmp_path: Path) -> None:
    listed = snellen("tasks", cards.__file__, cwd=tmp_path).stdout
    assert re.search(r"adaptive +192 trials or less", listed)
    assert re.search(r"constant +48 trials at --n 3", listed)


def test_what_depends_on_answers_cannot_be_made_ahead(tmp_path: Path) -> None:
    ran = snellen("make", "fixation", "--design", "adaptive", "-o", "out", cwd=tmp_path)
    assert ran.returncode == 2
    assert "it is adaptive" in ran.stderr
    assert not list(tmp_path.iterdir())


def test_trials_that_tracks_chose_are_in_no_accuracy_of_any_table(tmp_path: Path) -> None:
    snellen("exam", "sim/ideal", "sim/guesser", *ONE_GAME, "--n", 16, cwd=tmp_path)
    listed = snellen("table", "snellen.sqlite", cwd=tmp_path).stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["overview", "difficulty"]
    limits = snellen("table", "snellen.sqlite", "difficulty", cwd=tmp_path).stdout
    assert re.search(r"sim/ideal +fixation +tictactoe, standard rule: cells of the board", limits)
    assert "limits" in snellen("table", "snellen.sqlite", "overview", cwd=tmp_path).stdout
    assert "unknown table 'profile'" in snellen("table", "profile", cwd=tmp_path).stderr
    compared = snellen("compare", "snellen.sqlite", "sim/ideal", "sim/guesser", cwd=tmp_path)
    assert compared.returncode == 2
    assert "'sim/ideal' was asked in tracks only" in compared.stderr


@pytest.mark.soak
def test_eye_charts_that_tracks_chose_are_in_no_gate(tmp_path: Path) -> None:
    snellen("exam", "sim/eyes", "sim/eyes:blur=3", "--tests", "letters", cwd=tmp_path)
    gate = ("--fail-if", "all:accuracy<-3")
    compared = snellen("compare", "snellen.sqlite", "sim/eyes", "sim/eyes:blur=3", *gate, cwd=tmp_path)
    blanks = next(line for line in compared.stdout.splitlines() if line.startswith("acuity"))
    assert blanks.split()[:2] == ["acuity", "20"], "the empty charts, which no answer chose"
    assert compared.stderr.count("acuity-differences` compares thresholds") == 1


def test_trials_of_a_design_count_beside_those_of_tracks(tmp_path: Path) -> None:
    snellen("exam", "sim/ideal", *ONE_GAME, "--n", 16, cwd=tmp_path)
    snellen("exam", "sim/ideal", "--set", "game=tictactoe", "--n", 2, "--seed", 9, cwd=tmp_path)
    rungs = snellen("table", "snellen.sqlite", "fixation-rungs", cwd=tmp_path).stdout
    pictures = next(line for line in rungs.splitlines() if " pictures " in line)
    assert pictures.split()[-1] == "4"
    assert "difficulty" in snellen("table", "snellen.sqlite", cwd=tmp_path).stdout
