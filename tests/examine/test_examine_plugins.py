"""What installed packages name under our entry point groups can be asked for by that name, in every process."""

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from click.testing import CliRunner

import snellen
from snellen.charts.blocks import Intervals, Table
from snellen.cli import cli
from snellen.errors import UserError
from snellen.examine import make_plan
from snellen.plugins import published
from snellen.tasks.making.order import ItemMaker
from snellen.tasks.making.pool import start_worker
from snellen.tasks.making.worker import WorkerOrder, receive, send
from support.pages import page_head

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


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a package as an installer leaves it, where packages are looked for."""
    site = tmp_path / "site"
    package, facts = site / "theirs", site / "theirs-1.0.dist-info"
    for folder in (package, facts):
        folder.mkdir(parents=True)
    for name in ("lamps.py", "lamps.toml", "reconsider.py"):
        copy(EXAMPLES / name, package)
    (package / "__init__.py").write_text("")
    (package / "models.py").write_text(MODELS)
    (package / "broken.py").write_text("import nothing_of_the_kind\n")
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(site)
    published.cache_clear()
    yield site
    published.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "theirs"]:
        del sys.modules[name]


@pytest.mark.parametrize("task", ["lamps", "lamps_itself"])
def test_tasks_paradigms_and_subjects_of_a_package(task: str, site: Path, tmp_path: Path) -> None:
    who = ["theirs/big:mood=good", "sim/ideal"]
    exam = snellen.exam(who, tasks=task, paradigms=["direct", "twice"], n=2, store=tmp_path / "s.sqlite")
    assert set(exam.rows["subject"]) == set(who)
    assert set(exam.rows["paradigm"]) == {"direct", "reconsider", "told", "words"}
    assert set(exam.rows["task"]) == {"lamps"}


def test_a_task_of_a_package_has_a_table_and_a_chart_of_its_own(site: Path, tmp_path: Path) -> None:
    store, chart = str(tmp_path / "s.sqlite"), "lamps-accuracy-by-number-of-lamps"
    exam = snellen.exam(["sim/ideal", "sim/fixated"], tasks="lamps", n=8, store=store)

    def printed(*words: str) -> str:
        done = CliRunner().invoke(cli, list(words))
        assert done.exit_code == 0, done.output
        return done.output

    assert "lamps-by-number" in printed("table", store)
    table = printed("table", store, "lamps-by-number", "--format", "csv")
    assert table.startswith("subject,lamps,accuracy %")
    assert "sim/fixated" in table
    assert chart in printed("figure", store)
    printed("figure", store, chart, "-o", str(tmp_path / "lamps.svg"))
    assert "sim/fixated" in (tmp_path / "lamps.svg").read_text(encoding="utf-8")
    blocks = [block for section in exam.findings.sections if section.task == "lamps" for block in section.blocks]
    titles = {block.title for block in blocks if isinstance(block, Table | Intervals)}
    assert {"Lamps: accuracy by how many are to be counted", "Accuracy by number of lamps"} <= titles
    assert "Lamps: few and many" in page_head(exam.report(tmp_path / "report"))


def test_a_process_that_draws_finds_them_too(site: Path) -> None:
    wanted = make_plan("sim/ideal", tasks="lamps", n=2).parts[0].order
    assert wanted.origin is not None
    worker = start_worker()
    try:
        send(worker.stdin, (WorkerOrder(wanted.origin, wanted.design, 2, 0, False), None, None, 0, 1))
        [made] = receive(worker.stdout)
    finally:
        worker.kill()
        worker.communicate()
    assert made.item.id == ItemMaker(wanted).make(0, 1)[0].item.id


@pytest.mark.parametrize(
    ("choices", "line"),
    [
        ({"tasks": "broken_task"}, r"task broken_task of an installed package \(theirs.broken\): ModuleNotFoundError"),
        ({"paradigms": "broken_paradigm"}, "paradigm broken_paradigm of an installed package"),
        ({"subject": "broken/big"}, "subject broken of an installed package"),
        ({"subject": "theirs/big:colour=red"}, "subject theirs/big: TypeError"),
    ],
)
def test_a_package_that_cannot_be_used_is_one_line(choices: dict[str, Any], line: str, site: Path) -> None:
    with pytest.raises(UserError, match=line) as error:
        make_plan(**{"subject": "sim/ideal", "n": 1, **choices})
    assert "\n" not in str(error.value)
