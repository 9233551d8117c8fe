"""Data sets of other makers, read for an audit: what their columns are for is seen from names and content.

- a `.jsonl`, `.json`, `.csv` or `.parquet` file, or a folder with such files, whose rows have a key and, as paths or as
  bytes, pictures;
- Hugging Face image folders: pictures beside a `metadata.jsonl` or `metadata.csv` that names them, or in a folder for
  each class.

A path is looked for below the folder only, whatever the row says.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.errors import UserError, unknown
from snellen.item import Picture
from snellen.pictures import outside_picture
from snellen.tasks.audit.choices import options_in
from snellen.tasks.audit.observer import Observation
from snellen.tasks.data import Unusable, records
from snellen.tasks.panels import Unfit, find, picture_bytes, safe_name, shown
from snellen.tasks.parquet import parquet_rows

Row = Mapping[str, Any]

TABLES = (".parquet", ".jsonl", ".csv", ".json")
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
KEYS = ("key", "answer", "label", "target", "gt", "ground_truth", "gt_answer", "correct_answer", "solution", "class")
IDS = ("id", "item", "item_id", "question_id", "qid", "uid", "index", "idx", "name", "file_name")
WORDS = ("question", "prompt", "text", "query", "instruction", "problem", "caption")
CONTEXTS = ("hint", "context", "passage")
TWINS = ("twin", "description", "text_description", "image_description", "caption")
CHOICES = ("choices", "options", "labels", "candidates")
CLUSTERS = ("cluster", "base", "group_id")
SPLITS = ("split", "subset")
_SPLIT = re.compile(r"(?<![a-z])(train|test|val|valid|validation|dev)(?:ing)?(?![a-z])")


@dataclass(frozen=True, slots=True)
class ForeignColumns:
    """Which column is for what; empty if there is none."""

    key: str
    id: str
    words: tuple[str, ...]
    twin: str
    choices: str
    cluster: str
    split: str
    pictures: tuple[str, ...]


def is_made(place: Path) -> bool:
    """Whether a folder is of our own making: its first row says so."""
    tables = [*sorted(place.glob("data/*.parquet"))[:1], place / "metadata.jsonl"]
    path = next((path for path in tables if path.is_file()), None)
    if path is None:
        return False
    row = next((row for _, row in _rows(path)), {})
    return {"item", "task", "form", "parts", "truth"} <= row.keys()


def foreign(place: Path, key: str = "") -> Iterator[Observation]:
    """The rows of a data set, whoever made it. `key` names the column with the answers, where its name does not."""
    tables = _tables(place)
    if tables:
        return _from_tables(tables, key)
    classes = _class_folders(place) if place.is_dir() else {}
    if len(classes) > 1:
        return _from_classes(place, classes)
    raise UserError(
        f"{place}: found neither a table ({', '.join(TABLES)}) nor a folder of pictures for each class; give a folder "
        "made by `snellen make`, a table with pictures, or an image folder"
    )


def _tables(place: Path) -> list[Path]:
    """The tables at a place: of one kind, the first of which there are any, so that nothing is read twice."""
    if place.is_file():
        if place.suffix.lower() not in TABLES:
            raise UserError(f"{place}: not a table that can be read; expected {', '.join(TABLES)}")
        return [place]
    for suffix in TABLES[:-1]:  # a lone .json is rather about the set than the set itself
        if tables := sorted(path for path in place.rglob(f"*{suffix}") if path.is_file()):
            return tables
    return []


def _from_tables(tables: Sequence[Path], key: str) -> Iterator[Observation]:
    count = 0
    for path in tables:
        columns: ForeignColumns | None = None
        for where, row in _rows(path):
            columns = columns or _columns(path, row, key)
            count += 1
            yield _observation(row, columns, path, where)
    if not count:
        raise UserError(f"{tables[0]}: no rows; nothing to audit")


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    """The rows of a table, each with the words that name it."""
    if path.suffix == ".parquet":
        yield from ((f"{path} row {number}", row) for number, row in enumerate(parquet_rows(path), 1))
    elif path.suffix == ".csv":
        yield from _csv_rows(path)
    else:
        for record in records(path):
            if isinstance(record, Unusable):
                raise UserError(f"{path.parent / str(record)}")
            name, row = record
            if not isinstance(row, dict):
                raise UserError(f"{path.parent / name}: expected an object with a column a name")
            yield f"{path.parent / name}", row


def _csv_rows(path: Path) -> Iterator[tuple[str, Row]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from ((f"{path} row {number}", row) for number, row in enumerate(csv.DictReader(file), 1))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path}: not a readable table ({error})") from None


def _columns(path: Path, row: Row, key: str) -> ForeignColumns:
    """What the columns are for, by the first row."""
    if key and key not in row:
        raise unknown(f"column of {path}", key, row)
    answers = key or _first(row, KEYS)
    if not answers:
        raise UserError(
            f"{path}: no column has a name for the right answer ({', '.join(KEYS)}), found {_listed(row)}; "
            "name it with --key COLUMN"
        )
    asked = _first(row, WORDS, but=answers)
    contexts = (_first(row, (name,), but=answers) for name in CONTEXTS)
    return ForeignColumns(
        key=answers,
        id=_first(row, IDS, but=answers),
        words=tuple(name for name in (asked, *contexts) if name),
        twin=_first(row, [name for name in TWINS if name != asked.lower()], but=answers),
        choices=_first(row, CHOICES, but=answers),
        cluster=_first(row, CLUSTERS, but=answers),
        split=_first(row, SPLITS, but=answers),
        pictures=tuple(name for name, value in row.items() if name != answers and _shows(value)),
    )


def _first(row: Row, names: Iterable[str], but: str = "") -> str:
    """The first of these names that is a column, however it is capitalised."""
    spelled = {name.lower(): name for name in row if name != but}
    return next((spelled[name] for name in names if name in spelled), "")


def _shows(value: Any) -> bool:
    """Whether a cell holds a picture, several, or the path of one."""
    if isinstance(value, list):
        return bool(value) and all(map(_shows, value))
    if isinstance(value, str):
        return value.lower().endswith(PICTURES)
    if isinstance(value, dict):
        return picture_bytes(value) is not None or _shows(value.get("path"))
    return isinstance(value, bytes)


def _observation(row: Row, columns: ForeignColumns, path: Path, where: str) -> Observation:
    answer = row.get(columns.key)
    if answer is None or isinstance(answer, list | dict | bytes):
        raise UserError(f"{where}: {columns.key} must hold a single answer; name another column with --key COLUMN")
    cells = [cell for name in columns.pictures for cell in _cells(row.get(name))]
    pictures = tuple(_picture(cell, path.parent, where) for cell in cells)
    words = "\n".join(str(row[name]) for name in columns.words if row.get(name))
    choices = row.get(columns.choices) if columns.choices else None
    names = [name for cell in cells if (name := _path_in(cell))]
    item = str(_given(row, columns.id) or (names[0] if names else where))
    split = _given(row, columns.split) or _split_of(path)
    return Observation(
        group="",
        item=item,
        key=str(answer).strip(),
        features={},
        choices=len(choices) if isinstance(choices, list) else 0,
        # Ids often start anew in every split.
        cluster=_given(row, columns.cluster) or (f"{split}/{item}" if split else ""),
        words=words,
        pictures=pictures,
        options=options_in(row, columns.choices, words),
        twin=_given(row, columns.twin),
        split=split,
    )


def _given(row: Row, column: str) -> str:
    cell = row.get(column) if column else None
    return "" if cell is None else str(cell)


def _split_of(path: Path) -> str:
    """The split that a file or its folder is named after; none if neither is."""
    split = _SPLIT.search(path.stem.lower()) or _SPLIT.fullmatch(path.parent.name.lower())
    return split[1] if split else ""


def _cells(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _path_in(cell: Any) -> str:
    path = cell.get("path") if isinstance(cell, dict) else cell
    return path if isinstance(path, str) else ""


def _picture(cell: Any, folder: Path, where: str) -> Picture:
    data = picture_bytes(cell)
    if data is None:
        try:
            name = safe_name(_path_in(cell))
        except Unfit as fault:
            raise UserError(f"{where}: {fault}") from None
        path = find(name, (folder, folder.parent))
        if path is None:
            raise UserError(f"{where}: the picture {shown(name)} is not in {folder}; put it there or fix the row")
        data = path.read_bytes()
    return outside_picture(data, where)


def _class_folders(place: Path) -> dict[str, list[Path]]:
    """The pictures of an image folder by the folder they lie in; those of several splits together."""
    classes: dict[str, list[Path]] = {}
    for path in sorted(place.rglob("*")):
        if path.suffix.lower() in PICTURES and path.parent != place and path.is_file():
            classes.setdefault(path.parent.name, []).append(path)
    return classes


def _from_classes(place: Path, classes: Mapping[str, Sequence[Path]]) -> Iterator[Observation]:
    """Every picture with its folder as the key, in the order of their own names: that of folders would tell all."""
    files = sorted((path.name, key, path) for key, paths in classes.items() for path in paths)
    for name, key, path in files:
        picture = outside_picture(path.read_bytes(), str(path))
        split = _split_of(path.parent)
        own = str(path.relative_to(place))
        yield Observation("", name, key, {}, len(classes), own, pictures=(picture,), split=split)


def _listed(row: Row) -> str:
    return shown(", ".join(map(str, row)), 100) or "none"
