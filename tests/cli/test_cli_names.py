"""Names of commands: grouped in the help, suggested on a near miss, and the earlier ones for one more release."""

from pathlib import Path

import pytest

from snellen.cli import cli
from snellen.cli.old import RENAMED, translated
from support.commands import fails, snellen


def test_help_lists_every_command_and_no_earlier_name(tmp_path: Path) -> None:
    listed = [line.split()[0] for line in snellen("--help", cwd=tmp_path).stdout.splitlines() if line[:2] == "  "]
    assert set(cli.places) <= set(listed)
    assert not set(RENAMED) & set(listed)


@pytest.mark.parametrize("name", RENAMED)
def test_an_earlier_name_leads_to_the_new_command(name: str, tmp_path: Path) -> None:
    ran = snellen(name, "--help", cwd=tmp_path)
    assert ran.stderr == f"snellen: `snellen {name}` is now `snellen {RENAMED[name]}`\n"
    assert ran.stdout == snellen(*RENAMED[name].split(), "--help", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("line", "now"),
    [
        ("profile s.sqlite a b --json", "table profile s.sqlite a b --format=json"),
        ("card s.sqlite a -o card.svg --dark", "figure card s.sqlite a -o card.svg --dark"),
        ("thoughts s.sqlite --table length --format csv", "table thoughts-length s.sqlite --format csv"),
        ("steer --model m --task bias -o out", "lab steer --model m bias -o out"),
        ("import-replies set replies.jsonl", "import replies set replies.jsonl"),
    ],
)
def test_what_followed_an_earlier_name_is_translated(line: str, now: str) -> None:
    name, *words = line.split()
    assert " ".join(translated(name, words)) == now


def test_an_earlier_option_still_works(tmp_path: Path) -> None:
    assert (
        snellen("exam", "sim/ideal", "sim/guesser", "--n", 1, "--set", "game=tictactoe", cwd=tmp_path).returncode == 0
    )
    old = snellen("compare", "sim/ideal", "sim/guesser", "--task", "fixation", cwd=tmp_path)
    new = snellen("compare", "sim/ideal", "sim/guesser", "--tasks", "fixation", cwd=tmp_path)
    assert (old.returncode, old.stdout) == (0, new.stdout)
    assert old.stderr.splitlines()[0] == "snellen: `--task` is now `--tasks`"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("exma", "No such command 'exma'. Did you mean 'exam'?"),
        ("tabel gap", "Did you mean 'table'?"),
        ("profiles", "Did you mean 'table profile'?"),
        ("lab trian", "No such command 'trian'. Did you mean 'train'?"),
        ("import inspekt", "Did you mean 'inspect'?"),
        ("qqq", "Known: exam, compare, "),
        ("exam --task fixasion", "fixation"),
        ("exam --desing quick", "Did you mean '--design'?"),
    ],
)
def test_a_near_miss_gets_a_suggestion(words: str, hint: str, tmp_path: Path) -> None:
    ran = snellen(*words.split(), cwd=tmp_path)
    assert ran.returncode == 2
    assert hint in ran.stderr.splitlines()[-1]


def test_the_store_is_found_wherever_it_stands(tmp_path: Path) -> None:
    fails(snellen("table", cwd=tmp_path), "no store at snellen.sqlite: run `snellen exam` first, or name one")
    assert snellen("exam", "sim/ideal", "--n", 1, "--store", "runs", cwd=tmp_path).returncode == 0
    fails(snellen("table", "gap", cwd=tmp_path), "no store at snellen.sqlite")
    by_place = [snellen("table", *words, cwd=tmp_path).stdout for words in (("runs", "gap"), ("gap", "runs"))]
    assert by_place[0] == by_place[1] != ""
