"""What the loaders of published sets share: where the data are, what is in the files, what could not be used.

A set is named by `[KIND:]PLACE[:OPTION=VALUE,...]`; the place is a folder, a file, or a data set on the Hub. A record
that cannot be used becomes one line that names its file and place in it, and the rest goes on. If nothing is left,
or a file as a whole is broken, the user gets an error that says how to get the data. Pickles are never opened.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from snellen.errors import UserError, unknown
from snellen.item import NOTHING, Picture
from snellen.tasks.hub import is_hub_id, snapshot
from snellen.tasks.panels import Panel, Unfit, open_panel, shown

T = TypeVar("T")

_KIND = re.compile(r"[a-z_-]{2,}:(?![a-z_]+=)", re.IGNORECASE)
"""What looks like the name of a kind: words before a colon that begins no option, longer than the letter of a drive."""
_OPTIONS = re.compile(r":(?=[a-z_]+=)")
_NEXT_OPTION = re.compile(r",(?=[a-z_]+=)")
_DEEP = 4
_CROWD = 300
_PICTURE_FOLDERS = {"images", "image", "imgs", "png"}


@dataclass(frozen=True, slots=True)
class Where:
    """Where a set is, as the user said it."""

    kind: str
    place: str
    options: Mapping[str, str]


def parse_where(where: str, kinds: Iterable[str] = ()) -> Where:
    """`openworld:PLACE:split=test,images=FOLDER` taken apart; a place that exists as written has no options."""
    word, colon, rest = where.partition(":")
    names = list(kinds)
    kind, place = (word, rest) if colon and word in names else ("", where)
    if _exists(place):
        return Where(kind, place, NOTHING)
    if names and not kind and _KIND.match(where):
        raise unknown("kind of data set", word, names)
    place, *words = _OPTIONS.split(place, maxsplit=1)
    pairs = (word.partition("=") for word in _NEXT_OPTION.split(words[0])) if words else ()
    return Where(kind, place, {name: value for name, _, value in pairs})


def check_options(where: Where, known: Iterable[str]) -> None:
    """Refuse options that this kind of set does not have."""
    for name in where.options:
        if name not in known:
            raise unknown("option of the data set", name, known)


def chosen(options: Mapping[str, str], name: str, known: Iterable[str]) -> str:
    """The value of an option that has only certain values; empty if it is not given."""
    value = options.get(name, "")
    if value and value not in known:
        raise unknown(f"value of the data option {name}", value, known)
    return value


def whole_number(options: Mapping[str, str], name: str, default: int) -> int:
    """The value of an option that is a number."""
    value = options.get(name, str(default))
    if not re.fullmatch(r"\d{1,18}", value, re.ASCII):
        raise UserError(f"data option {name}={shown(value)}: expected a whole number")
    return int(value)


def place_of(place: str, obtain: str) -> Path:
    """The folder or file of a set, fetched from the Hub if it is named so; `obtain` says how to get the data."""
    if _exists(place):
        return _path(place)
    if is_hub_id(place):
        return snapshot(place)
    raise UserError(f"{shown(place)}: no such folder, and no data set on the Hub is named like that; {obtain}")


def image_folder(options: Mapping[str, str]) -> tuple[Path, ...]:
    """The folder that the option `images` names, if it is given."""
    name = "images"
    if name not in options:
        return ()
    folder = _path(options[name])
    if not folder.is_dir():
        raise UserError(f"data option {name}={shown(options[name])}: no such folder")
    return (folder,)


def file_of(options: Mapping[str, str], name: str, beside: Iterable[Path], usual: str) -> Path | None:
    """The file an option names, or else the one of its usual name in one of these folders."""
    if name in options:
        path = _path(options[name])
        if not path.is_file():
            raise UserError(f"data option {name}={shown(options[name])}: no such file")
        return path
    return next((folder / usual for folder in beside if (folder / usual).is_file()), None)


def _path(place: str) -> Path:
    """A path as the user wrote it; shells leave `~` alone behind `TASK=`."""
    return Path(os.path.expanduser(place))  # noqa: PTH111 - unlike Path.expanduser, never raises


def _exists(place: str) -> bool:
    return os.path.exists(_path(place))  # noqa: PTH110 - unlike Path.exists, never raises (too long, null bytes)


def tree(root: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Every folder from here on with its folders and files, a few floors down, in a fixed order.

    Folders that hold nothing but pictures, or crowds of folders, are named but not entered.
    """
    for path, folders, files in os.walk(root):
        folders.sort()
        yield Path(path), list(folders), sorted(files)
        deep = len(Path(path).relative_to(root).parts) >= _DEEP
        crowded = deep or len(folders) > _CROWD
        folders[:] = [f for f in folders if not (crowded or f.startswith(".") or f in _PICTURE_FOLDERS)]


def files_with(place: Path, suffixes: tuple[str, ...], sign: bytes) -> list[Path]:
    """The files of these suffixes that have the sign near their beginning: content decides, names do not."""
    if place.is_file():
        candidates: Iterable[Path] = [place]
    else:
        candidates = (
            path / name for path, _, files in tree(place) for name in files if name.lower().endswith(suffixes)
        )
    return [path for path in candidates if sign in _beginning(path)]


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(1 << 16)
    except OSError:
        return b""


def between(place: Path, file: Path) -> tuple[Path, ...]:
    """The folders from a file up to the place the user gave: where names in that file may start from."""
    top = place if place.is_dir() else place.parent
    return tuple(folder for folder in file.parents if folder == top or top in folder.parents)


@dataclass(frozen=True, slots=True)
class Unusable:
    """A record, or a whole problem, that could not be used, and why."""

    what: str
    why: str

    def __str__(self) -> str:
        return f"{shown(self.what, 80)}: {self.why}"


def usable_or_why(what: str, make: Callable[[], T]) -> T | Unusable:
    """What `make` gives, or, if its record is unfit, what to report of it."""
    try:
        return make()
    except Unfit as fault:
        return Unusable(what, str(fault))


class _Named(Protocol):
    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=_Named)


def distinct(entries: Iterator[N | Unusable]) -> Iterator[N | Unusable]:
    """The same entries; where an id comes a second time, a report instead."""
    seen: set[str] = set()
    for entry in entries:
        if isinstance(entry, Unusable):
            yield entry
        elif entry.id in seen:
            yield Unusable(entry.id, "is a duplicate; the first one is used")
        else:
            seen.add(entry.id)
            yield entry


def read_json(path: Path) -> Any:
    """The content of a JSON file."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not JSON ({error}); download the file again") from None


def records(path: Path) -> Iterator[tuple[str, Any] | Unusable]:
    """The records of a JSON array, or of a file with one record per line, each with the words that name it."""
    if path.suffix.lower() != ".jsonl":
        content = read_json(path)
        if not isinstance(content, list):
            raise UserError(f"{path}: expected a JSON array of records, found {_a(content)}; download the file again")
        yield from ((f"{path.name} record {i}", record) for i, record in enumerate(content, 1))
        return
    try:
        lines = path.read_bytes().decode("utf-8-sig", errors="replace").split("\n")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    for i, line in enumerate(lines, 1):
        if line.strip():
            yield _line(f"{path.name} line {i}", line)


def _line(name: str, line: str) -> tuple[str, Any] | Unusable:
    try:
        return name, json.loads(line)
    except (ValueError, RecursionError) as error:
        return Unusable(name, f"not JSON ({error})")


def _a(value: Any) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "nothing")


def text_at(record: Any, key: str) -> str:
    """The text under a key of a record."""
    value = value_at(record, key)
    if not isinstance(value, str):
        raise Unfit(f"{key} should be a text, but is {_a(value)}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise Unfit(f"{key} contains a lone surrogate (invalid Unicode)")
    return value


def texts_at(record: Any, key: str, count: int) -> tuple[str, ...]:
    """So many texts in a list under a key of a record."""
    value = value_at(record, key)
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise Unfit(f"{key} should be a list of texts")
    if len(value) != count:
        raise Unfit(f"{key} has {len(value)} entries; {count} are expected")
    return tuple(value)


def value_at(record: Any, key: str) -> Any:
    """What stands under a key of a record."""
    if not isinstance(record, dict):
        raise Unfit(f"expected an object, found {_a(record)}")
    if key not in record:
        raise Unfit(f"{key} is missing")
    return record[key]


class Looked(Generic[T]):
    """What an iterator gives, looked at only as far as it is asked for, and only once."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._seen: list[T] = []

    def __iter__(self) -> Iterator[T]:
        for i in count():
            if i == len(self._seen):
                try:
                    self._seen.append(next(self._source))
                except StopIteration:
                    return
            yield self._seen[i]


@dataclass(frozen=True)
class LoadedSet(Generic[T]):
    """A set that was found. Everything is looked at only when it is asked for, so a few problems cost little.

    `source` goes through the set: what can be used, and what cannot. `roots` are the folders that file names are
    relative to. `credit` names the set and its terms; `twin` says in exact words what a panel shows, where the set
    tells.
    """

    source: Callable[[], Iterator[T | Unusable]]
    roots: tuple[Path, ...]
    credit: str
    alt: str
    twin: Callable[[Panel], str] = field(default=lambda panel: "")

    @cached_property
    def entries(self) -> Looked[T | Unusable]:
        """The set in its order: what can be used, and what cannot."""
        return Looked(self.source())

    def usable(self) -> Iterator[T]:
        """What can be used, in the set's order."""
        return (entry for entry in self.entries if not isinstance(entry, Unusable))

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """What in the whole set cannot be used and why, a line each."""
        return tuple(str(entry) for entry in self.entries if isinstance(entry, Unusable))

    def picture(self, panel: Panel) -> Picture:
        """The picture of a panel: the very bytes of its file unless it must be cropped or converted."""
        return open_panel(panel, self.roots, self.alt, self.twin(panel))


def with_something(loaded: LoadedSet[T], place: Path, obtain: str) -> None:
    """Refuse a set of which nothing can be used, and say how to get it."""
    if next(loaded.usable(), None) is None:
        first = loaded.missing[0] if loaded.missing else "it is empty"
        raise UserError(f"{place}: no usable records ({len(loaded.missing)} checked; {first}); {obtain}")
