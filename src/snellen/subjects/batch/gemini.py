"""Gemini's batches through its OpenAI-compatible API, so that requests and replies are those of single calls.

That API begins batches and tells their state; files go through Google's own: a resumable upload of up to 2 GB, and a
download. Google's own list of batches finds one again by its file. A batch expires after 48 hours without results.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from snellen.call import BatchGone, BatchStatus
from snellen.subjects.batch.api import MB, PER_PAGE, own_handle
from snellen.subjects.batch.openai import OpenAIBatches
from snellen.subjects.http import HttpSubject
from snellen.subjects.openai import as_object

_KEY = "x-goog-api-key"


class GeminiBatches(OpenAIBatches):
    most_bytes = 2_000 * MB

    def __init__(self, subject: HttpSubject) -> None:
        super().__init__(subject)
        self._ids: dict[str, str] = {}
        self._root, _, self._version = self._base.removesuffix("/openai").rpartition("/")

    async def upload(self, name: str, data: BinaryIO) -> str:
        async with self._subject.beside(_KEY) as google:
            start = {
                "X-Goog-Upload-Protocol": "resumable",
                "X-Goog-Upload-Command": "start",
                "X-Goog-Upload-Header-Content-Length": str(data.seek(0, os.SEEK_END)),
                "X-Goog-Upload-Header-Content-Type": "application/jsonl",
            }
            url, about = f"{self._root}/upload/{self._version}/files", json.dumps({"file": {"display_name": name}})
            _, headers = await google.fetch("POST", url, about, headers=start, missing=self._no_batches())
            there = headers.get("x-goog-upload-url", "")
            if urlsplit(there)[:2] != urlsplit(self._root)[:2]:  # the key goes along
                raise self._odd("address for an upload")
            finish = {
                "X-Goog-Upload-Offset": "0",
                "X-Goog-Upload-Command": "upload, finalize",
                "Content-Type": "application/jsonl",
            }
            answer, _ = await google.fetch("POST", there, own_handle(data), headers=finish)
        file = as_object(as_object(answer).get("file")).get("name")
        if not isinstance(file, str):
            raise self._odd("answer to an upload")
        return file

    async def find(self, name: str, uploaded: str, rows: int, since: float) -> str:
        token = ""
        async with self._subject.beside(_KEY) as google:
            while uploaded:
                url = f"{self._root}/{self._version}/batches?pageSize={PER_PAGE}{token}"
                page = as_object((await google.fetch("GET", url, missing=self._no_batches()))[0])
                for batch in map(as_object, page.get("operations") or ()):
                    config = as_object(as_object(batch.get("metadata")).get("inputConfig"))
                    if config.get("fileName") == uploaded:
                        return str(batch.get("name"))
                if not page.get("nextPageToken"):
                    break
                token = f"&pageToken={page['nextPageToken']}"
        return ""

    async def status(self, batch: str) -> BatchStatus:
        """Google's list and the compatible API may name a batch differently: with or without what kind it is."""
        bare = batch.removeprefix("batches/")
        for id in (self._ids.get(batch, batch), bare, f"batches/{bare}"):
            self._ids[batch] = id
            with suppress(BatchGone):
                return await super().status(batch)
        raise self._gone(batch)

    def _url(self, batch: str) -> str:
        return super()._url(self._ids.get(batch, batch))

    def _file_url(self, file: str) -> str:
        return f"{self._root}/download/{self._version}/{file}:download?alt=media"

    async def _download(self, url: str, batch: str, data: BinaryIO) -> None:
        async with self._subject.beside(_KEY) as google:
            await google.fetch("GET", url, into=data, missing=self._gone(batch))

    def _label(self, name: str) -> Mapping[str, Any]:
        return {}  # fields this API does not know are refused
