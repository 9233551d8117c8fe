"""`snellen exam --shard` and `snellen merge` as somebody meets them who has never used them."""

import json
from pathlib import Path
from typing import Any

import pytest

from snellen.engine import Store
from support.commands import fails, snellen

EXAM = ("exam", "sim/ideal", "--n", "1")
SEVENTH = ("--shard", "7/90", "--store", "mine.sqlite", "-o", "page")
"""An empty one, if there is one item."""
ARRAY: dict[str, Any] = {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "1"}


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the stores of two halves of an exam, the second as a job of an array leaves it."""
    home = tmp_path_factory.mktemp("halves")
    first = snellen(*EXAM, "--shard", "1/2", cwd=home)
    assert "shard 1/2: --store snellen-1-of-2.sqlite --out snellen-report-1-of-2\n" in first.stderr
    second = snellen(*EXAM, cwd=home, **ARRAY)
    assert (
        "shard 2/2 (from SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT; --shard 1/1 for everything)\n" in second.stderr
    )
    assert first.returncode == second.returncode == 0
    assert {path.name for path in home.iterdir()} == {
        f"snellen{end}"
        for shard in ("-1-of-2", "-2-of-2")
        for end in (f"{shard}.sqlite", f"{shard}.sqlite.lock", f"-report{shard}")
    }
    return home


def test_the_halves_merge_into_the_whole(halves: Path, tmp_path: Path) -> None:
    both = [halves / f"snellen-{number}-of-2.sqlite" for number in (1, 2)]
    part = snellen("merge", both[1], "-o", "all.sqlite", cwd=tmp_path)
    assert "1 of 2 shards complete; missing or not finished: 1\n" in part.stdout
    merged = snellen("merge", *both, "-o", "all.sqlite", cwd=tmp_path)
    assert merged.stdout.splitlines()[0].startswith("all.sqlite: 68 trials (")
    assert merged.stdout.splitlines()[1:] == ["  sim/ideal on fixation: all 2 shards"]
    again = snellen("merge", *both, "-o", "all.sqlite", cwd=tmp_path)
    assert again.stdout.splitlines()[0] == "all.sqlite: 68 trials (0 new), 68 calls (0 new)"
    left = snellen(*EXAM, "--store", "all.sqlite", "--dry-run", "--json", cwd=tmp_path)
    assert json.loads(left.stdout)["subjects"]["sim/ideal"]["to_make"] == 0


def test_shards_share_a_budget(tmp_path: Path) -> None:
    """As calls to each subject: every shard must plan the same exam, whoever is in it."""
    asking = ("--until-sure", "--budget", "0.5", "--price", "sim/ideal=1/5", "--price", "sim/fixated=1/5", "--dry-run")
    said = [
        json.loads(snellen("exam", "sim/ideal", "sim/fixated", *asking, "--json", *words, cwd=tmp_path).stdout)
        for words in (("--shard", "1/2"), ("--shard", "2/2"), ())
    ]
    calls = [{name: part["to_make"] for name, part in found.get("at_most", {}).items()} for found in said]
    assert calls[0] | calls[1] == calls[2]
    assert sum(map(len, calls[:2])) == 2


def test_a_store_that_is_named_keeps_its_name(tmp_path: Path) -> None:
    ran = snellen(*EXAM, "--shard", "1/2", "--store", "mine.sqlite", "-o", "page", cwd=tmp_path)
    assert ran.returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"mine.sqlite", "mine.sqlite.lock", "page"}


def test_one_of_one_is_everything_whoever_started_it(tmp_path: Path) -> None:
    calls = [
        json.loads(snellen(*EXAM, "--dry-run", "--json", *words, cwd=tmp_path, **ARRAY).stdout)
        for words in (("--shard", "1/1"), (), ("--shard", "1/2"))
    ]
    whole, *parts = (found["subjects"]["sim/ideal"]["to_make"] for found in calls)
    assert whole == sum(parts) == 68


def test_an_empty_shard_says_so_and_is_merged_as_complete(tmp_path: Path) -> None:
    few = (*EXAM, "--tasks", "winoground")  # one item: all shards but one are empty
    said = [snellen(*few, "--shard", f"{number}/3", cwd=tmp_path) for number in (1, 2, 3)]
    empty = [ran for ran in said if "no trials are in it" in ran.stderr]
    assert [ran.returncode for ran in said] == [0, 0, 0]
    assert [ran.stdout for ran in empty] == ["", ""]
    stores = sorted(tmp_path.glob("*.sqlite"))
    assert "all 3 shards" in snellen("merge", *stores, "-o", "all.sqlite", cwd=tmp_path).stdout


def test_an_empty_shard_is_one_line_in_a_dry_run_and_when_items_are_made(tmp_path: Path) -> None:
    counted = snellen("exam", "sim/ideal", "--tasks", "winoground", "--n", "1", *SEVENTH, "--dry-run", cwd=tmp_path)
    made = snellen("make", "winoground", "--n", "1", *SEVENTH[:2], "-o", "made", cwd=tmp_path)
    assert (counted.returncode, counted.stdout, counted.stderr) == (0, "Shard 7/90: no trials are in it.\n", "")
    assert (made.returncode, made.stdout) == (0, "Shard 7/90: no items are in it; nothing is written.\n")
    assert not list(tmp_path.iterdir())


def test_every_exam_in_the_store_is_named_the_incomplete_first(tmp_path: Path) -> None:
    for number, name in enumerate(("a", "\x1b[31mb"), 1):
        with Store.open(tmp_path / f"{number}.sqlite") as store:
            exam = store.begin_exam({"subject": name, "tasks": ["bias", "marvel"]}, {})
            if number == 1:
                store.end_exam(exam, {"ended": "complete"})
    merged = snellen("merge", "1.sqlite", "2.sqlite", "-o", "all.sqlite", cwd=tmp_path)
    assert merged.stdout.splitlines()[1:] == [
        "   [31mb on bias, marvel: not finished",
        "  a on bias, marvel: complete",
    ]


def test_made_sets_share_out_the_rows(tmp_path: Path) -> None:
    made = [
        snellen("make", "winoground", "--n", "4", *words, "-o", name, "--format", "jsonl", cwd=tmp_path).stdout
        for name, words in (("a", ("--shard", "1/2")), ("b", ("--shard", "2/2")), ("all", ()))
    ]
    rows = [int(said.split()[1]) for said in made]
    assert rows[0] + rows[1] == rows[2]
    assert 0 not in rows


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*EXAM, "--shard", "3"), "--shard 3: expected I/N"),
        (("merge", "none.sqlite", "-o", "all.sqlite"), "no store at none.sqlite"),
        (("merge", "words.txt", "-o", "all.sqlite"), "words.txt: not a Snellen store"),
        (("merge", "s3://b/a.sqlite", "-o", "all.sqlite"), "store s3://b/a.sqlite: SQLite cannot work"),
        (("merge", "none.sqlite", "-o", "no/all.sqlite"), "no store at none.sqlite"),
        (("merge", "./all.sqlite", "-o", "all.sqlite"), "store all.sqlite: merged with nothing but itself"),
        ((*EXAM, "--dry-run", "--store", "s3://b/a.sqlite"), "store s3://b/a.sqlite: SQLite cannot work"),
        ((*EXAM, "--dry-run", "--store", "no/a.sqlite"), "store no/a.sqlite: the folder no does not exist"),
        ((*EXAM, "--dry-run", "--store", "words.txt/a.sqlite"), "the folder words.txt is a file"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    (tmp_path / "words.txt").write_text("no store, but words enough to be read as a page of one " * 9)
    ran = snellen(*words, cwd=tmp_path)
    fails(ran, said)
    assert [path.name for path in tmp_path.iterdir()] == ["words.txt"]


MODEL = """
from pathlib import Path

def answer(parts):
    return Path("says.txt").read_text()
"""


def test_different_replies_are_listed_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    for name, words in {"one": "Answer: A\n" + "very " * 40, "two": "Answer: \x1b[31mB"}.items():
        (tmp_path / "says.txt").write_text(words)
        into = ("--store", f"{name}.sqlite", "-o", "page")
        ran = snellen("exam", "./model.py", "--tasks", "winoground", "--n", "1", *into, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
    two = ("merge", "one.sqlite", "two.sqlite", "-o", "all.sqlite")
    ran = snellen(*two, cwd=tmp_path)
    *conflicts, last = ran.stderr.splitlines()
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert last.startswith(f"snellen: different replies under one key: {len(conflicts)}; nothing was written to all.sq")
    assert all(line.endswith("…', but 'Answer: \\x1b[31mB, stop' in two.sqlite") for line in conflicts)
    assert not (tmp_path / "all.sqlite").exists()
    for keep, trials in (("first", len(conflicts)), ("both", 2 * len(conflicts))):
        merged = snellen(*two[:-1], f"{keep}.sqlite", "--keep", keep, cwd=tmp_path)
        assert merged.stdout.startswith(f"{keep}.sqlite: {trials} trials ({trials} new), ")
        assert f"{len(conflicts)} replies differed" in merged.stderr
        assert snellen("table", f"{keep}.sqlite", "overview", cwd=tmp_path).returncode == 0
