"""Coroutines run to their end on either event loop, and beside one that is running."""

import asyncio
import sys

import pytest

from snellen.engine.event_loop import run_to_end


async def _loop() -> str:
    return type(asyncio.get_running_loop()).__module__


async def _beside() -> str:
    return run_to_end(_loop())


@pytest.mark.parametrize("coroutine", [_loop, _beside])
def test_calls_run_on_uvloop_and_without_it_on_asyncio(coroutine, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvloop", reason="not made for this platform")
    assert run_to_end(coroutine()) == "uvloop"
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert run_to_end(coroutine()).startswith("asyncio")
