"""The first call of a subject goes out alone, so that a wrong name or key costs one call and not as many as go at once.

Whoever waits goes as soon as one is answered, which costs one round trip; or after a few seconds without any answer,
for a slow one betrays no wrong name. If the call that went alone fails and the run goes on, the next one goes alone.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from snellen.call import CallFailed

_SECONDS = 5.0
"""How long the others wait at most: servers that refuse do so at once."""


class FirstCall:
    """One for each subject behind a server."""

    def __init__(self) -> None:
        self.is_over = False
        """True once calls need not wait for each other."""
        self._turn = asyncio.Semaphore(1)
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and end it. After a fatal failure nobody is let go: the run is about to be stopped."""
        await self._turn.acquire()
        if self.is_over:
            self._turn.release()
            yield
            return
        self._timer = asyncio.get_running_loop().call_later(_SECONDS, self.end)
        try:
            yield
        except CallFailed as failure:
            if not failure.fatal:
                self._pass_on()
            raise
        except BaseException:
            self._pass_on()
            raise
        self.is_over = True
        self._pass_on()

    def end(self) -> None:
        """Let everybody go."""
        self.is_over = True
        self._turn.release()

    def hold(self) -> None:
        """Let nobody go for now: an attempt has failed, and will be repeated."""
        if self._timer is not None:
            self._timer.cancel()

    def _pass_on(self) -> None:
        self.hold()
        self._turn.release()
