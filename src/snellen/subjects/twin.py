"""The oracle: a describer that never errs, because it answers with the item's twin."""

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from snellen.call import Call, CallFailed, Reply
from snellen.item import NOTHING


def twin_of(call: Call) -> str:
    """The exact words for what the call shows."""
    if call.about is None or not call.about.twin:
        what = call.about.item.id if call.about else "the call"
        raise CallFailed("rejected", f"{what} has no twin, so there are no exact words for it")
    return call.about.twin


class TwinSubject:
    """Answers every call with the twin of what it is about."""

    name = "twin"
    settings: Mapping[str, str] = NOTHING

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def answer(self, call: Call) -> Reply:
        return Reply(twin_of(call))
