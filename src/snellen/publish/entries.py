"""What a board takes from published folders: a row for each subject, and where two folders cannot be compared.

The folders come from anybody, so of every file only expected values of expected types are taken; names go through
`escape` where they are shown.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

from snellen.analysis.ladder.overview import verdict_word
from snellen.charts.blocks import Diagnosis, Value
from snellen.charts.palette import VERDICTS
from snellen.errors import UserError, invocation
from snellen.faculties import ENTRIES
from snellen.publish.folder import FINDINGS, PAGE, changed_files, read_manifest
from snellen.publish.page_check import is_our_page, page_parts

POOLED = ""
"""In place of a task: the mean over all of them."""
_COMPARED = ("design", "paradigms", "prompts")
"""What of a task's fingerprint decides whether losses mean the same."""
_SHOWN = 80
"""Longer differences are only named."""


@dataclass(frozen=True)
class Publication:
    """One published folder. `page`: its report page, if it is one of this version's."""

    name: str
    day: str
    page: Path | None


@dataclass(frozen=True)
class BoardRow:
    """One subject of one publication: losses by faculty and task, verdicts by task."""

    subject: str
    publication: Publication
    losses: dict[str, dict[str, Value]] = field(default_factory=dict)
    verdicts: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """By task: the verdict, its word, and the sentence."""
    setups: dict[str, dict[str, str]] = field(default_factory=dict)
    """By task, what its losses depend on."""


def rows_of(folder: Path, name: str) -> list[BoardRow]:
    """The subjects of a published folder. Raises `UserError` if it is none, or is damaged."""
    manifest = read_manifest(folder)
    if changed := next(changed_files(folder, manifest), None):
        command = invocation("verify", folder)
        raise UserError(f"folder {folder}: {changed[0]} is not what its manifest says; `{command}` says more")
    try:
        findings = json.loads((folder / FINDINGS).read_text(encoding="utf-8"))
        publication = Publication(name, _day(manifest), _page(folder))
        rows: dict[str, BoardRow] = {}
        for own in findings["diagnoses"]:
            subject, task = _text(own["subject"]), _text(own["task"])
            row = rows.setdefault(subject, BoardRow(subject, publication))
            row.verdicts[task] = _verdict(own)
        for profile in findings["profiles"]:
            subject = _text(profile["subject"])
            row = rows.setdefault(subject, BoardRow(subject, publication))
            row.losses.update(_losses(profile))
        for row in rows.values():
            row.setups.update(_setups(manifest, row.subject))
    except (OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UserError(
            f"{folder / FINDINGS}: not findings of Snellen ({type(error).__name__}: {error}); get the folder again"
        ) from None
    return [*rows.values()]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {type(value).__name__}")
    return value


def _verdict(own: Mapping[str, Any]) -> tuple[str, str, str]:
    verdict, faults = _text(own["verdict"]), tuple(map(_text, own["faults"]))
    if verdict not in VERDICTS:
        raise ValueError("unknown verdict")
    told = Diagnosis(_text(own["subject"]), _text(own["headline"]), verdict, (), faults, badge=_text(own["badge"]))  # type: ignore[arg-type]
    return verdict, verdict_word(told), told.headline


def _losses(profile: Mapping[str, Any]) -> dict[str, dict[str, Value]]:
    tasks = [_text(task) for task in profile["tasks"]]
    losses: dict[str, dict[str, Value]] = {}
    for pooled in profile["pooled"]:
        losses.setdefault(_text(pooled["faculty"]), {})[POOLED] = _value(pooled["mean"])
    for faculty, values in profile["rows"]:
        named = zip(tasks, values, strict=True)
        losses.setdefault(_text(faculty), {}).update({task: _value(value) for task, value in named if value})
    return {faculty: own for faculty, own in losses.items() if faculty in ENTRIES}


def _value(value: Mapping[str, Any]) -> Value:
    numbers = [None if value[name] is None else float(value[name]) for name in ("value", "low", "high")]
    if any(number is not None and not (isfinite(number) and abs(number) <= 1) for number in numbers):
        raise ValueError("a loss is not a share")
    middle, low, high = numbers
    return Value(middle, low, high)


def _page(folder: Path) -> Path | None:
    """The report page of a folder if it can do nothing that a page of this version does not do."""
    path = folder / PAGE
    return path if path.is_file() and is_our_page(page_parts(path)) else None


def _day(manifest: Mapping[str, Any]) -> str:
    last = max(float(exam["started"]) for exam in manifest["exams"])
    return datetime.fromtimestamp(last, UTC).date().isoformat()


def _setups(manifest: Mapping[str, Any], subject: str) -> dict[str, dict[str, str]]:
    """By task, what the losses of a subject depend on; the last exam of a task decides."""
    setups: dict[str, dict[str, str]] = {}
    for exam in manifest["exams"]:
        print = exam["fingerprint"]
        for task, part in print.get("tasks", {}).items() if subject in print.get("subjects", ()) else ():
            setups[task] = {
                **{name: _short(part.get(name)) for name in _COMPARED},
                **{f"levels of {name}": _short(levels) for name, levels in part.get("levels", {}).items()},
                "reader": _short(print.get("reader")),
                "items": _short(manifest["sources"].get(task)),
            }
    return setups


def _short(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True)
class Incomparable:
    """Rows that asked a task in different ways: groups by letter, and what they differ in."""

    task: str
    groups: dict[str, list[BoardRow]]
    what: list[str]


def incomparable(rows: Sequence[BoardRow]) -> list[Incomparable]:
    """The tasks that were not asked in the same way everywhere."""
    notes = []
    for task in dict.fromkeys(task for row in rows for task in row.setups):
        groups: dict[str, list[BoardRow]] = {}
        for row in rows:
            if task in row.setups:
                groups.setdefault(json.dumps(row.setups[task], sort_keys=True), []).append(row)
        if len(groups) > 1:
            lettered = {_letter(place): own for place, own in enumerate(groups.values())}
            notes.append(Incomparable(task, lettered, _differing(own[0].setups[task] for own in groups.values())))
    return notes


def _letter(place: int) -> str:
    return chr(ord("a") + place) if place < 26 else str(place)


def _differing(setups: Iterable[Mapping[str, str]]) -> list[str]:
    values: dict[str, set[str]] = {}
    every = [*setups]
    for name in dict.fromkeys(name for setup in every for name in setup):
        values[name] = {setup.get(name, "none") for setup in every}
    return [
        f"{name} ({' / '.join(sorted(found))})" if sum(map(len, found)) < _SHOWN else name
        for name, found in values.items()
        if len(found) > 1
    ]
