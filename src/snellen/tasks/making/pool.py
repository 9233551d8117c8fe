"""The pool: stretches of an order made side by side, and given as they are done.

At first one thread of this very process makes them, which costs nothing to begin with. Once it shows that what is left
would take longer than processes take to start, they are started, one a core, and take over when they are ready: what
was ordered before that, too. Where there is but one core, where a task exists only in this process, or where processes
cannot be started, the thread goes on.
"""

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic
from types import TracebackType
from typing import IO, Any, Self

from snellen.beside import SINGLE
from snellen.errors import UserError
from snellen.item import Stimulus
from snellen.tasks.making.order import ItemMaker, ItemRequest, MadeItem
from snellen.tasks.making.worker import Request, WorkerOrder, receive, send

STRETCH_SECONDS = 0.2
"""A stretch is to take about so long: long enough to be worth the way, short enough not to be waited for."""
LONGEST = 25
WORTH_SECONDS = 4.0
"""Processes are started if what is left would take longer than this."""


def cores() -> int:
    """How many cores this process may use."""
    with suppress(AttributeError):  # not on every platform
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, eq=False)
class _Work:
    """A stretch that was ordered, and who waits for it."""

    order: ItemRequest
    first: int
    count: int
    done: "Future[list[MadeItem]]"

    def do(self, make: Callable[[ItemRequest, int, int], list[MadeItem]]) -> None:
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(make(self.order, self.first, self.count))
        except BaseException as error:  # whoever waits is told, whatever it is
            self.done.set_exception(error)


@dataclass(frozen=True, slots=True)
class _Early:
    """A stretch that was made before anybody needed it."""

    count: int
    done: "Future[list[MadeItem]]"


class ItemPool:
    """Makes stretches of orders; `processes`: how many at once, one a core if not given, 1 for none but this."""

    def __init__(self, processes: int | None = None) -> None:
        self.processes = processes or cores()
        self._here = ThreadPoolExecutor(1, thread_name_prefix="making")
        self._elsewhere: ThreadPoolExecutor | None = None
        self._ready = threading.Event()  # whether a process has shown that it works
        self._waiting: deque[_Work] = deque()  # what anybody may make
        self._local = threading.local()
        self._workers: list[subprocess.Popen[bytes]] = []
        self._makers: dict[ItemRequest, ItemMaker] = {}
        self._early: dict[tuple[ItemRequest, int], _Early] = {}
        self._alone = threading.Lock()
        self._begun: set[Hashable] = set()
        self._seconds: dict[Hashable, float] = {}
        self._starting = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def ahead(self) -> int:
        """How many stretches to order before they are needed, so that nobody waits."""
        return 2 * self.processes

    def stretch(self, order: ItemRequest, first: int) -> int:
        """How many items to order at once from the `first` on."""
        if early := self._early.get((order, first)):
            return early.count
        seconds = self._seconds.get(order.alike)
        return 1 if seconds is None else max(1, min(LONGEST, int(STRETCH_SECONDS / max(seconds, 1e-9))))

    def make_early(self, order: ItemRequest, first: int, count: int) -> "Future[list[MadeItem]]":
        """The same as `make`, kept for whoever orders this stretch later."""
        early = self._early[order, first] = _Early(count, self.make(order, first, count))
        return early.done

    def make(self, order: ItemRequest, first: int, count: int) -> "Future[list[MadeItem]]":
        """Items first to first + count - 1, when they are made."""
        if (early := self._early.pop((order, first), None)) and early.count == count:
            return early.done
        if order.origin is None:
            return self._here.submit(self._by_hand, order, first, count)
        work = _Work(order, first, count, Future())
        self._waiting.append(work)
        if self._elsewhere is not None and self._ready.is_set():
            self._elsewhere.submit(self._next_elsewhere)
        else:
            self._here.submit(self._next_here)
        return work.done

    def close(self) -> None:
        """Drop what is not made yet."""
        with self._starting:
            self._closed = True
        for pool in (self._here, self._elsewhere):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        with suppress(IndexError):  # nothing waits any more
            while True:
                self._waiting.popleft().done.cancel()
        for worker in self._workers:
            worker.kill()
            for pipe in (worker.stdin, worker.stdout):
                with suppress(OSError):
                    pipe and pipe.close()
            worker.wait()

    def _next_here(self) -> None:
        """Make what has waited longest, unless processes do by now."""
        if not self._ready.is_set():
            self._next(self._by_hand)

    def _next_elsewhere(self) -> None:
        self._next(self._by_worker)

    def _next(self, make: Callable[[ItemRequest, int, int], list[MadeItem]]) -> None:
        with suppress(IndexError):  # somebody else was there first
            self._waiting.popleft().do(make)

    def _by_hand(self, order: ItemRequest, first: int, count: int) -> list[MadeItem]:
        with self._alone:  # what tasks remember of their last items is not made for threads
            maker = self._makers.get(order) or ItemMaker(order)
            if order.chosen is None:  # to go on from there; a few chosen items are ordered once
                self._makers[order] = maker
            begun = monotonic()
            made = maker.make(first, count)
            self._note(order, (monotonic() - begun) / max(count, 1))
            self._start_if_worth_it(order, order.size - first - count + order.to_come)
            return made

    def _note(self, order: ItemRequest, seconds: float) -> None:
        """How long an item takes, lately. The very first says little: it loads what all others share."""
        alike = order.alike
        if alike not in self._begun:
            self._begun.add(alike)
            return
        before = self._seconds.get(alike)
        self._seconds[alike] = seconds if before is None else 0.5 * before + 0.5 * seconds

    def _start_if_worth_it(self, order: ItemRequest, left: int) -> None:
        """Start processes if it is long before the rest of an order is made."""
        worth_it = self._seconds.get(order.alike, 0.0) * left > WORTH_SECONDS
        if not worth_it or self.processes == 1 or order.origin is None:
            return
        with self._starting:  # never once all is over: nobody would end them
            if self._elsewhere is None and not self._closed:
                self._elsewhere = ThreadPoolExecutor(self.processes, thread_name_prefix="making elsewhere")
                for _ in range(self.processes):
                    self._elsewhere.submit(self._prepare, order, self._elsewhere)

    def _prepare(self, order: ItemRequest, elsewhere: ThreadPoolExecutor) -> None:
        """Have a process find the task, while items are still made here; then it takes over what is waiting."""
        with suppress(OSError, EOFError, RuntimeError):  # it does not start, or nobody waits any more
            self._asked(order, 0, 0)
            self._ready.set()
            for _ in range(len(self._waiting)):
                elsewhere.submit(self._next_elsewhere)

    def _by_worker(self, order: ItemRequest, first: int, count: int) -> list[MadeItem]:
        begun = monotonic()
        try:
            made = self._asked(order, first, count)
        except (OSError, EOFError):  # it could not be started, or is gone: then we do it
            if self._closed:
                raise
            return self._by_hand(order, first, count)
        if isinstance(made, UserError):
            raise made
        self._note(order, (monotonic() - begun) / max(count, 1))
        done: list[MadeItem] = made
        return done

    def _asked(self, order: ItemRequest, first: int, count: int) -> Any:
        if order.origin is None:
            raise ValueError("no other process has this task")
        worker: subprocess.Popen[bytes] | None = getattr(self._local, "worker", None)
        if worker is None:
            worker = self._local.worker = start_worker()
            self._workers.append(worker)
        requests, replies = _pipes(worker)
        design = replace(order.design, tracks=())  # what to make is known: the thresholds are not sought there
        recipe = WorkerOrder(order.origin, design, order.n, order.seed, order.probed, order.pictured, order.shard)
        if order.given is None:
            request: Request = (recipe, order.chosen, None, first, count)
        else:
            request = (recipe, None, order.given[first : first + count], 0, count)
        send(requests, request)
        return receive(replies)


def start_worker() -> "subprocess.Popen[bytes]":
    """A process of its own that never looks at the script we are part of (as multiprocessing's would)."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from snellen.tasks.making.worker import main; main()"
    return subprocess.Popen(  # noqa: S603 - our own code, in our own interpreter
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **SINGLE},
    )


def _pipes(worker: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    if worker.stdin is None or worker.stdout is None:
        raise EOFError
    return worker.stdin, worker.stdout


def make_stimuli(order: ItemRequest, processes: int | None = None) -> Iterator[Stimulus]:
    """Every stimulus that was ordered."""
    return (stimulus for made in make_items(order, processes) for stimulus in made.stimuli)


def make_items(order: ItemRequest, processes: int | None = None) -> Iterator[MadeItem]:
    """Every item that was ordered, with its stimuli; a few stretches are made ahead."""
    with ItemPool(processes) as makers:
        under_way: deque[Future[list[MadeItem]]] = deque()
        stretches = _stretches(order, makers)
        while True:
            for first, count in islice(stretches, max(0, makers.ahead - len(under_way))):
                under_way.append(makers.make(order, first, count))
            if not under_way:
                return
            yield from under_way.popleft().result()


def _stretches(order: ItemRequest, makers: ItemPool) -> Iterator[tuple[int, int]]:
    first, size = 0, order.size
    while first < size:
        count = min(makers.stretch(order, first), size - first)
        yield first, count
        first += count
