"""A lane: how many calls of one subject may be under way at once.

The limit feels its way: every answer widens it a little, every "too many requests" narrows it at once
(additive increase, multiplicative decrease, the rule that keeps networks stable), and a server that says when
to come back is left in peace until then. Everything that waits for the subject waits here, so stopping is one
call.
"""

import asyncio
from collections import deque
from time import monotonic

NARROWER = 0.7


class Stopped(Exception):
    """The run is ending: this call will not be made. Nothing is recorded; the next run makes it."""


class Lane:
    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self.running = 0
        self.closed_until: float | None = None
        self.failures_in_a_row = 0
        self._cuts = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._naps: set[asyncio.Future[None]] = set()
        self._stopped = False

    async def enter(self) -> int:
        """Wait for a turn; which one it is tells `busy` whether the news is old. Whoever has a turn must
        `leave`.
        """
        if self._stopped:
            raise Stopped
        if not self._queue and self._open():
            self.running += 1
            return self._cuts
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and not turn.exception():
                # The turn came together with the cancellation: pass it on.
                self.leave()
            raise
        return self._cuts

    def leave(self) -> None:
        self.running -= 1
        if self._queue:
            self._admit()

    def answered(self) -> None:
        """A call was answered: room for a little more."""
        self.failures_in_a_row = 0
        if self.limit < self.most:
            self.limit = min(self.limit + 1.0 / self.limit, self.most)
            self._admit()

    def busy(self, turn: int, retry_after: float | None) -> None:
        """A call was turned away. Those sent before the last cut tell nothing new."""
        if turn == self._cuts:
            self._cuts += 1
            self.limit = max(1.0, self.limit * NARROWER)
        now = monotonic()
        if retry_after and now + retry_after > (self.closed_until or 0.0):
            self.closed_until = now + retry_after
            asyncio.get_running_loop().call_later(retry_after, self._reopen, self.closed_until)

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
        """Let nobody in any more; those under way may finish."""
        self._stopped = True
        for future in (*self._queue, *self._naps):
            if not future.done():
                future.set_exception(Stopped())
        self._queue.clear()

    def _open(self) -> bool:
        return self.running < int(self.limit) and self.closed_until is None

    def _reopen(self, closed_until: float) -> None:
        if self.closed_until == closed_until:  # not put off in the meantime
            self.closed_until = None
            self._admit()

    def _admit(self) -> None:
        while self._queue and self._open():
            turn = self._queue.popleft()
            if not turn.done():
                self.running += 1
                turn.set_result(None)


def _wake(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
