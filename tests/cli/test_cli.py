"""The command line as a user meets it."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from snellen import cli
from support.commands import fails, snellen, snellen_process
from support.lengths import few_and_more


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which an exam has been held."""
    folder = tmp_path_factory.mktemp("home")
    ran = snellen("exam", "sim/fixated", "--n", 3, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    return folder


def test_without_a_name_the_tiny_model_that_comes_along_is_examined(tmp_path: Path) -> None:
    ran = snellen("exam", "--n", 1, "--set", "prompt=base", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "local/tiny" in ran.stdout


def test_help_shows_every_command_with_an_example(tmp_path: Path) -> None:
    shown = snellen_process("--help", cwd=tmp_path).stdout
    for command in ("exam", "tasks", "show", "make", "audit", "report", "table", "compare", "export", "import", "lab"):
        assert re.search(rf"^\s+{command} ", shown, re.MULTILINE)
    assert "snellen exam openai/" in snellen("exam", "--help", cwd=tmp_path).stdout


def test_exam_says_the_diagnosis_and_where_the_page_is(home: Path) -> None:
    ran = snellen("exam", "sim/fixated", "--n", 3, cwd=home)
    assert ran.returncode == 0
    assert "sim/fixated" in ran.stdout
    assert "HABIT" in ran.stdout
    page = re.search(r"Report: (.+)", ran.stdout)
    assert page is not None
    assert (home / page[1]).is_file()


def test_json_is_one_object_on_standard_output(home: Path) -> None:
    ran = snellen("exam", "sim/fixated", "--n", 3, "--json", cwd=home)
    found = json.loads(ran.stdout)
    assert found["diagnoses"][0]["subject"] == "sim/fixated"
    assert found["estimates"]
    assert "Report:" in ran.stderr


def test_json_stays_one_object_whatever_a_model_prints(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text('print("loading")\ndef answer(parts):\n    print("thinking")\n    return "X"\n')
    ran = snellen("exam", "./loud.py", "--n", 1, "--set", "prompt=base", "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)
    assert {"loading", "thinking"} <= set(ran.stderr.split())


def test_dry_run_counts_and_writes_nothing(tmp_path: Path) -> None:
    words = ("exam", "openai/gpt-4.1", "--n", 2, "--dry-run", "--price", "openai/gpt-4.1=2/8")
    ran = snellen(*words, cwd=tmp_path, OPENAI_API_KEY="sk-test")
    assert "136 calls to make" in ran.stdout
    assert "$" in ran.stdout
    assert list(tmp_path.iterdir()) == []


def test_tasks_lists_designs_and_factors(tmp_path: Path) -> None:
    shown = snellen("tasks", cwd=tmp_path).stdout
    for word in ("fixation", "main", "96,000", "rendering", "checkerboard", "modality"):
        assert word in shown


@pytest.mark.parametrize("name", ["sheet.html", "sheet.png"])
def test_show_writes_a_sheet(name: str, tmp_path: Path) -> None:
    ran = snellen("show", "fixation", "--n", 1, "-o", name, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / name).stat().st_size > 5_000


@pytest.mark.soak
@pytest.mark.parametrize(
    "words",
    [("--n", 8, "--set", "prompt=base"), pytest.param(("--n", 40), marks=pytest.mark.soak)],
    ids=["few", "many"],
)
def test_make_then_audit_the_folder(words: tuple[object, ...], tmp_path: Path) -> None:
    assert snellen("make", "fixation", *words, "-o", "boards", cwd=tmp_path).returncode == 0
    ran = snellen("audit", "boards", cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.soak
def test_audit_finds_the_published_leaks(tmp_path: Path) -> None:
    ran = snellen("audit", "fixation", "--set", "states=published", cwd=tmp_path)
    assert ran.returncode == 1
    assert "parity" in ran.stdout
    assert "100" in ran.stdout
    assert "77.7" in ran.stdout


def test_table_compare_export_report(home: Path) -> None:
    assert snellen("exam", "sim/ideal", "--n", 3, cwd=home).returncode == 0
    names = snellen("table", "snellen.sqlite", cwd=home).stdout
    assert "gap" in names
    for style in ("text", "md", "latex", "csv"):
        shown = snellen("table", "snellen.sqlite", "gap", "--format", style, cwd=home)
        assert "sim/fixated" in shown.stdout.replace(r"\allowbreak{}", "")
    assert (
        "table*" not in snellen("table", "snellen.sqlite", "gap", "--format=latex", "--width=column", cwd=home).stdout
    )
    for wrong in (("--width", "page"), ("--format", "latex", "--width", "wide")):
        refused = snellen("table", "snellen.sqlite", "gap", *wrong, cwd=home)
        assert refused.returncode == 2
        assert "--width" in refused.stderr
    compared = snellen("compare", "snellen.sqlite", "sim/fixated", "sim/ideal", cwd=home)
    assert compared.returncode == 0, compared.stderr
    assert snellen("export", "snellen.sqlite", "-o", "t.parquet", cwd=home).returncode == 0
    assert (home / "t.parquet").stat().st_size > 1_000
    assert snellen("report", "snellen.sqlite", "-o", "page", cwd=home).returncode == 0
    assert (home / "page" / "index.html").is_file()


def test_a_task_of_ones_own_in_one_file(tmp_path: Path) -> None:
    lamps = Path(__file__).parents[2] / "docs" / "examples" / "lamps.py"
    ran = snellen("exam", "sim/ideal", "--tasks", lamps, "--n", 5, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr


# Bad input: each one clear line, status 2, nothing written, nothing lost.


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("exam", "--tasks", "fixasion"), ("fixasion", "fixation")),
        (("exam", "--tasks="), ("--tasks ''",)),
        (("exam", "--tests="), ("test",)),
        (("exam", "--paradigm="), ("paradigm",)),
        (("exam", "--set", "rul=inverse"), ("rul", "rule")),
        (("exam", "--set", "rule=invers"), ("invers", "inverse")),
        (("exam", "--set", "rule"), ("factor=level",)),
        (("exam", "--design", "mian"), ("main",)),
        (("exam", "sim/fixatd"), ("fixated",)),
        (("exam", "sim/fixated:se=1"), ("see",)),
        (("exam", "sim/fixated:see=2"), ("see", "2")),
        (("exam", "opnai/gpt-4.1"), ("openai",)),
        (("exam", "openai/gpt-4.1"), ("OPENAI_API_KEY",)),
        (("exam", "--n", "0"), ("--n",)),
        (("exam", "--price", "x=cheap", "--dry-run"), ("IN/OUT",)),
        (("exam", "--prompts", "none.toml"), ("none.toml",)),
        (("exam", "--role", "describer"), ("ROLE=SUBJECT",)),
        (("exam", "--store", "no/such/folder/s.sqlite"), ("no/such/folder",)),
        (("exmа",), ("No such command",)),
        (("audit", "nowhere"), ("nowhere", "fixation")),
        (("show", "fixation", "-o", "sheet.doc"), (".doc",)),
        (("table", "none.sqlite"), ("none.sqlite",)),
        (("compare", "none.sqlite", "a", "b"), ("none.sqlite",)),
        (("report", "none.sqlite"), ("none.sqlite",)),
        (("exam", "sim/ideal", "--out", "page.html"), ("page.html", "folder", "index.html")),
        (("import", "inspect", "none.eval"), ("none.eval",)),
    ],
)
def test_mistakes(words: tuple[str, ...], expected: tuple[str, ...], tmp_path: Path) -> None:
    fails(snellen(*words, cwd=tmp_path), *expected)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_a_store(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")
    for words in (("exam", "--store", path), ("report", path), ("table", path)):
        fails(snellen(*words, cwd=tmp_path), "notes.txt")
    assert path.read_text() == "dear diary"


def test_a_store_of_another_version(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    path.write_bytes((home / "snellen.sqlite").read_bytes())
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.execute("UPDATE meta SET value = 'snellen 9.0' WHERE name = 'made by'")
    db.commit()
    db.close()
    fails(snellen("exam", "--store", path, cwd=tmp_path), "old.sqlite", "version")


def test_unknown_table_and_subject_name_the_nearest(home: Path) -> None:
    fails(snellen("table", "snellen.sqlite", "gapp", cwd=home), "gap")
    fails(snellen("compare", "snellen.sqlite", "sim/fixated", "sim/ideall", cwd=home), "sim/ideal")


def test_a_place_that_cannot_be_written(home: Path) -> None:
    fails(snellen("export", "snellen.sqlite", "-o", "no/such/t.parquet", cwd=home), "no/such/t.parquet")


def test_no_trouble_with_a_disk_is_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**_: object) -> None:
        raise PermissionError(13, "Permission denied", "notes.toml")

    monkeypatch.setattr(cli.cli, "main", broken)
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert capsys.readouterr().err == "snellen: notes.toml: Permission denied\n"


def test_an_unreachable_server(tmp_path: Path) -> None:
    ran = snellen("exam", "openai/m@http://127.0.0.1:9/v1", "--n", 1, cwd=tmp_path)
    begun, problem = ran.stderr.splitlines()
    assert begun.startswith("fixation: separates")
    assert "127.0.0.1:9" in problem
    assert ran.returncode == 2


def test_a_damaged_store_is_one_line_wherever_it_is_met(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "hurt.sqlite"
    data = bytearray((home / "snellen.sqlite").read_bytes())
    middle = len(data) // 8
    data[middle : len(data) - 8192] = bytes(len(data) - 8192 - middle)
    path.write_bytes(data)
    for words in (("report", path), ("table", path), ("export", path, "-o", "t.parquet"), ("exam", "--store", path)):
        fails(snellen(*words, cwd=tmp_path), "hurt.sqlite")


def test_reading_leaves_nothing_beside_the_store(home: Path) -> None:
    assert snellen("table", "snellen.sqlite", "gap", cwd=home).returncode == 0
    assert not [path.name for path in home.iterdir() if path.name.endswith(("-wal", "-shm"))]


def test_an_exam_with_nothing_to_ask(tmp_path: Path) -> None:
    ran = snellen("exam", "--paradigm", "describe", "--set", "modality=text", cwd=tmp_path)
    fails(ran, "describe", "modality")
    assert list(tmp_path.iterdir()) == []


def test_a_price_for_nobody(tmp_path: Path) -> None:
    fails(snellen("exam", "sim/fixated", "--dry-run", "--price", "sim/fixatd=1/1", cwd=tmp_path), "sim/fixated")


def test_two_runs_on_one_store(tmp_path: Path) -> None:
    from snellen.engine import Store

    with Store.open(tmp_path / "snellen.sqlite"):
        fails(snellen("exam", "sim/fixated", "--n", 1, cwd=tmp_path), "snellen.sqlite", str(os.getpid()))
    assert snellen("exam", "sim/fixated", "--n", 1, cwd=tmp_path).returncode == 0


def test_a_subject_spelt_in_two_ways_is_one(tmp_path: Path) -> None:
    for name in ("sim/ideal:see=0.5,seed=3", "sim/ideal:seed=3,see=0.5"):
        ran = snellen("exam", name, "--n", 1, "--json", cwd=tmp_path)
        assert len(json.loads(ran.stdout)["diagnoses"]) == 1


def serve(plan: dict[str, object]) -> tuple[subprocess.Popen[str], str]:
    """The fault server as a process of its own, and its address."""
    script = Path(__file__).parents[1] / "support" / "fault_server.py"
    server = subprocess.Popen([sys.executable, script, json.dumps(plan)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    return server, server.stdout.readline().strip()


def counts(url: str) -> dict[str, dict[str, int]]:
    with urlopen(url.removesuffix("/v1") + "/counts") as answer:  # noqa: S310 - our own server
        found: dict[str, dict[str, int]] = json.load(answer)
    return found


@few_and_more(("number", "status"), [(signal.SIGINT, 130)], [(signal.SIGTERM, 143)])
def test_ctrl_c_and_sigterm_lose_nothing_and_the_same_command_goes_on(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    server, url = serve({"delay": 0.05})
    words = ("exam", f"openai/m@{url}", "--n", 3, "--concurrency", 4)
    try:
        run = subprocess.Popen(
            [sys.executable, "-m", "snellen", *map(str, words)], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        while not sum(counts(url)["answered"].values()) > 8:
            assert run.poll() is None
            time.sleep(0.02)
        run.send_signal(number)
        _, said = run.communicate(timeout=60)
        assert run.returncode == status
        assert snellen("check", cwd=tmp_path).returncode == 0
        assert "Run the same command again" in said
        assert snellen(*words, cwd=tmp_path).returncode == 0
        assert set(counts(url)["answered"].values()) == {1}
    finally:
        server.kill()


def test_a_key_appears_nowhere(tmp_path: Path) -> None:
    server, url = serve({"script": ["429", "429-later"], "retry_after": 0.01})
    secret = "sk-very-secret-0123456789abcdef"
    try:
        words = ("exam", f"openai/m@{url}", "--n", 1, "--set", "game=tictactoe")
        ran = snellen(*words, cwd=tmp_path, SNELLEN_API_KEY=secret)
        assert ran.returncode == 0, ran.stderr
    finally:
        server.kill()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"snellen.sqlite", "index.html"} <= {path.name for path in files}
    for text in (ran.stdout.encode(), ran.stderr.encode(), *(path.read_bytes() for path in files)):
        assert secret.encode() not in text


def test_a_published_set_is_shown_and_audited(tmp_path: Path) -> None:
    from PIL import Image

    for number in range(12):
        (tmp_path / "BP" / "p001").mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (104, 104), (20 * number,) * 3).save(tmp_path / "BP" / "p001" / f"{number}.png")
    shown = snellen("show", "bongard", "--data", "bongard=original:BP", "-o", "sheet.html", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "original/p001" in (tmp_path / "sheet.html").read_text()
    audited = snellen("audit", "bongard", "--data", "bongard=BP", cwd=tmp_path)
    assert "observers" in audited.stdout
    other = snellen("show", "winoground", "--data", "bongard=BP", cwd=tmp_path)
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    twice = snellen("show", "bongard", "--data", "bongard=BP", "--data", "bongard=other", cwd=tmp_path)
    assert (twice.returncode, "given twice" in twice.stderr) == (2, True)
