"""Anthropic's Message Batches: the requests travel in the request that begins the batch.

Limits (as documented): 100,000 requests and 256 MB a batch, 24 hours; results in any order, kept for 29 days. A batch
has no name there, so one that may have been begun is told by its number of rows, and then by the ids of its results.
Pictures that several rows show are uploaded once (Files API) and referred to.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, BinaryIO

import aiohttp

from snellen.call import BatchGone, BatchStatus, Call, CallFailed, Reply
from snellen.item import Picture
from snellen.subjects.anthropic import AnthropicDialect
from snellen.subjects.batch.api import CLOCKS, MB, PER_PAGE, BatchApi, own_handle
from snellen.subjects.http import HttpSubject
from snellen.subjects.openai import as_object, count
from snellen.subjects.pictures import shrink

_BETA = {"anthropic-beta": "files-api-2025-04-14"}
_UPLOADS = 8
_STATUS = {
    **{"invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403},
    **{"not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500},
    **{"timeout_error": 504, "overloaded_error": 529},
}


class AnthropicBatches(BatchApi):
    most_rows = 100_000
    most_bytes = 256 * MB
    frame = (b'{"requests":[', b",", b"]}")

    def __init__(self, subject: HttpSubject) -> None:
        super().__init__(subject)
        self._url = f"{self._base}/v1/messages/batches"
        self._headers = _BETA
        if not isinstance(subject.dialect, AnthropicDialect):
            raise TypeError(f"{subject.name} does not speak Anthropic's API")
        self._dialect = subject.dialect

    async def prepare(self, calls: Sequence[Call]) -> None:
        shown = Counter(key for call in calls for key in {self._key(call, picture) for picture in call.pictures})
        pictures = {self._key(call, picture): (call, picture) for call in calls for picture in call.pictures}
        new = [key for key, rows in shown.items() if rows > 1 and key not in self.files]
        turns = asyncio.Semaphore(_UPLOADS)

        async def put(key: str) -> None:
            async with turns:
                self.files[key] = await self._put(*pictures[key])

        uploads = await asyncio.gather(*map(put, new), return_exceptions=True)
        for problem in uploads:
            if isinstance(problem, BaseException) and not isinstance(problem, BatchGone):
                raise problem

    async def row(self, id: str, call: Call) -> bytes:
        def refer(picture: Picture) -> bytes | None:
            if (file := self.files.get(self._key(call, picture))) is None:
                return None
            return json.dumps({"type": "image", "source": {"type": "file", "file_id": file}}).encode()

        body = await self._dialect.body(call, refer)
        return b'{"custom_id":"%b","params":%b}' % (id.encode(), body)

    async def upload(self, name: str, data: BinaryIO) -> str:
        return ""

    async def create(self, name: str, uploaded: str, data: BinaryIO) -> str:
        answer = await self._get(self._url, method="POST", data=own_handle(data))
        return self._id_in(answer)

    async def find(self, name: str, uploaded: str, rows: int, since: float) -> str:
        after, undecided = "", False
        while True:
            page = as_object(await self._get(f"{self._url}?limit={PER_PAGE}{after}"))
            batches = [as_object(batch) for batch in page.get("data") or ()]
            for batch in batches:
                if _began(batch) < since - CLOCKS or sum(_counts(batch).values()) != rows:
                    continue
                if batch.get("processing_status") != "ended":
                    undecided = True
                elif await self._is_ours(self._id_in(batch), name):
                    return self._id_in(batch)
            if not batches or not page.get("has_more") or _began(batches[-1]) < since - CLOCKS:
                break
            after = f"&after_id={self._id_in(batches[-1])}"
        if undecided:  # only its results show whose it is
            raise CallFailed("busy", f"{self._subject.name}: a batch that may be ours is in progress", passing=True)
        return ""

    async def _is_ours(self, batch: str, name: str) -> bool:
        async for row in self.results(batch, lambda _: None):
            return row.id.endswith(f"-{name}")
        return False

    async def status(self, batch: str) -> BatchStatus:
        data = as_object(await self._get(f"{self._url}/{batch}", batch))
        state = data.get("processing_status")
        if not isinstance(state, str):
            raise self._odd("state of a batch")
        state = self._subject.server.quote(state)
        counts = _counts(data)
        return BatchStatus(state, state == "ended", sum(counts.values()) - counts.get("processing", 0))

    def _cancel_url(self, batch: str) -> str:
        return f"{self._url}/{batch}/cancel"

    async def _result_urls(self, batch: str) -> Sequence[str]:
        return [f"{self._url}/{batch}/results"]

    def _answer(self, call: Call | None, row: Any) -> Reply:
        result = row["result"]
        if result["type"] == "succeeded":
            return self._subject.read_row(call, 200, json.dumps(result["message"]).encode())
        if result["type"] != "errored":
            raise self._no_answer(str(result["type"]))
        error = result["error"].get("error", result["error"])
        status = _STATUS.get(error.get("type"), 500)
        if self.files and status in (400, 404) and "file" in str(error.get("message")).lower():
            self.files.clear()  # perhaps somebody deleted them
            raise self._no_answer("a picture's file was not found")
        return self._subject.read_row(call, status, json.dumps(result["error"]).encode())

    async def discard(self) -> None:
        turns = asyncio.Semaphore(_UPLOADS)

        async def delete(key: str, file: str) -> None:
            async with turns:
                with suppress(CallFailed):
                    await self._get(f"{self._base}/v1/files/{file}", method="DELETE")
                del self.files[key]

        await asyncio.gather(*(delete(key, file) for key, file in self.files.items()))

    def _key(self, call: Call, picture: Picture) -> str:
        """A picture as it is sent: a call may want it smaller."""
        return f"{picture.digest}/{call.settings.get('max_pixels', '')}"

    async def _put(self, call: Call, picture: Picture) -> str:
        most = call.settings.get("max_pixels")
        if isinstance(most, int):
            picture = await asyncio.to_thread(shrink, picture, most)
        form = aiohttp.FormData()
        form.add_field("file", picture.data, filename=f"{picture.digest[:16]}", content_type=picture.media_type)
        payload = form()
        headers = {**_BETA, "Content-Type": payload.content_type}
        missing = self._gone("pictures")  # without a Files API they go in the rows
        answer, _ = await self._subject.fetch(
            "POST", f"{self._base}/v1/files", payload, headers=headers, missing=missing
        )
        return self._id_in(answer)


def _counts(batch: Mapping[str, Any]) -> dict[str, int]:
    return {state: count(rows) or 0 for state, rows in as_object(batch.get("request_counts")).items()}


def _began(batch: Mapping[str, Any]) -> float:
    try:
        return datetime.fromisoformat(str(batch.get("created_at"))).timestamp()
    except ValueError:
        return 0.0
