"""What a job asks with: `Engine.ask`, and note of what it asked."""

from collections.abc import Awaitable, Callable

from snellen.call import Call, Reply, Subject
from snellen.engine.engine import Engine


class JobAsk:
    """`Engine.ask` for one job; records the keys of its calls."""

    __slots__ = ("_engine", "_one_more", "keys", "open")

    def __init__(self, engine: Engine, one_more: Callable[[], None]) -> None:
        self._engine = engine
        self._one_more = one_more
        self.keys: list[bytes] = []
        self.open: list[bytes] = []
        """Calls without an answer yet; kept only where calls may go in batches."""

    def __call__(self, subject: Subject, call: Call) -> Awaitable[Reply]:
        self.keys.append(call.key)
        batches = self._engine.batches
        if batches is None:
            return self._engine.ask(subject, call)
        if batches.takes(subject):
            self._one_more()
        return self._noted(subject, call)

    async def _noted(self, subject: Subject, call: Call) -> Reply:
        self.open.append(call.key)
        try:
            return await self._engine.ask(subject, call)
        finally:
            self.open.remove(call.key)


def answer_last(calls: list[bytes], asides: int) -> list[bytes]:
    """Order a trial's calls so that the one that brought the answer comes last."""
    return calls[len(calls) - asides :] + calls[: len(calls) - asides]
