"""An exam's calls in batches: what `--batch` means, what it saves, and what is to be said about it."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from snellen.call import Subject
from snellen.engine import Price, Store
from snellen.engine.batch_records import BatchOptions, BatchPauses, open_batches
from snellen.engine.batches import BatchQueue
from snellen.errors import UserError
from snellen.subjects.batch import batch_price, transport

if TYPE_CHECKING:
    from snellen.examine.plan import ExamPlan

_TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)(m|h|d)")
_SECONDS = {"m": 60, "h": 3600, "d": 86_400}
PAUSES = BatchPauses()
"""Between looks at a batch."""


def batch_options(text: str | BatchOptions | None) -> BatchOptions | None:
    """How calls are to go in batches, from "24h", "24h,then-calls" or "files:DIR". Raises `UserError`.

    >>> batch_options("90m,then-calls").seconds
    5400.0
    """
    if text is None or isinstance(text, BatchOptions):
        return text
    if isinstance(text, str) and text.startswith("files:") and (folder := text.removeprefix("files:")):
        if (path := Path(folder)).exists() and not path.is_dir():
            raise UserError(f"--batch={text}: {folder} is a file; give a folder")
        return BatchOptions(folder=path, pauses=PAUSES)
    time, _, then = text.partition(",") if isinstance(text, str) else ("", "", "")
    found = _TIME.fullmatch(time)
    if not found or not float(found[1]) or then not in ("", "then-calls"):
        raise UserError(
            f"--batch={text}: expected a time such as 24h or 90m, 24h,then-calls, or files:DIR; "
            "without any of these, put --batch last"
        )
    return BatchOptions(float(found[1]) * _SECONDS[found[2]], bool(then), pauses=PAUSES)


@asynccontextmanager
async def batch_queue(store: Store, options: BatchOptions, subjects: Iterable[Subject]) -> AsyncIterator[BatchQueue]:
    """The batches of one run; those of earlier runs with these subjects, which are open, are taken up."""
    queue = BatchQueue(store, options, partial(transport, folder=options.folder))
    try:
        for subject in subjects:
            queue.takes(subject)
        yield queue
    finally:
        await queue.close()


def left_open(store: Store, subjects: Iterable[Subject]) -> BatchOptions | None:
    """How single calls go on where batches of these subjects are under way: what is in them is paid for."""
    names = {subject.name for subject in subjects}
    if any(batch.subject in names for batch in open_batches(store)):
        return BatchOptions(then_calls=True, pauses=PAUSES, only_open=True)
    return None


def refuse_unbatched(plan: "ExamPlan") -> None:
    """Raise `UserError` if none of the exam's subjects can be asked in batches."""
    if all(batch_price(who) is None for who in plan.players):
        names = ", ".join(plan.pool.called(who) for who in plan.players)
        raise UserError(f"--batch: {names} cannot be asked in batches (only models behind an API can); leave it out")


def batch_notes(plan: "ExamPlan", options: BatchOptions) -> Iterator[str]:
    """What is not obvious about these batches, a line each."""
    prices = {plan.pool.called(who): batch_price(who) for who in plan.players}
    if singles := [name for name, price in prices.items() if price is None]:
        yield f"{', '.join(singles)}: cannot be asked in batches; single calls as usual"
    if options.folder is None and (
        cheaper := {name: price for name, price in prices.items() if price not in (None, 1)}
    ):
        yield "; ".join(f"{name}: batches cost {price:.0%} of the usual price" for name, price in cheaper.items())
    if plan.subject_tracks and len(singles) < len(prices):
        yield "what is asked next depends on answers, batch after batch: this can take days; a fixed design takes one"


def in_batches(plan: "ExamPlan", prices: Mapping[str, Price], options: BatchOptions | None) -> dict[str, Price]:
    """The prices with what a call costs in a batch."""
    if options is None or options.folder is not None:
        return dict(prices)
    shares = {who.name: batch_price(who) for who in plan.players}
    return {name: replace(price, batch=shares.get(name) or 1.0) for name, price in prices.items()}
