"""`local/PATH_OR_HUB_ID[:setting=value,...]`: a Hugging Face image-text model in this very process."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from functools import partial
from types import MappingProxyType, TracebackType
from typing import Any, Self

from snellen.call import Abilities, Call, Reply
from snellen.subjects import settings
from snellen.subjects.hosted import Hosted, Making
from snellen.subjects.local.extras import require
from snellen.subjects.local.fingerprint import fingerprint
from snellen.subjects.local.folders import checked_adapter, checked_folder
from snellen.subjects.local.helpers import helpers_for
from snellen.subjects.local.loading import devices
from snellen.subjects.local.model import LoadedWeights, LocalModel, Placement, is_gpu, lanes
from snellen.subjects.local.placing import BITS, MAPS, Fitting, check, check_devices
from snellen.subjects.settings import STOP, Schema, SubjectSetting, Value, number, one_of, strings, whole, words
from snellen.subjects.trained_on import trained_on

MAX_TOKENS = 1024
BATCH, BATCH_ON_GPU = 32, 128
"""The most calls of a batch, if nobody says so: a GPU would be done with fewer before it is given the next."""
TOKENS = 65_536
"""The most tokens of a batch, padding included."""

SCHEMA: Schema = (
    SubjectSetting("adapter", "a folder saved by peft or snellen lab train", words),
    SubjectSetting(
        "dtype", "one of auto, bfloat16, float16, float32", one_of("auto", "bfloat16", "float16", "float32"), "auto"
    ),
    SubjectSetting("load", "4bit or 8bit: weights rounded by bitsandbytes", one_of(*BITS)),
    SubjectSetting("temperature", "a number from 0 to 2", number(0, 2), 0),
    SubjectSetting("max_tokens", "a whole number from 1", whole(1, 10_000_000), MAX_TOKENS),
    SubjectSetting("top_p", "a number from 0 to 1", number(0, 1)),
    SubjectSetting("system", "some words", words),
    SubjectSetting("stop", STOP, strings),
    SubjectSetting("logprobs", "a whole number from 0 to 20: alternatives recorded per token", whole(0, 20)),
    SubjectSetting(
        "score", "true: answer with the likeliest label of a choice instead of generated text", one_of("true")
    ),
    SubjectSetting("device", "auto, cpu, cuda (all GPUs) or one such as cuda:1", words, "auto", in_key=False),
    SubjectSetting(
        "device_map", f"one of {', '.join(MAPS)}: one copy spread over all GPUs", one_of(*MAPS), in_key=False
    ),
    SubjectSetting("batch", "a whole number from 1: the most calls at once on a device", whole(1, 4096), in_key=False),
    SubjectSetting(
        "tokens", "a whole number from 1: the most tokens at once on a device", whole(1, 10**9), TOKENS, in_key=False
    ),
    SubjectSetting(
        "processes",
        "a whole number from 1: processes for each device, each with the weights; one for a GPU, none for a CPU",
        whole(1, 64),
        in_key=False,
    ),
)
_OF_THE_MODEL = ("adapter", "dtype", "load")
"""Settings that make another model of it, and so cannot differ from call to call."""


def local_subject(where: str, pairs: Sequence[tuple[str, str]]) -> "LocalSubject":
    """The subject of that name. Says at once what is wrong with it, as far as its files tell: a model that is only on
    the Hub is downloaded for that. Nothing is loaded into memory."""
    require()
    whose = f"local/{where}"
    values = settings.read(pairs, SCHEMA, whose)
    return LocalSubject(where, values, whose)


class LocalSubject:
    """A model of one's own. What is recorded with its calls holds its fingerprint. On a GPU it works in a process of
    its own, one for each GPU; on a CPU in this one."""

    def __init__(self, where: str, values: Mapping[str, Value], whose: str) -> None:
        adapter = checked_adapter(str(values["adapter"])) if "adapter" in values else None
        self._weights = LoadedWeights(checked_folder(where), adapter, str(values["dtype"]), str(values.get("load", "")))
        self._fitting = Fitting(self._weights.bits, str(values.get("device_map", "")))
        self._trained_on = trained_on(self._weights.folder, adapter)
        self._device = str(values["device"])
        self._processes = int(values.get("processes", 0))
        check_devices(self._fitting, self._device, self._processes)
        check(self._fitting)
        self._batch = int(values.get("batch", 0))
        self._tokens = int(values["tokens"])
        self._whose = whose
        self._name = whose + settings.written(values, SCHEMA)
        keyed = {name: value for name, value in settings.keyed(values, SCHEMA).items() if name not in _OF_THE_MODEL}
        self._settings = MappingProxyType({**keyed, **fingerprint(*astuple(self._weights))})
        self._workers = 1
        self._model: LocalModel | Hosted | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._settings

    @property
    def abilities(self) -> Abilities:
        varied = (setting for setting in SCHEMA if setting.in_key and setting.name not in _OF_THE_MODEL)
        per_call = {setting.name: settings.reader(setting, self._whose) for setting in varied}
        batch = self._batch or BATCH
        return Abilities(
            trained_on=self._trained_on,
            together=2 * batch * self._workers,
            batch=batch,
            in_process=True,
            per_call=per_call,
        )

    async def __aenter__(self) -> Self:
        places = await asyncio.to_thread(devices, self._device)
        if self._fitting.device_map:
            places = places[:1]
        self._batch = self._batch or (BATCH_ON_GPU if any(map(is_gpu, places)) else BATCH)
        model = self._placed(places)
        await model.__aenter__()
        self._model, self._workers = (
            model,
            max(self._processes, 1) * sum(lanes(place, self._fitting) for place in places),
        )
        return self

    def _placed(self, places: Sequence[str]) -> LocalModel | Hosted:
        """The model where it is to work: in processes of its own, or, on a CPU, in this one."""
        placement = partial(Placement, batch=self._batch, tokens=self._tokens, device_map=self._fitting.device_map)
        if not self._processes and not any(map(is_gpu, places)):
            return LocalModel(self._name, self._weights, placement(places[0], helpers=0))
        every = [place for place in places for _ in range(max(self._processes, 1))]
        told = [placement(place, helpers=helpers_for(len(every))) for place in every]
        makings = [
            Making(LocalModel.__module__, LocalModel.__name__, (self._name, self._weights, device)) for device in told
        ]
        return Hosted(self._name, makings)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        model, self._model = self._model, None
        if model is not None:
            await model.__aexit__(kind, error, trace)

    async def answer(self, call: Call) -> Reply:
        if self._model is None:
            raise RuntimeError(f"{self._name} was asked before it was opened")
        return await self._model.answer(call)
