"""A processor's work in processes of its own: nothing of it is done where a GPU is given its work.

A thread that gives a GPU its work lets go of the interpreter at each of a thousand operations a batch, and wants it
back at once. Whoever computes in Python beside it makes it wait each time, and the GPU with it. What helpers make of
pictures is large: it is handed over in files that are mapped, not read, in the very numbers that the model computes in.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import count
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from snellen.call import CallFailed
from snellen.errors import UserError
from snellen.item import Picture
from snellen.plugins import where
from snellen.subjects.local.loading import picture_token_id, quiet
from snellen.subjects.local.processing import ProcessedPictures, Processing, ProcessingHere, Processor, Shape, Written
from snellen.subjects.local.processors import processor_of

MOST = 4
"""Helpers of one model: a few hundred calls a second, which is what a GPU answers, take less."""
T = TypeVar("T")


class Failed(NamedTuple):
    """An error on its way: not every one can be sent, and none would say where it was."""

    words: str


def helpers_for(models: int) -> int:
    """How many helpers each of so many models has: half of the machine's cores, shared among them."""
    return max(1, min(MOST, (os.cpu_count() or 1) // (2 * models)))


class Helpers:
    """Processes that do the work of the processor in a model's folder. They are long in starting, and do so at once."""

    def __init__(self, folder: Path, many: int) -> None:
        self._folder = folder
        self._pool = ProcessPoolExecutor(many, get_context("spawn"), initializer=_begin, initargs=(folder,))
        self._starting = [self._pool.submit(_begun) for _ in range(many)]
        self._between = TemporaryDirectory(prefix="snellen", ignore_cleanup_errors=True)

    def started(self, dtype: Any) -> Processing:
        """The helpers once they are there, for a model that computes in such numbers."""
        for process in self._starting:
            if (failed := self._ended(process)) is not None:
                raise UserError(f"{self._folder}: {failed.words}")
        return _Helped(self, Path(self._between.name), str(dtype).removeprefix("torch."))

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._between.cleanup()

    def ask(self, work: Callable[..., T], *about: Any) -> T:
        """Run `work` in one of the helper processes and return its result; raises `CallFailed` if it fails."""
        answer = self._ended(self._pool.submit(_safely, work, *about))
        if isinstance(answer, Failed):
            raise CallFailed("rejected", f"{self._folder}: {answer.words}")
        return answer

    def _ended(self, work: "Future[T]") -> T:
        try:
            return work.result()
        except BrokenProcessPool as error:
            problem = f"{self._folder}: a preprocessing process ended, possibly for lack of memory"
            raise CallFailed("connection", problem, fatal=True) from error


class _Helped:
    """Processing by helpers."""

    def __init__(self, helpers: Helpers, between: Path, dtype: str) -> None:
        self._helpers = helpers
        self._between = between
        self._numbers = count()
        self._dtype = dtype

    def written(self, shape: Shape, labels: Sequence[str]) -> Written:
        from torch import from_numpy

        def tensors(arrays: Mapping[str, Any]) -> dict[str, Any]:
            return {name: from_numpy(array) for name, array in arrays.items()}

        answer = self._helpers.ask(_written, shape, labels)
        return answer._replace(words=tensors(answer.words), about=tensors(answer.about))

    def seen(self, pictures: Sequence[Picture]) -> ProcessedPictures:
        from safetensors.torch import load_file

        file = self._between / str(next(self._numbers))
        tokens = self._helpers.ask(_seen, [picture.bare for picture in pictures], self._dtype, file)
        tensors = load_file(file)
        with suppress(OSError):  # some systems keep what is mapped
            file.unlink()
        return ProcessedPictures(tensors, tokens)


# In a helper

_here: list[Any] = []
"""Who does its work, once it has begun; or why it could not."""


def _begin(folder: Path) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    _here.append(_safely(_processing, folder))


def _begun() -> Failed | None:
    return _here[0] if isinstance(_here[0], Failed) else None


def _processing(folder: Path) -> Processing:
    import torch
    from transformers import AutoConfig

    torch.set_num_threads(1)  # helpers are many
    quiet()
    token = picture_token_id(AutoConfig.from_pretrained(folder, local_files_only=True))
    return ProcessingHere(Processor(processor_of(folder), folder, token))


def _safely(work: Callable[..., T], *about: Any) -> T | Failed:
    try:
        return work(*about)
    except Exception as error:
        return Failed(where(error))


def _end_with_parent() -> None:
    """A pool's processes would outlive one who was killed."""
    if (parent := parent_process()) is not None:
        parent.join()
    os._exit(1)


def _written(shape: Shape, labels: Sequence[str]) -> Written:
    """Arrays in place of tensors, which would take a detour through files."""
    text: Written = _here[0].written(shape, labels)
    words, about = ({name: tensor.numpy() for name, tensor in part.items()} for part in (text.words, text.about))
    return text._replace(words=words, about=about)


def _seen(pictures: Sequence[Picture], dtype: str, file: Path) -> int:
    """Leaves what is seen in a file; how many tokens it takes."""
    import torch
    from safetensors.torch import save_file

    seen: ProcessedPictures = _here[0].seen(pictures)
    numbers = getattr(torch, dtype)
    kept = {name: tensor.to(numbers) if tensor.is_floating_point() else tensor for name, tensor in seen.tensors.items()}
    save_file({name: tensor.contiguous() for name, tensor in kept.items()}, file)
    return seen.tokens
