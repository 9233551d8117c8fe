"""Ways in which a store's files decay on a disk."""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

PAGE = 4096


def flips(data: bytearray, rng: Random) -> None:
    """A few bits, anywhere."""
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def structure(data: bytearray, rng: Random) -> None:
    """A byte where pages say what they are, how many rows they have and where those begin."""
    page = rng.randrange(max(len(data) // PAGE, 1))
    data[min(page * PAGE + rng.choice((0, 3, 4, 5, 8, 9, 10, 11, 12, 13)), len(data) - 1)] = rng.randrange(256)


def header(data: bytearray, rng: Random) -> None:
    """A bit of the file's header."""
    data[rng.randrange(min(100, len(data)))] ^= 1 << rng.randrange(8)


def schema(data: bytearray, rng: Random) -> None:
    """A bit of the first page, which holds the definitions of the tables."""
    data[rng.randrange(100, min(PAGE, len(data)))] ^= 1 << rng.randrange(8)


def zeros(data: bytearray, rng: Random) -> None:
    at, length = rng.randrange(len(data)), rng.choice((1, 16, 512, PAGE, 3 * PAGE))
    at = at // PAGE * PAGE if length >= PAGE else at
    end = min(at + length, len(data))
    data[at:end] = bytes(end - at)


def noise(data: bytearray, rng: Random) -> None:
    at = rng.randrange(len(data))
    end = min(at + rng.choice((4, 64, PAGE)), len(data))
    data[at:end] = rng.randbytes(end - at)


def swap(data: bytearray, rng: Random) -> None:
    """Two pages in each other's place."""
    one, two = (PAGE * rng.randrange(1, max(len(data) // PAGE, 2)) for _ in range(2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]


def copied(data: bytearray, rng: Random) -> None:
    """A page written to the wrong place."""
    one, two = (PAGE * rng.randrange(1, max(len(data) // PAGE, 2)) for _ in range(2))
    if one + PAGE <= len(data):
        data[two : two + PAGE] = data[one : one + PAGE]


def cut(data: bytearray, rng: Random) -> None:
    del data[rng.randrange(len(data)) :]


HARMS: tuple[Callable[[bytearray, Random], None], ...] = (
    *(flips, flips, structure, structure, header, schema, zeros, noise, swap, copied, cut),
)


def decayed(whole: Path, folder: Path, number: int) -> str:
    """Put a damaged copy of a store, with its log if it has one, into a folder; what was done to it."""
    rng = Random(number)
    for name in ("", "-wal"):
        source = whole.with_name(whole.name + name)
        if source.exists():
            shutil.copyfile(source, folder / f"s.sqlite{name}")
    log = folder / "s.sqlite-wal"
    target = log if log.exists() and rng.random() < 0.7 else folder / "s.sqlite"
    harm = rng.choice([each for each in HARMS if target != log or each not in (cut, schema)])
    data = bytearray(target.read_bytes())
    harm(data, rng)
    target.write_bytes(data)
    return f"{harm.__name__} of {target.name}"
