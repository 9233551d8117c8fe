"""What is on disk of a batch while it is under way, and how batches are asked for.

A record is written before the first request is sent (so that the batch can be found again by its name), again with the
id of the uploaded file, and again with the batch's own id, before anything waits for it. It is dropped in the same
transaction as the last of its answers.
"""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from snellen.call import Call
from snellen.engine.records import CallRecord
from snellen.engine.storable import storable_text
from snellen.engine.store import Store

BATCH = "batch"
FILES = "uploaded pictures"
WAITING = "waiting"
"""The problem of a call that is in a batch: no answer, and no failure yet."""


@dataclass(frozen=True, slots=True)
class BatchPauses:
    """Seconds between looks at a batch: longer each time, from `first` to `longest`."""

    first: float = 5.0
    longest: float = 300.0
    growth: float = 1.5
    visible: float = 60.0
    """How long a batch may take to appear in the provider's list."""
    outage: float = 3600.0
    """For how long a provider may be out of reach."""

    def after(self, pause: float) -> float:
        return min(pause * self.growth, self.longest)


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How calls go in batches. `seconds`: how long to wait for each batch."""

    seconds: float = 86_400.0
    then_calls: bool = False
    """Whether what is left then goes by single calls."""
    folder: Path | None = None
    """Where files are written, and expected, instead of a provider's batches."""
    pauses: BatchPauses = field(default_factory=BatchPauses)
    only_open: bool = False
    """Whether batches of earlier runs are waited for, and all other calls go by themselves."""

    @property
    def place(self) -> str:
        """Where batches are: empty for a provider, else the folder."""
        return str(self.folder.absolute()) if self.folder else ""


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch whose answers are not all recorded. `at`: when it was begun, in seconds since 1970."""

    name: str
    subject: str
    keys: tuple[str, ...]
    at: float
    place: str = ""
    uploaded: str = ""
    id: str = ""
    begun: bool = False
    """Whether the request that begins it may have been sent."""
    cancelled: bool = False

    @classmethod
    def read(cls, name: str, note: Mapping[str, Any]) -> Self:
        return cls(name, **{**note, "keys": tuple(note["keys"])})

    def put(self, store: Store, **changes: Any) -> "OpenBatch":
        """The record with these changes, on disk."""
        changed = replace(self, **changes)
        note = asdict(changed)
        store.put_note(BATCH, note.pop("name"), note)
        return changed

    def drop(self, store: Store) -> None:
        store.put_note(BATCH, self.name, None)


def open_batches(store: Store, place: str = "") -> list[OpenBatch]:
    """The batches on record there."""
    batches = (OpenBatch.read(name, note) for name, note in store.notes(BATCH).items())
    return [batch for batch in batches if batch.place == place]


def handed_in(store: Store, place: str = "") -> frozenset[bytes]:
    """The calls in batches there that have been begun, by their keys."""
    return frozenset(bytes.fromhex(key) for batch in open_batches(store, place) if batch.begun for key in batch.keys)


def row_id(key: bytes, batch: str) -> str:
    """The id of a call's row: letters, digits and a dash, fewer than 64, as all providers take it."""
    return f"{key.hex()}-{batch}"


def key_in(id: str, batch: OpenBatch, keys: frozenset[str]) -> bytes | None:
    """The call a row is about; None for rows that are none of ours."""
    key, _, name = id.partition("-")
    return bytes.fromhex(key) if name == batch.name and key in keys else None


def put_waiting(store: Store, call: Call) -> None:
    """Keep a call and its pictures, so that its answer can be recorded whoever comes to read it."""
    for picture in call.pictures:
        store.put_image(picture)
    subject, request = storable_text(call.subject), storable_text(call.request)
    store.add_call(CallRecord(call.key, subject, request, None, WAITING, "in a batch", 0, at=time.time()))
