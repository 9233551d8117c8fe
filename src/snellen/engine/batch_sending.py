"""Sending a batch, so that it is begun once: each id is on disk before the next step, and what may have been begun is
looked for before it is begun again."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import BinaryIO, TypeVar

from snellen.call import BatchTransport, CallFailed
from snellen.engine.batch_records import BatchOptions, OpenBatch

T = TypeVar("T")


class BatchUnclear(CallFailed):
    """It cannot be told whether a batch was begun: it stays on record."""


@dataclass(frozen=True, slots=True)
class BatchSender:
    """`put` changes the record of a batch on disk, `drop` removes it."""

    transport: BatchTransport
    options: BatchOptions
    put: Callable[..., OpenBatch]
    drop: Callable[[OpenBatch], None]

    async def send(self, batch: OpenBatch, data: BinaryIO) -> OpenBatch:
        """Upload the rows and begin the batch; each id is on disk before the next step."""

        async def upload() -> str:
            data.seek(0)
            return await self.transport.upload(batch.name, data)

        uploaded = await self._definitely(batch, upload)
        batch = self.put(batch, uploaded=uploaded, at=time.time(), begun=True)
        id = await self._definitely(batch, lambda: self._create(batch, data))
        return self.put(batch, id=id)

    async def _definitely(self, batch: OpenBatch, send: Callable[[], Awaitable[str]]) -> str:
        """Send something on; if it is refused for good, there is no such batch."""
        try:
            return await self.patiently(send)
        except CallFailed as failure:
            if not isinstance(failure, BatchUnclear):
                self.drop(batch)
            raise

    async def _create(self, batch: OpenBatch, data: BinaryIO) -> str:
        """Begin the batch. After a failure that leaves open whether it was begun, look for it: raises the failure only
        once it is certain that it was not."""
        try:
            data.seek(0)
            return await self.transport.create(batch.name, batch.uploaded, data)
        except CallFailed as failure:
            if not failure.passing:
                raise
            unclear = failure
        try:
            id = await self.found(batch, time.time())
        except CallFailed as failure:
            raise BatchUnclear("rejected", str(failure)) from None
        if not id:
            raise unclear
        return id

    async def found(self, batch: OpenBatch, asked: float) -> str:
        """The id of a batch that may have been begun; empty once it is certain that it was not."""
        pauses = self.options.pauses
        pause = min(pauses.first, pauses.visible)
        while True:
            try:
                look = self.transport.find(batch.name, batch.uploaded, len(batch.keys), batch.at)
                if id := await look:
                    return id
                if time.time() - asked >= pauses.visible:
                    return ""
            except CallFailed as failure:
                if not failure.passing or time.time() - asked > pauses.outage + self.options.seconds:
                    raise
            await asyncio.sleep(pause)
            pause = pauses.after(pause)

    async def patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Try again as long as a provider may be out of reach or busy."""
        pauses = self.options.pauses
        until, pause = time.monotonic() + pauses.outage, pauses.first
        while True:
            try:
                return await send()
            except CallFailed as failure:
                if not failure.passing or time.monotonic() >= until:
                    raise
                await asyncio.sleep(max(failure.retry_after or 0.0, pause))
                pause = pauses.after(pause)
