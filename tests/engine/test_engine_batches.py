"""Calls in batches: every answer as that of a single call, whatever becomes of rows and batches, and none paid twice."""

from pathlib import Path

import pytest

from snellen.engine import Store
from support.batch_server import BatchServer, Job
from support.run_batches import hold

N = 30


def who(server: BatchServer, dialect: str) -> str:
    bases = {"openai": server.openai, "anthropic": server.root, "gemini": server.gemini}
    return f"{dialect}/m@{bases[dialect]}"


def outcomes(path: Path) -> dict[str, int]:
    with Store.open(path, readonly=True) as store:
        rows = store.rows()
        return dict(rows.group_by("outcome").len().iter_rows())


DIALECTS = ["openai", "anthropic", "gemini"]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_all_calls_go_in_one_batch(dialect: str, tmp_path: Path) -> None:
    async with BatchServer(looks=3) as server:
        summary = await hold(tmp_path / "s.db", who(server, dialect), N)
    assert (summary.ended, summary.done, summary.errors) == ("complete", N, 0)
    assert len(server.jobs) == 1 and len(server.jobs[0].rows) == N
    assert set(server.paid.values()) == {1} and len(server.paid) == N
    assert not server.alone
    assert sum(outcomes(tmp_path / "s.db").values()) == N
