"""Threads for models that are not async. Nobody waits for them at the end: a model that hangs must not keep a process
from ending, as the threads of a `ThreadPoolExecutor` would."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any

_Task = tuple["asyncio.Future[Any]", Callable[[], Any]]


class Threads:
    """At most so many, started as they are needed. Belongs to one event loop."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._started = 0
        self._busy = 0

    async def run(self, work: Callable[[], Any]) -> Any:
        """What the work comes to, done in one of the threads."""
        if self._started < min(self._busy + 1, self._most):
            self._started += 1
            Thread(target=self._serve, name=f"{self._name}_{self._started}", daemon=True).start()
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._busy += 1
        try:
            self._tasks.put((done, work))
            return await done
        finally:
            self._busy -= 1

    def close(self) -> None:
        """Take no more work; what is under way goes on, and nobody hears of it."""
        for _ in range(self._started):
            self._tasks.put(None)

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            done, work = task
            if done.cancelled():
                continue
            try:
                told = partial(_tell, done, work())
            except BaseException as error:  # whoever waits is told, whatever it is
                told = partial(_tell_error, done, error)
            with suppress(RuntimeError):  # the loop may be closed by now
                done.get_loop().call_soon_threadsafe(told)


def _tell(done: "asyncio.Future[Any]", result: Any) -> None:
    if not done.done():
        done.set_result(result)


def _tell_error(done: "asyncio.Future[Any]", error: BaseException) -> None:
    """A `StopIteration` no future can carry: whoever waits would wait forever."""
    if not done.done():
        carried = RuntimeError("the model raised StopIteration") if isinstance(error, StopIteration) else error
        carried.__cause__ = error if carried is not error else error.__cause__
        done.set_exception(carried)
