"""A Hugging Face image-text model that answers calls, in whatever process it is: batches, on one device."""

import gc
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from snellen.call import Call, Message, Reply
from snellen.subjects.batched import Batched
from snellen.subjects.local.helpers import Helpers
from snellen.subjects.local.loading import LoadedModel, load
from snellen.subjects.local.placing import AS_IT_IS, Fitting
from snellen.subjects.local.processing import ProcessingHere, blank
from snellen.subjects.local.prompting import text_of
from snellen.subjects.local.prompts import Prompt, PromptMaker
from snellen.subjects.local.running import Runner, side_by_side
from snellen.subjects.local.selfcheck import answers_alike
from snellen.subjects.local.widths import widen

LANES = 3
"""Threads that give a GPU its work: while one waits for it or reads its answers, it has the others' to do."""
_WAITING = 64
"""Threads that wait for helpers: calls on one board come together, and all but one wait for the same."""
_BLANK, _SOME = (384, 384), 8
"""The picture that a model is warmed up with, and how many calls at once: of one call words are computed by other
programs than of several."""


def is_gpu(device: str) -> bool:
    return device.startswith("cuda")


def lanes(device: str, fitting: Fitting = AS_IT_IS) -> int:
    """Threads for a model on this device: one if it cannot be copied for several."""
    return LANES if is_gpu(device) and fitting.as_it_is else 1


@dataclass(frozen=True)
class LoadedWeights:
    """What is loaded, and in what numbers it computes."""

    folder: Path
    adapter: Path | None
    dtype: str
    bits: str = ""


class Placement(NamedTuple):
    """Where a model works, how many calls and tokens it is given at once, and how many processes make calls ready for
    it; 0: threads in its own process do. `device_map`: how it is spread over more devices than this, if it is."""

    device: str
    batch: int
    tokens: int
    helpers: int = 0
    device_map: str = ""


class LocalModel(Batched[Prompt]):
    """A model on one device."""

    def __init__(self, name: str, weights: LoadedWeights, place: Placement) -> None:
        preparing = {"preparing": _WAITING} if place.helpers else {}
        super().__init__(name, {}, batch=place.batch, tokens=place.tokens, **preparing)
        self._weights = weights
        self._place = place
        self._fitting = Fitting(weights.bits, place.device_map)
        self._helpers: Helpers | None = None
        self._prompts: PromptMaker | None = None
        self._runners: list[Runner] = []

    def open(self) -> int:
        if self._place.helpers:
            self._helpers = Helpers(self._weights.folder, self._place.helpers)
        try:
            loaded = self.load()
            text_of(loaded, (Message("user", ("?",)),))  # a model that cannot be asked is told of now
            self._runners = self.runners(loaded)
            if is_gpu(loaded.device):
                self._warm_up(loaded)
            processing = self._helpers.started(loaded.model.dtype) if self._helpers else ProcessingHere(loaded)
        except BaseException:
            self.close()
            raise
        self._prompts = PromptMaker(processing)
        if self._batch > 1 and not answers_alike(self._runners[0], self._prompts, self.computes_in(loaded)):
            self._batch = 1
            kind = type(loaded.model).__name__
            warnings.warn(f"{kind} answers a batch unlike single calls: asked one call at a time", stacklevel=2)
        return len(self._runners)

    def _warm_up(self, loaded: LoadedModel) -> None:
        """Answer something: a GPU loads each program that it computes with when it first does, which takes seconds."""
        call = Call(self.name, {"max_tokens": 1}, (Message("user", (blank(_BLANK), "?")),))
        with suppress(Exception):  # whoever cannot answer this may answer others, and says so if not
            prompt = PromptMaker(ProcessingHere(loaded)).of(call)
            for runner in self._runners:
                runner.answer([prompt] * min(_SOME, self._place.batch))

    def load(self) -> LoadedModel:
        weights = self._weights
        loaded = load(weights.folder, weights.adapter or "", weights.dtype, self._place.device, self._fitting)
        if is_gpu(loaded.device):
            widen(loaded.model)
        return loaded

    def computes_in(self, loaded: LoadedModel) -> str:
        """The kind of numbers, as torch calls it, by which answers are rounded."""
        return str(loaded.model.dtype)

    def runners(self, loaded: LoadedModel) -> list[Runner]:
        return side_by_side(loaded, lanes(self._place.device, self._fitting))

    def prepare(self, call: Call) -> Prompt:
        if self._prompts is None:
            raise RuntimeError(f"{self.name} was asked before it was opened")
        return self._prompts.of(call)

    def work(self, worker: int, batch: Sequence[Prompt]) -> list[Reply]:
        replies = self._runners[worker].answer(batch)
        return [replace(reply, model=self._weights.folder.name) for reply in replies]

    def close(self) -> None:
        if self._helpers is not None:
            self._helpers.close()
        self._helpers, self._prompts, self._runners = None, None, []
        gc.collect()  # models and their features hold on to each other
