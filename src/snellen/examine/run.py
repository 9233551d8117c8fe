"""Running a plan. The engine knows nothing of tasks; this is where the two meet."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.defaults import DEFAULT_STORE
from snellen.engine import Engine, RunProgress, RunSummary, Store, run
from snellen.engine.batch_records import BatchOptions
from snellen.engine.event_loop import run_to_end
from snellen.errors import UserError
from snellen.examine.batching import batch_options, batch_queue, left_open, refuse_unbatched
from snellen.examine.early import making_items_until
from snellen.examine.options import is_count
from snellen.examine.plan import ExamPlan
from snellen.examine.progress_record import ProgressRecord
from snellen.examine.trial_queue import TrialQueue
from snellen.sequential import COMPARED, SEQUENTIAL
from snellen.tasks.making import ItemPool

if TYPE_CHECKING:
    from snellen.examine.result import Exam

AT_ONCE = 64
_TELLING = 5
"""So many replies, at least, before anything is said of the settings a server does not heed, while an exam runs."""


def run_plan(
    plan: ExamPlan,
    store: str | Path,
    *,
    concurrency: int | None = None,
    batch: str | BatchOptions | None = None,
    watch: Callable[[RunProgress], None] | None = None,
) -> "Exam":
    """Hold the exam; what was interrupted or failed is taken up by the next run with the same store. `concurrency`: the
    most calls at once; as many as its subjects gain from if not given. `batch`: calls go in batches (`batching.py`)."""
    from snellen.examine.result import Exam

    if concurrency is not None and not is_count(concurrency):
        raise UserError(f"concurrency {concurrency}: expected at least 1")
    if not isinstance(store, str | Path):
        raise UserError(f"store={store!r}: expected a file for calls and trials, such as {DEFAULT_STORE}")
    if (batch_how := batch_options(batch)) is not None:
        refuse_unbatched(plan)
    summary, trials = run_to_end(_hold(plan, store, concurrency, batch_how, watch))
    if summary.ended == "given up":
        kept = summary.done + summary.skipped - summary.errors
        raise UserError(f"{summary.problem} (trials kept in {store}: {kept:,})")
    return Exam(store, plan.labels, summary, trials)


async def _hold(
    plan: ExamPlan,
    path: str | Path,
    concurrency: int | None,
    batch: BatchOptions | None,
    watch: Callable[[RunProgress], None] | None,
) -> tuple[RunSummary, frozenset[str]]:
    """How the exam ended, and which trials are its own."""
    async with AsyncExitStack() as stack:
        makers = stack.enter_context(ItemPool())
        # Before anything is written: one of them may lack its key
        await making_items_until(_opened(plan, stack), plan, Path(path), makers)
        store = stack.enter_context(Store.open(path))
        exam = store.begin_exam(plan.spec(), plan.fingerprint())
        queue, record = TrialQueue(plan, store, makers), ProgressRecord(plan, store, exam)
        batch = batch or left_open(store, plan.players)
        batches = await stack.enter_async_context(batch_queue(store, batch, plan.players)) if batch else None
        summary = await run(
            queue.batches(),
            Engine(store, concurrency=concurrency or _at_once(plan), batches=batches),
            exam,
            total=plan.size,
            ahead=makers.ahead,
            on_progress=partial(_look, plan, queue, record, watch),
            on_trial=queue.heard,
        )
        record.finish()
        counts: dict[str, Any] = {
            "trials": summary.done + summary.skipped,
            "errors": summary.errors,
            "ended": summary.ended,
        }
        if not_heeded := _not_heeded(plan):
            counts["asked_for_not_heeded"] = not_heeded
        if found := queue.ladders():
            counts[SEQUENTIAL] = {
                task: {who: result.to_json() for who, result in by_subject.items()}
                for task, by_subject in found.items()
            }
        if compared := queue.comparisons():
            counts[COMPARED] = [found.to_json() for found in compared]
        store.end_exam(exam, {**counts, "items": queue.digest() if summary.ended == "complete" else ""})
    return summary, queue.trials


async def _opened(plan: ExamPlan, stack: AsyncExitStack) -> None:
    for who in plan.players:
        await stack.enter_async_context(who)


def _look(
    plan: ExamPlan,
    queue: TrialQueue,
    record: ProgressRecord,
    watch: Callable[[RunProgress], None] | None,
    progress: RunProgress,
) -> None:
    """Complete the numbers of a run by what only queue and subjects know, for whoever watches and for the end."""
    queue.look(progress)
    progress.not_heeded = _not_heeded(plan, 1 if progress.remaining == 0 else _TELLING)
    record.update(progress)
    if watch is not None:
        watch(progress)


def _not_heeded(plan: ExamPlan, least: int = 1) -> dict[str, dict[str, str]]:
    """By subject, what of its settings its server does not heed, where `least` replies or more could show it."""
    by_subject = ((plan.pool.called(who), getattr(who, "unheeded", None)) for who in plan.players)
    return {name: found for name, unheeded in by_subject if unheeded and (found := unheeded(least))}


def _at_once(plan: ExamPlan) -> int:
    """How many calls at once, if nobody says: more than a server is sure to like only for those who work in large
    batches in this very process, each of whom wants its batches full."""
    batched = (who.abilities for who in plan.players if who.abilities.in_process and who.abilities.batch > 1)
    return max(AT_ONCE, sum(can.together or 0 for can in batched))
