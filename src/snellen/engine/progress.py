"""How far a run has come, in numbers; drawing them is for others."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic

from snellen.engine.engine import CallTally

_WINDOW = 15.0


@dataclass(slots=True)
class RunProgress:
    """The numbers of a run under way. `done` counts trials recorded by this run, `skipped` those found
    recorded.
    """

    total: int | None
    """How many trials there are, if known; about, where answers decide what is asked next."""
    tallies: Mapping[str, CallTally]
    """The calls, by subject."""
    done: int = 0
    skipped: int = 0
    errors: int = 0
    """Trials of this run whose calls failed (counted in `done` too)."""
    stopping: bool = False
    """Whether the run is only finishing what is under way."""
    interrupted: bool = False
    """Whether that is because the user wants it so."""
    by_subject: Counter[str] = field(default_factory=Counter)
    """Trials recorded, by this run or before it, by subject."""
    held_up: float = 0.0
    """For how many more seconds a server wants to be left in peace."""
    batches: str = ""
    """How far the batches are that calls wait for."""
    note: str = ""
    """What else is to be said, by whoever knows what the trials are about."""
    news: Sequence[str] = ()
    """What was found out so far, a line each, in the order of finding; said once."""
    not_heeded: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By subject, the settings that its server does not heed, with what shows it."""
    started: float = field(default_factory=monotonic)
    _marks: deque[tuple[float, int]] = field(default_factory=deque, repr=False)

    def mark(self) -> None:
        """Note the time; the rate is that of the last few marks."""
        now = monotonic()
        self._marks.append((now, self.done))
        while now - self._marks[0][0] > _WINDOW and len(self._marks) > 2:
            self._marks.popleft()

    @property
    def rate(self) -> float:
        """Trials per second over the last few marks."""
        first = self._marks[0] if self._marks else (self.started, 0)
        elapsed = monotonic() - first[0]
        return (self.done - first[1]) / elapsed if elapsed > 0 else 0.0

    @property
    def remaining(self) -> int | None:
        return None if self.total is None else max(self.total - self.done - self.skipped, 0)

    @property
    def made(self) -> int:
        return sum(t.made for t in self.tallies.values())

    @property
    def cached(self) -> int:
        """Calls that cost nothing: answered from the store, or shared with one under way."""
        return sum(t.cached + t.joined for t in self.tallies.values())

    @property
    def tokens_in(self) -> int:
        return sum(t.tokens_in for t in self.tallies.values())

    @property
    def tokens_cached(self) -> int:
        return sum(t.tokens_cached for t in self.tallies.values())

    @property
    def tokens_out(self) -> int:
        return sum(t.tokens_out for t in self.tallies.values())
