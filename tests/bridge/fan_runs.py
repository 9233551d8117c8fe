"""Plans whose subject kills somebody in the middle of a unit, and what one machine finds."""

from pathlib import Path

import polars as pl

from snellen.defaults import DEFAULT_REPORT
from snellen.engine import Store
from support.commands import snellen

SUBJECT = """
import os, signal
from pathlib import Path
here = Path({folder!r})
def answer(parts):
    words = "".join(part for part in parts if isinstance(part, str))
    with (here / "asked").open("a") as file:
        print(sum(map(ord, words)), len(words), file=file)
    if (here / "asked").read_text().count("\\n") == {after} and not (here / "killed").exists():
        (here / "killed").write_text(str({victim}))
        os.kill({victim}, signal.{signal})
    return "X" if len(words) % 2 else "O"
"""
PLAN = """
subjects = ["guesser=./guesser.py"]
tasks = ["fixation"]
shards = {shards}
store = "merged.sqlite"
exam = {{ n = 1, seed = 5, set = ["prompt=base"], concurrency = 1 }}
{more}
"""
EXAM = ("guesser=./guesser.py", "--tasks=fixation", "--n=1", "--seed=5", "--set=prompt=base")
EXAM_ITSELF, WHO_RUNS_IT = "os.getpid()", "os.getppid()"


def prepare(
    folder: Path, more: str = "", *, shards: int = 1, victim: str = EXAM_ITSELF, signal: str = "SIGKILL"
) -> None:
    """A plan and its subject, which sends a signal in the middle of the first unit that is asked so many times."""
    subject = SUBJECT.format(folder=str(folder), victim=victim, after=6, signal=signal)
    (folder / "guesser.py").write_text(subject)
    (folder / "plan.toml").write_text(PLAN.format(more=more, shards=shards))


def fan(folder: Path, on: str) -> str:
    """What a fan that ends well says."""
    ran = snellen("fan", "plan.toml", "--on", on, cwd=folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def rows(store: Path) -> pl.DataFrame:
    """All trials, without what depends on time and place."""
    with Store.open(store, readonly=True) as opened:
        return opened.rows().drop("exam", "seconds", "nth").sort("trial")


def is_as_on_one_machine(folder: Path, again: int) -> None:
    """Somebody was killed, and the merged store has what one exam has, for so many calls more."""
    assert (folder / "killed").exists()
    spread = len((folder / "asked").read_text().splitlines())
    assert snellen("exam", *EXAM, "--no-report", cwd=folder).returncode == 0
    assert not (folder / DEFAULT_REPORT).exists()
    alone = rows(folder / "snellen.sqlite")
    assert alone.height > 20
    assert rows(folder / "merged.sqlite").equals(alone)
    assert spread + (spread - again) == len((folder / "asked").read_text().splitlines())
