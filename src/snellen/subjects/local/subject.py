"""`local/PATH_OR_HUB_ID[:setting=value,...]`: a Hugging Face image-text model in this very process."""

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from snellen.call import Call, Message, Reply
from snellen.subjects import settings
from snellen.subjects.batched import Batched
from snellen.subjects.local.fingerprint import fingerprint
from snellen.subjects.local.loading import checked_adapter, checked_folder, devices, load, require
from snellen.subjects.local.prompting import text_of
from snellen.subjects.local.prompts import Prompt, Prompts
from snellen.subjects.local.running import Runner, side_by_side
from snellen.subjects.settings import Schema, Setting, Value, number, one_of, whole, words

MAX_TOKENS = 1024
BATCH = 32
TOKENS = 65_536
"""The most tokens of a batch, padding included."""

SCHEMA: Schema = (
    Setting("adapter", "a folder saved by peft or snellen train", words),
    Setting(
        "dtype", "one of auto, bfloat16, float16, float32", one_of("auto", "bfloat16", "float16", "float32"), "auto"
    ),
    Setting("temperature", "a number from 0 to 2", number(0, 2), 0),
    Setting("max_tokens", "a whole number from 1", whole(1, 10_000_000), MAX_TOKENS),
    Setting("top_p", "a number from 0 to 1", number(0, 1)),
    Setting("system", "some words", words),
    Setting("logprobs", "a whole number from 0 to 20: alternatives beside each token", whole(0, 20)),
    Setting("score", "true: the likeliest label of a choice, in place of words", one_of("true")),
    Setting("device", "auto, cpu, cuda (all GPUs) or one such as cuda:1", words, "auto", in_key=False),
    Setting("batch", "a whole number from 1: the most calls at once on a device", whole(1, 4096), BATCH, in_key=False),
    Setting(
        "tokens", "a whole number from 1: the most tokens at once on a device", whole(1, 10**9), TOKENS, in_key=False
    ),
)
LANES = 2
"""Threads that give a GPU its work: while one waits for it or reads its answers, it has the other's to do."""
_OF_THE_MODEL = ("adapter", "dtype")
"""Settings that make another model of it, and so cannot differ from call to call."""


def local_subject(where: str, pairs: Sequence[tuple[str, str]]) -> "LocalSubject":
    """The subject of that name. Says at once what is wrong with it, as far as its files tell: a model that is only on
    the Hub is downloaded for that. Nothing is loaded into memory."""
    require()
    whose = f"local/{where}"
    values = settings.read(pairs, SCHEMA, whose)
    return LocalSubject(where, values, whose)


def lanes(device: str) -> int:
    return LANES if device.startswith("cuda") else 1


class LocalSubject(Batched[Prompt]):
    """A model of one's own. What is recorded with its calls holds its fingerprint."""

    def __init__(self, where: str, values: Mapping[str, Value], whose: str) -> None:
        self._folder = checked_folder(where)
        self._adapter = checked_adapter(str(values["adapter"])) if "adapter" in values else None
        self._dtype, self._device = str(values["dtype"]), str(values["device"])
        self._whose = whose
        known = {name: value for name, value in settings.keyed(values, SCHEMA).items() if name not in _OF_THE_MODEL}
        super().__init__(
            whose + settings.written(values, SCHEMA),
            MappingProxyType({**known, **fingerprint(self._folder, self._adapter, self._dtype)}),
            batch=int(values["batch"]),
            tokens=int(values["tokens"]),
        )
        self._prompts: Prompts | None = None
        self._runners: list[Runner] = []

    @property
    def per_call(self) -> Mapping[str, Callable[[str], Any]]:
        varied = (setting for setting in SCHEMA if setting.in_key and setting.name not in _OF_THE_MODEL)
        return {setting.name: settings.reader(setting, self._whose) for setting in varied}

    def open(self) -> int:
        first, *others = devices(self._device)
        loaded = load(self._folder, self._adapter or "", self._dtype, first)
        rest = [load(self._folder, self._adapter or "", self._dtype, device) for device in others]
        text_of(loaded, (Message("user", ("?",)),))  # a model that cannot be asked is told of now
        self._prompts = Prompts(loaded)
        self._runners = [runner for each in (loaded, *rest) for runner in side_by_side(each, lanes(each.device))]
        return len(self._runners)

    def prepare(self, call: Call) -> Prompt:
        if self._prompts is None:
            raise RuntimeError(f"{self.name} is asked before it is opened")
        return self._prompts.of(call)

    def work(self, worker: int, batch: Sequence[Prompt]) -> list[Reply]:
        replies = self._runners[worker].answer(batch)
        return [replace(reply, model=self._folder.name) for reply in replies]

    def close(self) -> None:
        self._prompts, self._runners = None, []
        gc.collect()  # models and their features hold on to each other
