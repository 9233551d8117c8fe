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
from collections.abc import Callable
from contextlib import suppress

from snellen.call import BatchTransport, Call, Reply, Subject
from snellen.engine.batch_lane import BatchLane
from snellen.engine.batch_records import BatchOptions
from snellen.engine.lane import Stopped
from snellen.engine.store import Store

FindTransport = Callable[[Subject], BatchTransport | None]

_GRACE = 10.0
"""Seconds that a batch which is being sent has to get there when the run ends."""


class BatchQueue:
    """All batches of one run; belongs to one event loop."""

    def __init__(self, store: Store, options: BatchOptions, find: FindTransport) -> None:
        self._store = store
        self._options = options
        self._find = find
        self._lanes: dict[str, BatchLane | None] = {}
        self._is_stopped = False
        self.parked: set[bytes] = set()
        """The calls that wait for a batch."""
        self.on_over: Callable[[], None] = lambda: None
        """Told when there is no use in waiting on."""
        self.left_open = ""
        """What is to be done about batches that are not over; empty as long as they are waited for."""

    # For whoever asks

    def takes(self, subject: Subject) -> bool:
        """Whether this subject's calls go in batches; those of earlier runs are taken up."""
        return self._lane(subject) is not None

    async def answer(self, subject: Subject, call: Call) -> Reply | None:
        """The reply, recorded; None if the call is to be made by itself. Raises `CallFailed`, or `Stopped`."""
        if (lane := self._lane(subject)) is None:
            return None
        if self._is_stopped:
            raise Stopped
        self.parked.add(call.key)
        try:
            return await lane.answer(call)
        finally:
            self.parked.discard(call.key)

    # For the run

    @property
    def is_waiting(self) -> bool:
        """Whether `submit` has anything to do once the run has nothing else."""
        return any(lane.collected or lane.transport.by_hand for lane in self._all)

    def submit(self) -> None:
        """Send what is collected: the run can go no further without it. Where all that is left is to be worked on by
        hand, there is nothing to wait for."""
        for lane in self._all:
            lane.submit()
        open_by_hand = [lane for lane in self._all if lane.open and lane.transport.by_hand]
        if open_by_hand and not any(map(_goes_on, self._all)):
            self._give_up_waiting("\n".join(lane.transport.by_hand for lane in open_by_hand))

    def stop(self) -> None:
        """Send nothing more; whoever waits is told."""
        self._is_stopped = True
        for lane in self._all:
            lane.stop()

    async def close(self) -> None:
        """Let what is being sent get there; the rest is on disk. Pictures are deleted once no batch needs them."""
        if not self._is_stopped:
            await asyncio.gather(*(lane.tidy() for lane in self._all))
        self.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                while any(lane.sending for lane in self._all):  # noqa: ASYNC110 - tasks that end by themselves
                    await asyncio.sleep(0.02)
        await asyncio.gather(*(lane.close() for lane in self._all))

    @property
    def state(self) -> str:
        """One line about the batches; empty if there are none."""
        words = []
        if collected := sum(len(lane.collected) for lane in self._all):
            words.append(f"{collected:,} calls collected")
        if batches := [batch for lane in self._all for batch in lane.open.values()]:
            states = [state for lane in self._all for state in lane.states.values()]
            named = ", ".join(sorted({state.state for state in states})) or "being sent"
            done, calls = sum(state.done for state in states), sum(len(batch.keys) for batch in batches)
            some = "batch" if len(batches) == 1 else "batches"
            since = time.strftime("%Y-%m-%d %H:%M", time.localtime(min(batch.at for batch in batches)))
            words.append(f"{len(batches)} {some} ({named}): {done:,} of {calls:,} calls done, waiting since {since}")
        return " · ".join(words)

    @property
    def _all(self) -> list[BatchLane]:
        return [lane for lane in self._lanes.values() if lane is not None]

    def _lane(self, subject: Subject) -> BatchLane | None:
        if subject.name not in self._lanes:
            lane = None
            if (transport := self._find(subject)) is not None:
                lane = BatchLane(subject.name, transport, self._store, self._options, self._give_up_waiting)
                lane.take_up()
            self._lanes[subject.name] = lane
        return self._lanes[subject.name]

    def _give_up_waiting(self, why: str) -> None:
        self.left_open = why
        self.on_over()


def _goes_on(lane: BatchLane) -> bool:
    """Whether this lane will have news by itself."""
    if lane.sending or lane.collected or (lane.open and not lane.transport.by_hand):
        return True
    return any(name not in lane.states or lane.states[name].is_over for name in lane.open)
