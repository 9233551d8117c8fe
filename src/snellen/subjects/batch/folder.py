"""Batches as files in a folder, in OpenAI's format, for `vllm run-batch` or whatever else works such files off."""

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from snellen.call import BatchStatus
from snellen.errors import UserError
from snellen.subjects.batch.api import MB, own_handle
from snellen.subjects.batch.openai import OpenAIBatches
from snellen.subjects.http import HttpSubject


class BatchFolder(OpenAIBatches):
    """NAME.jsonl is written here; NAME.out.jsonl is expected here."""

    most_bytes = 2_000 * MB

    def __init__(self, subject: HttpSubject, folder: Path) -> None:
        super().__init__(subject)
        self._folder = folder
        self._names: dict[str, None] = {}

    @property
    def price(self) -> float:
        return 1.0

    @property
    def by_hand(self) -> str:
        model = self._subject.server.model
        missing = [name for name in self._names if not self._results(name).exists()]
        return (
            "\n".join(
                f"  vllm run-batch -i {self._rows(name)} -o {self._results(name)} --model {model}" for name in missing
            )
            or "the results are there"
        )

    async def upload(self, name: str, data: BinaryIO) -> str:
        try:
            await asyncio.to_thread(self._write, name, data)
        except OSError as error:
            raise UserError(
                f"--batch=files:{self._folder}: cannot be written ({error.strerror}); give another folder"
            ) from None
        return name

    async def create(self, name: str, uploaded: str, data: BinaryIO) -> str:
        self._names[name] = None
        return name

    async def find(self, name: str, uploaded: str, rows: int, since: float) -> str:
        return name if self._rows(name).exists() else ""

    async def status(self, batch: str) -> BatchStatus:
        self._names[batch] = None
        if (results := self._results(batch)).exists() and results.stat().st_size:
            return BatchStatus("worked off", True)
        if not self._rows(batch).exists():
            raise self._gone(batch)
        return BatchStatus("written", False)

    async def cancel(self, batch: str) -> None:
        return

    async def _result_urls(self, batch: str) -> Sequence[str]:
        return [batch]

    async def _download(self, url: str, batch: str, data: BinaryIO) -> None:
        try:
            with self._results(batch).open("rb") as results:
                await asyncio.to_thread(shutil.copyfileobj, results, data)
        except OSError:
            raise self._gone(batch) from None

    def _write(self, name: str, data: BinaryIO) -> None:
        """Whole, or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        part = self._folder / f"{name}.part"
        with own_handle(data) as rows, part.open("wb") as out:
            shutil.copyfileobj(rows, out)
        part.replace(self._rows(name))

    def _rows(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"

    def _results(self, name: str) -> Path:
        return self._folder / f"{name}.out.jsonl"
