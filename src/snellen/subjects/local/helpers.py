"""A processor's work in processes of its own: nothing of it is done where a GPU is given its work.

A thread that gives a GPU its work lets go of the interpreter at each of a thousand operations a batch, and wants it
back at once. Whoever computes in Python beside it makes it wait each time, and the GPU with it.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, Self, TypeVar

from snellen.call import CallFailed
from snellen.item import Picture
from snellen.subjects.local.loading import picture_token_id, processor_of, quiet
from snellen.subjects.local.processing import Processing, ProcessingHere, Processor, Seen, Shape, Written

MOST = 4
T = TypeVar("T")


def helpers_for(models: int) -> int:
    """How many helpers each of so many models on GPUs has: half of the machine's cores, shared among them."""
    return max(1, min(MOST, (os.cpu_count() or 1) // (2 * models)))


class Helpers:
    """Processes that do the work of one model's processor."""

    def __init__(self, folder: Path, many: int) -> None:
        self._folder = folder
        self._pool = ProcessPoolExecutor(many, get_context("spawn"), initializer=_begin, initargs=(folder,))
        self._starting = [self._pool.submit(_nothing) for _ in range(many)]

    def started(self) -> Self:
        """Waits until they are there: they are long in starting, and meanwhile others can be, too."""
        for each in self._starting:
            self._done(each.result)
        return self

    def written(self, shape: Shape, labels: Sequence[str]) -> Written:
        found = self._done(lambda: self._pool.submit(_written, shape, labels).result())
        return found._replace(words=_tensors(found.words), about=_tensors(found.about))

    def seen(self, pictures: Sequence[Picture]) -> Seen:
        found = self._done(lambda: self._pool.submit(_seen, [picture.bare for picture in pictures]).result())
        return found._replace(tensors=_tensors(found.tensors))

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _done(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except BrokenProcessPool as error:
            problem = f"{self._folder}: a process that makes calls ready ended; is the memory full?"
            raise CallFailed("connection", problem, fatal=True) from error


# What goes between processes: arrays, since a tensor would take a detour through files


def _arrays(tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tensor.numpy() for name, tensor in tensors.items()}


def _tensors(arrays: Mapping[str, Any]) -> dict[str, Any]:
    from torch import from_numpy

    return {name: from_numpy(array) for name, array in arrays.items()}


# In a helper

_here: list[Processing] = []
"""Who does its work, once it has begun."""


def _begin(folder: Path) -> None:
    import torch
    from transformers import AutoConfig

    Thread(target=_end_with_parent, daemon=True).start()
    torch.set_num_threads(1)  # helpers are many
    quiet()
    token = picture_token_id(AutoConfig.from_pretrained(folder, local_files_only=True))
    _here.append(ProcessingHere(Processor(processor_of(folder), folder, token)))


def _end_with_parent() -> None:
    """A pool's processes would outlive one who was killed."""
    if (parent := parent_process()) is not None:
        parent.join()
    os._exit(1)


def _nothing() -> None:
    return


def _written(shape: Shape, labels: Sequence[str]) -> Written:
    found = _here[0].written(shape, labels)
    return found._replace(words=_arrays(found.words), about=_arrays(found.about))


def _seen(pictures: Sequence[Picture]) -> Seen:
    found = _here[0].seen(pictures)
    return found._replace(tensors=_arrays(found.tensors))
