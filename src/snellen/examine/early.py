"""Items made while models are loaded, so that a model that is ready need not wait for its first questions.

Loading takes many seconds, and some items take as many to draw. What was made before is not made again; no more is made
than fits into memory.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

from snellen.engine import Store
from snellen.errors import UserError
from snellen.examine.catalogue import Catalogue
from snellen.examine.plan import ExamPlan
from snellen.tasks.making import ItemPool, MadeItem

MOST = 256
"""So many items at most."""


async def making_items_until(opened: Awaitable[None], plan: ExamPlan, path: Path, makers: ItemPool) -> None:
    """Wait until models are loaded; in the meantime make the first items that are not in the store at `path`."""
    making = asyncio.create_task(_make(plan, path, makers))
    try:
        await opened
    finally:
        making.cancel()
        with suppress(asyncio.CancelledError, UserError):  # what is wrong with a store or an item is said later
            await making


async def _make(plan: ExamPlan, path: Path, makers: ItemPool) -> None:
    with _known(path) as store:
        catalogue, left = Catalogue(store), MOST
        under_way: deque[Future[list[MadeItem]]] = deque()
        for order in (part.order for part in plan.parts if part.order.origin is not None):
            first = 0
            while first < order.size and left > 0:
                if catalogue.record(order, first):
                    first += 1
                    continue
                count = catalogue.unknown_from(order, first, makers.stretch(order, first))
                under_way.append(makers.make_early(order, first, count))
                first, left = first + count, left - count
                if len(under_way) >= makers.ahead:  # shielded: what is under way will be needed
                    await asyncio.shield(asyncio.wrap_future(under_way.popleft()))


def _known(path: Path) -> AbstractContextManager[Store | None]:
    return Store.open(path, readonly=True) if path.is_file() else nullcontext()
