"""Calls in batches: each answer as that of a single call, whatever becomes of rows and batches, and none paid twice."""

import asyncio
import json
import signal
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from snellen.call import Subject
from snellen.engine import RunSummary, Store
from snellen.engine.batch_records import OpenBatch, key_in, row_id
from support.batch_server import BatchServer, Job, pictures_in
from support.fakes import FakeJob, call, trial_key, until
from support.lengths import some_of
from support.run_batches import hold

N = 12
DIALECTS = ["openai", "anthropic", "gemini"]


def who(server: BatchServer, dialect: str = "openai") -> str:
    bases = {"openai": server.openai, "azure": server.openai, "anthropic": server.root, "gemini": server.gemini}
    return f"{dialect}/m@{bases[dialect]}"


def answered(path: Path) -> int:
    """How many trials have an outcome; nothing of batches may be left on record."""
    with Store.open(path, readonly=True) as store:
        assert store.notes("batch") == {}
        rows = store.rows()
        return len(rows.filter(rows["reason"] != "error"))


def check_all_paid_once(server: BatchServer, path: Path, n: int = N) -> None:
    assert answered(path) == n
    assert len(server.paid) == n
    assert set(server.paid.values()) == {1}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


@pytest.mark.parametrize("dialect", [*DIALECTS, "azure"])
async def test_all_calls_go_in_one_batch(dialect: str, path: Path) -> None:
    async with BatchServer(looks=3) as server:
        summary = await hold(path, who(server, dialect), N)
    assert (summary.ended, summary.done, summary.errors) == ("complete", N, 0)
    assert [len(job.rows) for job in server.jobs] == [N]
    assert not server.alone
    check_all_paid_once(server, path)


def test_rows_of_other_batches_are_told_apart() -> None:
    ours, other = b"a" * 16, b"b" * 16
    batch = OpenBatch("mine", "m", (ours.hex(),), at=0.0)
    keys = frozenset(batch.keys)
    assert key_in(row_id(ours, "mine"), batch, keys) == ours
    for id in (row_id(ours, "another"), row_id(other, "mine"), ours.hex(), ""):
        assert key_in(id, batch, keys) is None


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_records_are_those_of_single_calls(dialect: str, tmp_path: Path) -> None:
    def records(path: Path) -> list[tuple[object, ...]]:
        with Store.open(path, readonly=True) as store:
            kept = "key, subject, request, status, text, finish, tokens_in, tokens_out, model, problem, attempts"
            found = store._db.execute(f"SELECT {kept} FROM calls ORDER BY key").fetchall()  # noqa: S608
            pictures = store._db.execute("SELECT digest FROM images ORDER BY digest").fetchall()
            return [*found, *pictures]

    async with BatchServer() as server:
        await hold(tmp_path / "batch.db", who(server, dialect), N)
        await hold(tmp_path / "single.db", who(server, dialect), N, "")
        assert sum(server.alone.values()) == N
    assert records(tmp_path / "batch.db") == records(tmp_path / "single.db")


@some_of(("dialect", "mood"), product(DIALECTS, ["reverse", "twice", "strangers"]), 2)
async def test_rows_may_come_in_any_order_twice_or_be_strange(dialect: str, mood: str, path: Path) -> None:
    async with BatchServer(mood=mood) as server:
        summary = await hold(path, who(server, dialect), N)
    assert (summary.done, summary.errors) == (N, 0)
    check_all_paid_once(server, path)
    with Store.open(path, readonly=True) as store:
        assert store._db.execute("SELECT count(*) FROM calls").fetchone() == (N,)


@some_of(("dialect", "fate"), product(DIALECTS, ["failed", "expired", "missing"]), 2)
async def test_rows_without_an_answer_go_into_the_next_batch(dialect: str, fate: str, path: Path) -> None:
    def fate_of(job: Job, place: int) -> str:
        return fate if job.number < 3 and place % 3 == 0 and len(job.rows) > 2 else "ok"

    async with BatchServer(fate=fate_of) as server:
        summary = await hold(path, who(server, dialect), N)
    assert (summary.done, summary.errors) == (N, 0)
    assert [len(job.rows) for job in server.jobs] == [12, 4]
    check_all_paid_once(server, path)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_rows_that_never_get_an_answer_are_given_up(dialect: str, path: Path) -> None:
    async with BatchServer(fate=lambda job, place: "failed" if len(job.rows) == 1 or not place else "ok") as server:
        summary = await hold(path, who(server, dialect), N)
        assert (summary.ended, summary.done, summary.errors) == ("complete", N, 1)
        assert len(server.jobs) == 3
        assert answered(path) == N - 1
        server.fate = lambda job, place: "ok"
        await hold(path, who(server, dialect), N)
    check_all_paid_once(server, path)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_rejected_row_is_not_tried_again(dialect: str, path: Path) -> None:
    async with BatchServer(fate=lambda job, place: "ok" if place else "rejected") as server:
        summary = await hold(path, who(server, dialect), N)
    assert (summary.done, summary.errors) == (N, 1)
    assert len(server.jobs) == 1
    [(reason, times)] = summary.failures
    assert "Invalid image" in reason
    assert times == 1


async def test_what_is_left_goes_by_single_calls(path: Path) -> None:
    async with BatchServer(fate=lambda job, place: "ok" if place else "failed") as server:
        summary = await hold(path, who(server), N, "24h,then-calls")
    assert (summary.done, summary.errors) == (N, 0)
    assert server.alone.total() == 1
    check_all_paid_once(server, path)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_when_its_time_is_over_a_batch_is_cancelled_and_the_rest_goes_by_single_calls(
    dialect: str, path: Path
) -> None:
    def fate(job: Job, place: int) -> str:
        return "ok" if place < 5 else "expired"

    async with BatchServer(looks=10**6, fate=fate) as server:
        summary = await hold(path, who(server, dialect), N, "0.001m,then-calls")
    assert (summary.done, summary.errors) == (N, 0)
    assert server.alone.total() == N - 5
    check_all_paid_once(server, path)


async def test_without_then_calls_it_says_so_and_the_next_run_takes_the_batch_up(path: Path) -> None:
    async with BatchServer(looks=10**6) as server:
        summary = await hold(path, who(server), N, "0.001m")
        assert summary.ended == "waiting"
        assert "in_progress" in summary.problem
        assert summary.done == 0
        server.looks = 0
        summary = await hold(path, who(server), N, "24h")
    assert (summary.ended, summary.done) == ("complete", N)
    assert len(server.jobs) == 1
    check_all_paid_once(server, path)


@pytest.mark.parametrize("end", ["cancelled", "expired"])
async def test_a_batch_that_ends_early_is_read_and_the_rest_goes_into_another(end: str, path: Path) -> None:
    def fate(job: Job, place: int) -> str:
        return "missing" if job.number < 4 and place >= 5 and len(job.rows) == N else "ok"

    async with BatchServer(fate=fate) as server:
        server.ends = [end]
        summary = await hold(path, who(server), N)
    assert (summary.done, summary.errors) == (N, 0)
    assert [len(job.rows) for job in server.jobs] == [N, N - 5]
    check_all_paid_once(server, path)


async def test_a_batch_that_is_refused_ends_the_run_with_one_line(path: Path) -> None:
    async with BatchServer() as server:
        server.problem = "model_not_found: The model m has no batch deployment"
        summary = await hold(path, who(server), N)
    assert summary.ended == "given up"
    assert "The model m has no batch deployment" in summary.problem
    assert not server.paid
    assert answered(path) == 0


async def test_too_much_in_the_queue_makes_smaller_batches(path: Path) -> None:
    class Crowded(BatchServer):
        def _begin(self, rows: list[tuple[str, object]], file: str = "", metadata: object = None) -> Job:
            self.problem = "token_limit_exceeded: Enqueued token limit reached" if len(rows) > 6 else ""
            return super()._begin(rows, file, metadata)

    async with Crowded() as server:
        summary = await hold(path, who(server), N)
    assert (summary.done, summary.errors) == (N, 0)
    assert sorted(len(job.rows) for job in server.jobs) == [6, 6, 12]
    check_all_paid_once(server, path)


@some_of(
    ("step", "fault", "dialect"),
    product(["upload", "create", "status", "results"], ["500", "reset"], DIALECTS),
    5,
)
async def test_a_step_that_fails_is_taken_again_and_nothing_is_paid_twice(
    dialect: str, step: str, fault: str, path: Path
) -> None:
    async with BatchServer() as server:
        server.faults = {step: [fault]}
        summary = await hold(path, who(server, dialect), N)
    assert (summary.done, summary.errors) == (N, 0)
    assert len(server.jobs) == 1, "also if the answer to the request that began it was lost"
    check_all_paid_once(server, path)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_batches_are_split_at_the_limits(dialect: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from snellen.subjects.batch.anthropic import AnthropicBatches
    from snellen.subjects.batch.gemini import GeminiBatches
    from snellen.subjects.batch.openai import OpenAIBatches

    api = {"openai": OpenAIBatches, "anthropic": AnthropicBatches, "gemini": GeminiBatches}[dialect]
    monkeypatch.setattr(api, "most_bytes", 2_000)
    async with BatchServer() as server:
        summary = await hold(path, who(server, dialect), N)
    assert (summary.done, summary.errors) == (N, 0)
    assert len(server.jobs) > 2
    if dialect != "anthropic":
        assert all(len(server.files[job.file]) <= 2_000 for job in server.jobs)
    check_all_paid_once(server, path)


async def test_a_call_larger_than_a_batch_fails_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from snellen.subjects.batch.openai import OpenAIBatches

    monkeypatch.setattr(OpenAIBatches, "most_bytes", 300)
    async with BatchServer() as server:
        summary = await hold(path, who(server), 2)
    assert summary.errors == 2
    assert "a batch takes 300" in summary.failures[0][0]


async def test_pictures_that_several_rows_show_are_uploaded_once(path: Path) -> None:
    async with BatchServer() as server:
        summary = await hold(path, who(server, "anthropic"), N)
    assert summary.errors == 0
    assert len(server.uploaded_pictures) == 1, "the jobs all show the same picture"
    sources = [picture["source"] for job in server.jobs for _, body in job.rows for picture in pictures_in(body)]
    assert {source["type"] for source in sources} == {"file"}
    assert server.deleted == [sources[0]["file_id"]]


async def test_without_a_files_api_pictures_go_in_the_rows(path: Path) -> None:
    async with BatchServer() as server:
        server.takes_pictures = False
        summary = await hold(path, who(server, "anthropic"), N)
    assert summary.errors == 0
    assert {p["source"]["type"] for _, body in server.jobs[0].rows for p in pictures_in(body)} == {"base64"}


async def test_a_server_without_batches_says_so(path: Path) -> None:
    async with BatchServer() as server:
        summary = await hold(path, f"openai/m@{server.root}/v2", N)
    assert summary.ended == "given up"
    assert "has no batch API" in summary.problem


async def test_a_wrong_key_ends_the_run_with_one_line(path: Path) -> None:
    async with BatchServer() as server:
        server.faults = {"create": ['{"error": {"code": "invalid_api_key", "message": "Incorrect API key provided"}}']}
        summary = await hold(path, who(server), N)
    assert summary.ended == "given up"
    assert "key" in summary.problem
    assert answered(path) == 0


async def test_files_are_written_and_their_results_read(tmp_path: Path, path: Path) -> None:
    folder = tmp_path / "work"
    async with BatchServer() as server:
        summary = await hold(path, who(server), N, f"files:{folder}")
        assert summary.ended == "waiting"
        assert "vllm run-batch -i " in summary.problem
        [rows] = folder.glob("*.jsonl")
        assert len(rows.read_text().splitlines()) == N
        again = await hold(path, who(server), N, f"files:{folder}")
        assert again.problem == summary.problem
        _work_off(rows)
        assert (await hold(path, who(server), N, f"files:{folder}")).done == N
    assert answered(path) == N
    assert not server.paid


def _work_off(rows: Path) -> None:
    from support.batch_server import _openai_row

    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    out = [json.dumps(_openai_row(line["custom_id"], line["body"], "ok")) for line in lines]
    rows.with_name(f"{rows.stem}.out.jsonl").write_text("\n".join(out) + "\n")


async def test_a_result_nobody_asks_for_now_is_recorded_all_the_same(path: Path) -> None:
    async with BatchServer(looks=10**6) as server:
        await hold(path, who(server), N, "0.001m")
        server.looks = 0
        assert (await hold(path, who(server), 3)).done == 3
        summary: RunSummary = await hold(path, who(server), N)
        assert summary.done == N - 3
    assert len(server.jobs) == 1
    check_all_paid_once(server, path)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_batch_that_may_have_been_begun_is_looked_for_each_time(dialect: str, path: Path) -> None:
    """The answer to the request that begins it is lost more often than anyone would try, or none came at all."""
    async with BatchServer() as server:
        server.faults = {"create": ["500"] * 6 + ["reset"]}
        summary = await hold(path, who(server, dialect), N)
    assert (summary.done, summary.errors) == (N, 0)
    assert len(server.jobs) == 1
    check_all_paid_once(server, path)


async def test_a_model_that_does_not_exist_ends_the_run_and_leaves_nothing_open(path: Path) -> None:
    class NoModel(BatchServer):
        def _lines(self, job: Job, row: Any) -> list[Any]:
            error = {"error": {"code": "model_not_found", "message": "The model `m` does not exist"}}
            return [{"custom_id": id, "response": {"status_code": 404, "body": error}} for id, _ in job.rows]

    async with NoModel() as server:
        summary = await hold(path, who(server), N)
    assert summary.ended == "given up"
    assert "does not exist" in summary.problem
    assert answered(path) == 0


async def test_jobs_that_share_calls_wait_for_one_batch_however_many_they_are(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More jobs than workers wait for the same few calls; nobody is left to take the next job."""

    def sharing(subject: Subject, n: int) -> Iterator[FakeJob]:
        for i in range(n):
            yield FakeJob(subject, call(f"Who wins board {i % 3}?", subject.name), trial_key(i))

    monkeypatch.setattr("support.run_batches.jobs", sharing)
    async with BatchServer() as server:
        summary = await hold(path, who(server), 50)
    assert (summary.ended, summary.done) == ("complete", 50)
    assert [len(job.rows) for job in server.jobs] == [3]
    assert set(server.paid.values()) == {1}


async def test_azure_takes_a_moment_to_look_through_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.subjects.batch.openai._LOOK", 0.01)
    async with BatchServer() as server:
        server.file_states = ["pending", "running", "processed"]
        summary = await hold(path, who(server, "azure"), N)
    assert (summary.done, summary.errors) == (N, 0)


async def test_nobody_at_the_address_is_said_at_once(path: Path) -> None:
    summary = await hold(path, "openai/m@http://127.0.0.1:9/v1", N)
    assert summary.ended == "given up"
    assert "no server answers at http://127.0.0.1:9/v1" in summary.problem


async def test_an_interrupt_ends_the_waiting_and_not_the_batch(path: Path) -> None:
    async with BatchServer(looks=10**6) as server:
        run = asyncio.create_task(hold(path, who(server), N))
        await until(lambda: server.seen["status"] > 0)
        signal.raise_signal(signal.SIGINT)
        summary = await run
        assert summary.ended == "interrupted"
        assert f"1 batch (in_progress): 0 of {N} calls done" in summary.problem
        server.looks = 0
        assert (await hold(path, who(server), N)).done == N
    check_all_paid_once(server, path)


@pytest.mark.parametrize("fault", ["", "reset"])
@pytest.mark.parametrize("google_names", [True, False])
async def test_a_batch_of_gemini_is_known_by_either_name(google_names: bool, fault: str, path: Path) -> None:
    async with BatchServer(looks=2) as server:
        server.google_names = google_names
        server.faults = {"create": [fault]}
        summary = await hold(path, who(server, "gemini"), N)
    assert (summary.done, summary.errors) == (N, 0)
    check_all_paid_once(server, path)


async def test_a_batch_that_is_not_known_yet_is_not_begun_again(path: Path) -> None:
    async with BatchServer() as server:
        server.unknown_looks = 3
        summary = await hold(path, who(server), N)
    assert (summary.done, summary.errors) == (N, 0)
    assert len(server.jobs) == 1
    check_all_paid_once(server, path)
