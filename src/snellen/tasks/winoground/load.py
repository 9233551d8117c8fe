"""The published Winoground: 400 samples, gated, for research only; nothing of it is kept here.

Two forms are read: the old one, `examples.jsonl` with the pictures in a folder or in `images.zip` (named
`ex_<id>_img_<k>` without a suffix), and the Hub's Parquet files with the pictures inside. Archives are read in place,
never unpacked. `new_tag_assignments.json`, the tags of the later study of why Winoground is hard, is used if it is
beside the data or given.

What to know about it: `tag` and `secondary_tag` hold several words, joined by commas; the two captions of 24 samples
differ in more than the order of words; the only split is called test.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from snellen.errors import UserError
from snellen.tasks.data import (
    LoadedSet,
    Unusable,
    between,
    check_options,
    distinct,
    file_of,
    files_with,
    image_folder,
    parse_where,
    place_of,
    read_json,
    records,
    text_at,
    usable_or_why,
    value_at,
    with_something,
)
from snellen.tasks.panels import LARGEST, Panel, Unfit, all_panels, cell_panel, file_panel, look, shown
from snellen.tasks.parquet import parquet_files, parquet_rows
from snellen.tasks.winoground.sample import Sample

__all__ = ["load"]

OPTIONS = ("images", "tags")
CREDIT = "Winoground (Thrush et al. 2022), research use only under its own terms; photographs by Getty Images"
OBTAIN = (
    "Winoground: facebook/winoground on the Hugging Face Hub: log in (hf auth login), accept its terms (research use "
    "only), and give that id, or a folder with examples.jsonl and images.zip, or with the Parquet files"
)
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", "")
_NEEDED = ("id", "image_0", "image_1", "caption_0", "caption_1")

Entries = Iterator[Sample | Unusable]
Hard = Mapping[str, tuple[str, ...]]


def load(where: str) -> LoadedSet[Sample]:
    """The set at `PLACE[:OPTION=VALUE,...]`. Options: `images` (a folder or zip), `tags` (the later tags' file).

    `where`: PLACE is a folder, a file or an id on the Hub. Returns the samples with their pictures, read as they are
    asked for. Raises `UserError` if there are none.

    >>> next(load("data/winoground").usable()).captions  # doctest: +SKIP
    """
    asked = parse_where(where)
    check_options(asked, OPTIONS)
    place = place_of(asked.place, OBTAIN)
    parquet = parquet_files(place, _NEEDED)
    files = parquet or files_with(place, (".jsonl",), b'"caption_0"')
    if not files:
        raise UserError(f"{place}: neither examples.jsonl nor Parquet files with captions; {OBTAIN}")
    near = tuple(dict.fromkeys(folder for file in files for folder in between(place, file)))
    tags = file_of(asked.options, "tags", near, "new_tag_assignments.json")
    hard = _hard(tags) if tags else {}
    if parquet:
        loaded = _loaded(partial(_parquet_entries, parquet, hard), near)
    else:
        roots, archive = _pictures(near, asked.options)
        loaded = _loaded(partial(_line_entries, files[0], roots, archive, hard), roots)
    with_something(loaded, place, OBTAIN)
    return loaded


def _loaded(entries: Callable[[], Entries], roots: tuple[Path, ...]) -> LoadedSet[Sample]:
    return LoadedSet[Sample](lambda: distinct(entries()), roots, CREDIT, "a photograph")


def _sample(record: Any, panel: Callable[[int], Panel], hard: Hard) -> Sample:
    number = value_at(record, "id")
    if type(number) is not int or not 0 <= number < 10**9:
        raise Unfit("id should be a whole number from 0")
    captions = text_at(record, "caption_0"), text_at(record, "caption_1")
    first, second = all_panels(panel, (0, 1))
    tags = {
        "tag": _split(record.get("tag")),
        "collapsed": _split(record.get("collapsed_tag")),
        "secondary": _split(record.get("secondary_tag")),
        "predicates": _split(record.get("num_main_preds")),
        "hard": hard.get(str(number), ()),
    }
    return Sample(f"published/{number:04d}", captions, (first, second), tags)


def _split(tags: Any) -> tuple[str, ...]:
    """`Symbolic, Series` as two tags; nothing as none."""
    words = str(tags).split(",") if isinstance(tags, str | int) else ()
    return tuple(word.strip() for word in words if word.strip())


def _hard(path: Path) -> Hard:
    """The later study's tags by sample number."""
    content = read_json(path)
    if not isinstance(content, dict) or not all(_texts(tags) for tags in content.values()):
        raise UserError(f"{path}: expected an object from sample numbers to lists of tags; download the file again")
    return {number: tuple(tags) for number, tags in content.items()}


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


# The old form: one record a line, pictures in a folder or an archive


def _pictures(near: tuple[Path, ...], options: Mapping[str, str]) -> tuple[tuple[Path, ...], Path | None]:
    """The folders that pictures may be in, and the archive, if any."""
    given = options.get("images", "")
    if given.endswith(".zip"):
        archive = file_of(options, "images", (), "")
        return (archive.parent,) if archive else (), archive
    folders = image_folder(options) or tuple(f for folder in near for f in (folder / "images", folder))
    return folders, file_of({}, "", near, "images.zip")


def _line_entries(path: Path, roots: tuple[Path, ...], archive: Path | None, hard: Hard) -> Entries:
    with ExitStack() as stack:
        packed = _Packed(stack.enter_context(_opened(archive)), archive.name) if archive else None
        for entry in records(path):
            if isinstance(entry, Unusable):
                yield entry
            else:
                what, record = entry
                panel = partial(_line_panel, record, roots, packed)
                yield usable_or_why(what, partial(_sample, record, panel, hard))


class _Packed:
    """The pictures in an archive, by file name: which folder of it they are in does not matter."""

    def __init__(self, archive: ZipFile, name: str) -> None:
        self._archive = archive
        self._name = name
        self._members = {info.filename.rpartition("/")[2]: info for info in archive.infolist() if not info.is_dir()}

    def panel(self, *names: str) -> Panel | None:
        for name in names:
            if info := self._members.get(name):
                return self._panel(info)
        return None

    def _panel(self, info: ZipInfo) -> Panel:
        if info.file_size > LARGEST:
            raise Unfit(f"{shown(info.filename)} is larger than {LARGEST >> 20} MiB")
        try:
            with self._archive.open(info) as file:
                seen = look(file, shown(info.filename), whole=False)
        except (OSError, RuntimeError, BadZipFile) as error:
            raise Unfit(f"{shown(info.filename)} cannot be unpacked ({error})") from None
        where = {"file": self._name, "member": info.filename, "bytes": info.file_size}
        return {**where, "crop": None, "remade": seen.remade}


def _opened(archive: Path) -> ZipFile:
    try:
        return ZipFile(archive)
    except (OSError, BadZipFile) as error:
        raise UserError(f"{archive}: not a readable zip archive ({error}); download it again") from None


def _line_panel(record: Any, roots: tuple[Path, ...], packed: _Packed | None, k: int) -> Panel:
    stem = text_at(record, f"image_{k}")
    names = [stem + suffix for suffix in SUFFIXES]
    return (packed.panel(*names) if packed else None) or file_panel(roots, *names)


# The Hub's form: Parquet with the pictures inside


def _parquet_entries(files: list[Path], hard: Hard) -> Entries:
    for path in files:
        for row, record in enumerate(parquet_rows(path)):
            panel = partial(_cell_panel, path, row, record)
            yield usable_or_why(f"{path.name} row {row + 1}", partial(_sample, record, panel, hard))


def _cell_panel(path: Path, row: int, record: Any, k: int) -> Panel:
    return cell_panel(path.name, row, record, f"image_{k}")[0]
