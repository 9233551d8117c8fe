"""kill -9 in the midst of tracks, then the same again: no answered call is asked twice, and the thresholds are those of
a run that nobody killed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from aiohttp import web

from snellen.engine import Store
from snellen.errors import UserError
from snellen.psychometric import finding
from support import cards
from support.fault_server import FaultServer
from support.lengths import few_and_more

THRESHOLDS = {"plain": 0.4, "bold": 0.7}
MOST = 48
RUN = f"""
import sys, snellen
snellen.exam(sys.argv[2], tasks=sys.argv[3], store=sys.argv[1], n={MOST}, concurrency=8)
"""


class CardServer(FaultServer):
    """Reads the cards as an observer with known thresholds does."""

    def __init__(self, **plan: Any) -> None:
        super().__init__(lambda content: cards.says(self.words[content], THRESHOLDS), **plan)
        self.words: dict[str, str] = {}

    def _note(self, request: web.Request, raw: bytes) -> str:
        content = super()._note(request, raw)
        self.words[content] = json.dumps(self.requests[-1]["messages"])
        return content


def start(store: Path, server: FaultServer) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", RUN, str(store), f"openai/m@{server.url}", cards.__file__]
    return subprocess.Popen(command, text=True, env={**os.environ, "OPENAI_API_KEY": "none"})


async def until_answered(server: FaultServer, calls: int, process: "subprocess.Popen[str]") -> None:
    async with asyncio.timeout(60):
        while server.answered.total() < calls:
            assert process.poll() is None, "it ended before it could be killed"
            await asyncio.sleep(0.01)


async def finish(store: Path, server: FaultServer) -> pl.DataFrame:
    process = start(store, server)
    assert await asyncio.to_thread(process.wait) == 0
    with Store.open(store, readonly=True) as opened:
        return opened.rows()


def answered(store: Path) -> int:
    try:
        with Store.open(store, readonly=True) as opened:
            count: int = opened._db.execute("SELECT count(*) FROM calls WHERE status = 'ok'").fetchone()[0]
            return count
    except UserError:
        return 0


def said(rows: pl.DataFrame) -> dict[str, str]:
    return dict(rows.select("item", "answer").iter_rows())


def thresholds(rows: pl.DataFrame) -> list[Any]:
    found = []
    for graded in cards.tracks(MOST):
        own = rows.filter(pl.col("test") == graded.track.name)
        found.append(finding(graded.track, list(own.select("size", "outcome").iter_rows())).threshold)
    return found


@pytest.mark.soak
@few_and_more("kills", [(30,)], [(13, 45)])
async def test_killed_in_the_midst_of_tracks_it_repeats_no_answered_call_and_finds_the_same(
    kills: tuple[int, ...], tmp_path: Path
) -> None:
    async with CardServer() as server:
        whole = await finish(tmp_path / "whole.sqlite", server)
    store = tmp_path / "killed.sqlite"
    async with CardServer(delay=0.02) as server:
        kept = 0
        for calls in kills:
            process = start(store, server)
            await until_answered(server, calls, process)
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert answered(store) >= kept
            kept = answered(store)
        await asyncio.sleep(0.5)  # what the killed one had sent by then has arrived
        again_before = server.asked.total()
        rows = await finish(store, server)
        asked_last = server.asked.total() - again_before
    assert said(rows) == said(whole)
    assert thresholds(rows) == thresholds(whole)
    assert None not in thresholds(rows)
    assert asked_last == rows.height - kept, "what is on record is never asked for again"
    assert len(server.asked) == rows.height, "nothing was asked on the way that the whole run does not ask"
