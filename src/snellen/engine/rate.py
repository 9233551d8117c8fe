"""How many calls a second a server takes: nobody is held up before it complains; after that they go out evenly.

The first complaint tells: a little less than what was taken in the second before it. If that is too much as well it
becomes less, each time by the same factor, so that a limit by the minute is approached in a few minutes without being
missed. A rate that has held for a while is raised a little, later each time that fails. Pure: the time is given.
"""

from collections import deque
from math import inf

from snellen.engine.slot import CallSlot

_STEADY = 0.95
_SLOWER = 0.7
_EASED = 0.95
TELLING = 10
"""Fewer calls than this are no measure of a rate."""
_CATCH_UP = 0.025
"""How many seconds of a delay on our side may be made up for, where the calls are close."""
_FIRST_STEP = 0.1
_NEAR = 0.95

# When a rate is raised, in pauses: a step that fails costs another one.
_FIND_OUT = 2.0  # where there is hardly a measure: it is doubled until one is refused
_SOON = 4.0  # where it is well below what failed
_LATER = 20.0
_LONGEST_WAIT = 600.0


class Rate:
    """`value` is how many calls may go out in a second; None: as many as can."""

    def __init__(self) -> None:
        self.value: float | None = None
        self._recent: deque[CallSlot] = deque()  # those of the last second, and no fewer than it takes to tell
        self._gap = 0.0  # seconds from one call to the next
        self._due = 0.0
        self._good = self._failed = inf
        self._pause = 0.0
        self._step = _FIRST_STEP
        self._later = _LATER
        self._next_step = inf

    def seconds(self, now: float) -> float:
        """Seconds until the next call may go."""
        return max(self._due - now, 0.0) if self._gap else 0.0

    def sent(self, turn: CallSlot) -> None:
        recent, now = self._recent, turn.sent
        recent.append(turn)
        while now - recent[0].sent > 1.0 and len(recent) > TELLING:
            recent.popleft()
        if self._gap:
            late = _CATCH_UP if self._gap < 2 * _CATCH_UP else 0.0
            self._due = max(self._due, now - late) + self._gap

    def spread(self, gap: float) -> None:
        """Keep at least `gap` seconds between calls."""
        self._gap = max(gap, 1.0 / self.value if self.value else 0.0)

    def too_high(self, opened: float, closed: float, taken: int, now: float, pause: float) -> None:
        """So many were taken between two times; more were refused, and now it goes on. `pause`: what that costs."""
        self._due = now
        self._pause = pause
        if self.value is None:
            self._guess(closed, now)
        elif self.value > self._good:
            self._step_back(now)
        else:
            self._failed = min(self.value, 2 * taken / max(closed - opened, 1e-3))
            self.value, self._step = max(_SLOWER * self._failed, 1.0 / self._second), _FIRST_STEP
            self._plan(now)

    def ease(self, now: float) -> None:
        """Lower the rate slightly after a single refusal."""
        if self.value is None:
            return
        if self.value > self._good:
            self._step_back(now)
        else:
            self._failed, self._step = self.value, _FIRST_STEP
            self.value = self._good = max(_EASED * self.value, 1.0 / self._second)
            self._plan(now)

    def find_out(self, now: float) -> None:
        """Double the rate soon, and again until calls are refused."""
        if self.value is not None:
            self._step = 1.0
            self._plan(now)

    def forget(self) -> None:
        """Undo the limit: the rate was not the reason."""
        self.value = None
        self._good = self._next_step = inf

    def held(self, now: float) -> bool:
        """Note an answer; returns True if the rate held long enough to be raised."""
        if now < self._next_step or self.value is None:
            return False
        if self.value > self._good:
            self._later = max(self._later / 2, _LATER)
        self._good = self.value
        self.value *= 1 + self._step
        self._plan(now)
        return True

    def _step_back(self, now: float) -> None:
        """Undo the last step."""
        self._later = min(2 * self._later, _LONGEST_WAIT)
        self._failed, self.value, self._step = inf, self._good, _FIRST_STEP
        self._plan(now)

    def _plan(self, now: float) -> None:
        """Schedule the next step: soon while well below the rate that failed, else later."""
        self._good = min(self._good, self.value or inf)
        if self._step >= 1.0:
            wait = _FIND_OUT
        elif (self.value or 0.0) * (1 + _FIRST_STEP) < _NEAR * self._failed < inf:
            wait = _SOON
        else:
            wait = self._later
            self._step = min(2 * self._step, 1.0)
        self._next_step = now + min(wait * self._pause, _LONGEST_WAIT)

    @property
    def _second(self) -> float:
        """The window that a rate is measured over, and the longest gap between two calls."""
        return min(max(self._pause, 1e-3), 1.0)

    def _guess(self, closed: float, now: float) -> None:
        taken = [turn.sent for turn in self._recent if not turn.refused]
        rate = len(taken) / max(closed - taken[0], self._second) if taken else 0.0
        self.value = self._good = _STEADY * max(rate, 1.0 / self._second)
        self._step = 1.0 if len(taken) < TELLING else _FIRST_STEP
        self._plan(now)
