"""How far an exam is, kept in its store while it runs, so that another process can show it (`snellen view`)."""

from contextlib import suppress
from time import monotonic, time

from snellen.engine import CallTally, RunProgress, Store
from snellen.errors import UserError
from snellen.examine.plan import ExamPlan

SECONDS_BETWEEN = 1.0
"""How often it is written: one row in a store that takes thousands a second."""


class ProgressRecord:
    """Writes the numbers of a run into its store, at most once a second, and those at its end."""

    def __init__(self, plan: ExamPlan, store: Store, exam: int) -> None:
        self._plan, self._store, self._exam = plan, store, exam
        self._due = 0.0
        self._latest: RunProgress | None = None

    def update(self, progress: RunProgress) -> None:
        """Write the numbers if the last ones are a second old."""
        self._latest = progress
        if monotonic() >= self._due:
            self._due = monotonic() + SECONDS_BETWEEN
            with suppress(UserError):  # a disk that fails: the run finds out, and says so
                self._write(progress)

    def finish(self) -> None:
        """Write the numbers once more, as they are at the end."""
        if self._latest is not None:
            self._write(self._latest)

    def _write(self, progress: RunProgress) -> None:
        called = {who.name: self._plan.pool.called(who) for who in self._plan.players}
        numbers = {
            "exam": self._exam,
            "at": time(),
            "total": progress.total,
            "approximate": bool(self._plan.subject_tracks),
            "rate": progress.rate,
            "errors": progress.errors,
            "stopping": progress.stopping,
            "trials": {name: [progress.by_subject[name], planned] for name, planned in self._plan.planned.items()},
            "calls": {called.get(name, name): _numbers(tally) for name, tally in progress.tallies.items()},
        }
        self._store.put_progress(numbers)


def _numbers(tally: CallTally) -> list[int]:
    tokens = (tally.tokens_in, tally.tokens_out, tally.tokens_cached, tally.tokens_written)
    return [tally.made, tally.cached + tally.joined, *tokens]
