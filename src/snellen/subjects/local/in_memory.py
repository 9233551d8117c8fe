"""A model that is in memory already, in the middle of its training perhaps, as a subject.

It is asked through a copy of its modules that shares all weights (`LoadedModel.again`): whatever answering changes
about a model, from its mode to its hooks and settings, changes in the copy only. The copy lasts as long as the subject
is open and takes next to no memory.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from snellen.errors import UserError, in_one_line
from snellen.subjects import settings
from snellen.subjects.local.base import OF_THE_MODEL
from snellen.subjects.local.loading import LoadedModel
from snellen.subjects.local.model import LoadedWeights, LocalModel, Placement
from snellen.subjects.local.running import Runner, side_by_side
from snellen.subjects.local.subject import SCHEMA, TOKENS

REMEMBERED = 2**28
"""Bytes of image features that are remembered: a training leaves little room."""


class ModelInMemory(LocalModel):
    """A model with its weights as they are now; `name`: what results call it. Every such subject is another one: what
    was asked of the weights at another time says nothing about them now.

    Raises `UserError` for a model whose weights are spread over processes (FSDP, DeepSpeed ZeRO-3, tensor parallelism),
    and for a processor that takes no pictures.
    """

    def __init__(self, name: str, model: Any, processor: Any, *, max_tokens: int, batch: int) -> None:
        whole = unwrapped(model)
        check_whole(whole)
        if not hasattr(processor, "image_processor") or not hasattr(processor, "tokenizer"):
            raise UserError(f"expected the model's processor, as of AutoProcessor; found {type(processor).__name__}")
        kind, folder = type(whole).__name__, Path(str(whole.config.name_or_path) or type(whole).__name__)
        self._lent = LoadedModel(whole, processor, folder, str(whole.device))
        dtype = str(whole.dtype).removeprefix("torch.")
        super().__init__(name, LoadedWeights(folder, None, dtype), Placement(str(whole.device), batch, TOKENS))
        values = settings.read([("max_tokens", str(max_tokens))], SCHEMA, name)
        keyed = {key: value for key, value in settings.keyed(values, SCHEMA).items() if key not in OF_THE_MODEL}
        own = {"architecture": kind, "dtype": dtype, "weights": weights_now()}
        self._settings = MappingProxyType({**keyed, **own})

    @property
    def per_call(self) -> Mapping[str, Callable[[str], Any]]:
        varied = (setting for setting in SCHEMA if setting.in_key and setting.name not in OF_THE_MODEL)
        return {setting.name: settings.reader(setting, self._name) for setting in varied}

    def load(self) -> LoadedModel:
        processor = deepcopy(self._lent.processor)  # it is told to remember pictures, and to pad on the left
        processor.tokenizer.padding_side = "left"
        if processor.tokenizer.pad_token_id is None:
            processor.tokenizer.pad_token = processor.tokenizer.eos_token
        try:
            copied = self._lent.again()
        except Exception as error:  # something that hangs on the model: a hook with a lock, a tensor with a gradient
            raise UserError(f"{self._name}: the model in memory cannot be shared ({in_one_line(error)})") from error
        return replace(copied, model=copied.model.eval(), processor=processor)

    def computes_in(self, loaded: LoadedModel) -> str:
        # accelerate puts mixed precision around a model's forward
        return "mixed" if "_original_forward" in vars(loaded.model) else super().computes_in(loaded)

    def runners(self, loaded: LoadedModel) -> list[Runner]:
        return side_by_side(loaded, 1, REMEMBERED)


def weights_now() -> str:
    """An identity for weights that will be others at the next step."""
    return f"in memory {uuid4().hex[:12]}"


def unwrapped(model: Any) -> Any:
    """The Hugging Face model inside what trains it: DDP, torch.compile, PEFT (whose layers stay in place)."""
    while True:
        kind = type(model).__name__
        if kind in ("DistributedDataParallel", "DataParallel", "DeepSpeedEngine"):
            model = model.module
        elif hasattr(model, "_orig_mod"):
            model = model._orig_mod
        elif hasattr(model, "get_base_model") and hasattr(model, "peft_config"):
            if any(getattr(config, "is_prompt_learning", False) for config in model.peft_config.values()):
                raise UserError("learned prompts are no part of the model in memory; examine saved checkpoints instead")
            model = model.get_base_model()
        else:
            return model


def check_whole(model: Any) -> None:
    """Raise `UserError` if this process has only a part of the weights."""
    fsdp = any(getattr(part, "_is_fsdp_managed_module", False) for part in model.modules())
    if fsdp or any(
        hasattr(weight, "ds_id") or type(weight.data).__name__ == "DTensor" for weight in model.parameters()
    ):
        raise UserError(
            "the weights are spread over processes (FSDP, DeepSpeed ZeRO-3, tensor parallelism), and a model in memory"
            " can be examined with DDP or ZeRO-1 and 2 only; examine saved checkpoints instead"
        )


@contextmanager
def undisturbed(model: Any) -> Iterator[None]:
    """While this lasts every part of the model is in evaluation mode; then modes and all random states (Python, NumPy,
    torch, each GPU) are as they were."""
    import random

    import numpy as np
    import torch

    modes = [(part, part.training) for part in model.modules()]
    python, numpy = random.getstate(), np.random.get_state()
    gpus = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []
    try:
        with torch.random.fork_rng(devices=gpus):
            for part, _ in modes:
                part.training = False  # a forward that was replaced may hold on to the model itself, not its copy
            yield
    finally:
        for part, was in modes:
            part.training = was
        random.setstate(python)
        np.random.set_state(numpy)
        if gpus:
            torch.cuda.empty_cache()  # what the exam leaves in its own stream's pool, the training cannot use
