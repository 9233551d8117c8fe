"""The model's file: matrices in 8 bits with a scale for each row, everything else in 32; the words and the build."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import UserError

Array = Any
"""An array of 32-bit floats; numpy's types do not follow its arithmetic."""
SCALE = ".scale"


@dataclass(frozen=True, slots=True)
class TinyWeights:
    tensors: Mapping[str, Array]
    words: tuple[str, ...]
    build: Mapping[str, int]


def read(path: Path) -> TinyWeights:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "numpy") as kept:
            about = kept.metadata() or {}
            stored = {name: kept.get_tensor(name) for name in kept.keys()}  # noqa: SIM118 - not a mapping
    except (OSError, SafetensorError) as error:
        raise UserError(f"{path}: cannot be read ({error}); expected a file that `python -m recipes` wrote") from None
    if not {"words", "build"} <= about.keys():
        raise UserError(f"{path}: not the file of a training stage; expected one that `python -m recipes` wrote")
    tensors = {name: _full(name, stored) for name in stored if not name.endswith(SCALE)}
    return TinyWeights(tensors, tuple(json.loads(about["words"])), json.loads(about["build"]))


def _full(name: str, stored: Mapping[str, Any]) -> Array:
    value = stored[name]
    if name + SCALE not in stored:
        return np.asarray(value, np.float32)
    scale = stored[name + SCALE].reshape(-1, *[1] * (value.ndim - 1))
    return np.asarray(value * scale, np.float32)


def write(path: Path, tensors: Mapping[str, Array], words: tuple[str, ...], build: Mapping[str, int]) -> None:
    from safetensors.numpy import save_file

    stored: dict[str, Any] = {}
    for name, value in tensors.items():
        if value.ndim < 2:
            stored[name] = value
            continue
        flat = value.reshape(len(value), -1)
        scale = (np.maximum(np.abs(flat).max(1), 1e-12) / 127).astype(np.float32)
        stored[name] = np.round(flat / scale[:, None]).astype(np.int8).reshape(value.shape)
        stored[name + SCALE] = scale
    save_file(stored, path, {"words": json.dumps(words, ensure_ascii=False), "build": json.dumps(dict(build))})
