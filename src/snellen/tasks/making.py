"""Stimuli in parallel processes, in the same order and with the same bytes as in one.

A task that can make any item by itself is split into stretches of items; the others are made one after another. Each
process finds the task anew by its name, so nothing but plain values passes between processes.
"""

import os
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context

from snellen.item import Stimulus
from snellen.prompts import load
from snellen.tasks import task as find_task
from snellen.tasks.task import Design, Task

STRETCH = 25
"""Items a process makes at a time: enough to be worth the way, few enough for a bar to move."""
FEW = 4 * STRETCH
"""So few items are made sooner than processes are started."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some items of one kind, and how they are asked."""

    task: str
    design: Design
    kind: Mapping[str, str]
    first: int
    count: int
    seed: int


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made: n items of a task, which is found by `name` (that of a file of one's own may differ from what
    the task calls itself), under a design."""

    name: str
    task: Task
    design: Design
    n: int
    seed: int


def make_stimuli(order: Order, processes: int | None = None) -> Iterator[Stimulus]:
    """Every stimulus that was ordered."""
    task = order.task
    workers = processes or os.cpu_count() or 1
    if task.item is None or workers == 1 or order.n < FEW:
        return task.stimuli(order.design, order.n, order.seed, load(task.prompts, task.name))
    return _in_processes(_stretches(order), workers)


def _stretches(order: Order) -> Iterator[Stretch]:
    for kind, count in order.task.counts(order.task.item_levels(order.design), order.n):
        for first in range(0, count, STRETCH):
            yield Stretch(order.name, order.design, dict(kind), first, min(STRETCH, count - first), order.seed)


def _in_processes(stretches: Iterator[Stretch], workers: int) -> Iterator[Stimulus]:
    """Stretches done side by side and given back in order; a few ahead, so that memory stays bounded."""
    # Started anew rather than forked: a process with threads of its own (polars) must not be forked.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        under_way: deque[Future[list[Stimulus]]] = deque()
        try:
            for stretch in islice(stretches, 2 * workers):
                under_way.append(pool.submit(_make, stretch))
            while under_way:
                done = under_way.popleft().result()
                under_way.extend(pool.submit(_make, stretch) for stretch in islice(stretches, 1))
                yield from done
        finally:
            for waiting in under_way:
                waiting.cancel()


def _make(stretch: Stretch) -> list[Stimulus]:
    task = find_task(stretch.task)
    make = task.item
    if make is None:
        raise TypeError(f"task {stretch.task} cannot make items one by one")
    pack = load(task.prompts, task.name)
    made = (make(stretch.kind, stretch.first + k, stretch.seed) for k in range(stretch.count))
    return [
        task.stimulus(item, condition, pack) for item in made for condition in task.conditions(stretch.design, item)
    ]
