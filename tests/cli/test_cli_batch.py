"""`--batch` as a user meets it: what it says, what it saves, and how it goes on."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import snellen as package
from snellen.engine import Store
from snellen.engine.batch_records import BatchPauses
from support.batch_server import BatchServer
from support.commands import Ran, fails, snellen

PAUSES = BatchPauses(first=0.02, longest=0.1, visible=0.2, outage=20)
QUICK = ("--tasks", "fixation", "--n", 2, "--design", "api")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    monkeypatch.setattr("snellen.examine.batching.PAUSES", PAUSES)
    loop, server = asyncio.new_event_loop(), BatchServer()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
    yield server
    asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def exam(where: Path, *words: object) -> Ran:
    return snellen("exam", *words, cwd=where, SNELLEN_API_KEY="none", OPENAI_API_KEY="none")


def test_an_exam_in_batches_equals_one_in_single_calls(server: BatchServer, tmp_path: Path) -> None:
    model = f"m=openai/m@{server.openai}"
    batched = exam(tmp_path, model, *QUICK, "--json", "--batch", "--store", "batched.sqlite")
    assert batched.returncode == 0, batched.stderr
    assert not server.alone
    single = exam(tmp_path, model, *QUICK, "--json", "--store", "single.sqlite")
    assert json.loads(batched.stdout)["diagnoses"] == json.loads(single.stdout)["diagnoses"]
    asked = server.alone.total()
    again = exam(tmp_path, model, *QUICK, "--json", "--store", "batched.sqlite")
    assert again.returncode == 0
    assert server.alone.total() == asked, "what a batch answered is not asked again"


def test_stages_take_a_batch_each(server: BatchServer, tmp_path: Path) -> None:
    model = f"m=openai/m@{server.openai}"
    ran = exam(tmp_path, model, *QUICK[:4], "--paradigm", "describe", "--batch")
    assert ran.returncode == 0, ran.stderr
    assert len(server.jobs) == 2
    assert not server.alone


def test_others_in_the_same_exam_get_single_calls(server: BatchServer, tmp_path: Path) -> None:
    ran = exam(tmp_path, f"m=openai/m@{server.openai}", "sim/fixated", *QUICK, "--batch")
    assert ran.returncode == 0, ran.stderr
    assert "note: sim/fixated: cannot be asked in batches; single calls as usual" in ran.stderr
    assert len(server.jobs) == 1
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        assert set(store.rows()["subject"]) == {"m", "sim/fixated"}


def test_the_batch_price_is_half_and_said(tmp_path: Path) -> None:
    def cost(*more: str) -> tuple[float, str]:
        price = ("--price", "openai/gpt-4.1=2/8", "--dry-run", "--json")
        ran = exam(tmp_path, "openai/gpt-4.1", *QUICK, *price, *more)
        return json.loads(ran.stdout)["subjects"]["openai/gpt-4.1"]["cost"], ran.stderr

    alone, _ = cost()
    batched, said = cost("--batch")
    assert batched == pytest.approx(alone / 2)
    assert "openai/gpt-4.1: batches cost 50% of the usual price" in said
    assert cost("--batch=files:work")[0] == pytest.approx(alone)


def test_adaptive_exams_are_said_to_be_slow(server: BatchServer, tmp_path: Path) -> None:
    ran = exam(tmp_path, f"openai/m@{server.openai}", "--tasks", "fixation", "--until-sure", "--most", 30, "--batch")
    assert ran.returncode == 0, ran.stderr
    assert "this can take days" in ran.stderr
    assert len(server.jobs) > 1
    assert not server.alone


def test_when_the_time_is_over_the_status_says_to_come_back(server: BatchServer, tmp_path: Path) -> None:
    server.looks = 10**6
    ran = exam(tmp_path, f"openai/m@{server.openai}", *QUICK, "--batch=0.001m")
    assert ran.returncode == 75
    assert "still in_progress after" in ran.stderr
    assert "the same command, given again later" in ran.stderr
    server.looks = 0
    ran = exam(tmp_path, f"openai/m@{server.openai}", *QUICK, "--batch")
    assert ran.returncode == 0
    assert len(server.jobs) == 1


def test_a_dry_run_counts_what_is_in_a_batch_apart_and_at_no_cost(server: BatchServer, tmp_path: Path) -> None:
    model = f"m=openai/m@{server.openai}"
    server.looks = 10**6
    assert exam(tmp_path, model, *QUICK, "--batch=0.001m").returncode == 75
    sent = len(server.jobs[0].rows)

    def foreseen(*more: object) -> dict[str, float]:
        ran = exam(tmp_path, model, *QUICK[:2], "--n", 3, *QUICK[4:], "--price", "m=2/8", "--dry-run", "--json", *more)
        [part] = json.loads(ran.stdout)["subjects"].values()
        return {name: part[name] for name in ("known", "in_batch", "to_make", "cost")}

    batched, single, files = foreseen("--batch"), foreseen(), foreseen("--batch=files:work")
    fresh = foreseen("--store", "other.sqlite")
    assert fresh["in_batch"] == fresh["known"] == batched["known"] == 0
    assert batched["in_batch"] == single["in_batch"] == sent
    assert batched["to_make"] == single["to_make"] == fresh["to_make"] - sent > 0
    assert single["cost"] == batched["cost"], "nobody knows what this server asks for batches"
    assert fresh["cost"] > single["cost"]
    assert files == fresh, "a batch at a provider is no file"
    told = exam(tmp_path, model, *QUICK, "--batch", "--dry-run").stdout
    assert f"m: 0 calls to make, 0 already in the store, {sent} in batches under way\n" in told


def test_what_is_in_a_batch_is_not_asked_by_single_calls_either(server: BatchServer, tmp_path: Path) -> None:
    model = f"openai/m@{server.openai}"
    server.looks = 10**6
    assert exam(tmp_path, model, *QUICK, "--batch=0.001m").returncode == 75
    server.looks = 4
    ran = exam(tmp_path, model, *QUICK[:2], "--n", 3, *QUICK[4:])
    assert ran.returncode == 0, ran.stderr
    assert server.alone
    assert not {json.dumps(body) for _, body in server.jobs[0].rows} & server.bodies_alone


def test_files_for_vllm(server: BatchServer, tmp_path: Path) -> None:
    ran = exam(tmp_path, f"openai/m@{server.openai}", *QUICK, "--batch=files:work")
    assert ran.returncode == 75
    [written] = (tmp_path / "work").iterdir()
    assert f"vllm run-batch -i work/{written.name} -o work/{written.stem}.out.jsonl --model m" in ran.stderr
    rows = [json.loads(line) for line in written.read_text().splitlines()]
    assert {row["url"] for row in rows} == {"/v1/chat/completions"}
    assert not server.jobs


def test_in_python(server: BatchServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_API_KEY", "none")
    who, store = f"openai/m@{server.openai}", tmp_path / "s.sqlite"
    result = package.exam(who, tasks="fixation", design="api", n=2, store=store, batch="24h")
    assert len(result.rows) == len(server.jobs[0].rows)
    assert not server.alone


@pytest.mark.parametrize("words", ["banana", "24", "24h,then", "files:", "openai/gpt-4.1"])
def test_what_is_no_time_is_refused_in_one_line(words: str, tmp_path: Path) -> None:
    fails(exam(tmp_path, "openai/gpt-4.1", f"--batch={words}"), f"--batch={words}: expected")


def test_a_folder_that_cannot_be_is_refused(server: BatchServer, tmp_path: Path) -> None:
    (tmp_path / "work").touch()
    fails(exam(tmp_path, "openai/gpt-4.1", "--batch=files:work"), "is a file; give a folder")
