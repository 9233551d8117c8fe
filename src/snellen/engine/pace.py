"""The pace of a server: how many calls at once (`limit.py`), and how many a second (`rate.py`), it takes.

Servers do not say what they allow, and a refusal ("too many requests") does not say which limit it met. So:

- A refusal is first taken to mean "too many at once": the limit becomes the number that the server kept. Calls refused
  together are one piece of news. The others go on, and the refused calls alone wait as long as the server asks.
- If a call that was sent after that is refused too, or one that had no more beside it than worked before, or if the
  server keeps far fewer than it once did, it was not the number but the rate: the limit is put back, everybody waits
  for as long as the server asks, and afterwards calls go out evenly.
- Where a rate is known and has held for many answers, a refusal says that it is a little too high: calls go out a
  little more slowly, and nobody else has to wait.
- A refusal now and then, among many answers to as many calls at once, is tolerated (`refusals.py`): only that call
  waits.
- If nobody was taken between two such pauses, the server takes nobody: calls go one at a time, after pauses that
  double, until one is answered. Unless it said when to come back, no rate failed: it is doubled soon, until one does.

Pure: the time is given with each event, so that hours of a server's life can be tried in a moment.
"""

from math import inf

from snellen.engine.limit import MATERIAL, ConcurrencyLimit, Memory
from snellen.engine.rate import TELLING, Rate
from snellen.engine.refusals import RefusalTolerance
from snellen.engine.slot import CallSlot

_SAME = 0.75
"""A server that keeps a smaller part than this of the calls at once that it took before has another limit in mind."""
_SPREAD = 0.8
"""Calls to a slow server follow each other at no less than this part of the distance at which they will be answered:
all at once they could be refused for their rate, and it would look as if it were for their number."""
_MOMENT = 0.2
"""A server that asks for a smaller part than this of the last pause, of a second at most, was asked a moment too
early."""


class Pace:
    """`most`: never more at once. `start`: how many at first. `pause`: how long everybody waits if the server does not
    say; twice as long each time as long as nobody is taken, up to `longest`."""

    def __init__(self, most: int, start: int = 8, pause: float = 1.0, longest: float = 60.0) -> None:
        self.limit = ConcurrencyLimit(most, start)
        self.rate = Rate()
        self.running = 0
        self.closed_until: float | None = None
        self._pause = pause
        self._longest = longest
        self._era = 0  # how often something was learnt: tells old news
        self._proven = 0  # the most at once of which the last was answered
        self._cut: Memory | None = None  # what was before a cut that no answer has confirmed yet
        self._kept = 0  # how many the server may have kept of those that were under way when it began to refuse
        self._mood = RefusalTolerance()
        self._number = 0
        self._opened = self._closed = 0.0
        self._taken = 0  # calls since then that were not refused
        self._closings = 0  # pauses since somebody was taken
        self._one = False  # one at a time
        self._asked = 0.0  # how long the server asked to wait in the last pause; 0 if it did not say
        self._was_early = False  # whether it then asked for a moment more: no rate failed, the first time
        self._may_be_early = True

    def wait(self, now: float) -> float:
        """Seconds until the next call may go; infinite while it depends on another event."""
        if self.closed_until is not None:
            if now < self.closed_until:
                return self.closed_until - now
            self._open(now)
        if self.running >= (1 if self._one else self.limit.value):
            return inf
        return self.rate.seconds(now)

    def begin(self, now: float) -> CallSlot:
        """Note that a call goes out."""
        self.running += 1
        self._taken += 1
        self._number += 1
        turn = CallSlot(self._number, now, self.running, self._era)
        self.limit.reached(self.running)
        self.rate.sent(turn)
        return turn

    def ended(self) -> None:
        """Note a call whose end says nothing about the pace."""
        self.running -= 1

    def answered(self, turn: CallSlot, now: float, timeout: float = inf) -> None:
        """Note an answer."""
        self.running -= 1
        news = False
        if turn.era == self._era:
            self._confirmed(turn, now)
            news = self.rate.held(now)
            if self.limit.is_behind(now - turn.sent, timeout):
                self._fall_back(now)
        if self.limit.answered(turn, now, self._cut is None) or news:
            self._space()

    def late(self, turn: CallSlot, now: float) -> None:
        """Note a timeout. The server may still be working on the call, so the limit falls."""
        self.running -= 1
        if turn.era == self._era:
            self._fall_back(now)

    def refused(self, turn: CallSlot, now: float, after: float | None) -> None:
        """Note a refusal (429 or the like), with the server's Retry-After if it gave one."""
        self.running -= 1
        turn.refused = True
        if turn.sent >= self._opened:
            self._taken -= 1
        if self.closed_until is not None:
            self.closed_until = max(self.closed_until, now + (after or 0.0))
        elif turn.era < self._era:
            if self._cut is not None:  # one of those that were sent before the first of them was refused
                self._too_many(now, after)
        elif not self._is_mood(turn):
            self._judge(turn, now, after)

    def _is_mood(self, turn: CallSlot) -> bool:
        """True if the refusal is one that this server gives at random, whatever the pace."""
        news = self._cut is not None or turn.together > self._proven
        if news and not self._mood.is_known:
            return False
        if not self._mood.explains(turn.number, self.rate.value is not None):
            return False
        if self._mood.is_known and self.rate.value is not None:
            self.rate.forget()
            self._space()
        return True

    def _judge(self, turn: CallSlot, now: float, after: float | None) -> None:
        """Decide whether concurrency or rate caused the refusals, and lower that one."""
        if self.rate.value is not None and self._cut is None and self._mood.is_rare:
            self._era += 1
            self.rate.ease(now)
            self._space()
        elif self._cut is not None or not self.running or turn.together < min(self.limit.value, self._proven + 1):
            self._close(now, after)
        else:
            self._era += 1
            self._cut = self.limit.refused(now)
            self._kept = max(turn.together, self.running + 1)
            self._too_many(now, after)

    def _confirmed(self, turn: CallSlot, now: float) -> None:
        """Note that a call sent under the present settings was answered: they work."""
        if self._one and not self._asked:
            self.rate.find_out(now)
        self._one = False
        self._closings = 0
        if self._cut is not None:
            self._cut = None
            self._proven = min(self._proven, self.limit.value)
        if turn.together > self._proven:
            self._proven = turn.together
        self._mood.answered()

    def _too_many(self, now: float, after: float | None) -> None:
        """Set the limit to what the server kept of those that were under way."""
        self._kept -= 1
        if self._kept < max(1.0, _SAME * self._proven):
            self._close(now, after)
        else:
            self.limit.cut(self._kept)

    def _close(self, now: float, after: float | None) -> None:
        """Pause: as long as the server asks, else exponentially longer each time."""
        if self._cut is not None:
            self.limit.restore(self._cut)
            self._cut = None
        self._era += 1
        self._closed = now
        asked = after or 0.0
        is_moment = 0 < asked < _MOMENT * self._asked <= _MOMENT and self._taken < TELLING
        self._asked, self._was_early = asked, is_moment and self._may_be_early
        self._may_be_early = self._may_be_early and not self._was_early
        if self._taken:
            self._closings = 0
        pause = min(self._pause * 2.0 ** min(self._closings, 30), self._longest)
        self.closed_until = now + (after if after is not None and not self._closings else max(after or 0.0, pause))
        self._closings += 1

    def _open(self, now: float) -> None:
        """End the pause; by now all refusals of the last calls are known."""
        self.closed_until = None
        self._one = not self._taken
        if self._taken and not self._was_early:
            self.rate.too_high(self._opened, self._closed, self._taken, now, max(now - self._closed, self._pause))
        self._opened = now
        self._taken = 0
        self._space()

    def _fall_back(self, now: float) -> None:
        self._era += 1
        self._cut = None
        self.limit.halve(now)

    def _space(self) -> None:
        at_once, mean = self.limit.value, self.limit.mean
        self.rate.spread(_SPREAD * mean / at_once if mean > MATERIAL and at_once > 1 else 0.0)
