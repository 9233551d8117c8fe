"""Subjects that answer many calls at once: a queue, and a worker thread for each device that works it off.

Each call is first made ready (`prepare`, in one of a few threads: words become numbers, pictures are opened), then it
waits in line. A worker takes the call that has waited longest and those of its kind that are nearest to it in length,
so that little is padding: no more than `batch` calls, no more than `tokens` tokens. `Subject.answer(call)` is one call
as ever. Twice a batch is let in at once: one half is worked on while the other half gets ready.

A batch that is too much for the device (`TooMuch`) is halved, and none later has more tokens than half of it; one that
fails for another reason is halved until it is known which call is to blame, and the others are answered.
"""

import asyncio
import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from snellen.call import Abilities, Call, CallFailed, Reply, hear
from snellen.subjects.threads import Threads
from snellen.subjects.turns import quick_turns

_LINGER = 0.005
"""Seconds that a batch which is not full waits for more company, after each that joins it."""
_ALIKE, _ANYWAY = 2, 64
"""Calls in a batch are at most so many times, and so many tokens, longer than its shortest: the rest is padding."""
PREPARING = max(2, min(8, os.cpu_count() or 1))
"""Threads in which calls are made ready: more would only wait for the interpreter."""


class ReadyCall(Protocol):
    """A call that is ready to be worked on. Only calls of one kind can be worked on together."""

    @property
    def length(self) -> int: ...

    @property
    def kind(self) -> Hashable: ...


R = TypeVar("R", bound=ReadyCall)


class TooMuch(Exception):
    """A batch that is too large for the device."""


class _Waiting(NamedTuple):
    ready: Any
    done: "asyncio.Future[Reply]"


class Batched(ABC, Generic[R]):
    """A subject that works on batches. Belongs to one event loop while it is open."""

    def __init__(
        self,
        name: str,
        settings: Mapping[str, Any],
        *,
        batch: int,
        tokens: int,
        linger: float = _LINGER,
        preparing: int = PREPARING,
    ) -> None:
        self._name = name
        self._settings = settings
        self._batch = batch
        self._tokens = tokens
        self._linger = linger
        self._preparing = preparing
        self._workers = 1
        self._threads: Threads | None = None
        self._line: _CallQueue | None = None
        self._turns = ExitStack()

    @property
    def name(self) -> str:
        return self._name

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._settings

    @property
    def per_call(self) -> Mapping[str, Callable[[str], Any]]:
        """The settings that may differ from call to call (`Abilities.per_call`)."""
        return {}

    @property
    def abilities(self) -> Abilities:
        together = 2 * self._batch * self._workers
        return Abilities(together=together, batch=self._batch, in_process=True, per_call=self.per_call)

    # What a subject of this kind has to say for itself

    @abstractmethod
    def open(self) -> int:
        """Get everything in place; how many workers there are to be. Runs in a thread."""

    @abstractmethod
    def prepare(self, call: Call) -> R:
        """Make a call ready. Runs in several threads at once."""

    @abstractmethod
    def work(self, worker: int, batch: Sequence[R]) -> Sequence[Reply]:
        """Answer these calls, on the worker's own device. Raises `TooMuch` if they are too many."""

    def close(self) -> None:
        """Let go of everything."""
        return

    # A subject as the engine knows it

    async def __aenter__(self) -> Self:
        threads = Threads(self._preparing, self._name)
        try:
            self._workers = await threads.run(self.open)
        except BaseException:
            threads.close()
            raise
        self._threads, self._line = threads, _CallQueue(self._linger)
        self._turns.enter_context(quick_turns())
        for worker in range(self._workers):
            serve = partial(self._serve, self._line, worker)
            Thread(target=serve, name=f"{self._name}_worker_{worker}", daemon=True).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._threads is not None and self._line is not None:
            self._threads.close()
            self._line.close()
        self._threads = self._line = None
        self._turns.close()
        self.close()

    async def answer(self, call: Call) -> Reply:
        return await hear(self._name, self._answer(call))

    async def _answer(self, call: Call) -> Reply:
        if self._threads is None or self._line is None:
            raise RuntimeError(f"{self._name} was asked before it was opened")
        line = self._line
        ready: R = await self._threads.run(partial(self.prepare, call))
        done: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        line.put(_Waiting(ready, done))
        return await done

    # The workers

    def _serve(self, line: "_CallQueue", worker: int) -> None:
        tokens = self._tokens
        while batch := line.take(self._batch, tokens):
            tokens = min(tokens, self._work(worker, batch))

    def _work(self, worker: int, batch: list[_Waiting]) -> int:
        """Answer a batch, whole or in halves; how many tokens at once are not too many."""
        try:
            replies = self.work(worker, [waiting.ready for waiting in batch])
            ends = [(waiting.done, reply) for waiting, reply in zip(batch, replies, strict=True)]
        except BaseException as error:  # whoever waits is told, whatever it is
            if len(batch) == 1:
                _tell(((batch[0].done, _told(error)),))
                return self._tokens
            half = (len(batch) + 1) // 2
            fits = min(self._work(worker, part) for part in (batch[:half], batch[half:]))
            longest = max(waiting.ready.length for waiting in batch)
            return min(fits, half * longest) if isinstance(error, TooMuch) else fits
        _tell(ends)
        return self._tokens


def company(waiting: Sequence[R], most: int, tokens: int) -> list[int]:
    """Who is taken from the line: the places of the first and of those nearest to it in length."""
    first = waiting[0]
    alike = (place for place, ready in enumerate(waiting) if ready.kind == first.kind)
    taken: list[int] = []
    shortest = longest = first.length
    for place in sorted(alike, key=lambda place: abs(waiting[place].length - first.length)):
        length = waiting[place].length
        low, high = min(shortest, length), max(longest, length)
        if taken and (high > _ALIKE * low + _ANYWAY or high * (len(taken) + 1) > tokens):
            continue  # mostly padding, or too much; one that is shorter may yet fit
        taken.append(place)
        shortest, longest = low, high
        if len(taken) == most:
            break
    return taken


class _CallQueue:
    """Where calls that are ready wait for a worker."""

    def __init__(self, linger: float) -> None:
        self._linger = linger
        self._waiting: deque[_Waiting] = deque()
        self._changed = Condition()
        self._closed = False

    def put(self, waiting: _Waiting) -> None:
        with self._changed:
            self._waiting.append(waiting)
            self._changed.notify()

    def close(self) -> None:
        """Nobody is taken any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take(self, most: int, tokens: int) -> list[_Waiting]:
        """The next batch, as soon as there is one; none when the line is closed."""
        with self._changed:
            while not self._closed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                while len(self._waiting) < most and not self._closed and self._changed.wait(self._linger):
                    pass  # somebody joined: perhaps more do
                here = [waiting for waiting in self._waiting if not waiting.done.done()]  # others were called off
                taken = company([waiting.ready for waiting in here], most, tokens) if here else []
                self._waiting = deque(waiting for place, waiting in enumerate(here) if place not in set(taken))
                if taken and not self._closed:
                    return [here[place] for place in taken]
        return []


def _told(error: BaseException) -> BaseException:
    """A copy of the error that is safe to raise in several tasks."""
    if isinstance(error, TooMuch):
        return CallFailed("rejected", f"out of device memory even for a single call: {error}")
    return RuntimeError("the model raised StopIteration") if isinstance(error, StopIteration) else error


def _tell(ends: Iterable[tuple["asyncio.Future[Reply]", Reply | BaseException]]) -> None:
    """Tell those who wait how their calls ended, in their own loop."""
    ended = list(ends)
    with suppress(RuntimeError):  # the loop may be closed by now
        ended[0][0].get_loop().call_soon_threadsafe(_settle, ended)


def _settle(ended: list[tuple["asyncio.Future[Reply]", Reply | BaseException]]) -> None:
    for done, end in ended:
        if done.done():
            continue
        if isinstance(end, BaseException):
            done.set_exception(end)
        else:
            done.set_result(end)
