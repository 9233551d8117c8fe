"""Folders as training runs write them, without a library: config, weights by the published format, trainer's state."""

import json
import os
import struct
import time
from collections.abc import Iterable
from pathlib import Path


def tensors(file: Path, *values: float, name: str = "w", keep: int | None = None) -> None:
    """A safetensors file with one row of numbers; only its first `keep` bytes if that is given."""
    data = struct.pack(f"<{len(values)}f", *values)
    header = json.dumps({name: {"dtype": "F32", "shape": [len(values)], "data_offsets": [0, len(data)]}}).encode()
    file.write_bytes((struct.pack("<Q", len(header)) + header + data)[:keep])


def checkpoint(folder: Path, step: int | None = None, *, weights: Iterable[float] = (1.0, 2.0), says: str = "") -> Path:
    """A model folder. `step`: what the trainer's state says, if there is one; `says`: the subject that answers for it
    in tests without a model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "tiny"}))
    tensors(folder / "model.safetensors", *weights)
    (folder / "says.txt").write_text(says)
    if step is not None:
        (folder / "trainer_state.json").write_text(json.dumps({"global_step": step, "log_history": []}))
    return folder


def adapter(folder: Path, step: int, base: str | None) -> Path:
    folder.mkdir(parents=True)
    (folder / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": base, "r": 2}))
    tensors(folder / "adapter_model.safetensors", float(step), name="lora_A")
    (folder / "trainer_state.json").write_text(json.dumps({"global_step": step}))
    return folder


def sharded(folder: Path, *shards: str) -> Path:
    """A model in several files, with the index that names them."""
    checkpoint(folder, 7)
    (folder / "model.safetensors").unlink()
    for shard in shards:
        tensors(folder / shard, 1.0, name=shard)
    index = {"metadata": {"total_size": 4 * len(shards)}, "weight_map": {shard: shard for shard in shards}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return folder


def aged(folder: Path, seconds: float) -> Path:
    """The folder, as if nothing in it had changed for so long."""
    for file in folder.iterdir():
        os.utime(file, (time.time() - seconds, time.time() - seconds))
    return folder
