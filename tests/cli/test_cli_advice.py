"""Every command that the program prints as advice exists, and those with names in them run as they are printed."""

import ast
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import click
import pytest

import snellen as package
from snellen.cli import cli
from snellen.examine import Exam
from snellen.tasks.ladder_spec import spec_of
from support.commands import snellen

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "snellen"
FILL = "FILLED"
"""Stands for what a text in the source leaves open."""
TRAINSETS = "snellen trainset"
"""How a training set says what it is: no command."""
BOARDS = ("--set", "game=reversi", "--set", "prompt=base", "--n", "10")


def texts(path: Path) -> Iterator[str]:
    """The strings of a file but its docstrings: f-strings with their gaps filled, TOML line by line."""
    if path.suffix == ".toml":
        yield from re.findall(r'"(snellen [^"]*)"', path.read_text("utf-8"))
        return
    source = path.read_text("utf-8")
    if "snellen " not in source:
        return
    tree = ast.parse(source)
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(node.values)
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else FILL for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inside:
            yield node.value


def advised() -> Iterator[tuple[str, str]]:
    """Each command in backquotes, at the start of an example's line, or in a call of `invocation`, with its file."""
    for path in sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("brings.toml")]):
        name = str(path.relative_to(SOURCE))
        for text in texts(path):
            for line in re.findall(
                r"`(snellen [a-z][^`]*)`|^ *(?:Example: )?(snellen [a-z-]+(?: .*)?)$", text, re.MULTILINE
            ):
                yield name, " ".join(" ".join(line).split("   ")[0].split())
        if path.suffix == ".py":
            for call in re.findall(r"invocation\((.*?)\)", path.read_text("utf-8"), re.DOTALL):
                words = re.findall(r"""(?<![\w{])f?["']([^"']*)["']""", call)
                if words:
                    yield name, " ".join(["snellen", *words])


def unknown(line: str) -> str:
    """The word of a command that the program does not know; empty if it knows them all."""
    words = shlex.split(line.replace("'\"'", ""), comments=False)[1:]
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        name = words.pop(0)
        found = command.get_command(click.Context(command), name)
        if found is None:
            return name
        command = found
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    options |= {"--help", "-h"}
    return " ".join(sorted({word for word in words if re.fullmatch(r"--?[a-z][\w-]*", word)} - options))


def test_every_command_that_is_named_exists_with_its_options() -> None:
    commands = sorted({(name, line) for name, line in advised() if line != TRAINSETS})
    assert len(commands) > 60
    assert len({name for name, _ in commands}) > 20
    assert [(name, line, unknown(line)) for name, line in commands if unknown(line)] == []


# Advice with names in it, produced and then run


def commands_in(text: str) -> list[str]:
    """The lines that are commands, and what is in backquotes."""
    found = re.findall(r"`(snellen [^`]+)`|^ {4}(snellen .+?) *$", text, re.MULTILINE)
    return [" ".join(filter(None, pair)).strip() for pair in found]


def runs(line: str, folder: Path, *more: str) -> str:
    ran = snellen(*shlex.split(line)[1:], *more, cwd=folder)
    assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("lamps.py", "lamps.toml"):
        shutil.copy(ROOT / "docs" / "examples" / name, tmp_path)
    (tmp_path / "my model.py").write_text("def answer(parts, limit=3):\n    return 'X'\n")
    bright = (ROOT / "docs" / "examples" / "my_model.py").read_text("utf-8")
    (tmp_path / "eyes.py").write_text(bright, "utf-8")
    (tmp_path / "my reader.py").write_text(bright.replace("WORDS = False", "WORDS = True"), "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("subject", "options"),
    [
        ("sim/fixated:see=0.9", ("--n", "2")),
        ("small=sim/fixated:see=0.9", ("--n", "2", "--seed", "3")),
        ("./my model.py:limit=4", ("--n", "2", "--store", "my runs.sqlite")),
        ("own=./my model.py", ("--tasks", "lamps.py", "--n", "5")),
    ],
)
def test_what_a_diagnosis_advises_asks_the_same_subject_about_the_same_items(
    subject: str, options: tuple[str, ...], folder: Path
) -> None:
    ran = snellen("exam", subject, *options, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    with chdir(folder):
        exam = Exam("my runs.sqlite" if "--store" in options else "snellen.sqlite")
        [name], [task] = exam.rows["subject"].unique(), exam.rows["task"].unique()
        advice = spec_of(task, exam.fingerprints).asking(name).strip("`")
    assert " 0 calls to make" in runs(advice, folder, "--dry-run")


def test_a_missing_rung_is_asked_with_the_command_that_is_printed(folder: Path) -> None:
    ran = snellen("exam", "./my reader.py", "--design", "main", *BOARDS, cwd=folder)
    told = [line for line in commands_in(ran.stdout) if line.startswith("snellen exam")]
    assert told == ["snellen exam './my reader.py' --tasks fixation --n 10"], ran.stdout
    runs(told[0], folder, "--dry-run")


def test_a_rung_without_a_picture_is_not_advised_to_whom_it_cannot_be_shown(folder: Path) -> None:
    ran = snellen("exam", "./eyes.py", *BOARDS, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    assert "eyes requires an image, and told and words show none." in " ".join(ran.stdout.split())
    assert commands_in(ran.stdout) == []


def test_a_subject_that_only_python_has_is_not_advised_to_the_command_line(folder: Path) -> None:
    def mine(parts: list[object]) -> str:
        return "X"

    exam = package.exam(mine, n=2, levels={"game": ("reversi",)}, store=folder / "s.sqlite")
    assert spec_of("fixation", exam.fingerprints).asking("mine") == ""
    assert not any("snellen exam" in line for diagnosis in exam.findings.diagnoses for line in diagnosis.missing)


def test_errors_advise_commands_that_run(folder: Path) -> None:
    for words in (("table", "runs.sqlite"), ("report",), ("export", "-o", "t.parquet"), ("compare", "a", "b")):
        [advice] = commands_in(snellen(*words, cwd=folder).stderr)
        runs(advice, folder, "--dry-run")
    snellen("exam", "sim/ideal", "--n", 1, "--set", "game=reversi", cwd=folder)
    [advice] = commands_in(snellen("figure", "card", cwd=folder).stderr)
    runs(advice.replace("SUBJECT", "sim/eyes"), folder, "--dry-run")
    [advice] = commands_in(snellen("read", "--trial", "zz", cwd=folder).stderr)
    runs(advice, folder)


def test_what_compare_advises_of_subjects_asked_in_tracks_runs(folder: Path) -> None:
    snellen("exam", "sim/ideal", "sim/guesser", "--design", "adaptive", "--set", "game=tictactoe", "--n", 8, cwd=folder)
    [advice] = commands_in(snellen("compare", "sim/ideal", "sim/guesser", cwd=folder).stderr)
    assert "tictactoe" in runs(advice, folder)


def test_why_a_reply_is_unread(folder: Path) -> None:
    snellen("exam", "sim/refuser", "--n", 1, "--set", "game=tictactoe", "--store", "my runs.sqlite", cwd=folder)
    listed = snellen("read", "my runs.sqlite", "--unread", cwd=folder).stdout
    advice = listed.splitlines()[-1].partition(": ")[2]
    [first, *_] = re.findall(r"^  ([0-9a-f]{4,}) ", listed, re.MULTILINE)
    assert "unread" in runs(advice.replace("ID", first), folder)
