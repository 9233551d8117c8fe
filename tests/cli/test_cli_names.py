"""Names of commands: grouped in the help, suggested on a near miss, and the earlier ones for one more release."""

from pathlib import Path

import pytest

from snellen.cli import cli
from snellen.cli.old import RENAMED, translated
from snellen.tasks import task_names
from support.commands import fails, snellen
from support.lengths import few_and_more


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
        ("exam -n 5", "Did you mean --n?"),
        ("exam --tests letters --tasks fixation", "--tests are those of acuity"),
        ("exam --role judg=sim/ideal", "did you mean judge?"),
        ("exam --role judge=a,b", "--role judge=a,b: subject 'a': expected PROVIDER/MODEL"),
        ("lab trainset legz -o x", "did you mean legs?"),
        ("audit fixasion", "did you mean fixation?"),
        ("exam --desing quick", "--design"),
        ("table gap --store x", "snellen table STORE ... (see"),
        ("exam --tasks fixation;bias", "unknown task 'fixation;bias'; separate names by commas: fixation,bias"),
        ("exam --design quik", "unknown design 'quik' of task fixation; did you mean quick?"),
    ],
)
def test_a_near_miss_gets_a_suggestion(words: str, hint: str, tmp_path: Path) -> None:
    ran = snellen(*words.split(), cwd=tmp_path)
    assert ran.returncode == 2
    assert hint in ran.stderr.splitlines()[-1]


@few_and_more("tasks", ["bongard,acuity,winoground,acuity"], ["all,acuity"])
def test_all_tasks_are_planned_for_a_subject_that_does_one(tasks: str, tmp_path: Path) -> None:
    planned = snellen("exam", "sim/eyes", "--tasks", tasks, "--n", 1, "--dry-run", cwd=tmp_path)
    assert planned.returncode == 0, planned.stderr
    assert "note: bongard: skipping dvrl: it needs 13 images in one call, and sim/eyes accepts 1" in planned.stderr
    assert planned.stderr.count("skipping words") == 1
    assert "90 % power" not in planned.stdout  # nothing is asked but thresholds


def test_the_store_is_found_wherever_it_stands(tmp_path: Path) -> None:
    fails(snellen("table", cwd=tmp_path), "no store at snellen.sqlite: run `snellen exam` to make one, or name another")
    assert snellen("exam", "sim/ideal", "--n", 1, "--store", "runs", cwd=tmp_path).returncode == 0
    fails(snellen("table", "gap", cwd=tmp_path), "no store at snellen.sqlite")
    by_place = [snellen("table", *words, cwd=tmp_path).stdout for words in (("runs", "gap"), ("gap", "runs"))]
    assert by_place[0] == by_place[1] != ""


@pytest.mark.parametrize(
    "line",
    [
        "exam sim/ideal --n 1 --out file/page",
        "exam sim/ideal --n 1 --store no/such/s.sqlite",
        "report -o file/page",
        "show fixation -o file/sheet.png",
        "make fixation -o file/set",
        "filter set --with s.sqlite -o file/set",
        "export -o no/such/t.parquet",
        "figure --all -o file/figures",
        "compare a b --fail-if all:accuracy<-3 --junit no/such/gate.xml",
        "lab trainset d1 -o file/d1",
        "lab train sft --model m --data d -o file/d1",
        "lab steer fixation --model m -o file/steering",
        "lab transfer a b -o file/figures",
        "lab unpack tiny -o file/tiny",
    ],
)
def test_what_cannot_be_written_is_noticed_before_anything_is_done(line: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file, no folder")
    path = next(word for word in line.split() if word.startswith(("file/", "no/such")))
    fails(snellen(*line.split(), cwd=tmp_path), path)
    assert [place.name for place in tmp_path.iterdir()] == ["file"]


def test_all_tasks_at_once(tmp_path: Path) -> None:
    told = snellen("exam", "sim/ideal", "--tasks", "all", "--n", 1, "--dry-run", cwd=tmp_path)
    assert {line.partition(":")[0] for line in told.stderr.splitlines()} >= set(task_names())


@pytest.mark.parametrize("group", ["lab", "import"])
def test_a_group_alone_shows_its_help(group: str, tmp_path: Path) -> None:
    ran = snellen(group, cwd=tmp_path)
    assert "\nCommands:\n" in (ran.stderr or ran.stdout)
