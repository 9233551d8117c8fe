"""A run in batches, in a process of its own so that it can be killed: STORE SUBJECT N [OPTIONS
[before|after WRITE]]."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from contextlib import AsyncExitStack, nullcontext
from dataclasses import replace
from itertools import count
from typing import Any

from snellen.engine import Engine, Patience, RunSummary, Store, ready, run
from snellen.engine.batch_records import BatchPauses
from snellen.examine.batching import batch_options, batch_queue
from snellen.subjects import subject as find_subject
from support.fakes import jobs

PAUSES = BatchPauses(first=0.02, longest=0.1, visible=0.2, outage=20)
KEYS = {f"{name}_API_KEY": "none" for name in ("OPENAI", "SNELLEN", "ANTHROPIC", "GEMINI")}


async def hold(path: Path, who: str, n: int, options: str = "24h") -> RunSummary:
    """n jobs of this subject, in batches; with no options by single calls."""
    chosen = batch_options(options or None)
    subject = find_subject(who, env=KEYS)
    with Store.open(path) as store:
        exam = store.begin_exam({}, {})
        async with subject, AsyncExitStack() as stack:
            queue = batch_queue(store, replace(chosen, pauses=PAUSES), [subject]) if chosen else nullcontext()
            batches = await stack.enter_async_context(queue)
            engine = Engine(store, concurrency=4, patience=Patience(first_pause=0.01), batches=batches)
            return await run(ready(jobs(subject, n)), engine, exam, total=n)


def die_at(moment: str, write: int) -> None:
    """Die just before or after so many writes of records of batches."""
    put, left = Store.put_note, count(1)

    def put_and_die(store: Store, kind: str, name: str, note: Mapping[str, Any] | None) -> None:
        is_last = next(left) == write
        if is_last and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        put(store, kind, name, note)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    Store.put_note = put_and_die  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    path, who, n, *more = sys.argv[1:]
    if more[1:]:
        die_at(more[1], int(more[2]))
    summary = asyncio.run(hold(Path(path), who, int(n), *more[:1]))
    print(summary.ended, summary.done, summary.skipped, summary.errors, summary.problem)
