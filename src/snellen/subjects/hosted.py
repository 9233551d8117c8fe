"""A subject in processes of its own, so that it and the exam do not wait for the same interpreter.

A model on a GPU wants Python hundreds of times a batch, its words and pictures want some to be made ready, and the exam
wants some for every call: in one process the GPU waits for all of these. Here each call goes to a child process, which
answers it with a subject of its own; with several children, to the one that has least to do. What goes through the
pipes between them is pickled, and nobody else can write there.

    python -m snellen.subjects.hosted       a child: told what to make, it answers until its input ends
"""

import asyncio
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from importlib import import_module
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self

from snellen.call import Call, CallFailed, FailureKind, Reply, Subject, hear
from snellen.errors import UserError
from snellen.plugins import where

_SIZE = 8
"""Bytes that say how long what follows is."""
_KILLED = -9
_PATIENCE = 10.0
"""Seconds that a child has to end by itself."""


class Making(NamedTuple):
    """How a child makes its subject: what function of which module is called with what."""

    module: str
    function: str
    arguments: tuple[Any, ...]


class Failure(NamedTuple):
    """A `CallFailed` on its way."""

    kind: FailureKind
    message: str
    passing: bool = False
    fatal: bool = False


class Hosted:
    """The child processes of one subject. Belongs to one event loop."""

    def __init__(self, name: str, makings: Sequence[Making]) -> None:
        self._name = name
        self._makings = makings
        self._children: list[_Child] = []

    async def __aenter__(self) -> Self:
        """Start all; if one cannot make its subject, none is left."""
        started = await asyncio.gather(
            *(_started(self._name, making) for making in self._makings), return_exceptions=True
        )
        self._children = [child for child in started if isinstance(child, _Child)]
        for problem in started:
            if isinstance(problem, BaseException):
                await self.__aexit__(None, None, None)
                raise problem
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(child.close() for child in self._children))

    async def answer(self, call: Call) -> Reply:
        return await min(self._children, key=lambda child: child.busy).answer(call)


async def _started(name: str, making: Making) -> "_Child":
    """A child that has made its subject."""
    path = os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": path}
    )
    child = _Child(name, process)
    try:
        child.send(making)
        problem = await child.receive()
    except asyncio.IncompleteReadError:
        problem = await child.how_it_ended()
    except BaseException:
        process.kill()
        raise
    if problem:
        await child.close()
        raise UserError(problem)
    child.listen()
    return child


class _Child:
    """A process, and who waits for what it answers."""

    def __init__(self, name: str, process: Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("a child without pipes")
        self._name = name
        self._process = process
        self._to, self._from = process.stdin, process.stdout
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._listening: asyncio.Task[None] | None = None
        self._ended: CallFailed | None = None

    @property
    def busy(self) -> int:
        return len(self._waiting)

    def send(self, what: Any) -> None:
        self._to.write(_framed(what))

    async def receive(self) -> Any:
        size = int.from_bytes(await self._from.readexactly(_SIZE))
        return pickle.loads(await self._from.readexactly(size))  # noqa: S301  of our own child

    def listen(self) -> None:
        self._listening = asyncio.create_task(self._listen())

    async def answer(self, call: Call) -> Reply:
        if self._ended is not None:
            raise self._ended
        number = next(self._numbers)
        done: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = done
        self.send((number, replace(call, settings=dict(call.settings), about=None)))
        try:
            return await done
        finally:
            self._waiting.pop(number, None)

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
        self._to.close()
        try:
            await asyncio.wait_for(self._process.wait(), _PATIENCE)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _listen(self) -> None:
        """Hand each reply to who waits for it, until the child ends; then tell all."""
        try:
            while True:
                number, told = await self.receive()
                if (done := self._waiting.get(number)) is not None and not done.done():
                    _settle(done, told)
        except asyncio.IncompleteReadError:
            problem = await self.how_it_ended()
        except Exception as error:  # whoever waits is told, whatever it is
            problem = f"{self._name}: {where(error)}"
        self._ended = CallFailed("connection", problem, fatal=True)
        for done in self._waiting.values():
            if not done.done():
                done.set_exception(self._ended)

    async def how_it_ended(self) -> str:
        status = await self._process.wait()
        why = ": it was killed, possibly for lack of memory" if status == _KILLED else ""
        return f"{self._name}: its process ended with status {status}{why}"


def _settle(done: "asyncio.Future[Reply]", told: Reply | Failure) -> None:
    if isinstance(told, Failure):
        done.set_exception(CallFailed(told.kind, told.message, passing=told.passing, fatal=told.fatal))
    else:
        done.set_result(told)


def _framed(what: Any) -> bytes:
    data = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(_SIZE) + data


# The child


def main() -> None:
    calls = sys.stdin.buffer
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is not for the exam
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the exam that is interrupted, and then ends our input
    asyncio.run(_serve(calls, out))
    for stream in (out, sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)  # threads of a model that are torn down with the interpreter end in a crash


async def _serve(calls: BinaryIO, out: BinaryIO) -> None:
    making: Making = _read(calls)
    async with AsyncExitStack() as stack:
        who = making.function
        try:
            subject: Subject = getattr(import_module(making.module), making.function)(*making.arguments)
            who = subject.name
            await stack.enter_async_context(subject)
        except UserError as error:
            return _write(out, str(error))
        except Exception as error:
            return _write(out, f"{who} cannot be opened: {where(error)}")
        _write(out, "")
        under_way: set[asyncio.Task[None]] = set()

        def begin(number: int, call: Call) -> None:
            task = asyncio.create_task(_answer(subject, number, call, out))
            under_way.add(task)
            task.add_done_callback(under_way.discard)

        later = asyncio.get_running_loop().call_soon_threadsafe
        await asyncio.to_thread(_hand_over, calls, lambda number, call: later(begin, number, call))
        for task in under_way:  # nobody waits for these any more
            task.cancel()


def _hand_over(calls: BinaryIO, begin: Callable[[int, Call], Any]) -> None:
    """Hand over each call that comes, until there are no more."""
    with suppress(EOFError):
        while True:
            begin(*_read(calls))


async def _answer(subject: Subject, number: int, call: Call, out: BinaryIO) -> None:
    told: Reply | Failure
    try:
        told = await hear(subject.name, subject.answer(call))
    except CallFailed as error:
        told = Failure(error.kind, str(error), error.passing, error.fatal)
    _write(out, (number, told))


def _read(stream: BinaryIO) -> Any:
    size = stream.read(_SIZE)
    if len(size) < _SIZE:
        raise EOFError
    return pickle.loads(stream.read(int.from_bytes(size)))  # noqa: S301  of the exam that started us


def _write(out: BinaryIO, what: Any) -> None:
    out.write(_framed(what))
    out.flush()


if __name__ == "__main__":
    from snellen.subjects import hosted  # what is sent has to be found by this name on the other side

    hosted.main()
