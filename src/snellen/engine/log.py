"""SQLite's write-ahead log (`NAME-wal`), read without SQLite.

SQLite takes a log up to the first frame whose checksum is wrong and forgets the rest, which is right for one that a
power cut tore off, and hides what was lost where a frame in the middle decayed: then frames of the same log follow it.
"""

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from snellen.engine.lock import is_held

_MAGIC = 0x377F0682
_HEADER, _FRAME = 32, 24


class Frame(NamedTuple):
    """A page in the log. `is_sound`: it belongs to this log and every checksum up to it is right."""

    page: int
    is_commit: bool
    is_sound: bool
    data: bytes


def log_of(store: Path) -> Path:
    return store.with_name(f"{store.name}-wal")


def log_fault(store: Path) -> str:
    """What is wrong with the log of a store, in words; empty if nothing, or if an exam is writing it."""
    path = log_of(store)
    if not path.is_file() or not path.stat().st_size or is_held(store):
        return ""
    data = path.read_bytes()
    with store.open("rb") as file:
        versions = file.read(20)[18:20]
    if not _has_header(data) or versions != b"\2\2":
        return "a log whose header is damaged"
    own = [frame.is_sound for frame in frames(data) if frame.page]
    return "" if all(own[:-1]) else "a log that is damaged in the middle"


def frames(data: bytes) -> Iterator[Frame]:
    """Every frame of a log; those left over from an earlier log, which it overwrites, have the page 0."""
    order, size = ("<" if data[3] == 0x82 else ">"), struct.unpack(">I", data[8:12])[0] if len(data) > 12 else 0
    if not 512 <= size <= 65536 or size & (size - 1):
        order, size = "<", 4096
    salts, state, sound = data[16:24], _sums(data[:24], order), _has_header(data)
    for at in range(_HEADER, len(data) - _FRAME - size + 1, _FRAME + size):
        head, page = data[at : at + _FRAME], data[at + _FRAME : at + _FRAME + size]
        number, commit = struct.unpack(">II", head[:8])
        own = head[8:16] == salts
        if sound:
            state = _sums(head[:8] + page, order, state)
            sound = own and struct.pack(">II", *state) == head[16:24]
        yield Frame(number if own or not _has_header(data) else 0, commit > 0, sound, page)


def _has_header(data: bytes) -> bool:
    if len(data) < _HEADER or struct.unpack(">I", data[:4])[0] & ~1 != _MAGIC:
        return False
    return struct.pack(">II", *_sums(data[:24], "<" if data[3] == 0x82 else ">")) == data[24:32]


def _sums(data: bytes, order: str, state: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """SQLite's checksum over pairs of words, s0 += x0 + s1, s1 += x1 + s0: linear, so one product does for a page."""
    words = np.frombuffer(data, dtype=f"{order}u4").astype(np.uint32).reshape(-1, 2)
    weights, carried = _weights(len(words))
    sums = (weights * words[:, None, :]).sum(axis=(0, 2), dtype=np.uint32)
    before = (carried * np.array(state, dtype=np.uint32)).sum(axis=1, dtype=np.uint32)
    total = sums + before
    return int(total[0]), int(total[1])


@cache
def _weights(pairs: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """What each of so many pairs adds to the sums, the first one first; and what the sums before them do."""
    step, take = np.array([[1, 1], [1, 2]], dtype=np.uint32), np.array([[1, 0], [1, 1]], dtype=np.uint32)
    powers = [np.eye(2, dtype=np.uint32)]
    for _ in range(pairs):
        powers.append(step @ powers[-1])
    return np.array([power @ take for power in powers[-2::-1]], dtype=np.uint32), powers[-1]
