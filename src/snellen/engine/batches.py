"""Calls in batches: collected until nothing else can be done, sent together, and answered hours later.

A batch is a transport beneath `ask`. Whoever asks waits here; what is collected goes out when the run has nothing else
to do, or as soon as a batch is full. Every answer is recorded as that of a single call, before anyone sees it. What
must be known to take a batch up again is on disk before each step that costs something (`batch_records.py`), so that a
process may be killed at any moment: the next run finds the batch by its name or its file, reads it, and pays for
nothing twice.

A row that failed, expired or is missing goes into a later batch, a few times; with `then_calls` it goes by a single
call in the end.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_hex
from tempfile import TemporaryFile
from typing import BinaryIO, TypeVar

from snellen.call import BatchGone, BatchStatus, BatchTransport, Call, CallFailed, Reply, Subject
from snellen.engine.batch_records import BATCH, FILES, BatchOptions, OpenBatch, key_in, put_waiting, row_id
from snellen.engine.engine import storable
from snellen.engine.lane import Stopped
from snellen.engine.records import CallRecord
from snellen.engine.store import Store

T = TypeVar("T")
FindTransport = Callable[[Subject], BatchTransport | None]

MOST_TRIES = 3
"""How often a call goes into a batch before it is recorded as failed."""
_ATTEMPTS = 4
"""How often a batch is begun anew if it is certain that the last attempt came to nothing."""
_PER_WRITE = 500
_GRACE = 10.0
"""Seconds that a batch which is being sent has to get there when the run ends."""


@dataclass(slots=True)
class WaitingCall:
    """A call someone waits for. `done` brings its reply, or None if it is to go by itself."""

    call: Call
    done: "asyncio.Future[Reply | None]"
    tries: int = 0


@dataclass(slots=True)
class BatchLane:
    """The batches of one subject."""

    subject: str
    transport: BatchTransport
    collected: dict[bytes, WaitingCall] = field(default_factory=dict)
    """What goes into the next batch."""
    sent: dict[bytes, WaitingCall] = field(default_factory=dict)
    """What is in a batch."""
    open: dict[str, OpenBatch] = field(default_factory=dict)
    in_batch: set[str] = field(default_factory=set)
    """The keys of all calls in open batches."""
    states: dict[str, BatchStatus] = field(default_factory=dict)
    size: int = 0
    """About how many bytes are collected."""
    most_rows: int = 0
    answers: int = 0
    single: bool = False
    """Whether all further calls go by themselves."""

    def put(self, batch: OpenBatch) -> OpenBatch:
        self.open[batch.name] = batch
        self.in_batch.update(batch.keys)
        return batch

    def drop(self, batch: OpenBatch) -> None:
        del self.open[batch.name]
        self.states.pop(batch.name, None)
        self.in_batch.difference_update(batch.keys)

    def waiting(self, key: bytes) -> WaitingCall | None:
        return self.sent.get(key) or self.collected.get(key)


class BatchQueue:
    """All batches of one run; belongs to one event loop."""

    def __init__(self, store: Store, options: BatchOptions, find: FindTransport) -> None:
        self._store = store
        self._options = options
        self._find = find
        self._lanes: dict[str, BatchLane | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending = 0
        self._stopped = False
        self.parked: set[bytes] = set()
        """The calls that wait for a batch."""
        self.on_parked: Callable[[], None] = lambda: None
        """Told of each."""
        self.on_over: Callable[[], None] = lambda: None
        """Told when there is no use in waiting on."""
        self.left_open = ""
        """What is to be done about batches that are not over; empty as long as they are waited for."""

    # For whoever asks

    def takes(self, subject: Subject) -> bool:
        """Whether this subject's calls go in batches."""
        return self._lane(subject) is not None

    async def answer(self, subject: Subject, call: Call) -> Reply | None:
        """The reply, recorded; None if the call is to be made by itself. Raises `CallFailed`, or `Stopped`."""
        lane = self._lane(subject)
        if lane is None:
            return None
        if self._stopped:
            raise Stopped
        waiting = WaitingCall(call, asyncio.get_running_loop().create_future())
        if call.key.hex() in lane.in_batch:
            lane.sent[call.key] = waiting
        elif lane.single:
            return None
        else:
            self._collect(lane, waiting)
        self.parked.add(call.key)
        self.on_parked()
        try:
            return await waiting.done
        finally:
            self.parked.discard(call.key)
            lane.sent.pop(call.key, None)
            lane.collected.pop(call.key, None)

    @property
    def is_waiting(self) -> bool:
        """Whether `submit` has anything to do once the run has nothing else."""
        return any(lane.collected or lane.transport.by_hand for lane in self._all())

    def submit(self) -> None:
        """Send what is collected: the run can go no further without it."""
        for lane in self._all():
            if lane.collected:
                self._begin(lane)
        by_hand = [lane for lane in self._all() if lane.transport.by_hand and lane.open]
        if by_hand and not self._sending and all(batch.id for lane in by_hand for batch in lane.open.values()):
            missing = [name for lane in by_hand for name, state in lane.states.items() if not state.is_over]
            seen = all(lane.open.keys() <= lane.states.keys() for lane in by_hand)
            if seen and missing and len(missing) == sum(len(lane.open) for lane in by_hand):
                self._leave_open(by_hand[0].transport.by_hand)

    def stop(self) -> None:
        """Send nothing more; whoever waits is told."""
        self._stopped = True
        for lane in self._all():
            for waiting in (*lane.collected.values(), *lane.sent.values()):
                _end(waiting, Stopped())

    async def close(self) -> None:
        """Let what is being sent get there; the rest is on disk. Pictures are deleted once no batch needs them."""
        if not self._stopped:
            await asyncio.gather(*map(self._tidy, self._all()))
        self.stop()
        if self._sending and self._tasks:
            with suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    while self._sending:  # noqa: ASYNC110 - tasks that end by themselves
                        await asyncio.sleep(0.02)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _tidy(self, lane: BatchLane) -> None:
        if lane.transport.files and not lane.open:
            await lane.transport.discard()
            self._store.put_note(FILES, lane.subject, None)

    @property
    def under_way(self) -> tuple[int, int]:
        """How many batches are open, and how many calls are in them."""
        batches = [batch for lane in self._all() for batch in lane.open.values()]
        return len(batches), sum(len(batch.keys) for batch in batches)

    @property
    def state(self) -> str:
        """One line about the batches; empty if there are none."""
        words = []
        if collected := sum(len(lane.collected) for lane in self._all()):
            words.append(f"{collected:,} calls collected")
        batches, calls = self.under_way
        if batches:
            since = min(batch.at for lane in self._all() for batch in lane.open.values())
            states = [state for lane in self._all() for state in lane.states.values()]
            named = ", ".join(sorted({state.state for state in states})) or "being sent"
            done = sum(state.done for state in states)
            some = "batch" if batches == 1 else "batches"
            at = time.strftime("%Y-%m-%d %H:%M", time.localtime(since))
            words.append(f"{batches} {some} ({named}): {done:,} of {calls:,} calls done, waiting since {at}")
        return " · ".join(words)

    # Lanes

    def _all(self) -> list[BatchLane]:
        return [lane for lane in self._lanes.values() if lane is not None]

    def _lane(self, subject: Subject) -> BatchLane | None:
        """The batches of this subject; those of earlier runs are taken up."""
        if subject.name in self._lanes:
            return self._lanes[subject.name]
        transport = self._find(subject)
        lane = None if transport is None else BatchLane(subject.name, transport, most_rows=transport.most_rows)
        self._lanes[subject.name] = lane
        if lane is not None:
            lane.transport.files.update(self._store.notes(FILES).get(subject.name, {}))
            for name, note in self._store.notes(BATCH).items():
                batch = OpenBatch.read(name, note)
                if batch.subject != subject.name:
                    continue
                if len(self._store.answered(map(bytes.fromhex, batch.keys))) == len(batch.keys):
                    batch.drop(self._store)  # all of it was read by then
                else:
                    self._spawn(lane, self._see_through(lane, lane.put(batch)))
        return lane

    def _collect(self, lane: BatchLane, waiting: WaitingCall) -> None:
        call = waiting.call
        lane.collected[call.key] = waiting
        lane.size += len(call.request) + sum(len(picture.data) * 4 // 3 for picture in call.pictures)
        if len(lane.collected) >= lane.most_rows or lane.size >= lane.transport.most_bytes:
            self._begin(lane)

    def _begin(self, lane: BatchLane) -> None:
        collected, lane.collected, lane.size = lane.collected, {}, 0
        lane.sent |= collected
        self._sending += 1
        self._spawn(lane, self._send_all(lane, list(collected.values())))

    def _spawn(self, lane: BatchLane, work: Awaitable[None]) -> None:
        async def guarded() -> None:
            try:
                await work
            except CallFailed as failure:
                self._fail(lane, failure)
            except Exception as error:  # a mistake of ours, or the store's disk: told by those who wait
                self._fail(lane, error)

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _fail(self, lane: BatchLane, problem: Exception) -> None:
        """No call of this subject can succeed."""
        if isinstance(problem, CallFailed):
            problem = CallFailed(problem.kind, str(problem), fatal=True)
        for waiting in (*lane.collected.values(), *lane.sent.values()):
            _end(waiting, problem)

    def _leave_open(self, what: str) -> None:
        self.left_open = what
        self.on_over()

    # Sending

    async def _send_all(self, lane: BatchLane, calls: list[WaitingCall]) -> None:
        """Send these calls in as many batches as the provider's limits make of them."""
        try:
            await self._patiently(lambda: lane.transport.prepare([waiting.call for waiting in calls]))
            if lane.transport.files:
                self._store.put_note(FILES, lane.subject, lane.transport.files)
            while calls and not self._stopped:
                with TemporaryFile() as data:
                    name = token_hex(6)
                    packed, calls = await self._pack(lane, name, calls, data)
                    if packed:
                        keys = tuple(waiting.call.key.hex() for waiting in packed)
                        batch = OpenBatch(name, lane.subject, keys, time.time())
                        for waiting in packed:
                            waiting.tries += 1
                            put_waiting(self._store, waiting.call)
                        batch = await self._send(lane, lane.put(batch.put(self._store)), data)
                        self._spawn(lane, self._see_through(lane, batch))
        finally:
            self._sending -= 1

    async def _pack(
        self, lane: BatchLane, name: str, calls: list[WaitingCall], data: BinaryIO
    ) -> tuple[list[WaitingCall], list[WaitingCall]]:
        """Write as many rows as go into one batch; which they are, and which are left."""
        opening, between, closing = lane.transport.frame
        size = data.write(opening) + len(closing)
        packed: list[WaitingCall] = []
        for place, waiting in enumerate(calls):
            if waiting.done.done():  # nobody waits for it any more
                continue
            try:
                row = await lane.transport.row(row_id(waiting.call.key, name), waiting.call)
            except CallFailed as failure:
                self._record_failure(waiting, failure)
                continue
            row = between + row if packed else row
            if len(packed) >= lane.most_rows or size + len(row) > lane.transport.most_bytes:
                if packed:
                    data.write(closing)
                    return packed, calls[place:]
                limit = lane.transport.most_bytes
                message = f"{waiting.call.subject}: a call of {len(row):,} bytes; a batch takes {limit:,}"
                self._record_failure(waiting, CallFailed("rejected", message))
                continue
            size += data.write(row)
            packed.append(waiting)
        data.write(closing)
        return packed, []

    async def _send(self, lane: BatchLane, batch: OpenBatch, data: BinaryIO) -> OpenBatch:
        """Upload the rows and begin the batch; each id is on disk before the next step."""

        async def upload() -> str:
            data.seek(0)
            return await lane.transport.upload(batch.name, data)

        uploaded = await self._definitely(lane, batch, upload)
        batch = lane.put(batch.put(self._store, uploaded=uploaded))
        id = await self._definitely(lane, batch, lambda: self._create(lane, batch, data))
        return lane.put(batch.put(self._store, id=id))

    async def _definitely(self, lane: BatchLane, batch: OpenBatch, send: Callable[[], Awaitable[str]]) -> str:
        """Send something on; if it is refused for good, there is no such batch."""
        try:
            return await self._patiently(send)
        except CallFailed:
            lane.drop(batch)
            batch.drop(self._store)
            raise

    async def _create(self, lane: BatchLane, batch: OpenBatch, data: BinaryIO) -> str:
        """Begin the batch. After an answer that leaves open whether it was begun, look for it first."""
        for attempt in range(_ATTEMPTS):
            data.seek(0)
            try:
                return await lane.transport.create(batch.name, batch.uploaded, data)
            except CallFailed as failure:
                if failure.kind == "busy" or not failure.passing or attempt == _ATTEMPTS - 1:
                    raise
            if id := await self._found(lane, batch, time.time()):
                return id
        raise AssertionError

    async def _found(self, lane: BatchLane, batch: OpenBatch, asked: float) -> str:
        """The id of a batch that may have been begun; empty once it is certain that it was not."""
        pauses = self._options.pauses
        pause = min(pauses.first, pauses.visible)
        while True:
            try:
                look = lane.transport.find(batch.name, batch.uploaded, len(batch.keys), batch.at)
                if id := await look:
                    return id
                if time.time() - asked >= pauses.visible:
                    return ""
            except CallFailed as failure:
                if not failure.passing or time.time() - asked > pauses.outage + self._options.seconds:
                    raise
            await asyncio.sleep(pause)
            pause = pauses.after(pause)

    async def _patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Try again as long as a provider may be out of reach or busy."""
        pauses = self._options.pauses
        until, pause = time.monotonic() + pauses.outage, pauses.first
        while True:
            try:
                return await send()
            except CallFailed as failure:
                if not (failure.passing or failure.kind == "unreachable") or time.monotonic() >= until:
                    raise
                await asyncio.sleep(max(failure.retry_after or 0.0, pause))
                pause = pauses.after(pause)

    # Waiting and reading

    async def _see_through(self, lane: BatchLane, batch: OpenBatch) -> None:
        """Follow a batch to its end and record what it brought. One of an earlier run may never have been begun."""
        if not batch.id:
            if not (id := await self._found(lane, batch, batch.at)):
                self._close(lane, batch)
                return
            batch = lane.put(batch.put(self._store, id=id))
        try:
            status = await self._over(lane, batch)
        except BatchGone:
            status = BatchStatus("gone", True)
        if status is None:
            return
        if status.problem:
            await self._refused(lane, batch, status)
        else:
            await self._read(lane, batch)

    async def _over(self, lane: BatchLane, batch: OpenBatch) -> BatchStatus | None:
        """How the batch ended; None if it is not waited for any longer."""
        options, id = self._options, batch.id
        pause = options.pauses.first
        while True:
            status = lane.states[batch.name] = await self._patiently(lambda: lane.transport.status(id))
            if status.is_over:
                return status
            if not lane.transport.by_hand and time.time() > batch.at + options.seconds:
                if not options.then_calls:
                    hours = f"{options.seconds / 3600:g} h"
                    self._leave_open(f"the batch of {batch.subject} is still {status.state} after {hours}")
                    return None
                if not batch.cancelled:
                    await self._patiently(lambda: lane.transport.cancel(id))
                    batch = lane.put(batch.put(self._store, cancelled=True))
                    lane.single = True
                    for waiting in list(lane.collected.values()):
                        _end(waiting, None)
                    pause = options.pauses.first
            await asyncio.sleep(pause)
            pause = options.pauses.after(pause)

    async def _refused(self, lane: BatchLane, batch: OpenBatch, status: BatchStatus) -> None:
        """A batch that was refused as a whole: if only because too much is queued, its calls wait and go in smaller
        ones."""
        if not status.is_crowded or (len(batch.keys) == 1 and len(lane.open) == 1):
            lane.drop(batch)
            batch.drop(self._store)
            raise CallFailed("rejected", f"{batch.subject}: the batch was refused ({status.problem})")
        lane.most_rows = max(1, len(batch.keys) // 2)
        await asyncio.sleep(self._options.pauses.longest)
        for waiting in self._waiting_for(lane, batch):
            waiting.tries -= 1
        self._close(lane, batch)

    async def _read(self, lane: BatchLane, batch: OpenBatch) -> None:
        """Record every answer, each once, and see to the rows without one."""
        keys, answered = frozenset(batch.keys), set[bytes]()
        failures: dict[bytes, CallFailed] = {}

        def call_of(id: str) -> Call | None:
            key = key_in(id, batch, keys)
            waiting = lane.waiting(key) if key else None
            return waiting.call if waiting else None

        async def read() -> None:
            fresh: dict[bytes, Reply] = {}
            async for id, answer in lane.transport.results(batch.id, call_of):
                if (key := key_in(id, batch, keys)) is None or key in answered or key in fresh:
                    continue  # a row of somebody else's, or one that came twice
                if isinstance(answer, CallFailed):
                    failures.setdefault(key, answer)
                    continue
                fresh[key] = storable(answer)
                if len(fresh) >= _PER_WRITE:
                    await self._record(lane, fresh)
                    answered.update(fresh)
                    fresh = {}
            await self._record(lane, fresh)
            answered.update(fresh)

        with suppress(BatchGone):
            await self._patiently(read)
        for key in map(bytes.fromhex, batch.keys):
            if key not in answered and (waiting := lane.sent.get(key)) is not None:
                no_answer = CallFailed("server", f"{batch.subject}: no answer in batch {batch.id}", passing=True)
                self._retry(lane, waiting, failures.get(key, no_answer))
        self._close(lane, batch)

    async def _record(self, lane: BatchLane, by_key: Mapping[bytes, Reply]) -> None:
        """Record these answers with the requests that are in the store, then tell whoever waits for them."""
        for record in list(self._store.calls(by_key)):
            if record.reply is None:
                self._store.add_call(
                    CallRecord(record.key, record.subject, record.request, by_key[record.key], at=time.time())
                )
        await self._store.saved()
        for key, reply in by_key.items():
            lane.answers += 1
            if waiting := lane.waiting(key):
                _end(waiting, reply)

    def _retry(self, lane: BatchLane, waiting: WaitingCall, failure: CallFailed) -> None:
        """A row without an answer: into the next batch, by a single call, or given up."""
        if failure.fatal and not lane.answers:
            raise failure
        if lane.single:
            _end(waiting, None)
        elif failure.passing and waiting.tries < MOST_TRIES:
            self._collect(lane, lane.sent.pop(waiting.call.key))
        elif failure.passing and self._options.then_calls:
            _end(waiting, None)
        else:
            self._record_failure(waiting, failure)

    def _record_failure(self, waiting: WaitingCall, failure: CallFailed) -> None:
        call = waiting.call
        record = CallRecord(
            call.key, call.subject, call.request, None, failure.kind, str(failure), waiting.tries, 0.0, time.time()
        )
        self._store.add_call(record)
        _end(waiting, CallFailed(failure.kind, str(failure)))

    def _waiting_for(self, lane: BatchLane, batch: OpenBatch) -> list[WaitingCall]:
        return [waiting for key in batch.keys if (waiting := lane.sent.get(bytes.fromhex(key)))]

    def _close(self, lane: BatchLane, batch: OpenBatch) -> None:
        """Forget a batch; calls that still wait for it are collected again."""
        lane.drop(batch)
        batch.drop(self._store)
        for waiting in self._waiting_for(lane, batch):
            if not waiting.done.done():
                self._collect(lane, lane.sent.pop(waiting.call.key))


def _end(waiting: WaitingCall, end: Reply | Exception | None) -> None:
    if waiting.done.done():
        return
    if isinstance(end, Exception):
        waiting.done.set_exception(end)
    else:
        waiting.done.set_result(end)
