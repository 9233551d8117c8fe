"""Diagnoses and overview in a terminal, and `snellen table profile`."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from snellen.charts.blocks import Diagnosis, Findings
from snellen.cli.screen import BAR, show_diagnoses, show_overview
from support.commands import snellen
from support.made_findings import EVERY, SUBJECTS, habit, many, together, unclear


def printed(*diagnoses: Diagnosis, width: int = 100) -> str:
    out = io.StringIO()
    show_diagnoses(Findings(diagnoses, (), (), ()), console(out, width))
    return out.getvalue()


def console(out: io.StringIO, width: int = 100) -> Console:
    return Console(file=out, width=width, markup=False, emoji=False, highlight=False)


def test_a_diagnosis_has_badge_sentence_bar_rungs_and_details() -> None:
    lines = printed(habit()).splitlines()
    assert lines[1] == " HABIT   fixation · sim/fixated"
    assert lines[2] == habit().headline
    bar = lines[3].strip()
    assert len(bar) == BAR
    assert bar.count("█") == 27, "54 % right, of a bar of 50"
    assert bar.count("▌") == pytest.approx(0.41 * BAR, abs=1)
    text = "\n".join(lines)
    assert "▌▌ habit 41 % (36–46)" in text
    assert "off-ladder comparison: ▞▞ saying 8 % (3–13) solved on pictures, not on own words" in text
    told, own = (next(line for line in lines if line.strip().startswith(name)) for name in ("told", "(own words)"))
    assert told.split() == ["told", "form,", "attention", "··········|········─●", "99", "(93–100)", "0", "%"]
    assert "○" in own
    assert all(f"· {detail}" in text for detail in habit().details)
    assert "subject" not in lines[0], "one diagnosis needs no overview"


def test_what_is_not_told_apart_has_one_look_and_says_which_command_would() -> None:
    text = printed(together())
    assert "══ thinking or eyes 38 % (33–43)" in text
    command = "    snellen exam sim/nearsighted --tasks winoground --set modality=words,pictures"
    assert command in printed(together(), width=40).splitlines(), "whole, to be copied"
    assert "  ? Thinking and eyes are not told apart: ask the items in words, too" in text
    assert "`" not in text


def test_nothing_to_draw_is_no_bar() -> None:
    assert "█" not in printed(unclear())


def test_several_begin_with_an_overview() -> None:
    lines = printed(*many().diagnoses, width=96).splitlines()
    assert lines[1] == "sim/fixated"
    heads = ["task", "verdict", "right", "largest loss"]
    assert re.split(r"\s{2,}", lines[2].strip()) == heads
    cells = ["fixation", "HABIT", "54 % (49–59)", "▌▌ habit 41 % (36–46)"]
    assert re.split(r"\s{2,}", lines[3].strip()) == cells
    assert [line for line in lines if line in SUBJECTS[:2]] == list(SUBJECTS[:2]), "each subject is named once"
    assert lines.count(" NO FAULT FOUND   capacity · sim/nearsighted") == 1
    assert "…" not in printed(*many().diagnoses, width=80)


def test_names_that_look_like_markup_stay_words() -> None:
    out = io.StringIO()
    show_overview([habit("[bold]x[/bold]", ":smile:")], console(out, 120))
    assert "[bold]x[/bold]" in out.getvalue()
    assert ":smile:" in out.getvalue()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    ran = snellen("exam", "sim/fixated", "--n", 1, "--set", "game=tictactoe", cwd=folder)
    assert ran.returncode == 0, ran.stderr
    return folder


def test_profile_is_a_table_of_all_or_some_subjects(home: Path) -> None:
    shown = snellen("table", "profile", cwd=home)
    assert shown.stdout.startswith("What is lost to each faculty")
    rows = json.loads(snellen("table", "snellen.sqlite", "profile", "sim/fixated", "--format", "json", cwd=home).stdout)
    assert {row["subject"] for row in rows["rows"]} == {"sim/fixated"}
    assert {"value", "low", "high"} <= set(rows["rows"][0]["fixation"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.sqlite",), "nowhere.sqlite"),
        (("snellen.sqlite", "sim/fixate"), "unknown subject 'sim/fixate'; did you mean sim/fixated?"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str, home: Path) -> None:
    ran = snellen("table", "profile", *words, cwd=home)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert said in ran.stderr


def test_every_kind_of_diagnosis_can_be_printed() -> None:
    for diagnosis in EVERY:
        assert diagnosis.headline.split()[0] in printed(diagnosis, width=60)
