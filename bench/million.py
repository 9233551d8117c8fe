"""Memory and time of the commands that read a store, as it grows from ten thousand trials to a million.

Grown stores hold the trials of a small exam of simulated subjects over and over, every time as other items, with calls,
replies and checksums of their own. Each command runs in a process of its own: peak memory is what the system says of
it. `python -m bench.million TRIALS...` measures other sizes.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from snellen import exam
from snellen.engine.checksums import COLUMNS, insert
from snellen.engine.schema import connect

SIZES = (10_000, 100_000, 1_000_000)
TASKS = {"fixation": 2, "bias": 8, "bongard": 6, "winoground": 8, "marvel": 12}
SUBJECTS = ["sim/fixated", "sim/nearsighted"]
COMMANDS = {"profile": ("table", "STORE", "profile"), "report": ("report", "STORE", "-o", "FOLDER")}
COPIED = ("meta", "images", "exams")
MARK = "~COPY~"

Row = tuple[Any, ...]


def grow(path: Path, trials: int, salt: int = 0) -> int:
    """Write a store of about so many trials: a small exam's over and over. Returns how many there are. Stores of other
    `salt` hold other items."""
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.sqlite"
        exam(SUBJECTS, tasks=list(TASKS), n=TASKS, store=small)
        source = connect(small, readonly=True)
        held = {table: _held(source, table) for table in (*COPIED, "calls", "items", "trials")}
        source.close()
    request = COLUMNS["calls"].index("request")
    held["calls"] = [(*row[:request], _marked(row[request]), *row[request + 1 :]) for row in held["calls"]]
    connect(path).close()
    db = connect(path)
    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; DELETE FROM meta; BEGIN")
    for table in COPIED:
        db.executemany(insert(table), held[table])
    copies = -(-trials // len(held["trials"]))
    for table, copy in (("items", _item), ("calls", _call), ("trials", _trial)):
        columns, rows = COLUMNS[table], held[table]
        named = [dict(zip(columns, row, strict=True)) for row in rows]
        db.executemany(insert(table), _copies(named, range(salt * copies, (salt + 1) * copies), copy))
    db.execute("COMMIT")
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    return copies * len(held["trials"])


def _held(db: sqlite3.Connection, table: str) -> list[Row]:
    return db.execute(f"SELECT {', '.join(COLUMNS[table])} FROM {table}").fetchall()  # noqa: S608 - our own columns


def _copies(rows: list[dict[str, Any]], copies: range, copy: Callable[[dict[str, Any], int], None]) -> Iterator[Row]:
    for number in copies:
        for row in rows:
            one = dict(row)
            copy(one, number)
            yield tuple(one.values())


def _item(row: dict[str, Any], number: int) -> None:
    row["id"] = f"{row['id']}~{number}"


def _call(row: dict[str, Any], number: int) -> None:
    row["key"] = _key(row["key"], number)
    row["request"] = row["request"].replace(MARK, str(number))
    seen = sha256(row["key"]).hexdigest()
    row["text"] = f"Looking at it once more ({seen}), I am sure.\n\n{row['text']}"


def _trial(row: dict[str, Any], number: int) -> None:
    row["item"] = f"{row['item']}~{number}"
    row["cluster"] = f"{row['cluster']}~{number}"
    row["key"] = _key(row["key"], number)
    row["calls"] = json.dumps([_key(bytes.fromhex(call), number).hex() for call in json.loads(row["calls"])])


def _marked(request: str) -> str:
    """The request with a place for the number of its copy behind its last words."""
    content = json.loads(request)
    message = content["messages"][-1]
    message.append(f"\n\nThis is number {MARK}.")
    return json.dumps(content, separators=(",", ":"))


def _key(key: bytes, number: int) -> bytes:
    return sha256(key + number.to_bytes(4, "big")).digest()


def peak(words: list[str]) -> tuple[float, float, float]:
    """Peak memory in MB, CPU seconds and wall seconds of a command."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "snellen", *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"snellen {' '.join(words)}: exit status {process.returncode}")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime, time.perf_counter() - started


def measure(sizes: tuple[int, ...] = SIZES) -> list[tuple[str, str, str]]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        first: dict[str, float] = {}
        for size in sizes:
            store = Path(folder) / f"{size}.sqlite"
            trials = grow(store, size)
            for name, words in COMMANDS.items():
                memory, cpu, wall = peak([{"STORE": str(store), "FOLDER": folder}.get(word, word) for word in words])
                first.setdefault(name, memory)
                wanted = "" if size == sizes[0] else f"<= 2x (is {memory / first[name]:.1f}x)"
                told = f"{memory:,.0f} MB, {cpu:.1f} s of CPU, {wall:.1f} s"
                rows.append((f"`snellen {name}` of {trials:,} trials: peak memory, time", told, wanted))
            store.unlink()
    return rows


if __name__ == "__main__":
    for row in measure(tuple(map(int, sys.argv[1:])) or SIZES):
        print(" | ".join(row), flush=True)
