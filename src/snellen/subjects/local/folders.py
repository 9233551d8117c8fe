"""Model folders as Hugging Face has them, here or fetched from its Hub: found, and found to be whole.

Only safetensors are taken: a pickle may run code when it is opened. No library but safetensors is loaded for this.
"""

import json
import os
from pathlib import Path
from typing import Any

from snellen.errors import UserError, in_one_line
from snellen.plugins import published, working

CONFIG, ADAPTER_CONFIG = "config.json", "adapter_config.json"
TRAINED = "adapter"
"""Where an adapter lies in what `snellen lab train` wrote."""
MODELS = "snellen.models"
"""The entry point group under which packages name models: functions that return the model's folder."""
_PACKED = ("tiny", "local/tiny")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_FETCHED = ("*.json", "*.safetensors", "*.jinja", "*.txt", "*.model")


def checked_folder(where: str | Path, kind: str = "local") -> Path:
    """The folder of a model that can be loaded, as far as its files tell; no library is loaded for that. `kind`: what
    stands before its name."""
    folder = _folder(str(where), kind)
    read_json(folder / CONFIG)
    weights(folder)
    return folder


def checked_adapter(where: str | Path) -> Path:
    """The folder of an adapter, or the one within what `snellen lab train` wrote."""
    folder = Path(where).expanduser()
    if (folder / TRAINED / ADAPTER_CONFIG).is_file():
        folder = folder / TRAINED
    if not (folder / ADAPTER_CONFIG).is_file():
        raise UserError(f"adapter {where}: no {ADAPTER_CONFIG}; expected a folder saved by peft or snellen lab train")
    weights(folder)
    return folder


def weights(folder: Path) -> list[Path]:
    """The safetensors files of a folder, each found to be whole."""
    from safetensors import SafetensorError, safe_open

    files = sorted(folder.glob("*.safetensors"))
    if not files:
        pickles = [file.name for pattern in _PICKLES for file in sorted(folder.glob(pattern))]
        if pickles:
            raise UserError(f"{folder}: {pickles[0]} is a pickle, which can run code; save the model as safetensors")
        raise UserError(f"{folder}: no weights; expected *.safetensors files")
    for file in files:
        try:
            with safe_open(file, framework="numpy"):
                pass
        except (SafetensorError, OSError) as error:
            raise UserError(f"{file}: broken or cut short ({in_one_line(error)}); copy or download it again") from None
    _whole(folder, {file.name for file in files})
    return files


def read_json(file: Path) -> dict[str, Any]:
    """What a small file of a model folder says."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{file.parent}: no {file.name}; expected a Hugging Face model folder") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: cannot be read ({in_one_line(error)}); copy or download it again") from None
    if not isinstance(content, dict):
        raise UserError(f"{file}: expected a JSON object")
    return content


def cache_folder() -> Path:
    """Where the user keeps what can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "snellen"


def _folder(where: str, kind: str) -> Path:
    path = Path(where).expanduser()
    if path.is_dir():
        return path
    if point := published(MODELS).get(where):
        with working(point, "model"):
            return Path(point.load()())
    if where in _PACKED:
        raise UserError(f"{where}: is stored packed; unpack it first: `snellen lab unpack tiny -o DIR`")
    if path.exists() or path.is_absolute() or where.startswith((".", "~")) or where.count("/") > 1:
        raise UserError(
            f"{kind}/{where}: no such folder; expected a Hugging Face model folder, or OWNER/MODEL of the Hub"
        )
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(where, allow_patterns=list(_FETCHED)))
    except Exception as error:  # the Hub has many ways to say no
        raise UserError(
            f"{kind}/{where}: no such folder here, and the Hugging Face Hub did not provide it ({in_one_line(error)})"
        ) from None


def _whole(folder: Path, there: set[str]) -> None:
    """Whether every file is there that an index promises."""
    for index in folder.glob("*.safetensors.index.json"):
        if missing := sorted(set(read_json(index).get("weight_map", {}).values()) - there):
            raise UserError(f"{folder}: {missing[0]} is missing, which {index.name} names; copy or download it again")
