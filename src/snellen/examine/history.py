"""Subjects over time: the points that several stores, or the checkpoints in one, have of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from snellen.analysis.history import HistoryPoint
from snellen.charts.blocks import Diagnosis
from snellen.engine import ExamRecord, Store
from snellen.errors import UserError

_ASKED = ("design", "n", "levels", "paradigms", "prompts", "tracks", "ladder")
_ANSWERED = ("seed", "samples", "reader", "judges", "snellen")
_DECODING = ("temperature", "top_p", "top_k", "max_tokens", "reasoning_effort", "detail", "max_pixels")
_CALLED = {"snellen": "version", "n": "size"}
"""Of a fingerprint, what decides how a task was asked; and what that is called, where the key says too little."""


def in_order(stores: Iterable[str | Path]) -> list[Path]:
    """The stores, each once, that with the latest exam last."""
    paths = list({Path(store).resolve(): Path(store) for store in stores}.values())
    begun: dict[Path, float] = {}
    for path in paths:
        with Store.open(path, readonly=True) as store:
            begun[path] = max((exam.started for exam in store.exams()), default=0.0)
        if not begun[path]:
            raise UserError(f"store {path}: no exam in it yet; leave it out")
    return sorted(paths, key=lambda path: begun[path])


def store_names(stores: Sequence[Path]) -> dict[Path, str]:
    """What each store is called: its file name, or its path where file names are the same."""
    names = [store.name for store in stores]
    return {store: store.name if names.count(store.name) == 1 else str(store) for store in stores}


def points(store: str, exams: Sequence[ExamRecord], diagnoses: Iterable[Diagnosis]) -> Iterator[HistoryPoint]:
    """A point for each subject and task of a store, with how the last exam that asked it did so."""
    for diagnosis in diagnoses:
        asking = [exam for exam in exams if _asks(exam.fingerprint, diagnosis)]
        is_measured = diagnosis.accuracy.value is None and not diagnosis.losses  # a threshold has no accuracy
        if not asking or is_measured:
            continue
        last = asking[-1]
        full = {short: name for name, short in last.fingerprint.get("names", {}).items()}
        name = full.get(diagnosis.subject, diagnosis.subject)
        yield HistoryPoint(diagnosis, name, store, last.started, _terms(last.fingerprint, diagnosis.task, name))


def _asks(fingerprint: Mapping[str, Any], diagnosis: Diagnosis) -> bool:
    return diagnosis.subject in fingerprint.get("subjects", ()) and diagnosis.task in fingerprint.get("tasks", {})


def _terms(fingerprint: Mapping[str, Any], task: str, name: str) -> dict[str, Any]:
    own = fingerprint["tasks"][task]
    settings = fingerprint.get("settings", {}).get(name, {})
    decoding = {key: settings[key] for key in _DECODING if key in settings}
    values = [(key, own.get(key)) for key in _ASKED] + [(key, fingerprint.get(key)) for key in _ANSWERED]
    return {"decoding": decoding, **{_CALLED.get(key, key): value for key, value in values if value is not None}}
