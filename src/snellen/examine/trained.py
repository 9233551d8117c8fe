"""What is known of the training behind a subject: the curve that `snellen lab train` left beside its adapter."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CURVE = "curve.jsonl"
_ADAPTER = re.compile(r"[:,]adapter=([^,]+)")


def adapter_of(name: str) -> Path | None:
    """The adapter that a subject's name tells of, as in local/BASE:adapter=FOLDER."""
    adapter = _ADAPTER.search(name)
    return Path(adapter[1]) if adapter else None


def curve(folder: Path) -> list[dict[str, Any]]:
    """The lines of a training's curve, as far as they are whole."""
    try:
        text = (folder / CURVE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    lines = []
    for line in text.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:  # cut short by whatever ended the training
            break
    return lines


def curves_of(names: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """The curves there are of subjects, whose names in full stand behind those they go by."""
    curves: dict[str, list[dict[str, Any]]] = {}
    for name, full in names.items():
        adapter = adapter_of(full)
        lines = (curve(adapter) or curve(adapter.parent)) if adapter is not None else []
        if lines and all(isinstance(line, dict) and isinstance(line.get("step"), int) for line in lines):
            curves[name] = lines
    return curves
