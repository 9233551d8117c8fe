"""A run in a process of its own, so that it can be killed: STORE URL N [CONCURRENCY]."""

import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from snellen.engine import Engine, Patience, Store, ready, run
from snellen.subjects import subject as find_subject
from support.fakes import jobs


async def main(path: str, url: str, n: int, concurrency: int) -> None:
    subject = find_subject(f"openai/m@{url}", env={"OPENAI_API_KEY": "none", "SNELLEN_API_KEY": "none"})
    with Store.open(path) as store:
        exam = store.begin_exam({}, {})
        async with subject:
            engine = Engine(store, concurrency=concurrency, patience=Patience(first_pause=0.01))
            summary = await run(ready(jobs(subject, n)), engine, exam, total=n)
        store.end_exam(exam, {"done": summary.done})
    print(summary.ended, summary.done, summary.skipped)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
