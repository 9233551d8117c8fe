"""What the batch APIs have in common: rows in a file, and a line for each result."""

import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from snellen.call import BatchGone, BatchRow, BatchStatus, Call, CallFailed, Reply
from snellen.subjects.http import HttpSubject
from snellen.subjects.lenient_json import parsed
from snellen.subjects.openai import as_object
from snellen.subjects.providers import is_at_home

MB = 1_000_000
CLOCKS = 600.0
"""Seconds by which a provider's clock may differ from ours."""
PER_PAGE = 100


class BatchApi(ABC):
    """A subject's calls in batches; key, session and the reading of replies are the subject's own."""

    most_rows = 50_000
    most_bytes = 200 * MB
    frame = (b"", b"\n", b"\n")

    def __init__(self, subject: HttpSubject) -> None:
        self._subject = subject
        self._base = subject.server.base
        self.files: dict[str, str] = {}

    @property
    def by_hand(self) -> str:
        return ""

    @property
    def price(self) -> float:
        server = self._subject.server
        return server.provider.batch_price if is_at_home(server.provider, server.base) else 1.0

    async def prepare(self, calls: Sequence[Call]) -> None:
        return

    async def discard(self) -> None:
        return

    @abstractmethod
    async def row(self, id: str, call: Call) -> bytes: ...

    @abstractmethod
    async def upload(self, name: str, data: BinaryIO) -> str: ...

    @abstractmethod
    async def create(self, name: str, uploaded: str, data: BinaryIO) -> str: ...

    @abstractmethod
    async def find(self, name: str, uploaded: str, rows: int, since: float) -> str: ...

    @abstractmethod
    async def status(self, batch: str) -> BatchStatus: ...

    async def cancel(self, batch: str) -> None:
        with suppress(BatchGone):
            await self._get(self._cancel_url(batch), batch, "POST")

    async def results(self, batch: str, call_of: Callable[[str], Call | None]) -> AsyncIterator[BatchRow]:
        for url in await self._result_urls(batch):
            with TemporaryFile() as data:
                await self._download(url, batch, data)
                data.seek(0)
                for line in data:
                    if (row := self._read(line, call_of)) is not None:
                        yield row

    def _cancel_url(self, batch: str) -> str:
        raise NotImplementedError

    async def _result_urls(self, batch: str) -> Sequence[str]:
        raise NotImplementedError

    async def _download(self, url: str, batch: str, data: BinaryIO) -> None:
        await self._subject.fetch("GET", url, headers=self._headers, into=data, missing=self._gone(batch))

    def _read(self, line: bytes, call_of: Callable[[str], Call | None]) -> BatchRow | None:
        """The row on a line of the results; None if there is none, which is as if it were missing."""
        try:
            row = parsed(line)
            id = str(row["custom_id"])
            try:
                return BatchRow(id, self._answer(call_of(id), row))
            except CallFailed as failure:
                return BatchRow(id, failure)
        except (KeyError, TypeError, ValueError, RecursionError):
            return None

    def _answer(self, call: Call | None, row: Any) -> Reply:
        """The reply in a row; raises `CallFailed`, or KeyError and the like for what is none."""
        raise NotImplementedError

    _headers: Mapping[str, str] = {}

    async def _get(self, url: str, batch: str = "", method: str = "GET", data: Any = None) -> Any:
        """The data at an address of the API; what is not there is that batch, or the API itself."""
        missing = self._gone(batch) if batch else self._no_batches()
        return (await self._subject.fetch(method, url, data, headers=self._headers, missing=missing))[0]

    def _gone(self, batch: str) -> BatchGone:
        return BatchGone("rejected", f"{self._subject.name}: the provider no longer has the batch {batch}")

    def _no_batches(self) -> CallFailed:
        words = "has no batch API; leave out --batch, or give --batch=files:DIR for `vllm run-batch`"
        return CallFailed("rejected", f"{self._subject.name}: the server at {self._base} {words}", fatal=True)

    def _no_answer(self, words: str) -> CallFailed:
        """A row that was not worked on: nothing is known of its call."""
        return CallFailed("server", f"{self._subject.name}: no answer in the batch ({words})", passing=True)

    def _odd(self, what: str) -> CallFailed:
        return CallFailed("malformed", f"{self._subject.name}: cannot parse the server's {what}", passing=True)

    def _id_in(self, data: Any) -> str:
        id = as_object(data).get("id")
        if not isinstance(id, str) or not id:
            raise self._odd("answer, which has no id")
        return id


def own_handle(data: BinaryIO) -> BinaryIO:
    """The same file from its beginning, to be closed by whoever sends it."""
    data.seek(0)
    return os.fdopen(os.dup(data.fileno()), "rb")
