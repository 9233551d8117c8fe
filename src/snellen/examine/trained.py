"""What is known of the training behind a subject: the curve that `snellen lab train` left beside its adapter, and the
items that an exam left out because they were in it."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

CURVE = "curve.jsonl"
TRAINED_ON = "trained_on"
"""Where an exam's fingerprint has what was left out."""
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


def left_out_of(fingerprint: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Subjects and the items that an exam left out for them."""
    for label, tasks in fingerprint.get(TRAINED_ON, {}).items():
        yield label, [item for told in tasks.values() if told for item in told["left_out"]]
