"""Plant known bugs, one at a time, and see whether the quick tests notice: `make mutants`.

    python tools/mutants.py                      all of them
    python tools/mutants.py --only look-alike-host --only engine
    python tools/mutants.py --nearest            only the tests of its module: minutes instead of an hour

The bugs are data (`tests/mutants/*.toml`): a file, a piece of its text, what takes its place, and what that breaks.
Each is planted in a copy of the tree, where the tests of `make test` run until one fails, nearest first: those of the
module, of its room, others that import it, all others. So a bug that is caught costs seconds, and only a survivor costs
the whole suite. Tests that caught a bug are then run in a clean copy, so that none counts that fails anyway.

Exit status 1 if fewer than 95 in 100 are caught, 2 if a text is not found exactly once in its file.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src/snellen")
FOLDER = Path("tests/mutants")
ENOUGH = 0.95
"""The share of bugs that must be caught."""
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "node_modules", "__pycache__", "site", ".mypy_cache", ".ruff_cache", ".pytest_cache"
)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::[^\s\[]+)?)", re.MULTILINE)
_HANGS = 1800
"""Seconds after which a group of tests counts as failed: the bug made it hang."""


@dataclass(frozen=True)
class Mutant:
    """One planted bug. `file` is below `src/snellen`; `text` occurs in it once; `breaks` says what goes wrong. `near`:
    the test files to begin with, where the module's place and name do not tell."""

    name: str
    group: str
    file: str
    breaks: str
    text: str
    replacement: str
    near: tuple[str, ...] = ()

    def problem(self, root: Path) -> str:
        """Why it cannot be planted in this tree, in one line; empty if it can."""
        path = root / PACKAGE / self.file
        if not path.is_file():
            return f"{self.group}.toml, {self.name}: there is no {PACKAGE / self.file}"
        times = path.read_text(encoding="utf-8").count(self.text)
        return "" if times == 1 else f"{self.group}.toml, {self.name}: its text occurs {times} times in {self.file}"

    @contextmanager
    def planted(self, root: Path) -> Iterator[None]:
        """The bug in this tree, as long as the context lasts."""
        path = root / PACKAGE / self.file
        sound = path.read_text(encoding="utf-8")
        _write(path, sound.replace(self.text, self.replacement))
        try:
            yield
        finally:
            _write(path, sound)


def _write(path: Path, text: str) -> None:
    """Write a module and drop what was compiled of it: Python goes by length and second of the last change, and a bug
    of the same length may be planted in the same second."""
    path.write_text(text, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def mutants(root: Path = ROOT) -> list[Mutant]:
    """All bugs, in the order of their files. Raises `ValueError` if two have the same name."""
    planted = [
        Mutant(group=path.stem, near=tuple(entry.pop("near", ())), **entry)
        for path in sorted((root / FOLDER).glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    ]
    names = [mutant.name for mutant in planted]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"{FOLDER}: two bugs are called {min(twice)}")
    return planted


def nearest_first(root: Path, file: str, near: Sequence[str] = ()) -> list[list[str]]:
    """The test files, nearest to a module first: those named as near, those of its room that are called after it or
    import it, the others of its room, others that import it, all others."""
    module = ".".join(("snellen", *Path(file).with_suffix("").parts)).removesuffix(".__init__")
    package, _, name = module.rpartition(".")
    imports = re.compile(rf"{re.escape(module)}\b|from {re.escape(package)} import .*\b{re.escape(name)}\b")
    room = _room(root, Path(file))
    groups: dict[tuple[bool, bool], list[str]] = {}
    for path in sorted([*(root / "tests").rglob("test_*.py"), *(root / "recipes/tests").rglob("test_*.py")]):
        at_home = path.is_relative_to(room)
        concerned = (at_home and name in path.stem) or imports.search(path.read_text(encoding="utf-8")) is not None
        if (name_of_test := path.relative_to(root).as_posix()) not in near:
            groups.setdefault((not at_home, not concerned), []).append(name_of_test)
    return [*([list(near)] if near else ()), *(groups[place] for place in sorted(groups))]


def _room(root: Path, file: Path) -> Path:
    """The folder, or the file, that holds the tests of a module: the deepest one that mirrors its place."""
    for parent in file.parents:
        if parent.name and (root / "tests" / parent).is_dir():
            return root / "tests" / parent
    return root / "tests" / f"test_{file.stem}.py"


@dataclass(frozen=True)
class Outcome:
    """What became of a bug. `test`: the first that failed, "" if none did."""

    mutant: Mutant
    test: str
    seconds: float


def tried(mutant: Mutant, root: Path, nearest: bool) -> Outcome:
    """Plant a bug in this tree and run the tests, nearest first, until one fails."""
    began = monotonic()
    with mutant.planted(root):
        groups = nearest_first(root, mutant.file, mutant.near)
        for group in groups[:1] if nearest else groups:
            if failed := first_failure(root, ["-x", *group]):
                return Outcome(mutant, failed, monotonic() - began)
    return Outcome(mutant, "", monotonic() - began)


def first_failure(root: Path, arguments: Sequence[str]) -> str:
    """The first quick test that fails; "" if none does."""
    return next(iter(failures(root, arguments)), "")


def failures(root: Path, arguments: Sequence[str]) -> list[str]:
    """The quick tests that fail in this tree, without their parameters; a file that cannot be imported is one."""
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "--tb=no", *arguments]
    env = {**os.environ, "PYTHONPATH": str(root / "src")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # each process of each test would compile the package anew
    try:
        done = subprocess.run(  # noqa: S603 - our own tests
            command, cwd=root, env=env, capture_output=True, text=True, timeout=_HANGS, check=False
        )
    except subprocess.TimeoutExpired:
        return [f"{arguments[-1]} (hangs)"]
    if done.returncode in (0, 5):
        return []
    return list(dict.fromkeys(_FAILED.findall(done.stdout))) or [f"pytest: {_last_line(done.stdout + done.stderr)}"]


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no word"])[-1]


def tried_all(planted: Sequence[Mutant], jobs: int, nearest: bool) -> list[Outcome]:
    """Every bug, in as many copies of the tree as there are jobs; a line for each as it is done."""
    outcomes: list[Outcome] = []
    with TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Path] = Queue()
        for number in range(jobs):
            copies.put(Path(shutil.copytree(ROOT, Path(folder) / str(number), ignore=_LEFT_OUT)))

        def in_a_copy(mutant: Mutant) -> Outcome:
            root = copies.get()
            try:
                return tried(mutant, root, nearest)
            finally:
                copies.put(root)

        for future in as_completed([pool.submit(in_a_copy, mutant) for mutant in planted]):
            outcome = future.result()
            outcomes.append(outcome)
            fate = f"caught by {outcome.test}" if outcome.test else "SURVIVED"
            say(f"[{len(outcomes)}/{len(planted)}] {outcome.mutant.name}: {fate} ({outcome.seconds:.0f} s)")
        failing = _failing_anyway(copies.get(), (outcome.test for outcome in outcomes))
    return [_unless_failing(outcome, failing) for outcome in outcomes]


def _failing_anyway(root: Path, tests: Iterable[str]) -> set[str]:
    """Which of these tests fail in a clean copy."""
    named = sorted({test for test in tests if "::" in test})
    return set(failures(root, named)) if named else set()


def _unless_failing(outcome: Outcome, failing: set[str]) -> Outcome:
    if outcome.test not in failing:
        return outcome
    say(f"{outcome.mutant.name}: not caught, {outcome.test} fails without it, too")
    return Outcome(outcome.mutant, "", outcome.seconds)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="NAME", help="this bug, or all of one file; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time (default: %(default)s)")
    parser.add_argument("--nearest", action="store_true", help="run only the tests of a bug's own module")
    chosen = parser.parse_args()
    planted = [m for m in mutants() if not chosen.only or m.name in chosen.only or m.group in chosen.only]
    problems = [problem for mutant in planted if (problem := mutant.problem(ROOT))]
    if problems or not planted:
        say("\n".join(problems) or f"no bug is called {' or '.join(chosen.only)}; see {FOLDER}")
        return 2
    outcomes = tried_all(planted, chosen.jobs, chosen.nearest)
    survivors = [outcome.mutant for outcome in outcomes if not outcome.test]
    say(f"\n{len(outcomes) - len(survivors)} of {len(outcomes)} caught")
    for mutant in survivors:
        say(f"survived: {mutant.name} ({mutant.file}): {mutant.breaks}")
    return int(len(outcomes) - len(survivors) < ENOUGH * len(outcomes))


if __name__ == "__main__":
    sys.exit(main())
