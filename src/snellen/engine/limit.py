"""How many calls at once a server takes: the number doubles with every round of answers until that gains nothing.

A round is half as many answers as there may be calls at once, to calls that were sent in it. Where answers take long, a
higher number must bring more of them; if it only makes them slower, calls merely wait at the server instead of here, so
the number goes back. What is gained is told by each call: how many there were beside it, by how long it took (a server
that works one by one takes twice as long for twice as many). Quick answers are not judged: a quick server soon gets all
there are; nor is the second call at once, which is there when the first is done.

What failed is tried again after a while, and later each time; after a refusal in small steps that grow as long as they
succeed. Pure: the time is given.
"""

from math import inf, log
from typing import NamedTuple

from snellen.engine.slot import CallSlot

MATERIAL = 0.5
"""Answers that take fewer seconds than this are quick, however much slower they get."""
_GAIN = 0.25
"""The least part of what a higher number could gain that makes it worth it."""
_TELLING = log(1.5)
"""By how much the number must have grown for the answers to tell whether anything was gained."""
_LEAST_ROUND = 3
_ROUNDS_IN_PEACE = 8
_FIRST_WAIT = 1.0
_LONGEST_WAIT = 600.0

Memory = tuple[int, int, float, float]


class _LimitRound(NamedTuple):
    """What a round came to: the limit, and of calls at once and of seconds an answer the mean of the logarithms."""

    value: int
    at_once: float
    seconds: float


class ConcurrencyLimit:
    """`value` is how many may be under way now, from `start` to `most`."""

    def __init__(self, most: int, start: int) -> None:
        self.most = max(1, most)
        self.value = min(max(1, start), self.most)
        self.mean = 0.0
        """How many seconds an answer took in the last round."""
        self._quickest = inf
        self._step = self.most  # by how much to go up next, but never more than to twice the number
        self._wait = _FIRST_WAIT
        self._next_step = 0.0
        self._before: _LimitRound | None = None  # the round before the last step
        self._began = 0.0
        self._peak = 0
        self._answers = 0
        self._seconds = self._log_seconds = self._log_at_once = 0.0

    def narrow(self, most: int) -> None:
        """Lower the upper bound to `most`, for good."""
        self.most = max(1, min(self.most, most))
        self.value = min(self.value, self.most)

    def reached(self, running: int) -> None:
        """Note how many calls are under way."""
        if running > self._peak:
            self._peak = running

    def answered(self, turn: CallSlot, now: float, may_grow: bool) -> bool:
        """Note an answer; returns True if it ended a round."""
        if turn.sent < self._began:
            return False
        seconds = now - turn.sent
        self._answers += 1
        self._seconds += seconds
        self._log_seconds += log(max(seconds, 1e-6))
        self._log_at_once += log(turn.together)
        few = self.value > 1 and self._answers < _LEAST_ROUND and self._seconds > MATERIAL * self._answers
        if few or 2 * self._answers < self.value:
            return False
        self._end_round(now, may_grow)
        return True

    def is_behind(self, seconds: float, timeout: float) -> bool:
        """True if answers have slowed so much that calls will soon be late."""
        return seconds > timeout / 2 and seconds > 2 * self._quickest

    def cut(self, value: int) -> None:
        """Lower the limit to what the server accepts."""
        self.value = max(1, min(self.value, value))

    def halve(self, now: float) -> None:
        """Halve the limit, because the server is far behind."""
        self.cut(self.value // 2)
        self._try_later(now, 2 * self._wait)
        self._new_round(now)

    def refused(self, now: float) -> Memory:
        """Note that the limit was too high; it grows again later, in small steps. Returns the state to `restore`."""
        memory = self.value, self._step, self._wait, self._next_step
        self._try_later(now, 2 * self._wait)
        self._step = 1
        return memory

    def restore(self, memory: Memory) -> None:
        """Undo `refused`: the limit was not the reason."""
        self.value, self._step, self._wait, self._next_step = memory

    def _end_round(self, now: float, may_grow: bool) -> None:
        self.mean = self._seconds / self._answers
        self._quickest = min(self._quickest, self.mean)
        this = _LimitRound(self.value, self._log_at_once / self._answers, self._log_seconds / self._answers)
        if self._before is not None:
            self._judge(now, self._before, this)
        if self._before is None and may_grow and now >= self._next_step and self._peak >= self.value < self.most:
            self._before = this
            self.value = min(self.value + min(self._step, self.value), self.most)
        self._new_round(now)

    def _judge(self, now: float, before: _LimitRound, this: _LimitRound) -> None:
        """Keep or undo the last step, by the throughput before and after it."""
        step = log(self.value / before.value)
        more = this.at_once - before.at_once
        gained = more - (this.seconds - before.seconds)
        if self.mean < MATERIAL or before.value == 1 or step < _TELLING:
            worth = True
        elif more < step / 2:  # they are still getting more
            return
        else:
            worth = gained > _GAIN * more
        self._before = None
        if worth:
            self._wait = max(self._wait / 2, _FIRST_WAIT)
            self._step = min(2 * self._step, self.most)
        else:
            self.value = before.value
            self._try_later(now, max(2 * self._wait, _ROUNDS_IN_PEACE * self.mean))

    def _try_later(self, now: float, wait: float) -> None:
        self._wait = min(wait, _LONGEST_WAIT)
        self._next_step = now + self._wait
        self._before = None

    def _new_round(self, now: float) -> None:
        self._began = now
        self._peak = self._answers = 0
        self._seconds = self._log_seconds = self._log_at_once = 0.0
