"""A deadline for all attempts at one server, with one timer for all of them instead of one for each.

An attempt's time counts from when the server can have begun with it. A server that works on one call after the other
had no chance to begin while it was busy with those that came before, so an attempt is late when its time has passed
both since it was sent and since the last answer to one that was sent before it. From a server that is dead comes no
answer to anyone, so all who wait are late together, not one after the other.
"""

import asyncio
from math import inf
from typing import Any


class Attempt:
    """One attempt under way, in a linked list in the order of sending: an answer starts the clock of the next one."""

    __slots__ = ("after", "before", "missed", "seconds", "since", "task")

    def __init__(self, task: "asyncio.Task[Any] | None", since: float, seconds: float) -> None:
        self.task = task
        self.since = since
        """When the server can have begun, unless one further ahead in the row knows of a later time."""
        self.seconds = seconds
        self.missed = False
        self.before = self.after = self


class Deadline:
    """Cancels late attempts: `begin` before, `end` after, and ask `missed` when cancelled."""

    def __init__(self) -> None:
        self._row = Attempt(None, 0.0, inf)  # both ends of the row
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, seconds: float) -> Attempt:
        """Start an attempt of the running task; it may take `seconds` from when the server can begin."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline needs a task")
        loop = task.get_loop()
        now = loop.time()
        attempt, row = Attempt(task, now, seconds), self._row
        attempt.before, attempt.after = row.before, row
        row.before.after = row.before = attempt
        if self._timer is None:
            self._timer = loop.call_at(now + seconds, self._look, loop)
        elif self._timer.when() > now + seconds:
            self._timer.cancel()
            self._timer = loop.call_at(now + seconds, self._look, loop)
        return attempt

    def end(self, attempt: Attempt, answered: float = 0.0) -> None:
        """Take a finished attempt off the list; `answered` is the time of the server's answer, if there was one."""
        ahead, behind = attempt.before, attempt.after
        ahead.after, behind.before = behind, ahead
        if behind is not self._row:
            behind.since = max(behind.since, attempt.since, answered)
        if attempt.missed:  # by someone who paid no heed to being cancelled
            self.missed(attempt)

    def missed(self, attempt: Attempt) -> bool:
        """Whether an attempt was cancelled for being late and for nothing else; if so, its task may go on."""
        if not attempt.missed:
            return False
        attempt.missed = False
        return attempt.task is not None and attempt.task.uncancel() == 0

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel late attempts; schedule the next look for when the next one may be late."""
        now, since, next_due = loop.time(), 0.0, inf
        attempt = self._row.after
        while attempt is not self._row:
            since = max(since, attempt.since)
            if attempt.task is not None and not attempt.missed:
                if since + attempt.seconds <= now:
                    attempt.missed = True
                    attempt.task.cancel()
                else:
                    next_due = min(next_due, since + attempt.seconds)
            attempt = attempt.after
        self._timer = loop.call_at(next_due, self._look, loop) if next_due < inf else None
