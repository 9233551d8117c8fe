"""A model folder's processor: what turns words and pictures into a model's inputs.

Many processors need torchvision, some only for videos.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from snellen.errors import UserError, in_one_line
from snellen.subjects.local.extras import installed_torch, missing_library
from snellen.subjects.local.folders import read_json

__all__ = ["processor_of"]

_NOT_PICTURES = ("video_processor", "feature_extractor", "audio_processor")
"""Parts of a processor that are for videos and sounds."""
_FILES = {
    "image processor": ("preprocessor_config.json", "processor_config.json"),
    "tokenizer": ("tokenizer*", "vocab*", "tekken.json"),
}
"""By what a processor consists of: the files that it may be in."""


def processor_of(folder: Path) -> Any:
    """The processor of a model folder, which pads on the left. Raises `UserError` if it cannot be loaded, or if it
    accepts no images."""
    from transformers import AutoProcessor

    import_torchvision()
    try:
        processor = AutoProcessor.from_pretrained(folder, local_files_only=True)
    except ImportError as error:
        processor = _without_videos(folder, error)
    except Exception as error:
        raise _cannot_be_loaded(folder, error) from error
    if not hasattr(processor, "image_processor"):
        raise UserError(f"{folder}: its processor accepts no images; is preprocessor_config.json missing?")
    processor.tokenizer.padding_side = "left"  # whatever is generated follows the last word
    if processor.tokenizer.pad_token_id is None:
        processor.tokenizer.pad_token = processor.tokenizer.eos_token
    return processor


def import_torchvision() -> None:
    """Import torchvision if it is installed. Raises `UserError` if that fails: transformers would fail at every
    processor."""
    if find_spec("torchvision") is None:
        return
    try:
        import_module("torchvision")
    except Exception as error:
        raise UserError(
            f"torchvision does not fit this torch ({in_one_line(error)}): pip install torchvision {installed_torch()}"
        ) from error


def _without_videos(folder: Path, problem: ImportError) -> Any:
    """The processor of a model that also takes videos or sounds, without the parts for those. `problem`: why it cannot
    be loaded with them."""
    import transformers
    from transformers import AutoImageProcessor, AutoTokenizer
    from transformers.processing_utils import ProcessorMixin

    try:
        settings, _ = ProcessorMixin.get_processor_dict(folder, local_files_only=True)
        named = settings.get("processor_class") or read_json(folder / "preprocessor_config.json")["processor_class"]
        kind: Any = getattr(transformers, named)
        wanted = list(kind.get_attributes())

        def get_attributes(cls: Any) -> list[str]:
            return [name for name in wanted if name not in _NOT_PICTURES]

        still = type(named, (kind,), {"get_attributes": classmethod(get_attributes), "__module__": kind.__module__})
        parts = {
            "image_processor": AutoImageProcessor.from_pretrained(folder, local_files_only=True),
            "tokenizer": AutoTokenizer.from_pretrained(folder, local_files_only=True),
        }
        return still.from_args_and_dict([parts.get(name) for name in wanted], settings)  # type: ignore[attr-defined]
    except ImportError as error:  # the images need it, too
        raise _cannot_be_loaded(folder, error) from problem
    except Exception:
        raise _cannot_be_loaded(folder, problem) from problem


def _cannot_be_loaded(folder: Path, error: Exception) -> UserError:
    """In one line: what has to be installed or copied, where that is the reason; else what the library says."""
    reason = missing_library(error) or _missing_files(folder)
    return UserError(f"{folder}: {reason or f'its processor cannot be loaded ({in_one_line(error)})'}")


def _missing_files(folder: Path) -> str:
    """What a folder lacks that checkpoints of a training run often lack; empty if nothing."""
    for part, patterns in _FILES.items():
        if not any(any(folder.glob(pattern)) for pattern in patterns):
            return f"no {part} (no file {' or '.join(patterns)}); copy it from the folder of the base model"
    return ""
