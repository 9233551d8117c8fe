"""`local/tiny`: a real model that comes with the package and runs without torch. CARD.md beside this says how it was
made. It has seen the boards of one task and nothing else of the world, and has a habit of its own."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.errors import UserError
from snellen.item import Item, content_digest
from snellen.subjects.threads import Threads

NAME = "local/tiny"
FILE = Path(__file__).with_name("model.safetensors")
MAX_TOKENS = 64
_THREADS = min(4, os.cpu_count() or 1)


def known(item: Item) -> bool:
    """Whether it was ever shown anything like this."""
    return item.task == "fixation" and item.levels["size"] == "small"


class Tiny:
    """A call in each of a few threads. Its matrices are so small that a core of its own for each call is four times as
    fast as all cores for one."""

    name = NAME
    abilities = Abilities(pictures=1, knows=known, together=_THREADS, in_process=True)

    def __init__(self) -> None:
        weights = content_digest(FILE.read_bytes())[:12]
        self.settings: Mapping[str, Any] = MappingProxyType({"weights": weights, "max_tokens": MAX_TOKENS})
        self._threads: Threads | None = None
        self._limits: Any = None

    def __repr__(self) -> str:
        return f"Tiny({NAME})"

    async def __aenter__(self) -> Self:
        from threadpoolctl import threadpool_limits

        self._limits = threadpool_limits(1, "blas")
        self._threads = Threads(_THREADS, NAME)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._threads is not None:
            self._threads.close()
            self._threads = None
            self._limits.restore_original_limits()

    async def answer(self, call: Call) -> Reply:
        if self._threads is None:
            raise RuntimeError(f"{NAME} is asked before it is opened")
        if len(call.messages) > 1:
            raise CallFailed("rejected", f"{NAME} takes one message; it was never taught to take turns")
        reply = await self._threads.run(partial(self._said, call))
        assert isinstance(reply, Reply)  # noqa: S101 - what `_said` gives
        return reply

    def _said(self, call: Call) -> Reply:
        from snellen.subjects.tiny.speaking import speaker  # read in the thread, and by those alone who ask

        return speaker(FILE).answer(call.messages[0].parts, int(call.settings["max_tokens"]))


def tiny_subject(pairs: tuple[tuple[str, str], ...] = ()) -> Tiny:
    if pairs:
        raise UserError(f"subject {NAME}: it has no settings; write {NAME}")
    return Tiny()
