"""The engine: every call once.

`ask` answers from the store if the call is there, joins the same call if it is under way, else makes it:
under the subject's limit, with as many attempts as patience allows. The record is on disk before anyone sees
the reply. A call that fails is recorded as failed, which is never taken for an answer and is tried again by
the next run.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Container
from dataclasses import dataclass, field
from random import random
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from snellen.call import Abilities, Call, CallFailed, FailureKind, Reply, Subject, without_secrets
from snellen.engine.first_call import FirstCall
from snellen.engine.lane import Lane
from snellen.engine.pace import Pace
from snellen.engine.patience import Patience
from snellen.engine.records import CallRecord
from snellen.engine.storable import storable, storable_text
from snellen.engine.store import Store
from snellen.engine.streaks import FailureStreaks
from snellen.item import Picture

if TYPE_CHECKING:
    from snellen.engine.batches import BatchQueue

Ask = Callable[[Subject, Call], Awaitable[Reply]]

_MOST_PROBLEMS = 50
_OF_ONE_CALL: tuple[FailureKind, ...] = ("rejected", "key")
"""Failures that may be due to what is in a call."""
_FIRST_AT_ONCE = 8
"""How many calls a service gets at once until it has shown that it takes more. A server at home gets one: it may be a
laptop that works on one after the other."""


@dataclass(slots=True)
class CallTally:
    """Counts of one subject's calls so far."""

    made: int = 0
    """Calls answered by the subject."""
    cached: int = 0
    """Calls answered from the store."""
    joined: int = 0
    """Calls that shared the answer of one already under way."""
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    """Those of `tokens_in` that providers read from a cache."""
    tokens_written: int = 0
    """Those of `tokens_in` that they wrote to one."""
    batched_in: int = 0
    """How many of `tokens_in` went by batches."""
    batched_out: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    """Why calls failed: the messages, numbers aside, and how often each was met."""

    def met(self, problem: str) -> None:
        """Count a failed call and its reason."""
        self.failed += 1
        alike = (known for known in self.problems if _numberless(known) == _numberless(problem))
        if (known := next(alike, None)) is not None or len(self.problems) < _MOST_PROBLEMS:
            self.problems[known or problem] += 1


class Engine:
    """Makes calls, each once; belongs to one event loop and one run."""

    def __init__(
        self,
        store: Store,
        *,
        concurrency: int = 64,
        patience: Patience | None = None,
        chance: Callable[[], float] = random,
        batches: "BatchQueue | None" = None,
    ) -> None:
        self.store = store
        self.batches = batches
        self.concurrency = concurrency
        self.patience = patience or Patience()
        self.tallies: dict[str, CallTally] = {}
        self.doubt = ""
        """A failure that may concern every call of a subject, which no call of it has yet disproved; empty if none."""
        self._chance = chance
        self._lanes: dict[str, Lane] = {}
        self._firsts: dict[str, FirstCall] = {}
        self._writers: WeakValueDictionary[bytes, FirstCall] = WeakValueDictionary()
        self._streaks: dict[str, FailureStreaks] = {}
        self._under_way: dict[bytes, list[asyncio.Future[Reply | None]]] = {}
        self._stopped = False

    async def ask(self, subject: Subject, call: Call) -> Reply:
        """The reply to this call; raises `CallFailed` if there is none, `Stopped` if the run is ending."""
        key = call.key
        while (waiting := self._under_way.get(key)) is not None:
            joined: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
            waiting.append(joined)
            if (reply := await joined) is not None:
                self.tally(call.subject).joined += 1
                return reply
            # Whoever made the call was cancelled: it is ours to make now, or another's to join.
        if (reply := self.store.get_reply(key)) is not None:
            self.tally(call.subject).cached += 1
            if self.store.lost_pictures:
                self._put_pictures(call, self.store.lost_pictures)
            return reply
        return await self._lead(subject, call)

    def stop(self) -> None:
        """Make no further attempt; those under way may finish and are recorded."""
        self._stopped = True
        if self.batches is not None:
            self.batches.stop()
        for lane in self._lanes.values():
            lane.stop()
        for first in (*self._firsts.values(), *self._writers.values()):
            first.end()

    async def settled(self) -> None:
        """Wait until no call is under way, for some may have outlived whoever asked them: they are paid for too."""
        while self._under_way:
            over: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
            next(iter(self._under_way.values())).append(over)
            await asyncio.wait([over])
            over.exception()  # how it ended was told to whoever asked

    @property
    def held_up(self) -> float:
        """Seconds until the last paused server may be called again."""
        closed = [until for lane in self._lanes.values() if (until := lane.pace.closed_until) is not None]
        return max(max(closed) - asyncio.get_running_loop().time(), 0.0) if closed else 0.0

    def tally(self, subject: str) -> CallTally:
        tally = self.tallies.get(subject)
        if tally is None:
            tally = self.tallies[subject] = CallTally()
        return tally

    def lane(self, subject: Subject) -> Lane:
        """The queue of this subject's calls, shared by all subjects of one server."""
        can = subject.abilities
        where = can.server or subject.name
        lane = self._lanes.get(where)
        if lane is None:
            lane = self._lanes[where] = Lane(self._pace(can))
            if self._stopped:
                lane.stop()
        elif can.together is not None and can.together < lane.pace.limit.most:
            lane.pace.limit.narrow(can.together)
        return lane

    def _pace(self, can: Abilities) -> Pace:
        most = min(self.concurrency, can.together or self.concurrency)
        start = most if can.in_process else max(can.batch, 1 if can.server else _FIRST_AT_ONCE)
        return Pace(most, start, 2 * self.patience.first_pause, self.patience.longest_pause)

    async def _lead(self, subject: Subject, call: Call) -> Reply:
        """Make the call, and share how it ended with those who joined meanwhile."""
        waiting = self._under_way[call.key] = []
        reply: Reply | None = None
        problem: Exception | None = None
        try:
            reply = await self._by_batch(subject, call) or await self._in_turn(subject, call)
            return reply
        except Exception as error:  # anything but being cancelled, which is nobody's business but ours
            problem = error
            raise
        finally:
            del self._under_way[call.key]
            for joined in waiting:
                if joined.done():
                    continue
                if problem is not None:
                    joined.set_exception(problem)
                else:
                    joined.set_result(reply)

    async def _by_batch(self, subject: Subject, call: Call) -> Reply | None:
        """The reply a batch brings, which is recorded by then; None if the call is to be made by itself."""
        if self.batches is None or not self.batches.takes(subject):
            return None
        tally = self.tally(call.subject)
        try:
            reply = await self.batches.answer(subject, call)
        except CallFailed as failure:
            if not failure.fatal:
                tally.met(str(failure))
            raise
        if reply is not None:
            tally.made += 1
            tally.tokens_in += reply.tokens_in or 0
            tally.tokens_out += reply.tokens_out or 0
            tally.tokens_cached += reply.tokens_cached
            tally.tokens_written += reply.tokens_written
            tally.batched_in += reply.tokens_in or 0
            tally.batched_out += reply.tokens_out or 0
        return reply

    async def _in_turn(self, subject: Subject, call: Call) -> Reply:
        """Make the call; behind a server the first of a subject goes alone."""
        first = self._firsts.get(call.subject)
        if first is None:
            first = self._firsts[call.subject] = FirstCall()
            if subject.abilities.in_process or self._stopped:
                first.end()
        if first.is_over:
            return await self._after_writer(subject, call)
        async with first.turn():
            return await self._after_writer(subject, call)

    async def _after_writer(self, subject: Subject, call: Call) -> Reply:
        """Make the call; of those that share what the provider keeps, the first goes ahead and writes it."""
        prefix_of = subject.abilities.cached_prefix
        prefix = prefix_of(call) if prefix_of else None
        if prefix is None or self._stopped:
            return await self._make(subject, call)
        writer = self._writers.setdefault(prefix, FirstCall())  # forgotten when nobody waits for it any more
        async with writer.turn():
            return await self._make(subject, call)

    async def _make(self, subject: Subject, call: Call) -> Reply:
        """Attempt the call until it is answered or given up."""
        lane, tally, streaks = self.lane(subject), self.tally(call.subject), self._streaks_of(call.subject)
        number = streaks.begin()
        attempts = busy = 0
        while True:
            attempts += 1
            try:
                reply, seconds = await self._attempt(subject, call, lane, again=attempts > 1)
            except CallFailed as failure:
                busy += failure.kind == "busy"
                if self.patience.enough(failure, attempts - busy, busy):
                    raise await self._given_up(call, number, failure, attempts) from None
                if (useless := self._is_useless(lane, failure)) is not None:
                    raise useless from None
                if failure.kind != "busy":
                    self._firsts[call.subject].hold()
                await lane.nap(self.patience.pause(attempts, failure.retry_after, self._chance()))
            else:
                await self._record(call, reply, None, attempts, seconds)
                streaks.answers += 1
                tally.made += 1
                tally.tokens_in += reply.tokens_in or 0
                tally.tokens_out += reply.tokens_out or 0
                tally.tokens_cached += reply.tokens_cached
                tally.tokens_written += reply.tokens_written
                return reply

    def _is_useless(self, lane: Lane, failure: CallFailed) -> CallFailed | None:
        """The fatal failure of a server that has answered nobody for too long; None while there is hope."""
        if lane.silences >= self.patience.silences:
            message = f"{failure}, {lane.silences} times in a row; is the server still working?"
        elif lane.busy_for >= self.patience.longest_wait:
            message = f"{failure}, for {lane.busy_for:.0f} s; run the same command again later"
        else:
            return None
        return CallFailed(failure.kind, message, fatal=True)

    def _streaks_of(self, subject: str) -> FailureStreaks:
        streaks = self._streaks.get(subject)
        if streaks is None:
            streaks = self._streaks[subject] = FailureStreaks()
        return streaks

    async def _attempt(self, subject: Subject, call: Call, lane: Lane, again: bool) -> tuple[Reply, float]:
        """Make one attempt as soon as the lane admits it; returns the reply and its seconds."""
        can = subject.abilities
        timeout = can.timeout or self.patience.timeout
        turn = await lane.enter(timeout, again)
        try:
            reply = await subject.answer(call if can.sees_truth else call.blind)
        except BaseException as error:
            if lane.left(turn, error):
                message = f"{subject.name}: no answer within {timeout:g} s"
                raise CallFailed("timeout", message, passing=True) from None
            raise
        seconds = lane.answered(turn)
        return storable(without_secrets(reply)), seconds

    async def _given_up(self, call: Call, number: int, failure: CallFailed, attempts: int) -> CallFailed:
        """Record a call that failed for good; the failure, fatal if there is no use in going on.

        A failure that says nothing about this call is not recorded: one that is fatal, or may turn out to be.
        """
        tally, streaks = self.tally(call.subject), self._streaks_of(call.subject)
        known = failure.kind in _OF_ONE_CALL and self._failed_before(call)
        if failure.fatal:
            clear = failure.believed == "at first"
            if failure.believed == "at once" or (not known and streaks.turned_away(number, _content(call), clear)):
                return _after(failure, streaks.answers)
            if not streaks.answers:
                tally.met(str(failure))
                self.doubt = self.doubt if known else str(failure)
                return CallFailed(failure.kind, str(failure))
            failure = CallFailed("rejected", f"{failure}; other calls were answered")
        if self.patience.too_long(failure):
            message = f"{call.subject}: the server asks to wait {failure.retry_after:.0f} s"
            return CallFailed(failure.kind, f"{message}; run the same command again after that", fatal=True)
        tally.met(str(failure))
        await self._record(call, None, failure, attempts, 0.0)
        if not known and (row := streaks.failed(number)) >= self.patience.most_in_a_row(failure, streaks.answers):
            message = f"{call.subject}: {row} calls in a row failed, the last with: {failure}"
            return CallFailed(failure.kind, message, fatal=True)
        return failure

    def _failed_before(self, call: Call) -> bool:
        """True if an earlier run, in which other calls were answered, found fault with this one: then it is no news,
        and no reason to keep the others waiting."""
        before = self.store.call(call.key)
        if before is None or before.problem != "rejected":
            return False
        self._firsts[call.subject].end()
        return True

    async def _record(
        self, call: Call, reply: Reply | None, failure: CallFailed | None, attempts: int, seconds: float
    ) -> None:
        """Write the call and its pictures; returns once they are on disk."""
        self._put_pictures(call)
        problem = (failure.kind, storable_text(str(failure))) if failure else ("", "")
        record = CallRecord(
            call.key,
            storable_text(call.subject),
            storable_text(call.request),
            reply,
            *problem,
            attempts,
            seconds,
            time.time(),
        )
        self.store.add_call(record)
        await self.store.saved()

    def _put_pictures(self, call: Call, only: Container[str] | None = None) -> None:
        for message in call.messages:
            for part in message.parts:
                if isinstance(part, Picture) and (only is None or part.digest in only):
                    self.store.put_image(part)


def _content(call: Call) -> bytes:
    """What tells calls with different contents apart: the same picture is asked about in several ways."""
    return call.pictures[0].digest.encode() if call.pictures else call.key


def _after(failure: CallFailed, answers: int) -> CallFailed:
    """The same failure, saying so if it came after answers."""
    if not answers or failure.believed == "at once":
        return failure
    return CallFailed(failure.kind, f"{failure}; for several calls in a row, after {answers:,} answers", fatal=True)


_NUMBERS = re.compile(r"[0-9a-fA-F-]*[0-9][0-9a-fA-F-]*")


def _numberless(message: str) -> str:
    """A message without what is different in each: request ids, times, counts."""
    return _NUMBERS.sub("#", message)
