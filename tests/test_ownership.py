"""A task is one folder: nothing outside names it, and without the folder everything else works as before."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, rmtree

import pytest

import snellen

SOURCE = Path(snellen.__file__).parent
TESTS = Path(__file__).parent
TASKS = sorted(brought.parent.name for brought in SOURCE.glob("tasks/*/brings.toml"))
TEXTS = {".py", ".toml", ".txt", ".md", ".json", ".csv", ".js", ".css"}
NAMED = re.compile(rf"(?<![a-z])({'|'.join(TASKS)})(?![a-z])", re.IGNORECASE)

ALLOWED = {
    ("subjects/tiny/network.py", "bias"): "the bias of a layer",
    ("subjects/local/widths.py", "bias"): "the bias of a layer",
    **{
        (f"subjects/tiny/{file}", task): "what the weights were trained on"
        for file in ("CARD.md", "trained_on.json")
        for task in ("bias", "fixation", "winoground")
    },
}
"""Where a name may stand outside its folder, and why."""


def test_every_folder_is_a_task() -> None:
    folders = {path.parent.name for path in SOURCE.glob("tasks/*/wording.toml")}
    assert folders <= set(TASKS)
    assert set(TASKS) <= set(snellen.task_names())


def test_no_task_is_named_outside_its_folder() -> None:
    folders = [SOURCE / "tasks" / name for name in TASKS]
    named = set()
    for path in SOURCE.rglob("*"):
        if path.suffix in TEXTS and not any(folder in path.parents for folder in folders):
            words = NAMED.findall(path.read_text(encoding="utf-8"))
            named |= {(path.relative_to(SOURCE).as_posix(), word.lower()) for word in words}
    assert named == set(ALLOWED)


@pytest.mark.parametrize(
    "text", ["task fixation", "FIXATION = 1", "bias_rows", "tasks.acuity.study", "a Marvel puzzle"]
)
def test_the_guard_sees_names_in_words_and_in_code(text: str) -> None:
    assert NAMED.search(text)


def test_tasks_name_no_other_task() -> None:
    for name in TASKS:
        others = "|".join(other for other in TASKS if other != name)
        for path in (SOURCE / "tasks" / name).rglob("*.py"):
            assert not re.search(rf"snellen\.tasks\.({others})\b", path.read_text(encoding="utf-8")), path


def without(name: str, folder: Path) -> dict[str, str]:
    """The environment of a process that has the package, compiled as far as it is, without the folder of a task."""
    package = folder / "src" / "snellen"
    copytree(SOURCE, package)
    rmtree(package / "tasks" / name)
    return {**os.environ, "PYTHONPATH": str(package.parent)}


WALK = """
import pkgutil, sys
from importlib import import_module
import snellen
heavy = tuple(sys.argv[4].split(","))
for module in pkgutil.walk_packages(snellen.__path__, "snellen."):
    if module.name != "snellen.__main__" and not (sys.argv[4] and module.name.startswith(heavy)):
        import_module(module.name)
"""
HEAVY = "snellen.subjects.local,snellen.subjects.inspect,snellen.lab.train,snellen.lab.steer,snellen.bridge"
"""What loads torch or Inspect: too slow for every day."""
EXAM = """
import sys
import snellen
from click.testing import CliRunner
from snellen.cli import cli
gone, other, folder = sys.argv[1:4]
assert folder in snellen.__file__, snellen.__file__
for words in (["tasks"], ["--help"], *([command, "--help"] for command in cli.places)):
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, (words, done.output, done.exception)
    assert gone not in done.output.split(), words
assert gone not in snellen.task_names()
exam = snellen.exam("sim/ideal", tasks=other, n=2, store=f"{folder}/s.sqlite")
assert {diagnosis.task for diagnosis in exam.findings.diagnoses} == {other}
assert exam.findings.sections
assert exam.report(f"{folder}/report").stat().st_size > 10_000
"""


def holds_without(name: str, other: str, folder: Path, heavy: str) -> None:
    """Commands and an exam first, which load what they need; then whatever else there is."""
    command = [sys.executable, "-c", EXAM + WALK, name, other, str(folder), heavy]
    done = subprocess.run(command, env=without(name, folder), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_a_task_everything_else_works(tmp_path: Path) -> None:
    holds_without("acuity", "fixation", tmp_path, HEAVY)


@pytest.mark.soak
@pytest.mark.parametrize("name", TASKS)
def test_without_any_task_everything_imports(name: str, tmp_path: Path) -> None:
    holds_without(name, "winoground" if name == "bongard" else "bongard", tmp_path, "")


ROOMS = ("answer", "curation", "engine", "paradigms", "psychometric", "analysis/ladder")
"""Rooms whose tests ask several tasks and take a minute or two; the others' take longer."""


@pytest.mark.soak
@pytest.mark.parametrize("name", ["acuity", "bias"])
def test_without_a_task_the_tests_of_other_rooms_pass(name: str, tmp_path: Path) -> None:
    files = [path for room in ROOMS for path in (TESTS / room).glob("test_*.py")]
    word = re.compile(rf"(?<![a-z]){name}(?![a-z])")
    unnamed = [str(path) for path in files if not word.search(path.read_text(encoding="utf-8"))]
    assert len(unnamed) > len(files) / 2
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *unnamed],
        env=without(name, tmp_path),
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
