"""OpenAI's Batch API, also Azure's and that of compatible servers: a file of requests in, a file of answers out, and
another of errors.

Limits (as documented): 50,000 requests and 200 MB a file, 24 hours. Chat completions take pictures in the request
only, so they travel in the file.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import aiohttp

from snellen.call import BatchStatus, Call, Reply
from snellen.subjects.batch.api import CLOCKS, PER_PAGE, BatchApi, own_handle
from snellen.subjects.openai import as_object, count

_ENDPOINT = "/v1/chat/completions"
_OVER = ("completed", "failed", "expired", "cancelled")
_IN_WORK = ("pending", "running", "notrunning")
"""States in which Azure keeps an uploaded file for a moment, and takes no batch of it."""
_LOOKS, _LOOK = 120, 1.0
_CROWDED = "token_limit_exceeded"


class OpenAIBatches(BatchApi):
    async def row(self, id: str, call: Call) -> bytes:
        head = {"custom_id": id, "method": "POST", "url": _ENDPOINT}
        return json.dumps(head)[:-1].encode() + b', "body": ' + await self._subject.dialect.body(call) + b"}"

    async def upload(self, name: str, data: BinaryIO) -> str:
        form = aiohttp.FormData()
        form.add_field("purpose", "batch")
        form.add_field("file", own_handle(data), filename=f"{name}.jsonl", content_type="application/jsonl")
        payload = form()
        headers = {"Content-Type": payload.content_type}
        url = f"{self._base}/files"
        file, _ = await self._subject.fetch("POST", url, payload, headers=headers, missing=self._no_batches())
        id = self._id_in(file)
        for _ in range(_LOOKS):
            if str(file.get("status")).lower() not in _IN_WORK:
                break
            await asyncio.sleep(_LOOK)
            file = await self._get(f"{url}/{id}")
        return id

    async def create(self, name: str, uploaded: str, data: BinaryIO) -> str:
        fields = {"input_file_id": uploaded, "endpoint": _ENDPOINT, "completion_window": "24h", **self._label(name)}
        return self._id_in(await self._get(f"{self._base}/batches", method="POST", data=json.dumps(fields)))

    async def find(self, name: str, uploaded: str, rows: int, since: float) -> str:
        after = ""
        while True:
            page = await self._get(f"{self._base}/batches?limit={PER_PAGE}{after}")
            batches = [as_object(batch) for batch in as_object(page).get("data") or ()]
            for batch in batches:
                own = as_object(batch.get("metadata")).get("snellen") == name
                if own or (uploaded and batch.get("input_file_id") == uploaded):
                    return self._id_in(batch)
            oldest = min((batch.get("created_at") or 0 for batch in batches), default=0)
            if not batches or not as_object(page).get("has_more") or oldest < since - CLOCKS:
                return ""
            after = f"&after={self._id_in(batches[-1])}"

    async def status(self, batch: str) -> BatchStatus:
        data = as_object(await self._get(self._url(batch), batch))
        state = data.get("status")
        if not isinstance(state, str):
            raise self._odd("state of a batch")
        state = self._subject.server.quote(state)
        counts = as_object(data.get("request_counts"))
        done = (count(counts.get("completed")) or 0) + (count(counts.get("failed")) or 0)
        errors = [as_object(error) for error in as_object(data.get("errors")).get("data") or ()]
        if state != "failed":
            return BatchStatus(state, state in _OVER, done)
        words = "; ".join(str(error.get("message")) for error in errors[:3]) or "no explanation"
        is_crowded = any(error.get("code") == _CROWDED for error in errors)
        return BatchStatus(state, True, done, self._subject.server.quote(words), is_crowded)

    def _url(self, batch: str) -> str:
        return f"{self._base}/batches/{batch}"

    def _cancel_url(self, batch: str) -> str:
        return f"{self._url(batch)}/cancel"

    async def _result_urls(self, batch: str) -> Sequence[str]:
        data = as_object(await self._get(self._url(batch), batch))
        files = (data.get("output_file_id"), data.get("error_file_id"))
        return [self._file_url(str(file)) for file in files if file]

    def _file_url(self, file: str) -> str:
        return f"{self._base}/files/{file}/content"

    def _answer(self, call: Call | None, row: Any) -> Reply:
        if (response := row.get("response")) is not None:
            status = response.get("status_code", 200)
            return self._subject.read_row(call, int(status), json.dumps(response["body"]).encode())
        error = as_object(row["error"])
        words = f"{error.get('code')}: {error.get('message')}"
        raise self._no_answer(self._subject.server.quote(words))

    def _label(self, name: str) -> Mapping[str, Any]:
        return {"metadata": {"snellen": name}}
