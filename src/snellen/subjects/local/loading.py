"""From the name of a model to a model that is ready: a folder or a model on the Hugging Face Hub, with an adapter.

Whatever is wrong with a folder is one line.
"""

import warnings
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.errors import UserError, in_one_line
from snellen.subjects.local.dtypes import computed_dtype
from snellen.subjects.local.extras import missing_library, require
from snellen.subjects.local.fingerprint import weights_digest
from snellen.subjects.local.folders import CONFIG, TRAINED, checked_adapter, checked_folder, read_json
from snellen.subjects.local.placing import AS_IT_IS, Fitting, options
from snellen.subjects.local.processors import processor_of

__all__ = ["LoadedModel", "load"]

_NO_PEFT = "adapters need peft: pip install 'snellen[train]'"
_RECIPE = "recipe.json"
_AUTO_CLASSES = {
    "AutoModelForImageTextToText": "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES",
    "AutoModelForMultimodalLM": "MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES",
}
"""Classes that load image-text models, and the tables of transformers with the types that they load."""


@dataclass(frozen=True)
class LoadedModel:
    """A model in evaluation mode on its device, and what turns words and pictures into its inputs."""

    model: Any
    processor: Any
    folder: Path
    device: str

    @property
    def tokenizer(self) -> Any:
        return self.processor.tokenizer

    @property
    def picture_token_id(self) -> int | None:
        return picture_token_id(self.model.config)

    def again(self) -> "LoadedModel":
        """The same model for another thread, on the same weights: models make notes in themselves while they run."""
        weights = {id(tensor): tensor for tensor in (*self.model.parameters(), *self.model.buffers())}
        return replace(self, model=deepcopy(self.model, weights))


def picture_token_id(config: Any) -> int | None:
    """The id of the placeholder token for picture features. Phi-4 says it where it describes the vision tower."""
    places = (config, getattr(config, "vision_config", None))
    numbers = (getattr(place, name, None) for place in places for name in ("image_token_id", "image_token_index"))
    return next((number for number in numbers if number is not None), None)


def load(
    where: str | Path,
    adapter: str | Path = "",
    dtype: str = "auto",
    device: str = "auto",
    fitting: Fitting = AS_IT_IS,
) -> LoadedModel:
    """The model in a folder or on the Hub (`where`), with an `adapter` merged into it if one is named. `dtype`: a name
    of torch's, or "auto" for that of its files, or float32 on a CPU without instructions for it. `device`: "auto" for
    the best there is, or torch's name of one. `fitting`: in how few bits it is loaded, or how it is spread over GPUs;
    by default neither.

    Returns the `LoadedModel`: model, processor, folder and device. Raises `UserError` if torch or transformers are not
    installed, or if there is no such model.

    >>> load("checkpoints/step-800", device="cpu").device  # doctest: +SKIP
    """
    require()
    folder = checked_folder(where)
    place = device if device not in ("auto", "cuda") else devices(device)[0]
    added = checked_adapter(adapter) if adapter else None
    if added is not None:
        check_trained(added, folder)
    without_plans()
    kind = _auto_class(folder)
    processor = processor_of(folder)
    dtype = computed_dtype(folder, dtype, place)
    told = options(fitting, folder, dtype, place)
    model = _model(kind, folder, dtype, told)
    if added is not None:
        model = _adapted(model, added, merged=not fitting.bits)
    if "device_map" not in told:  # else each part is where it belongs
        model = model.to(place)
    return LoadedModel(model.eval(), processor, folder, place)


def devices(device: str) -> tuple[str, ...]:
    """The devices that "auto", "cuda", "cpu" or the name of one device stands for: all there are of the best kind."""
    require()
    import torch

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if not device.startswith("cuda"):
        return (device,)
    many = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if not many or (device != "cuda" and device not in {f"cuda:{number}" for number in range(many)}):
        raise UserError(f"device={device}: torch sees {many or 'no'} GPUs here; use device=cpu or device=auto")
    return tuple(f"cuda:{number}" for number in range(many)) if device == "cuda" else (device,)


def check_trained(adapter: Path, folder: Path) -> None:
    """An adapter with its recipe beside it fits the model it was trained on, and no other of the same shape."""
    places = (adapter, adapter.parent) if adapter.name == TRAINED else (adapter,)
    recipe = next((place / _RECIPE for place in places if (place / _RECIPE).is_file()), None)
    if recipe is None or not (base := read_json(recipe).get("base_digest")):
        return
    if (digest := weights_digest(folder)) != base:
        raise UserError(f"adapter {adapter}: trained on another model ({base}) than {folder} ({digest}); use its own")


def _model(kind: Any, folder: Path, dtype: str, options: Mapping[str, Any]) -> Any:
    quiet()
    try:
        model, loading_info = kind.from_pretrained(
            folder, dtype=dtype, use_safetensors=True, output_loading_info=True, local_files_only=True, **options
        )
    except Exception as error:  # whatever is wrong with the files
        raise UserError(f"{folder}: {missing_library(error) or f'cannot be loaded ({in_one_line(error)})'}") from error
    if missing := sorted(loading_info["missing_keys"]):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise UserError(f"{folder}: the weights {missing[0]}{more} are missing, so it would answer at random")
    return model


def _auto_class(folder: Path) -> Any:
    """The class of transformers that loads image-text models of the folder's type."""
    import transformers
    from transformers.models.auto import modeling_auto
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    config = read_json(folder / CONFIG)
    kind = config.get("model_type")
    for name, types in _AUTO_CLASSES.items():
        if kind in getattr(modeling_auto, types, ()):  # not in every release
            return getattr(transformers, name)
    if kind in CONFIG_MAPPING_NAMES:
        raise UserError(f"{folder}: a model of type {kind!r} accepts no images; expected an image-text-to-text model")
    known = f"transformers {transformers.__version__} has no model type {kind!r}"
    if "auto_map" in config:
        raise UserError(f"{folder}: {known}, and code that comes with a model is never run; use a converted one")
    raise UserError(f"{folder}: {known}; a newer one may have it: pip install -U transformers")


def _adapted(model: Any, folder: Path, merged: bool) -> Any:
    """The model with the adapter's weights added to its own, or beside them: in a few bits their sum would be
    rounded."""
    require(("peft",), _NO_PEFT)
    from peft import PeftModel, get_peft_model_state_dict
    from safetensors import safe_open

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what does not fit is told below
            adapted = PeftModel.from_pretrained(model, folder)
        with safe_open(folder / "adapter_model.safetensors", framework="numpy") as file:
            saved = set(file.keys())
    except Exception as error:  # other layers, other widths, another library
        raise UserError(f"adapter {folder}: does not fit this model ({in_one_line(error)})") from error
    if strange := sorted(saved ^ set(get_peft_model_state_dict(adapted))):
        raise UserError(f"adapter {folder}: does not fit this model ({strange[0]} has no counterpart)")
    return adapted.merge_and_unload() if merged else adapted.base_model.model


def without_plans() -> None:
    """Attention by other kernels than cuDNN's: those are planned anew for each shape, which takes a second, and no two
    batches have the same."""
    import torch

    torch.backends.cuda.enable_cudnn_sdp(False)


def quiet() -> None:
    """Suppress a library's progress bars and warnings."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
