"""How long to keep trying, and how long to wait in between."""

from dataclasses import dataclass

from snellen.call import CallFailed, FailureKind

_NO_ANSWER: tuple[FailureKind, ...] = ("malformed", "server", "connection", "timeout")
"""Failures of a server, whatever it is asked."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When to give up on a call, and on a subject. Times are in seconds.

    Being told to come back later is not a fault, so busy answers have a budget of their own.
    """

    attempts: int = 6
    """Attempts at one call that may fail before it is recorded as failed."""
    busy_attempts: int = 30
    """The same for answers that say "too many requests"."""
    timeout: float = 3600.0
    """How long one attempt may take from when the server can begin, for subjects that do not say themselves."""
    first_pause: float = 0.5
    longest_pause: float = 60.0
    longest_wait: float = 900.0
    """A server that asks for more than this (Retry-After), or is busy for so long, ends the run: better come back
    later."""
    failures_in_a_row: int = 32
    """So many calls of one subject that began one after the other and failed end the run: it is no use."""
    failures_at_first: int = 3
    """The same for a server that has never given an answer that can be read."""
    silences: int = 12
    """So many times in a row that whoever was under way waited in vain end it as well."""

    def enough(self, failure: CallFailed, failed: int, busy: int) -> bool:
        """True if a call that has failed this often is given up."""
        spent = failed >= self.attempts or busy >= self.busy_attempts
        return spent or not failure.passing or self.too_long(failure)

    def most_in_a_row(self, failure: CallFailed, answers: int) -> int:
        """How many calls in a row that fail end the run: few, if a server has never answered as one should."""
        is_at_first = not answers and failure.kind in _NO_ANSWER
        return min(self.failures_at_first, self.failures_in_a_row) if is_at_first else self.failures_in_a_row

    def too_long(self, failure: CallFailed) -> bool:
        """True if the server asks for a longer wait than allowed."""
        return (failure.retry_after or 0.0) > self.longest_wait

    def pause(self, failures: int, asked: float | None, chance: float) -> float:
        """How long to wait after this many failures: twice as long each time, spread over half of that so
        that calls which failed together do not come back together; never less than the server asked for.
        """
        doubled: float = min(self.first_pause * 2.0 ** min(failures - 1, 30), self.longest_pause)
        return max(asked or 0.0, 0.0) + doubled * (0.5 + 0.5 * chance)
