"""What a study keeps in its folder: notes, plain arrays, tables. Each file is whole or not there."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
import polars as pl

from snellen.charts.saving import save
from snellen.errors import UserError
from snellen.lab.steer.patches import RecordedActivations

if TYPE_CHECKING:
    from snellen.lab.steer.study import SteeringSettings

META, STATES, RUNS, SUMMARY = "meta.json", "states.json", "runs.parquet", "summary.parquet"
_AGAIN = "delete it to rebuild it"


def begun(folder: Path, settings: "SteeringSettings") -> dict[str, Any]:
    """The folder's own notes, or new ones; other settings, versions or things in it are refused. Writes nothing."""
    asked_for = json.loads(json.dumps(asdict(settings)))
    ours = versions()
    file = folder / META
    if not file.exists():
        if folder.exists() and any(folder.iterdir()):
            raise UserError(f"{folder}: is not empty and has no {META}; give -o a new folder")
        return {"settings": asked_for, "versions": ours, "counted": {}}
    try:
        meta: dict[str, Any] = json.loads(file.read_text("utf-8"))
        before, theirs = dict(meta["settings"]), dict(meta["versions"])
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{file}: not the notes of a steering study; give -o a new folder") from None
    _same(folder, before, asked_for)
    _same(folder, theirs, ours)
    return meta


def _same(folder: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise `UserError` if a study in this folder was begun with other settings: its rows must not be mixed."""
    for name, value in now.items():
        if before.get(name) != value:
            was = _told(before.get(name))
            raise UserError(f"{folder}: contains a study with {name} {was}, not {_told(value)}; give -o a new folder")


def _told(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def versions() -> dict[str, str]:
    """The versions of all that has a say in the numbers."""
    from importlib.metadata import PackageNotFoundError, version

    from snellen import __version__

    installed = {"snellen": __version__}
    for name in ("torch", "transformers", "numpy", "scipy"):
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            continue
    return installed


def write_json(file: Path, content: Any) -> None:
    save(file, [json.dumps(content, indent=1).encode()], "notes")


def read_json(file: Path) -> Any:
    """What a file of notes says; nothing if there is none."""
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def write_frame(file: Path, frame: pl.DataFrame) -> None:
    data = BytesIO()
    frame.write_parquet(data)
    save(file, [data.getvalue()], "table")


def read_frame(file: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError):
        raise UserError(f"{file}: not a readable table; {_AGAIN}") from None


def write_recorded(file: Path, made: RecordedActivations) -> None:
    data = BytesIO()
    np.savez(data, layers=np.array(made.layers), hidden=made.hidden, scores=made.scores)
    save(file, [data.getvalue()], "activations")


def read_recorded(file: Path) -> RecordedActivations:
    try:
        with np.load(file, allow_pickle=False) as kept:
            return RecordedActivations(tuple(int(k) for k in kept["layers"]), kept["hidden"], kept["scores"])
    except (OSError, ValueError, KeyError, BadZipFile):
        raise UserError(f"{file}: not readable activations; {_AGAIN}") from None
