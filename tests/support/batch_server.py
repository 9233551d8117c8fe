"""Batch APIs with moods: OpenAI's (Azure's, compatible servers'), Anthropic's, and Gemini's with Google's files.

Written from the providers' documentation, and sharing nothing with the package. What a call costs is counted when it is
worked on, by its words (`paid`), whether it came in a batch or alone; so a test can prove that nothing was paid twice.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from types import TracebackType
from typing import Any, Self

from aiohttp import web


@dataclass
class Job:
    """A batch there. `fate` of a row: "ok", "failed", "rejected", "expired", "missing"."""

    number: int
    rows: list[tuple[str, Any]]
    file: str = ""
    metadata: Any = None
    looks: int = 0
    state: str = "in_progress"
    fates: dict[str, str] = field(default_factory=dict)
    created: float = field(default_factory=time.time)

    @property
    def id(self) -> str:
        return f"batch_{self.number}"


def words_of(body: Any) -> str:
    """The text of a request, by which calls are told apart."""
    texts = []
    for message in body["messages"]:
        content = message["content"]
        texts += [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]
    return "\n".join(texts)


def pictures_in(body: Any) -> list[Any]:
    return [p for m in body["messages"] if isinstance(m["content"], list) for p in m["content"] if p["type"] != "text"]


class BatchServer:
    """`looks`: how often a batch is looked at before it is over. `fate(job, place)`: what becomes of a row. `mood`:
    how results come: "reverse", "twice", "strangers". `ends`: the state of batches in the end, one after the other.
    """

    def __init__(self, looks: int = 1, fate: Callable[[Job, int], str] | None = None, mood: str = "") -> None:
        self.looks = looks
        self.fate = fate or (lambda job, place: "ok")
        self.mood = mood
        self.ends: list[str] = []
        self.problem = ""
        self.google_names = False
        """Whether Gemini's compatible API names batches as Google's own does."""
        self.unknown_looks = 0
        """How often a batch that was begun is not known yet."""
        self.file_states = ["processed"]
        """States of an uploaded file, one after the other; of a file that is in work no batch can be begun."""
        self.faults: dict[str, list[str]] = {}
        """By step ("upload", "create", "status", "results"): "reset" after the step was done, "500" or "hang before"
        it, "hang" after it."""
        self.arrived: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self.bodies_alone: set[str] = set()
        self.files: dict[str, bytes] = {}
        self.takes_pictures = True
        self.uploaded_pictures: list[bytes] = []
        self.deleted: list[str] = []
        self.jobs: list[Job] = []
        self._numbers = count(1)
        self._runner: web.AppRunner | None = None
        self.root = ""

    @property
    def openai(self) -> str:
        return f"{self.root}/v1"

    @property
    def gemini(self) -> str:
        return f"{self.root}/v1beta/openai"

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2**30)
        for base in ("/v1", "/v1beta/openai"):
            app.router.add_post(f"{base}/chat/completions", self._chat)
            app.router.add_post(f"{base}/batches", self._create_openai)
            app.router.add_get(f"{base}/batches", self._list_openai)
            app.router.add_get(f"{base}/batches/{{id:[^/]+|batches/[^/]+}}", self._get_openai)
            app.router.add_post(f"{base}/batches/{{id:[^/]+|batches/[^/]+}}/cancel", self._cancel)
        app.router.add_post("/v1/files", self._upload)
        app.router.add_get("/v1/files/{id}/content", self._content)
        app.router.add_get("/v1/files/{id}", self._file)
        app.router.add_delete("/v1/files/{id}", self._delete)
        app.router.add_post("/upload/v1beta/files", self._google_start)
        app.router.add_post("/google/{id}", self._google_finish)
        app.router.add_get("/download/v1beta/files/{id}:download", self._content)
        app.router.add_get("/v1beta/batches", self._google_list)
        app.router.add_post("/v1/messages", self._message)
        app.router.add_post("/v1/messages/batches", self._create_anthropic)
        app.router.add_get("/v1/messages/batches", self._list_anthropic)
        app.router.add_get("/v1/messages/batches/{id}", self._get_anthropic)
        app.router.add_get("/v1/messages/batches/{id}/results", self._results_anthropic)
        app.router.add_post("/v1/messages/batches/{id}/cancel", self._cancel)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.root = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    # Moods

    async def _before(self, step: str, request: web.Request) -> str:
        self.arrived[step] += 1
        faults = self.faults.get(step, [])
        fault = faults.pop(0) if faults else ""
        if fault == "hang before":
            await asyncio.sleep(600)
        if fault == "500":
            raise web.HTTPInternalServerError(text='{"error": {"message": "try again"}}')
        if fault.startswith("{"):
            raise web.HTTPBadRequest(text=fault)
        return fault

    async def _after(self, step: str, fault: str, request: web.Request) -> None:
        self.seen[step] += 1
        if fault == "hang":
            await asyncio.sleep(600)
        if fault == "reset":
            assert request.transport is not None
            request.transport.abort()

    def _begin(self, rows: list[tuple[str, Any]], file: str = "", metadata: Any = None) -> Job:
        job = Job(next(self._numbers), rows, file, metadata)
        self.jobs.append(job)
        ids = [id for id, _ in rows]
        assert len(set(ids)) == len(ids), "custom ids must be unique"
        if self.problem:
            job.state = "failed"
            return job
        for place, (id, body) in enumerate(rows):
            job.fates[id] = self.fate(job, place)
            if job.fates[id] == "ok":
                self.paid[words_of(body)] += 1
        return job

    def _job(self, request: web.Request) -> Job:
        id = request.match_info["id"].removeprefix("batches/")
        for job in self.jobs:
            if job.id == id:
                return job
        raise web.HTTPNotFound(text='{"error": {"message": "No such batch"}}')

    def _look(self, job: Job) -> None:
        job.looks += 1
        if job.looks >= self.looks and job.state == "in_progress":
            job.state = self.ends.pop(0) if self.ends else "completed"
        elif job.state == "cancelling":
            job.state = "cancelled"

    async def _cancel(self, request: web.Request) -> web.Response:
        job = self._job(request)
        job.state = "cancelling"
        return web.json_response({"id": job.id})

    def _lines(self, job: Job, row: Callable[[str, Any, str], Any]) -> list[Any]:
        lines = [row(id, body, job.fates[id]) for id, body in job.rows if job.fates[id] != "missing"]
        if self.mood == "reverse":
            lines.reverse()
        if self.mood == "twice":
            lines += lines
        if self.mood == "strangers":
            lines.insert(0, row("request-1", job.rows[0][1], "ok"))
            lines.append(row(f"{'0' * 32}-000000000000", job.rows[0][1], "ok"))
        return lines

    # OpenAI, Azure, compatible servers

    async def _chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.paid[words_of(body)] += 1
        self.alone[words_of(body)] += 1
        self.bodies_alone.add(json.dumps(body))
        return web.json_response(_completion(body))

    async def _upload(self, request: web.Request) -> web.Response:
        fault = await self._before("upload", request)
        purpose, data, kind = "", b"", ""
        async for part in await request.multipart():
            if part.name == "purpose":
                purpose = (await part.read()).decode()
            else:
                data, kind = bytes(await part.read()), part.headers.get("Content-Type", "")
        id = f"file-{next(self._numbers)}"
        if purpose != "batch" and not self.takes_pictures:
            raise web.HTTPNotFound
        if purpose != "batch":  # Anthropic's: no purpose, and a beta
            assert "files-api-2025-04-14" in request.headers["anthropic-beta"]
            assert kind.startswith("image/")
            self.uploaded_pictures.append(data)
        self.files[id] = data
        await self._after("upload", fault, request)
        return web.json_response({"id": id, "object": "file", "purpose": purpose, "status": self.file_states[0]})

    async def _file(self, request: web.Request) -> web.Response:
        if len(self.file_states) > 1:
            self.file_states.pop(0)
        return web.json_response({"id": request.match_info["id"], "status": self.file_states[0]})

    async def _delete(self, request: web.Request) -> web.Response:
        self.deleted.append(request.match_info["id"])
        return web.json_response({"id": request.match_info["id"], "type": "file_deleted"})

    async def _content(self, request: web.Request) -> web.Response:
        fault = await self._before("results", request)
        id = request.match_info["id"]
        data = self.files.get(id, self.files.get(f"files/{id}"))
        if data is None:
            raise web.HTTPNotFound
        if fault in ("reset", "hang"):  # half of it has gone out by then
            response = web.StreamResponse(headers={"Content-Length": str(len(data))})
            await response.prepare(request)
            await response.write(data[: len(data) // 2])
            await self._after("results", fault, request)
            return response  # type: ignore[return-value]
        await self._after("results", fault, request)
        return web.Response(body=data)

    async def _create_openai(self, request: web.Request) -> web.Response:
        fault = await self._before("create", request)
        asked = await request.json()
        is_google = request.path.startswith("/v1beta")
        assert asked["endpoint"] == "/v1/chat/completions"
        assert asked["completion_window"] == "24h"
        assert self.file_states[0] == "processed"
        assert not (is_google and "metadata" in asked), "fields the compatible API does not know"
        rows = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        assert all(row["method"] == "POST" and row["url"] == "/v1/chat/completions" for row in rows)
        pairs = [(row["custom_id"], row["body"]) for row in rows]
        job = self._begin(pairs, asked["input_file_id"], asked.get("metadata"))
        await self._after("create", fault, request)
        return web.json_response(self._openai(job))

    async def _list_openai(self, request: web.Request) -> web.Response:
        assert not request.path.startswith("/v1beta"), "the compatible API lists nothing"
        after = request.query.get("after")
        jobs = self.jobs[::-1]
        start = next((place + 1 for place, job in enumerate(jobs) if job.id == after), 0)
        page = jobs[start : start + min(2, int(request.query["limit"]))]  # pages are small here
        more = start + len(page) < len(jobs)
        return web.json_response({"data": [self._openai(job) for job in page], "has_more": more})

    async def _get_openai(self, request: web.Request) -> web.Response:
        fault = await self._before("status", request)
        job = self._job(request)
        named = request.match_info["id"].startswith("batches/")
        if (request.path.startswith("/v1beta") and named != self.google_names) or self.unknown_looks > 0:
            self.unknown_looks -= 1
            raise web.HTTPNotFound(text='{"error": {"message": "No such batch"}}')
        self._look(job)
        await self._after("status", fault, request)
        return web.json_response(self._openai(job))

    def _openai(self, job: Job) -> dict[str, Any]:
        over = job.state in ("completed", "expired", "cancelled")
        data: dict[str, Any] = {
            "id": f"batches/{job.id}" if job.file.startswith("files/") and self.google_names else job.id,
            "status": job.state,
            "metadata": job.metadata,
            "input_file_id": job.file,
            "created_at": int(job.created),
            "request_counts": {"total": len(job.rows), "completed": 0, "failed": 0},
            "output_file_id": None,
            "error_file_id": None,
        }
        if job.state == "failed":
            code, _, message = self.problem.partition(": ")
            data["errors"] = {"data": [{"code": code, "message": message, "line": None}]}
        if over:
            lines = self._lines(job, _openai_row)
            for name, is_error in (("output", False), ("error", True)):
                rows = [
                    line
                    for line in lines
                    if (line["response"] is None or line["response"]["status_code"] != 200) == is_error
                ]
                if rows:
                    prefix = "files/" if job.file.startswith("files/") else ""
                    id = f"{prefix}{name}-{job.number}"
                    self.files[id] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
                    data[f"{name}_file_id"] = id
        return data

    # Google's files and list

    async def _google_start(self, request: web.Request) -> web.Response:
        _only_google_key(request)
        assert request.headers["X-Goog-Upload-Command"] == "start"
        url = f"{self.root}/google/g{next(self._numbers)}"
        return web.json_response({}, headers={"X-Goog-Upload-URL": url})

    async def _google_finish(self, request: web.Request) -> web.Response:
        fault = await self._before("upload", request)
        _only_google_key(request)
        assert request.headers["X-Goog-Upload-Command"] == "upload, finalize"
        name = f"files/{request.match_info['id']}"
        self.files[name] = await request.read()
        await self._after("upload", fault, request)
        return web.json_response({"file": {"name": name, "state": "ACTIVE"}})

    async def _google_list(self, request: web.Request) -> web.Response:
        _only_google_key(request)
        start = int(request.query.get("pageToken", 0))
        page = self.jobs[::-1][start : start + 2]
        operations = [{"name": f"batches/{j.id}", "metadata": {"inputConfig": {"fileName": j.file}}} for j in page]
        more = {"nextPageToken": str(start + 2)} if start + 2 < len(self.jobs) else {}
        return web.json_response({"operations": operations, **more})

    # Anthropic

    async def _message(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.paid[words_of(body)] += 1
        self.alone[words_of(body)] += 1
        return web.json_response(_message(body))

    async def _create_anthropic(self, request: web.Request) -> web.Response:
        fault = await self._before("create", request)
        asked = await request.json()
        job = self._begin([(row["custom_id"], row["params"]) for row in asked["requests"]])
        await self._after("create", fault, request)
        return web.json_response(self._anthropic(job))

    async def _list_anthropic(self, request: web.Request) -> web.Response:
        after = request.query.get("after_id")
        jobs = self.jobs[::-1]
        start = next((place + 1 for place, job in enumerate(jobs) if job.id == after), 0)
        page = jobs[start : start + 2]
        more = start + len(page) < len(jobs)
        for job in page:
            self._look(job)
        return web.json_response({"data": [self._anthropic(job) for job in page], "has_more": more})

    async def _get_anthropic(self, request: web.Request) -> web.Response:
        fault = await self._before("status", request)
        job = self._job(request)
        self._look(job)
        await self._after("status", fault, request)
        return web.json_response(self._anthropic(job))

    def _anthropic(self, job: Job) -> dict[str, Any]:
        over = job.state not in ("in_progress", "cancelling")
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if over else "processing"] = len(job.rows)
        created = datetime.fromtimestamp(job.created, UTC).isoformat().replace("+00:00", "Z")
        state = "ended" if over else "in_progress"
        return {"id": job.id, "processing_status": state, "request_counts": counts, "created_at": created}

    async def _results_anthropic(self, request: web.Request) -> web.Response:
        job = self._job(request)
        if job.state in ("in_progress", "cancelling"):
            raise web.HTTPNotFound(text='{"error": {"message": "No results yet"}}')
        self.files[job.id] = b"".join(json.dumps(row).encode() + b"\n" for row in self._lines(job, _anthropic_row))
        return await self._content(request)


def _only_google_key(request: web.Request) -> None:
    assert "Authorization" not in request.headers, "Google takes that for an OAuth token"
    assert request.headers.get("x-goog-api-key")


def _answer(body: Any) -> str:
    return "X" if sum(words_of(body).encode()) % 2 else "O"


def _completion(body: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": _answer(body)}}
    return {"model": "m-1", "choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 2}}


def _message(body: Any) -> dict[str, Any]:
    usage = {"input_tokens": 100, "output_tokens": 2}
    content = [{"type": "text", "text": _answer(body)}]
    return {"type": "message", "model": "m-1", "content": content, "stop_reason": "end_turn", "usage": usage}


def _openai_row(id: str, body: Any, fate: str) -> dict[str, Any]:
    row: dict[str, Any] = {"id": f"r-{id}", "custom_id": id, "response": None, "error": None}
    if fate == "expired":
        row["error"] = {"code": "batch_expired", "message": "This request could not be executed in time."}
    elif fate == "failed":
        row["response"] = {"status_code": 500, "body": {"error": {"message": "The server had an error"}}}
    elif fate == "rejected":
        row["response"] = {"status_code": 400, "body": {"error": {"message": "Invalid image"}}}
    else:
        row["response"] = {"status_code": 200, "request_id": "q", "body": _completion(body)}
    return row


def _anthropic_row(id: str, body: Any, fate: str) -> dict[str, Any]:
    kinds = {"failed": ("api_error", "Internal error"), "rejected": ("invalid_request_error", "Invalid image")}
    if fate == "expired":
        return {"custom_id": id, "result": {"type": "expired"}}
    if fate in kinds:
        kind, message = kinds[fate]
        error = {"type": "error", "error": {"type": kind, "message": message}}
        return {"custom_id": id, "result": {"type": "errored", "error": error}}
    return {"custom_id": id, "result": {"type": "succeeded", "message": _message(body)}}
