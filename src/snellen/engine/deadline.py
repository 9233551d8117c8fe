"""A deadline for many attempts at once, with one timer for all of them instead of one for each."""

import asyncio
from time import monotonic
from typing import Any


class Deadline:
    """Cancels whatever takes longer than so many seconds; begin before, end after, and ask `missed` when cancelled."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._begun: dict[asyncio.Task[Any], float] = {}  # in the order they began, so the first is the next due
        self._missed: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> "asyncio.Task[Any]":
        """The running task has so much time from now on."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline needs a task")
        self._begun[task] = monotonic()
        if self._timer is None:
            self._look_again(self.seconds)
        return task

    def end(self, task: "asyncio.Task[Any]") -> None:
        self._begun.pop(task, None)
        if self._missed:  # by someone who paid no heed to being cancelled
            self.missed(task)

    def missed(self, task: "asyncio.Task[Any]") -> bool:
        """Whether a task was cancelled for being late and for nothing else; if so, it may go on."""
        if task not in self._missed:
            return False
        self._missed.remove(task)
        return task.uncancel() == 0

    def _look_again(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        while self._begun:
            task, begun = next(iter(self._begun.items()))
            left = begun + self.seconds - monotonic()
            if left > 0:
                self._look_again(left)
                return
            del self._begun[task]
            self._missed.add(task)
            task.cancel()
