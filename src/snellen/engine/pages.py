"""The rows in a store's pages, read without SQLite, which gives up at the first page that makes no sense.

Every page of the file and of its log is taken by itself: whether it looks like a leaf of a table or a page of an index,
whether its cells decode. That needs neither header nor schema nor any page above. Which rows are what was written,
their checksums say. Formats: https://www.sqlite.org/fileformat2.html
"""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from snellen.engine.checksums import COLUMNS, fits
from snellen.engine.log import frames, log_of
from snellen.item import Picture

_LEAF_OF_TABLE, _LEAF_OF_INDEX, _INNER_OF_INDEX = 13, 10, 2
_MOST_COLUMNS = 32
WITHOUT_ROWID = {"meta", "items", "made"}
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Page = tuple[int, bytes]
Read = Callable[[int], bytes | None]


class RawRow(NamedTuple):
    """A row as its page has it. `rowid` is None in an index, which the tables without a rowid are, too."""

    page: int
    rowid: int | None
    values: tuple[Any, ...]


def pages_of(store: Path) -> list[list[Page]]:
    """The pages of a store, in states to be read one after the other: as it is, and what only older pages, or frames
    of the log after a damaged one, still know."""
    data = store.read_bytes()
    size = _page_size(data)
    old = {at // size + 1: data[at : at + size] for at in range(0, len(data) - size + 1, size)}
    log = list(frames(log_of(store).read_bytes())) if log_of(store).is_file() else []
    last = max((k for k, frame in enumerate(log) if frame.is_sound and frame.is_commit), default=-1)
    now, later = dict(old), dict(old)
    now.update((frame.page, frame.data) for frame in log[: last + 1] if frame.page)
    later.update((frame.page, frame.data) for frame in log if frame.page)
    states = [now]
    if later != now:
        states.append(later)
    return [list(state.items()) for state in states]


def table_of(row: RawRow) -> str | None:
    """The table whose row this is, as it was written; None if it is none."""
    for table, columns in COLUMNS.items():
        if len(row.values) == len(columns) + 1 and (table in WITHOUT_ROWID) == (row.rowid is None):
            values = values_of(table, row)
            is_picture = table != "images" or (isinstance(values[3], bytes) and Picture(values[3]).digest == values[0])
            if is_picture and fits(table, values[:-1], values[-1]):
                return table
    return None


def values_of(table: str, row: RawRow) -> tuple[Any, ...]:
    """A row's values: an exam's number is its rowid."""
    return (row.rowid, *row.values[1:]) if table == "exams" else row.values


def holds_rows(store: Path) -> bool:
    """Whether a file holds a row that Snellen wrote, whatever else is wrong with it."""
    return any(table_of(row) for pages in pages_of(store) for rows in rows_of(pages) for row in rows)


def rows_of(pages: list[Page]) -> Iterator[list[RawRow]]:
    """What each page holds, one page at a time; an empty list for one without rows that decode."""
    content = dict(pages)
    for number, page in pages:
        yield list(_rows(number, page, content.get))


def _page_size(data: bytes) -> int:
    size = struct.unpack(">H", data[16:18])[0] if len(data) >= 18 else 0
    return size if size >= 512 and size & (size - 1) == 0 else 4096


def _rows(number: int, page: bytes, read: Read) -> Iterator[RawRow]:
    start = 100 if number == 1 else 0
    kind, count = page[start], struct.unpack(">H", page[start + 3 : start + 5])[0]
    if kind not in (_LEAF_OF_TABLE, _LEAF_OF_INDEX, _INNER_OF_INDEX):
        return
    first = start + (12 if kind == _INNER_OF_INDEX else 8)
    for k in range(min(count, (len(page) - first) // 2)):
        at = struct.unpack(">H", page[first + 2 * k : first + 2 * k + 2])[0]
        try:
            if kind == _INNER_OF_INDEX:
                at += 4
            length, at = _varint(page, at)
            rowid = None
            if kind == _LEAF_OF_TABLE:
                rowid, at = _varint(page, at)
            yield RawRow(number, rowid, _record(_payload(page, at, length, kind, read)))
        except (IndexError, ValueError, struct.error, UnicodeDecodeError):
            continue


def _payload(page: bytes, at: int, length: int, kind: int, read: Read) -> bytes:
    """A cell's payload, with what is on further pages."""
    size = len(page)
    most = size - 35 if kind == _LEAF_OF_TABLE else (size - 12) * 64 // 255 - 23
    if length <= most:
        if at + length > size:
            raise ValueError(length)
        return page[at : at + length]
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts, left = [page[at : at + here]], length - here
    following = struct.unpack(">I", page[at + here : at + here + 4])[0]
    while left > 0:
        more = read(following)
        if more is None or len(parts) > length // (size - 4) + 2:
            raise ValueError(following)
        parts.append(more[4 : 4 + min(left, size - 4)])
        left -= size - 4
        following = struct.unpack(">I", more[:4])[0]
    return b"".join(parts)


def _record(payload: bytes) -> tuple[Any, ...]:
    header, at = _varint(payload, 0)
    kinds = []
    while at < header:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != header or len(kinds) > _MOST_COLUMNS:
        raise ValueError(header)
    values = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError(at)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind == 7:
        return struct.unpack(">d", payload[at : at + 8])[0], at + 8
    if kind in _INTEGERS:
        return int.from_bytes(payload[at : at + _INTEGERS[kind]], "big", signed=True), at + _INTEGERS[kind]
    if kind < 12:
        raise ValueError(kind)
    end = at + (kind - 12) // 2
    if end > len(payload):
        raise ValueError(kind)
    return (payload[at:end].decode() if kind % 2 else payload[at:end]), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1
