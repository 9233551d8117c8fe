"""The batches of one subject: calls are collected, packed and sent; batches are followed, and their rows recorded.

Order of steps: the calls and the batch's name are on disk before anything is sent, the file's id before the batch is
begun, the batch's id before it is waited for. A request that may or may not have begun a batch is never simply
repeated: the batch is looked for first.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_hex
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from snellen.call import BatchGone, BatchStatus, BatchTransport, Call, CallFailed, Reply
from snellen.engine.batch_records import (
    FILES,
    BatchOptions,
    OpenBatch,
    key_in,
    open_batches,
    put_waiting,
    row_id,
)
from snellen.engine.batch_sending import BatchSender
from snellen.engine.lane import Stopped
from snellen.engine.records import CallRecord
from snellen.engine.storable import storable, storable_text
from snellen.engine.store import Store

MOST_TRIES = 3
"""How often a call goes into a batch before it is recorded as failed."""
_PER_WRITE = 500
_TIDYING = 60.0
"""Seconds for deleting pictures at the end; those that are left are deleted at the end of the next run."""


@dataclass(slots=True)
class WaitingCall:
    """A call someone waits for. `done` brings its reply, or None if it is to go by itself."""

    call: Call
    done: "asyncio.Future[Reply | None]"
    tries: int = 0


class BatchLane:
    """The batches of one subject in one run. `give_up_waiting` is told why there is no use in waiting on."""

    def __init__(
        self,
        subject: str,
        transport: BatchTransport,
        store: Store,
        options: BatchOptions,
        give_up_waiting: Callable[[str], None],
    ) -> None:
        self.subject = subject
        self.transport = transport
        self.collected: dict[bytes, WaitingCall] = {}
        """What goes into the next batch."""
        self.sent: dict[bytes, WaitingCall] = {}
        """What is in a batch."""
        self.open: dict[str, OpenBatch] = {}
        self.states: dict[str, BatchStatus] = {}
        self.sending = 0
        """How many batches are being sent."""
        self._store = store
        self._options = options
        self._give_up_waiting = give_up_waiting
        self._in_batch: set[str] = set()
        self._size = 0
        self._most_rows = transport.most_rows
        self._answers = 0
        self._sender = BatchSender(transport, options, self._change, self._drop)
        self._is_single = options.only_open
        self._is_stopped = False
        self._problem: Exception | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def take_up(self) -> None:
        """Go on with the batches of earlier runs."""
        self.transport.files.update(self._store.notes(FILES).get(self.subject, {}))
        for batch in open_batches(self._store, self._options.place):
            if batch.subject != self.subject:
                continue
            if len(self._store.answered(map(bytes.fromhex, batch.keys))) == len(batch.keys):
                batch.drop(self._store)  # all of it was read by then
            else:
                self._spawn(self._see_through(self._put(batch)))

    async def answer(self, call: Call) -> Reply | None:
        """The reply, recorded; None if the call is to be made by itself. Raises `CallFailed`, or `Stopped`."""
        waiting = WaitingCall(call, asyncio.get_running_loop().create_future())
        if self._problem is not None:
            raise self._problem
        if call.key.hex() in self._in_batch:
            self.sent[call.key] = waiting
        elif self._is_single:
            return None
        else:
            self._collect(waiting)
        try:
            return await waiting.done
        finally:
            self.sent.pop(call.key, None)
            self.collected.pop(call.key, None)

    def submit(self) -> None:
        """Begin a batch with the calls collected so far, if there are any."""
        if self.collected:
            self._begin()

    def stop(self) -> None:
        """Send nothing more; whoever waits is told."""
        self._is_stopped = True
        self._end_all(Stopped())

    async def tidy(self) -> None:
        """Delete the pictures that no batch needs any more."""
        if self.transport.files and not self.open:
            with suppress(TimeoutError):
                async with asyncio.timeout(_TIDYING):
                    await self.transport.discard()
            self._store.put_note(FILES, self.subject, self.transport.files or None)

    async def close(self) -> None:
        """End what goes on; it is on disk."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _change(self, batch: OpenBatch, **changes: Any) -> OpenBatch:
        return self._put(batch.put(self._store, **changes))

    def _put(self, batch: OpenBatch) -> OpenBatch:
        self.open[batch.name] = batch
        self._in_batch.update(batch.keys)
        return batch

    def _drop(self, batch: OpenBatch) -> None:
        del self.open[batch.name]
        self.states.pop(batch.name, None)
        self._in_batch.difference_update(batch.keys)
        batch.drop(self._store)

    def _waiting(self, key: bytes | None) -> WaitingCall | None:
        return self.sent.get(key) or self.collected.get(key) if key else None

    def _end_all(self, end: Exception) -> None:
        for waiting in (*self.collected.values(), *self.sent.values()):
            _end(waiting, end)

    def _collect(self, waiting: WaitingCall) -> None:
        call = waiting.call
        self.collected[call.key] = waiting
        self._size += len(call.request) + sum(len(picture.data) * 4 // 3 for picture in call.pictures)
        if len(self.collected) >= self._most_rows or self._size >= self.transport.most_bytes:
            self._begin()

    def _begin(self) -> None:
        collected, self.collected, self._size = self.collected, {}, 0
        self.sent |= collected
        self.sending += 1
        self._spawn(self._send_all(list(collected.values())))

    def _spawn(self, work: Awaitable[None]) -> None:
        async def guarded() -> None:
            try:
                await work
            except CallFailed as failure:
                self._fail(failure)
            except Exception as error:  # a mistake of ours, or the store's disk: told by those who wait
                self._fail(error)

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _fail(self, problem: Exception) -> None:
        """No call of this subject can succeed."""
        if isinstance(problem, CallFailed):
            problem = CallFailed(problem.kind, str(problem), fatal=True)
        self._problem = problem
        self._end_all(problem)

    # Sending

    async def _send_all(self, calls: list[WaitingCall]) -> None:
        """Send these calls in as many batches as the provider's limits make of them."""
        try:
            await self._sender.patiently(lambda: self.transport.prepare([waiting.call for waiting in calls]))
            if self.transport.files:
                self._store.put_note(FILES, self.subject, self.transport.files)
            while calls and not self._is_stopped:
                with TemporaryFile() as data:
                    name = token_hex(6)
                    packed, calls = await self._pack(name, calls, data)
                    if packed:
                        keys = tuple(waiting.call.key.hex() for waiting in packed)
                        batch = OpenBatch(name, self.subject, keys, time.time(), self._options.place)
                        for waiting in packed:
                            waiting.tries += 1
                            put_waiting(self._store, waiting.call)
                        batch = await self._sender.send(self._change(batch), data)
                        self._spawn(self._see_through(batch))
        finally:
            self.sending -= 1

    async def _pack(
        self, name: str, calls: list[WaitingCall], data: BinaryIO
    ) -> tuple[list[WaitingCall], list[WaitingCall]]:
        """Write as many rows as go into one batch; which they are, and which are left."""
        opening, between, closing = self.transport.frame
        size = data.write(opening) + len(closing)
        packed: list[WaitingCall] = []
        for place, waiting in enumerate(calls):
            if waiting.done.done():  # nobody waits for it any more
                continue
            try:
                row = await self.transport.row(row_id(waiting.call.key, name), waiting.call)
            except CallFailed as failure:
                self._record_failure(waiting, failure)
                continue
            row = between + row if packed else row
            if len(packed) >= self._most_rows or size + len(row) > self.transport.most_bytes:
                if packed:
                    data.write(closing)
                    return packed, calls[place:]
                limit = self.transport.most_bytes
                message = f"{waiting.call.subject}: a call of {len(row):,} bytes; a batch takes {limit:,}"
                self._record_failure(waiting, CallFailed("rejected", message))
                continue
            size += data.write(row)
            packed.append(waiting)
        data.write(closing)
        return packed, []

    # Waiting and reading

    async def _see_through(self, batch: OpenBatch) -> None:
        """Follow a batch to its end and record what it brought. One of an earlier run may never have been begun."""
        if not batch.id:
            if not (id := batch.begun and await self._sender.found(batch, batch.at)):
                self._close(batch)
                return
            batch = self._change(batch, id=id)
        try:
            status = await self._over(batch)
        except BatchGone:
            status = BatchStatus("gone", True)
        if status is None:
            return
        if status.problem:
            await self._refused(batch, status)
        else:
            await self._read(batch)

    async def _over(self, batch: OpenBatch) -> BatchStatus | None:
        """How the batch ended; None if it is not waited for any longer."""
        options, id = self._options, batch.id
        pause = options.pauses.first
        while True:
            try:
                status = self.states[batch.name] = await self._sender.patiently(lambda: self.transport.status(id))
            except BatchGone:
                if time.time() - batch.at > options.pauses.visible:
                    raise
                await asyncio.sleep(pause)  # it was begun just now, and not everybody there knows of it
                continue
            if status.is_over:
                return status
            if not self.transport.by_hand and time.time() > batch.at + options.seconds:
                if not options.then_calls:
                    hours = f"{options.seconds / 3600:g} h"
                    self._give_up_waiting(f"  the batch of {batch.subject} is still {status.state} after {hours}")
                    return None
                if not batch.cancelled:
                    await self._sender.patiently(lambda: self.transport.cancel(id))
                    batch = self._change(batch, cancelled=True)
                    self._is_single = True
                    for waiting in list(self.collected.values()):
                        _end(waiting, None)
                    pause = options.pauses.first
            await asyncio.sleep(pause)
            pause = options.pauses.after(pause)

    async def _refused(self, batch: OpenBatch, status: BatchStatus) -> None:
        """A batch that was refused as a whole: if only because too much is queued, its calls wait and go in smaller
        ones."""
        if not status.is_crowded or (len(batch.keys) == 1 and len(self.open) == 1):
            self._drop(batch)
            raise CallFailed("rejected", f"{batch.subject}: the batch was refused ({status.problem})")
        self._most_rows = max(1, len(batch.keys) // 2)
        await asyncio.sleep(self._options.pauses.longest)
        for waiting in self._waiting_for(batch):
            waiting.tries -= 1
        self._close(batch)

    async def _read(self, batch: OpenBatch) -> None:
        """Record every answer, each once, and see to the rows without one."""
        keys, answered = frozenset(batch.keys), set[bytes]()
        failures: dict[bytes, CallFailed] = {}

        def call_of(id: str) -> Call | None:
            key = key_in(id, batch, keys)
            waiting = self._waiting(key)
            return waiting.call if waiting else None

        async def read() -> None:
            fresh: dict[bytes, Reply] = {}
            async for id, answer in self.transport.results(batch.id, call_of):
                if (key := key_in(id, batch, keys)) is None or key in answered or key in fresh:
                    continue  # a row of somebody else's, or one that came twice
                if isinstance(answer, CallFailed):
                    failures.setdefault(key, answer)
                    continue
                fresh[key] = storable(answer)
                if len(fresh) >= _PER_WRITE:
                    await self._record(fresh)
                    answered.update(fresh)
                    fresh = {}
            await self._record(fresh)
            answered.update(fresh)

        with suppress(BatchGone):
            await self._sender.patiently(read)
        hopeless = next((failure for failure in failures.values() if failure.fatal), None)
        if hopeless and not self._answers:
            self._drop(batch)
            raise hopeless
        for key in map(bytes.fromhex, batch.keys):
            if key not in answered and (waiting := self.sent.get(key)) is not None:
                no_answer = CallFailed("server", f"{batch.subject}: no answer in batch {batch.id}", passing=True)
                self._retry(waiting, failures.get(key, no_answer))
        self._close(batch)

    async def _record(self, by_key: Mapping[bytes, Reply]) -> None:
        """Record these answers, then tell whoever waits for them. Those nobody asks for now have their requests in the
        store."""
        kept = {record.key: record for record in self._store.calls(by_key)}
        for key, reply in by_key.items():
            waiting = self._waiting(key)
            if (asked := waiting.call if waiting else kept.get(key)) is not None:
                request = storable_text(asked.request)
                self._store.add_call(CallRecord(key, asked.subject, request, reply, at=time.time()))
        await self._store.saved()
        for key, reply in by_key.items():
            self._answers += 1
            if waiting := self._waiting(key):
                _end(waiting, reply)

    def _retry(self, waiting: WaitingCall, failure: CallFailed) -> None:
        """A row without an answer: into the next batch, by a single call, or given up."""
        if self._is_single:
            _end(waiting, None)
        elif failure.passing and waiting.tries < MOST_TRIES:
            self._collect(self.sent.pop(waiting.call.key))
        elif failure.passing and self._options.then_calls:
            _end(waiting, None)
        else:
            self._record_failure(waiting, failure)

    def _record_failure(self, waiting: WaitingCall, failure: CallFailed) -> None:
        call = waiting.call
        record = CallRecord(
            call.key,
            storable_text(call.subject),
            storable_text(call.request),
            None,
            failure.kind,
            storable_text(str(failure)),
            waiting.tries,
            at=time.time(),
        )
        self._store.add_call(record)
        _end(waiting, CallFailed(failure.kind, str(failure)))

    def _waiting_for(self, batch: OpenBatch) -> list[WaitingCall]:
        return [waiting for key in batch.keys if (waiting := self.sent.get(bytes.fromhex(key)))]

    def _close(self, batch: OpenBatch) -> None:
        """Forget a batch; calls that still wait for it are collected again."""
        self._drop(batch)
        for waiting in self._waiting_for(batch):
            if not waiting.done.done():
                self._collect(self.sent.pop(waiting.call.key))


def _end(waiting: WaitingCall, end: Reply | Exception | None) -> None:
    if waiting.done.done():
        return
    if isinstance(end, Exception):
        waiting.done.set_exception(end)
    else:
        waiting.done.set_result(end)
