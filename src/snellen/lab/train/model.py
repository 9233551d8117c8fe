"""The model to train: as the local subject loads it, or in four bits."""

from importlib.util import find_spec
from typing import Any

from snellen.errors import UserError
from snellen.lab.train.pictures import once
from snellen.lab.train.recipes import TrainingRecipe
from snellen.subjects.local import loading
from snellen.subjects.local.folders import checked_folder
from snellen.subjects.local.processors import processor_of


def load(made: TrainingRecipe) -> tuple[Any, Any]:
    """The model and its processor; the trainer puts them where they belong."""
    model, processor = _in_four_bits(made.model) if made.four_bit else _whole(made.model)
    once(processor.image_processor)
    return model, processor


def _whole(where: str) -> tuple[Any, Any]:
    import torch

    dtype = "bfloat16" if torch.cuda.is_available() else "float32"
    loaded = loading.load(where, dtype=dtype, device="cpu")
    return loaded.model.train(), loaded.processor


def _in_four_bits(where: str) -> tuple[Any, Any]:
    """QLoRA's base: NF4, computed with in bfloat16."""
    import torch

    if not torch.cuda.is_available() or find_spec("bitsandbytes") is None:
        raise UserError("--four-bit needs a GPU and bitsandbytes: pip install bitsandbytes, or leave it out")
    from peft import prepare_model_for_kbit_training
    from transformers import AutoModelForImageTextToText, BitsAndBytesConfig

    folder = checked_folder(where)
    loading.without_plans()
    how = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16)
    model = AutoModelForImageTextToText.from_pretrained(
        folder, quantization_config=how, dtype=torch.bfloat16, use_safetensors=True, local_files_only=True
    )
    return prepare_model_for_kbit_training(model), processor_of(folder)
