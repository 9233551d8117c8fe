"""A lane: where the calls to one server wait for their turn.

How many may be under way, and how fast they may follow each other, is the pace's business (`pace.py`). Everything that
waits for the server waits here, so stopping is one call.
"""

import asyncio
from collections import deque
from math import inf
from typing import Any

from snellen.call import CallFailed, FailureKind
from snellen.engine.deadline import Attempt, Deadline
from snellen.engine.pace import Pace
from snellen.engine.slot import CallSlot

Place = tuple[CallSlot, Attempt]

_SILENT: tuple[FailureKind, ...] = ("timeout", "connection", "unreachable")
"""Failures that are no sign of life of the server."""


class Stopped(Exception):
    """The run is ending: this call will not be made. Nothing is recorded; the next run makes it."""


class Lane:
    """The queue of calls to one server; every place from `enter` must be released by `answered` or `left`."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self.silences = 0
        """How often, since the server last said anything, whoever was under way was late."""
        self.busy_for = 0.0
        """For how many seconds the server has been too busy for everybody."""
        self._busy_since: float | None = None
        self._late = 0.0
        self._deadline = Deadline()
        self._queue: deque[asyncio.Future[CallSlot]] = deque()
        self._naps: set[asyncio.Future[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False

    async def enter(self, seconds: float, again: bool = False) -> Place:
        """Wait until a call may go out; it then has `seconds`. Repeated calls (`again`) go first."""
        if self._stopped:
            raise Stopped
        loop = asyncio.get_running_loop()
        if (again or not self._queue) and self.pace.wait(now := loop.time()) <= 0.0:
            return self.pace.begin(now), self._deadline.begin(seconds)
        waiting: asyncio.Future[CallSlot] = loop.create_future()
        (self._queue.appendleft if again else self._queue.append)(waiting)
        if self._timer is None:
            self._admit(loop)
        try:
            turn = await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled() and not waiting.exception():
                # The turn came together with the cancellation: pass it on.
                self.pace.ended()
                self._admit(loop)
            raise
        return turn, self._deadline.begin(seconds)

    def answered(self, place: Place) -> float:
        """Release a place after an answer; returns the seconds it took."""
        turn, attempt = place
        loop = asyncio.get_running_loop()
        now = loop.time()
        self.silences = 0
        self.busy_for, self._busy_since = 0.0, None
        self._deadline.end(attempt, now)
        self.pace.answered(turn, now, attempt.seconds)
        if self._queue:
            self._admit(loop)
        return now - turn.sent

    def left(self, place: Place, error: BaseException) -> bool:
        """Release a place without an answer; returns True if its time was up."""
        turn, attempt = place
        loop = asyncio.get_running_loop()
        now = loop.time()
        late = isinstance(error, asyncio.CancelledError) and self._deadline.missed(attempt)
        spoke = isinstance(error, CallFailed) and error.kind not in _SILENT
        self._deadline.end(attempt, now if spoke else 0.0)
        if spoke:
            self.silences = 0
        if late:
            if turn.sent >= self._late:  # those who are late together count once
                self._late = now
                self.silences += 1
            self.pace.late(turn, now)
        elif isinstance(error, CallFailed) and (error.kind == "busy" or (error.passing and error.retry_after)):
            self.pace.refused(turn, now, error.retry_after)
            self._busy_since = now if self._busy_since is None else self._busy_since
            self.busy_for = now - self._busy_since
        else:
            if spoke:  # a server that finds fault with a call is not too busy for it
                self.busy_for, self._busy_since = 0.0, None
            self.pace.ended()
        if self._queue:
            self._admit(loop)
        return late

    async def nap(self, seconds: float) -> None:
        """Sleep, unless the run is stopped."""
        if self._stopped:
            raise Stopped
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(seconds, _wake, over)
        self._naps.add(over)
        try:
            await over
        finally:
            timer.cancel()
            self._naps.discard(over)

    def stop(self) -> None:
        """Admit no more calls; those under way may finish."""
        self._stopped = True
        waiting: list[asyncio.Future[Any]] = [*self._queue, *self._naps]
        for future in waiting:
            if not future.done():
                future.set_exception(Stopped())
        self._queue.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _admit(self, loop: asyncio.AbstractEventLoop) -> None:
        """Admit every call that may go now; schedule the next look."""
        now, seconds = loop.time(), inf
        while self._queue and (seconds := self.pace.wait(now)) <= 0.0:
            waiting = self._queue.popleft()
            if not waiting.done():
                waiting.set_result(self.pace.begin(now))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._queue and seconds < inf:
            self._timer = loop.call_later(seconds, self._wake_up, loop)

    def _wake_up(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        self._admit(loop)


def _wake(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
