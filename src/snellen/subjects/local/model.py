"""A Hugging Face image-text model that answers calls, in whatever process it is: batches, on one device."""

import gc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from snellen.call import Call, Message, Reply
from snellen.subjects.batched import Batched
from snellen.subjects.local.loading import load
from snellen.subjects.local.prompting import text_of
from snellen.subjects.local.prompts import Prompt, Prompts
from snellen.subjects.local.running import Runner, side_by_side

LANES = 2
"""Threads that give a GPU its work: while one waits for it or reads its answers, it has the other's to do."""


def is_gpu(device: str) -> bool:
    return device.startswith("cuda")


def lanes(device: str) -> int:
    return LANES if is_gpu(device) else 1


@dataclass(frozen=True)
class Weights:
    """What is loaded, and in what numbers it computes."""

    folder: Path
    adapter: Path | None
    dtype: str


class LocalModel(Batched[Prompt]):
    """A model on one device. `most`: calls and tokens at once."""

    def __init__(self, name: str, weights: Weights, device: str, most: tuple[int, int]) -> None:
        super().__init__(name, {}, batch=most[0], tokens=most[1])
        self._weights = weights
        self._device = device
        self._prompts: Prompts | None = None
        self._runners: list[Runner] = []

    def open(self) -> int:
        loaded = load(self._weights.folder, self._weights.adapter or "", self._weights.dtype, self._device)
        text_of(loaded, (Message("user", ("?",)),))  # a model that cannot be asked is told of now
        self._prompts = Prompts(loaded)
        self._runners = side_by_side(loaded, lanes(self._device))
        return len(self._runners)

    def prepare(self, call: Call) -> Prompt:
        if self._prompts is None:
            raise RuntimeError(f"{self.name} is asked before it is opened")
        return self._prompts.of(call)

    def work(self, worker: int, batch: Sequence[Prompt]) -> list[Reply]:
        replies = self._runners[worker].answer(batch)
        return [replace(reply, model=self._weights.folder.name) for reply in replies]

    def close(self) -> None:
        self._prompts, self._runners = None, []
        gc.collect()  # models and their features hold on to each other
