"""`local/PATH_OR_HUB_ID[:setting=value,...]`: a Hugging Face image-text model in this very process."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from snellen.subjects import settings
from snellen.subjects.hosted import Hosted, Making
from snellen.subjects.local.base import OpenedModel, WeightsSubject
from snellen.subjects.local.dtypes import computed_dtype
from snellen.subjects.local.extras import require
from snellen.subjects.local.folders import checked_adapter, checked_folder
from snellen.subjects.local.helpers import helpers_for
from snellen.subjects.local.loading import devices
from snellen.subjects.local.model import LoadedWeights, LocalModel, Placement, is_gpu, lanes
from snellen.subjects.local.placing import BITS, MAPS, Fitting, check, check_devices
from snellen.subjects.settings import STOP, Schema, SubjectSetting, Value, number, one_of, strings, whole, words

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


def local_subject(where: str, pairs: Sequence[tuple[str, str]]) -> "LocalSubject":
    """The subject of that name. Says at once what is wrong with it, as far as its files tell: a model that is only on
    the Hub is downloaded for that. Nothing is loaded into memory."""
    require()
    whose = f"local/{where}"
    values = settings.read(pairs, SCHEMA, whose)
    return LocalSubject(where, values, whose)


class LocalSubject(WeightsSubject):
    """On a GPU it works in a process of its own, one for each GPU; on a CPU in this one."""

    def __init__(self, where: str, values: Mapping[str, Value], whose: str) -> None:
        adapter = checked_adapter(str(values["adapter"])) if "adapter" in values else None
        folder, self._device = checked_folder(where), str(values["device"])
        dtype = computed_dtype(folder, str(values["dtype"]), self._device)
        weights = LoadedWeights(folder, adapter, dtype, str(values.get("load", "")))
        self._fitting = Fitting(weights.bits, str(values.get("device_map", "")))
        self._processes = int(values.get("processes", 0))
        check_devices(self._fitting, self._device, self._processes)
        check(self._fitting)
        self._given_batch = int(values.get("batch", 0))
        self._tokens = int(values["tokens"])
        super().__init__(whose, SCHEMA, values, weights, self._given_batch or BATCH)

    async def placed(self) -> OpenedModel:
        """The model in processes of its own, or, on a CPU, in this one."""
        places = await asyncio.to_thread(devices, self._device)
        if self._fitting.device_map:
            places = places[:1]
        batch = self._given_batch or (BATCH_ON_GPU if any(map(is_gpu, places)) else BATCH)
        placement = partial(Placement, batch=batch, tokens=self._tokens, device_map=self._fitting.device_map)
        workers = max(self._processes, 1) * sum(lanes(place, self._fitting) for place in places)
        if not self._processes and not any(map(is_gpu, places)):
            return OpenedModel(LocalModel(self._name, self._weights, placement(places[0], helpers=0)), workers, batch)
        every = [place for place in places for _ in range(max(self._processes, 1))]
        told = [placement(place, helpers=helpers_for(len(every))) for place in every]
        makings = [
            Making(LocalModel.__module__, LocalModel.__name__, (self._name, self._weights, device)) for device in told
        ]
        return OpenedModel(Hosted(self._name, makings), workers, batch)
