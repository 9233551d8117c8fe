"""What installed packages name under our entry point groups can be asked for by that name, in every process."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copy

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ENTRIES = """
[snellen.tasks]
lamps = theirs.lamps
lamps_itself = theirs.lamps:TASK
broken_task = theirs.broken

[snellen.paradigms]
twice = theirs.reconsider:reconsider
broken_paradigm = theirs.broken:nothing

[snellen.subjects]
theirs = theirs.models:find
broken = theirs.broken:nothing
"""
MODELS = """
def find(model, mood="plain"):
    def answer(messages):
        return f"{model} {mood}"
    return answer
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package as an installer leaves it."""
    site = tmp_path_factory.mktemp("site")
    package, facts = site / "theirs", site / "theirs-1.0.dist-info"
    for folder in (package, facts):
        folder.mkdir()
    for name in ("lamps.py", "lamps.toml", "reconsider.py"):
        copy(EXAMPLES / name, package)
    (package / "__init__.py").write_text("")
    (package / "models.py").write_text(MODELS)
    (package / "broken.py").write_text("import nothing_of_the_kind\n")
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRIES)
    return site


def snellen(site: Path, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join([str(site), *sys.path])
    return subprocess.run(
        [sys.executable, "-m", "snellen", "exam", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("task", ["lamps", "lamps_itself"])
def test_tasks_paradigms_and_subjects_of_a_package(task: str, installed: Path, tmp_path: Path) -> None:
    words = ("theirs/big:mood=good", "sim/ideal", "--tasks", task, "--paradigm", "direct,twice", "--n", "2")
    done = snellen(installed, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert "theirs/big:mood=good" in done.stdout


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("sim/ideal", "--tasks", "broken_task"), "task broken_task of an installed package (theirs.broken)"),
        (("sim/ideal", "--paradigm", "broken_paradigm"), "paradigm broken_paradigm of an installed package"),
        (("broken/big",), "subject broken of an installed package"),
        (("theirs/big:colour=red",), "subject theirs/big: TypeError"),
    ],
)
def test_a_package_that_cannot_be_used_is_one_line(
    words: tuple[str, ...], line: str, installed: Path, tmp_path: Path
) -> None:
    done = snellen(installed, tmp_path, *words, "--n", "1")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert line in done.stderr
