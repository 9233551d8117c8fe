"""A run in batches, in a process of its own so that it can be killed: STORE SUBJECT N [OPTIONS]."""

import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from contextlib import AsyncExitStack, nullcontext
from dataclasses import replace

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
            queue = batch_queue(store, replace(chosen, pauses=PAUSES)) if chosen else nullcontext()
            batches = await stack.enter_async_context(queue)
            engine = Engine(store, concurrency=4, patience=Patience(first_pause=0.01), batches=batches)
            return await run(ready(jobs(subject, n)), engine, exam, total=n)


if __name__ == "__main__":
    summary = asyncio.run(hold(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), *sys.argv[4:]))
    print(summary.ended, summary.done, summary.skipped, summary.errors, summary.problem)
