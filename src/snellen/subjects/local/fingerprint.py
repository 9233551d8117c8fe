"""What makes a local model the one it is: its weights, how it sees, in what numbers it thinks, who computes it.

Weights are known by their digest. Reading some gigabytes takes its time, so a file's digest is kept (in the user's
cache folder) and taken again as long as its place, size and time of change are the same.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import file_digest, sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from snellen.subjects.local.folders import cache_folder, read_json, weights
from snellen.subjects.trained_on import FILE as TRAINED_ON

_LETTERS = 16
_KEPT = 1000
_PROCESSOR = ("preprocessor_config.json", "processor_config.json")
_SEEING = {
    "size": ("size", "max_image_size", "do_resize", "do_center_crop", "crop_size", "do_pad", "pad_size"),
    "splitting": (
        "image_grid_pinpoints", "do_image_splitting", "crop_to_patches", "min_patches", "max_patches",
        "do_pan_and_scan", "pan_and_scan_min_crop_size", "pan_and_scan_max_num_crops",
        "pan_and_scan_min_ratio_to_activate",
    ),
    "resample": ("resample",),
    "pixels": ("min_pixels", "max_pixels", "image_mean", "image_std", "do_rescale", "rescale_factor", "do_normalize"),
    "picture_tokens": ("image_seq_len", "image_seq_length", "num_image_tokens", "patch_size", "merge_size"),
}  # fmt: skip
_SMALL = ("*.json", "*.jinja", "*.txt", "*.model")
"""What a model is made of beside its weights: settings, words and merges, chat templates, tokens that end a reply."""


def fingerprint(folder: Path, adapter: Path | None, dtype: str, bits: str = "") -> dict[str, Any]:
    """What can change an answer beside the words and pictures shown. `dtype`: the one it computes in."""
    config = read_json(folder / "config.json")
    facts: dict[str, Any] = {
        "architecture": str((config.get("architectures") or [config.get("model_type")])[0]),
        "weights": digest(folder),
        "dtype": dtype,
        "processor": seeing(folder),
        "torch": _version("torch"),
        "transformers": _version("transformers"),
        **({"load": bits, "bitsandbytes": _version("bitsandbytes")} if bits else {}),
    }
    if adapter is not None:
        facts |= {"adapter": digest(adapter), "peft": _version("peft")}
    return facts


def digest(folder: Path) -> str:
    """The identity of a folder's weights, and of all small files beside them that may change an answer."""
    files = (file for pattern in _SMALL for file in folder.glob(pattern) if file.is_file())
    small = sorted(file for file in files if file.name != TRAINED_ON)
    return _identity([*weights(folder), *small])


def weights_digest(folder: Path) -> str:
    """The identity of a folder's weights alone: what an adapter belongs to, whichever version of transformers wrote
    the settings beside them."""
    return _identity(weights(folder))


def _identity(files: Sequence[Path]) -> str:
    return sha256("".join(f"{file.name} {told}\n" for file, told in _digests(files)).encode()).hexdigest()[:_LETTERS]


def seeing(folder: Path) -> dict[str, Any]:
    """How a model's processor sees: what its files say of size, splitting, resampling, pixels and picture tokens."""
    settings: dict[str, Any] = {}
    for name in _PROCESSOR:
        if (folder / name).is_file():
            content = read_json(folder / name)
            settings |= {**(content.pop("image_processor", None) or {}), **content}
    kinds = {
        kind: {name: settings[name] for name in names if settings.get(name) is not None}
        for kind, names in _SEEING.items()
    }
    backend = "torchvision" if find_spec("torchvision") else "pil"
    return {
        "by": f"{settings.get('image_processor_type', 'unnamed')}, {backend}",
        **{k: v for k, v in kinds.items() if v},
    }


def _version(package: str) -> str:
    try:
        return version(package).partition("+")[0]
    except PackageNotFoundError:
        return "unknown"


# Digests of files, kept


def _digests(files: Sequence[Path]) -> list[tuple[Path, str]]:
    kept = _read_kept()
    told = []
    for file in files:
        about = file.stat()
        key = f"{file.resolve()} {about.st_size} {about.st_mtime_ns}"
        if key not in kept:
            with file.open("rb") as opened:
                kept[key] = file_digest(opened, "sha256").hexdigest()
        kept[key] = kept.pop(key)  # those in use stay longest
        told.append((file, kept[key]))
    _keep(kept)
    return told


def _kept_file() -> Path:
    return cache_folder() / "digests.json"


def _read_kept() -> dict[str, str]:
    try:
        kept = json.loads(_kept_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in kept.items()} if isinstance(kept, dict) else {}


def _keep(kept: Mapping[str, str]) -> None:
    """Write what is known, whole or not at all; whoever has no such folder does without."""
    file = _kept_file()
    beside = file.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(dict(list(kept.items())[-_KEPT:])), encoding="utf-8")
        beside.replace(file)
