"""Stimuli as a data set on disk, and back.

Two layouts, both of which Hugging Face `datasets` loads without network:

- `parquet`: `data/test-00000.parquet`, ... with the pictures inside, typed as images both in a card (README.md, read by
  `load_dataset(folder)`) and in the files themselves (read by `load_dataset("parquet", data_files=...)`);
- `jsonl`: `metadata.jsonl` and `images/DIGEST.png`, each picture once, for `load_dataset("imagefolder", data_dir=...)`.

One row is one stimulus, as one call asks it. Rows are written in shards, so memory stays bounded, into a folder beside
the one wanted, which takes its name when all is well: a failure leaves nothing half-written.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Literal

import polars as pl

from snellen.errors import UserError
from snellen.item import Picture, Stimulus
from snellen.pictures import outside_picture
from snellen.tasks.rows import FIXED, LISTS, factors_of, from_row, to_row

Format = Literal["parquet", "jsonl"]

SHARD_ROWS = 2000
SHARD_BYTES = 64 << 20
_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}
IMAGE = pl.Struct({"bytes": pl.Binary, "path": pl.String})


def write_items(stimuli: Iterable[Stimulus], folder: Path, format: Format) -> int:
    """Write the stimuli as a data set into a new or empty folder; returns the number of rows."""
    check_free(folder)
    rows = iter(stimuli)
    first = next(rows, None)
    if first is None:
        raise UserError(f"folder {folder}: no items to write; ask for at least one")
    write = _write_parquet if format == "parquet" else _write_jsonl
    with whole_folder(folder) as unfinished:
        return write(chain([first], rows), unfinished, factors_of(first))


def check_free(folder: Path, instead: str = "choose another name or remove it") -> None:
    """Refuse a folder that holds something, and say what to do instead."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"folder {folder}: exists and is not empty; {instead}")


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes the wanted one's place at the end; if anything fails, nothing is left."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            yield unfinished
            unfinished.chmod(0o755)
            if folder.exists():
                folder.rmdir()
            unfinished.rename(folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
    except (OSError, pl.exceptions.PolarsError) as error:  # polars has its own error for a full disk
        reason = getattr(error, "strerror", None) or _line(error)
        raise UserError(f"folder {folder}: {reason}; nothing was written") from None


def read_items(folder: Path) -> Iterator[Stimulus]:
    """The stimuli of a folder that `write_items` wrote, one after another."""
    shards = sorted(folder.glob("data/*.parquet"))
    table = folder / "metadata.jsonl"
    if shards:
        return chain.from_iterable(_read_parquet(shard) for shard in shards)
    if table.is_file():
        return _read_jsonl(table)
    raise UserError(
        f"folder {folder}: found no data/*.parquet nor metadata.jsonl; give a folder made by `snellen make`"
    )


def _write_parquet(stimuli: Iterator[Stimulus], folder: Path, factors: tuple[str, ...]) -> int:
    (folder / "data").mkdir()
    columns = _columns(factors)
    features = _features(factors)
    count = 0
    for number, shard in enumerate(shards(stimuli)):
        rows = [to_row(stimulus, factors, inside) for stimulus in shard]
        path = folder / "data" / f"test-{number:05}.parquet"
        write_typed(pl.DataFrame(rows, schema=columns), path, features)
        count += len(rows)
    (folder / "README.md").write_text(_card(factors, count), encoding="utf-8")
    return count


def _columns(factors: tuple[str, ...]) -> dict[str, pl.DataType]:
    text = pl.String()
    columns: dict[str, pl.DataType] = dict.fromkeys((*FIXED, *factors), text)
    return {**columns, "image": IMAGE, "more_images": pl.List(IMAGE), "labels": pl.List(text)}


def _features(factors: tuple[str, ...]) -> dict[str, Any]:
    """The columns' types in the words of `datasets`."""
    text, image = {"dtype": "string", "_type": "Value"}, {"_type": "Image"}
    features: dict[str, Any] = dict.fromkeys((*FIXED, *factors), text)
    lists = {name: {"feature": image if name == "more_images" else text, "_type": "Sequence"} for name in LISTS}
    return {**features, "image": image, **lists}


def write_typed(frame: pl.DataFrame, path: Path, features: Mapping[str, Any]) -> None:
    """Write a table with the columns' types in the words of `datasets`, so that pictures are read as such."""
    frame.write_parquet(path, metadata={"huggingface": json.dumps({"info": {"features": features}})})
    _let_features_count(path)


def _let_features_count(path: Path) -> None:
    """Make readers of the file see the features written into it.

    polars adds an entry "ARROW:schema", and where there is one, Arrow heeds no other, so `datasets` would see raw bytes
    for pictures. Another name of the same length for that entry leaves the file valid and its types plain.
    """
    with path.open("r+b") as file:
        file.seek(-8, 2)
        size = int.from_bytes(file.read(4), "little")  # of the footer, which ends 8 bytes before the file does
        file.seek(-8 - size, 2)
        footer = file.read(size)
        file.seek(-8 - size, 2)
        file.write(footer.replace(b"\x18\x0cARROW:schema", b"\x18\x0cpolars:arrow"))  # a text of 12 bytes


def _card(factors: tuple[str, ...], count: int) -> str:
    """The data set's card, whose head tells `datasets` about files, splits and types."""
    kinds = {"image": "dtype: image", "more_images": "sequence: image", "labels": "sequence: string"}
    features = "\n".join(
        f"  - name: {json.dumps(name)}\n    {kinds.get(name, 'dtype: string')}" for name in (*FIXED, *factors)
    )
    return f"""---
configs:
- config_name: default
  data_files:
  - split: test
    path: data/*.parquet
dataset_info:
  features:
{features}
  splits:
  - name: test
    num_examples: {count}
---

# Items made by Snellen

{count} prompts, one a row: the words to send (`prompt`, with <image> where a picture stands), the pictures in that
order (`image`, `more_images`), the way of asking (`paradigm`: the item as it is, or a rung of the ladder such as
`words` or `told`), the right answer (`key`, one of `labels`), the same content in exact words (`twin`), questions about
perception alone (`probes`), what the maker knows (`truth`), and the level of each factor.

    from datasets import load_dataset
    rows = load_dataset("this/folder", split="test")
"""


def shards(stimuli: Iterator[Stimulus]) -> Iterator[list[Stimulus]]:
    """Stretches of stimuli small enough to hold at once."""
    shard: list[Stimulus] = []
    size = 0
    for stimulus in stimuli:
        shard.append(stimulus)
        size += sum(len(picture.data) for picture in stimulus.pictures)
        if len(shard) >= SHARD_ROWS or size >= SHARD_BYTES:
            yield shard
            shard, size = [], 0
    if shard:
        yield shard


def _write_jsonl(stimuli: Iterator[Stimulus], folder: Path, factors: tuple[str, ...]) -> int:
    images = folder / "images"
    images.mkdir()
    written: set[str] = set()

    def outside(picture: Picture) -> str:
        name = file_name(picture)
        if name not in written:
            (folder / name).write_bytes(picture.data)
            written.add(name)
        return name

    count = 0
    with (folder / "metadata.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for stimulus in stimuli:
            row = to_row(stimulus, factors, outside)
            row = {"file_name": row.pop("image"), **row}
            file.write(json.dumps(row, ensure_ascii=True) + "\n")
            count += 1
    return count


def file_name(picture: Picture) -> str:
    return f"images/{picture.digest}.{_SUFFIXES.get(picture.media_type, 'bin')}"


def inside(picture: Picture) -> dict[str, Any]:
    """A picture as a cell of a table that holds it."""
    return {"bytes": picture.data, "path": file_name(picture).removeprefix("images/")}


def _read_parquet(path: Path) -> Iterator[Stimulus]:
    try:
        frame = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{path}: not a readable Parquet file ({_line(error)})") from None
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        where = f"{path} row {number}"
        yield _stimulus(row, partial(_contained, where), where)


def _read_jsonl(path: Path) -> Iterator[Stimulus]:
    def beside(name: Any) -> Picture:
        # A file's name is somebody else's text: only names this module gives are ever opened.
        if not isinstance(name, str) or not re.fullmatch(r"images/[0-9a-f]{64}\.[a-z]{3,4}", name):
            raise ValueError(f"picture {name!r} is none of this data set's")
        return outside_picture((path.parent / name).read_bytes(), str(path.parent / name))

    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                where = f"{path} line {number}"
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise UserError(f"{where}: not JSON ({error})") from None
                named = {**row, "image": row.get("file_name")} if isinstance(row, dict) else {}
                yield _stimulus(named, beside, where)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({_line(error)})") from None


def _stimulus(row: Mapping[str, Any], loaded: Callable[[Any], Picture], where: str) -> Stimulus:
    try:
        stored = [*([row["image"]] if row["image"] is not None else []), *row["more_images"]]
        return from_row(row, tuple(loaded(picture) for picture in stored))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(f"{where}: not an item ({type(error).__name__}: {error}); make the folder again") from None


def _contained(where: str, stored: Mapping[str, Any]) -> Picture:
    return outside_picture(stored["bytes"], where)


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]
