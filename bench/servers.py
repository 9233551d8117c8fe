"""What part of what a server allows we get out of it, how many calls it has to refuse for that, whether any is lost.

The servers are a process of their own on a loopback port, one path for each kind: limits on calls at once, on calls a
second, both, with and without a word on when to come back, and servers that never refuse but take one call at a time.
A few are asked at the same time, each by an engine of its own. The share is the least time in which a server could have
answered so many calls, by the time it took; what finding out its limits costs is in it (a pause of two seconds is a
tenth of the time that 960 calls take at 50 a second).
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, cast

import aiohttp

SUPPORT = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(SUPPORT))

from snellen.call import Call, CallFailed, Message  # noqa: E402
from snellen.engine import Engine, Store  # noqa: E402
from snellen.subjects import subject as find_subject  # noqa: E402
from support.limited import Allows  # noqa: E402

Row = tuple[str, str, str]

AT_A_TIME = 4


@dataclass(frozen=True)
class Kind:
    """A server and how many calls it gets; `at_home`: whether it counts as a machine of one's own."""

    words: str
    allows: Allows
    calls: int
    at_home: bool = False
    timeout: float = 300
    least: float = 0.8


KINDS = {
    "both": Kind("5 at once and 50 a second", Allows(at_once=5, per=(50, 1.0), work=0.08), 960),
    "both_later": Kind(
        "5 at once and 50 a second, Retry-After: 2", Allows(at_once=5, per=(50, 1.0), work=0.08, retry_after=2.0), 960
    ),
    "at_once": Kind("10 at once", Allows(at_once=10, work=0.2), 500),
    "at_once_later": Kind("10 at once, Retry-After: 2", Allows(at_once=10, work=0.2, retry_after=2.0), 500),
    "second": Kind("50 a second", Allows(per=(50, 1.0), work=0.05), 500),
    "second_later": Kind("50 a second, Retry-After: 2", Allows(per=(50, 1.0), work=0.05, retry_after=2.0), 500),
    "window": Kind(
        "200 in 5 seconds, exact Retry-After", Allows(per=(200, 5.0), retry_after="exact"), 1200, least=0.75
    ),
    "bucket": Kind("40 a second, 40 saved up, exact Retry-After", Allows(bucket=(40.0, 40), retry_after="exact"), 480),
    "shut": Kind("takes nobody for 8 seconds (pauses double)", Allows(shut=(0.0, 8.0), work=0.05), 500, least=0.5),
    "one": Kind("one at a time, 0.1 s each", Allows(workers=1, work=0.1), 100, at_home=True, timeout=1.0),
    "four": Kind("four at a time, 0.6 s each", Allows(workers=4, work=0.6), 80, at_home=True, least=0.7),
    "free": Kind("takes everybody, 0.3 s each", Allows(work=0.3), 1000),
}


@dataclass(frozen=True)
class Held:
    seconds: float
    lost: int
    refused: int
    twice: int


def measure() -> list[Row]:
    allowed = {name: asdict(kind.allows) for name, kind in KINDS.items()}
    server = subprocess.Popen(
        [sys.executable, SUPPORT / "support" / "limited_server.py", json.dumps(allowed)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = cast("IO[str]", server.stdout).readline().strip()
        return [_row(KINDS[name], held) for name, held in asyncio.run(_all(url)).items()]
    finally:
        server.kill()
        server.wait()


def _row(kind: Kind, held: Held) -> Row:
    share = kind.allows.least(kind.calls) / held.seconds
    more = f"{held.refused} of {kind.calls} refused, {held.lost} lost, {held.twice} done twice"
    return f"share of what a server allows: {kind.words}", f"{share:.0%} ({more})", f">= {kind.least:.0%}, none lost"


async def _all(url: str) -> dict[str, Held]:
    found: dict[str, Held] = {}
    for names in (list(KINDS)[i : i + AT_A_TIME] for i in range(0, len(KINDS), AT_A_TIME)):
        held = await asyncio.gather(*(_hold(url, name, KINDS[name]) for name in names))
        found |= dict(zip(names, held, strict=True))
    return found


async def _hold(url: str, name: str, kind: Kind) -> Held:
    """All calls of one kind, by 64 workers, as in an exam."""
    subject = find_subject(f"openai/{name}@{url}/{name}/v1:timeout={kind.timeout:g}", env={})
    if not kind.at_home:  # a loopback address would be taken for a machine of one's own
        subject._abilities = replace(subject.abilities, server="")  # type: ignore[attr-defined]
    questions = _calls(name, kind.calls)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        engine = Engine(store)
        async with subject, aiohttp.ClientSession() as session:
            lost = 0

            async def worker() -> None:
                nonlocal lost
                for question in questions:
                    try:
                        await engine.ask(subject, replace(question, subject=subject.name, settings=subject.settings))
                    except CallFailed:
                        lost += 1

            start = time.perf_counter()
            await asyncio.gather(*(worker() for _ in range(engine.concurrency)))
            seconds = time.perf_counter() - start
            async with session.get(f"{url}/{name}/counts") as answer:
                counts = await answer.json()
    return Held(seconds, lost, counts["refused"], counts["twice"])


def _calls(name: str, n: int) -> Iterator[Call]:
    for i in range(n):
        yield Call(name, {}, (Message("user", (f"Board {i}: who wins?",)),))


if __name__ == "__main__":
    for row in measure():
        print("| " + " | ".join(row) + " |")
