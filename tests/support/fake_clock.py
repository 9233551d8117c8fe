"""An event loop whose clock jumps: whoever sleeps an hour is back at once, and the loop's time says it was an hour."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Never waits: where it would, the clock moves on."""

    jumped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everybody waits for somebody else")
            self.jumped += max(timeout, 0.0)
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.jumped


def run_jumping(work: Coroutine[Any, Any, T]) -> T:
    """What the work comes to, with all its sleeping done in no time."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(work)
