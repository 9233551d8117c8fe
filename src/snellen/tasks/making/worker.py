"""A worker process: reads what to make from its standard input, writes what it made to its standard output.

It finds tasks anew by name, so that nothing but plain values passes between processes, and ends when its input does:
whoever started it may die at any moment. What tasks print goes to standard error. Ctrl-C is for the process that
started it to hear. Drawing can wait and calls cannot, so it gives way to the process that makes the calls.
"""

import os
import pickle
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from typing import IO, Any, NamedTuple

from snellen.errors import UserError
from snellen.item import Item
from snellen.shard import Shard
from snellen.tasks import pack_of
from snellen.tasks import task as find_task
from snellen.tasks.making.order import ItemMaker, ItemRequest, Origin, Place
from snellen.tasks.task import Design

_GIVE_WAY = 5
"""By how many steps of niceness a worker gives way: enough that calls go first, and any other program does not starve
it."""
_LENGTH = 8
_REMEMBERED = 8


class WorkerOrder(NamedTuple):
    """An order as it travels, but for the items chosen from it."""

    origin: Origin
    design: Design
    n: int
    seed: int
    probed: bool
    pictured: bool = True
    shard: Shard | None = None


Request = tuple[WorkerOrder, tuple[Place, ...] | None, tuple[Item, ...] | None, int, int]
"""What to make of it: the items chosen, or those given, if they are; the first one wanted, and how many."""


def send(pipe: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(data).to_bytes(_LENGTH, "big"))
    pipe.write(data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """The next value; EOFError if the other side is gone. Both sides are ours."""
    length = pipe.read(_LENGTH)
    if len(length) < _LENGTH:
        raise EOFError
    data = pipe.read(int.from_bytes(length, "big"))
    return pickle.loads(data)  # noqa: S301 - from a process of our own


def answer(request: Request, makers: dict[bytes, ItemMaker]) -> Any:
    """What was made, or the line that says why not."""
    recipe, chosen, given, first, count = request
    key = pickle.dumps(recipe)
    try:
        if key not in makers:
            if len(makers) >= _REMEMBERED:
                makers.clear()
            makers[key] = _maker(recipe)
        maker = makers[key]
        if chosen is not None or given is not None:
            maker = ItemMaker(replace(maker.order, chosen=chosen, given=given))
        return maker.make(first, count)
    except UserError as error:
        return error


def _maker(recipe: WorkerOrder) -> ItemMaker:
    origin = recipe.origin
    task = find_task(origin.name, origin.data)
    pack = pack_of(task, origin.prompts)
    order = ItemRequest(task, recipe.design, recipe.n, recipe.seed, pack, origin, recipe.probed)
    return ItemMaker(replace(order, pictured=recipe.pictured, shard=recipe.shard))


def give_way() -> None:
    """Let the process that makes the calls go first, where the platform knows how."""
    with suppress(AttributeError, OSError):
        os.nice(_GIVE_WAY)


def main() -> None:
    give_way()
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    makers: dict[bytes, ItemMaker] = {}
    try:
        while True:
            send(replies, answer(receive(requests), makers))
    except (EOFError, BrokenPipeError):
        return


if __name__ == "__main__":
    main()
