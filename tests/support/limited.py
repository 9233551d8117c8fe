"""Servers that allow only so much: what they refuse, what they ask for, and the least time they need.

Used by a simulated subject under a fake clock and by a real server in a process of its own.
"""

import asyncio
from collections import Counter, deque
from dataclasses import dataclass, field
from math import ceil, inf
from random import Random
from typing import Any, Literal, Self

from snellen.call import Abilities, Call, CallFailed, Reply


@dataclass(frozen=True)
class Allows:
    """What a server allows. Whatever is not given is not limited."""

    at_once: int | None = None
    per: tuple[int, float] | None = None
    """So many calls within so many seconds, wherever the seconds begin."""
    bucket: tuple[float, int] | None = None
    """So many a second, with so many saved up at most."""
    shut: tuple[float, float] | None = None
    """From when to when, in seconds after the first call, nothing is taken."""
    moody: float = 0.0
    """What part of all calls it refuses for no reason."""
    workers: int | None = None
    """So many are worked on at the same time; the others wait, in order."""
    work: float = 0.1
    """How long one call takes."""
    retry_after: float | Literal["exact"] | None = None
    delay: float = 0.005
    """How long a refusal takes."""

    def least(self, n: int, at_once: int = 64) -> float:
        """The seconds in which n calls can be answered at best, by somebody who knows and asks so many at once."""
        times = [ceil(n / at_once) * self.work]
        if self.at_once:
            times.append(ceil(n / self.at_once) * self.work)
        if self.workers:
            times.append(ceil(n / self.workers) * self.work)
        if self.per:  # a second's worth is no burst
            rate = self.per[0] / self.per[1]
            times.append((n - max(self.per[0] - rate, 0)) / rate)
        if self.bucket:
            times.append((n - self.bucket[1]) / self.bucket[0])
        return max(times) + (self.shut[1] - self.shut[0] if self.shut else 0.0)


@dataclass
class Gate:
    """The memory of such a server."""

    allows: Allows
    running: int = 0
    first: float | None = None
    recent: deque[float] = field(default_factory=deque)
    saved: float = inf
    looked: float = 0.0
    rng: Random = field(default_factory=lambda: Random(0))

    def take(self, now: float) -> float | None:
        """None if the call is taken; else how many seconds from now one would be."""
        allows = self.allows
        self.first = now if self.first is None else self.first
        waits = [0.0]
        if allows.shut and allows.shut[0] <= now - self.first < allows.shut[1]:
            waits.append(self.first + allows.shut[1] - now)
        if allows.at_once and self.running >= allows.at_once:
            waits.append(allows.work)
        if allows.per:
            many, seconds = allows.per
            while self.recent and now - self.recent[0] >= seconds:
                self.recent.popleft()
            if len(self.recent) >= many:
                waits.append(self.recent[0] + seconds - now)
        if allows.bucket:
            rate, most = allows.bucket
            self.saved = min(self.saved + (now - self.looked) * rate, most)
            self.looked = now
            if self.saved < 1:
                waits.append((1 - self.saved) / rate)
        if self.rng.random() < allows.moody:
            waits.append(1.0)
        if max(waits) > 0:
            return max(waits)
        self.running += 1
        self.recent.append(now)
        self.saved -= 1
        return None

    def done(self) -> None:
        self.running -= 1

    def header(self, wait: float) -> float | None:
        """What it says about coming back."""
        return wait if self.allows.retry_after == "exact" else self.allows.retry_after


class LimitedSubject:
    """A subject behind such a server, without any network: time is the event loop's."""

    def __init__(self, allows: Allows, abilities: Abilities | None = None, name: str = "fake") -> None:
        self.allows = allows
        self.name = name
        self.settings: dict[str, Any] = {}
        self.abilities = abilities or Abilities()
        self.gate = Gate(allows)
        self.worked: Counter[bytes] = Counter()
        """How often each call was worked on to the end, whether anybody still waited for it or not."""
        self.refused = 0
        self.together = self.most_together = 0
        self.most_at = 0.0
        self._workers = asyncio.Semaphore(allows.workers or 10**6)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def answer(self, call: Call) -> Reply:
        loop = asyncio.get_running_loop()
        self.together += 1
        if self.together > self.most_together:
            self.most_together, self.most_at = self.together, loop.time()
        try:
            wait = self.gate.take(loop.time())
            if wait is not None:
                self.refused += 1
                await asyncio.sleep(self.allows.delay)
                raise CallFailed("busy", "too many requests", passing=True, retry_after=self.gate.header(wait))
            # A server works on what it was sent, also when nobody waits for it any more.
            work = asyncio.ensure_future(self._work(call))
            await asyncio.shield(work)
            return Reply("X", "stop", 10, 1, "fake-1")
        finally:
            self.together -= 1

    async def _work(self, call: Call) -> None:
        async with self._workers:
            await asyncio.sleep(self.seconds(call))
        self.worked[call.key] += 1
        self.gate.done()

    def seconds(self, call: Call) -> float:
        return self.allows.work
