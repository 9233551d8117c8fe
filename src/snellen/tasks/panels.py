"""Panels that are files: found without ever leaving the data folder, checked by content, sent as they are.

A panel is `{"file": name, "bytes": its size, "crop": box or None, "remade": why}`; a file replaced under the same name
is another panel by its size. Names come from strangers' JSON, so a name that is
absolute or climbs (`..`) is refused, and nothing is matched by pattern. The check is lexical: the Hub's cache is made
of links, and links that you put in your own folder are yours.

A picture goes out as the very bytes of its file, whatever its suffix says. Where that cannot be (a crop is asked for,
or no provider takes it as it is), it is made again as an RGB PNG without loss, and the panel's `remade` records why.
Transparency is laid on white. The same file gives the same pixels everywhere, and the same bytes with the same Pillow.
"""

import os
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import IO, Any, TypeVar

import numpy as np
from PIL import Image, ImageFile, UnidentifiedImageError

from snellen.errors import UserError
from snellen.item import Picture
from snellen.pictures import MEDIA_TYPES, outside_picture

Panel = Mapping[str, Any]
Box = tuple[int, int, int, int]
T = TypeVar("T")

LARGEST = 256 * 2**20
"""No picture is larger; whatever is, whether on disk or unpacked from an archive, is not read."""

_NOT_ON_WINDOWS = str.maketrans('<>:"|?*', "_______")
_TRUNCATED = Lock()


class Unfit(Exception):
    """Why a record, or a picture, cannot be used."""


def shown(text: str, most: int = 60) -> str:
    """Outside text made fit for one line of a report: no control characters, not too long."""
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: 4 * most])
    return clean if len(clean) <= most else f"{clean[: most - 15]}…{clean[-14:]}"


def safe_name(name: str) -> str:
    """A file's name as a path below the data folder, without a leading `./`."""
    parts = name.replace("\\", "/").split("/")
    drive = len(name) > 1 and name[1] == ":" and name[0].isalpha()
    if not name or "\0" in name or parts[0] == "" or drive or ".." in parts:
        raise Unfit(f"the file name {shown(name)!r} points outside the data folder")
    return name.removeprefix("./")


def find(name: str, roots: Iterable[Path]) -> Path | None:
    """The file of that name in the first root that has it.

    Unpacking on Windows puts underscores where a name has characters that Windows forbids, so that is tried next.
    """
    spellings = dict.fromkeys((name, name.translate(_NOT_ON_WINDOWS)))
    for root in roots:
        for spelling in spellings:
            if os.path.isfile(path := root / spelling):  # noqa: PTH113 - unlike Path.is_file, never raises
                return path
    return None


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """What the beginning of a picture tells: its size, and why it cannot go out as it is (empty if it can)."""

    size: tuple[int, int]
    remade: str


def file_panel(roots: tuple[Path, ...], *names: str) -> dict[str, Any]:
    """The panel of a whole picture, under the first of these names that is there; Unfit if it is none."""
    for name in map(safe_name, names):
        if path := find(name, roots):
            seen = look(path, shown(name))
            return {"file": name, "bytes": path.stat().st_size, "crop": None, "remade": seen.remade}
    raise Unfit(f"{shown(names[0])} is missing")


def look(source: Path | IO[bytes], name: str, *, whole: bool = True) -> PictureHeader:
    """See what a picture is from its beginning. `whole`: also that nothing is missing, where the format tells (PNG)."""
    try:
        with _guarded(), Image.open(source) as image:
            seen = PictureHeader(image.size, _why_remade(image))
            if whole:
                image.verify()
    except Exception as error:  # Pillow's readers raise all sorts on files that are no pictures
        raise Unfit(f"{name} is not a readable picture ({_in_words(error)})") from None
    return seen


def all_panels(make: Callable[[T], Panel], sources: Iterable[T]) -> tuple[Panel, ...]:
    """Every panel of a problem. If some are unfit, says how many and why the first is."""
    panels: list[Panel] = []
    faults: list[str] = []
    for source in sources:
        try:
            panels.append(make(source))
        except Unfit as fault:
            faults.append(str(fault))
    if faults:
        raise Unfit(f"{len(faults)} of {len(panels) + len(faults)} pictures cannot be used: {faults[0]}")
    return tuple(panels)


def open_panel(panel: Panel, roots: Iterable[Path], alt: str, twin: str = "") -> Picture:
    """The picture of a panel, as bytes."""
    name = shown(str(panel["file"]))
    try:
        data = _read(panel, roots)
        crop = panel["crop"]
        seen = look(BytesIO(data), name, whole=crop is None)
        if crop is not None or seen.remade:
            return Picture(_remade(data, crop), "image/png", alt, twin)
    except Unfit as fault:
        raise UserError(f"{fault}; replace or remove it") from None
    except Exception as error:  # a decoder's complaint about the body of the picture
        raise UserError(f"{name}: cannot be decoded ({_in_words(error)}); replace or remove it") from None
    return replace(outside_picture(data, name, alt), twin=twin)


def _read(panel: Panel, roots: Iterable[Path]) -> bytes:
    path = find(safe_name(panel["file"]), roots)
    if path is None:
        raise Unfit(f"{shown(panel['file'])} is missing")
    if "member" in panel:
        with zipfile.ZipFile(path) as archive, archive.open(panel["member"]) as file:
            return _limited(file, panel["member"])
    if "row" in panel:
        return _cell(path, panel["row"], panel["column"])
    with path.open("rb") as file:
        return _limited(file, panel["file"])


def _limited(file: IO[bytes], name: str) -> bytes:
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unfit(f"{shown(name)} is larger than {LARGEST >> 20} MiB")
    return data


def _cell(path: Path, row: int, column: str) -> bytes:
    import polars as pl  # only needed here, and slow to load

    data = picture_bytes(pl.scan_parquet(path, glob=False).select(column).slice(row, 1).collect().item())
    if data is None:
        raise Unfit(f"{path.name} row {row + 1}: {column} holds no picture")
    return data


def cell_panel(file: str, row: int, record: Mapping[str, Any], column: str) -> tuple[Panel, bytes]:
    """The picture in a column of a Parquet file's row, as a panel and as bytes; Unfit if there is none."""
    data = picture_bytes(record[column])
    if data is None:
        raise Unfit(f"{column} holds no picture")
    seen = look(BytesIO(data), column)
    where = {"file": file, "row": row, "column": column, "bytes": len(data)}
    return {**where, "crop": None, "remade": seen.remade}, data


def picture_bytes(value: Any) -> bytes | None:
    """The picture in a Parquet cell: the Hub keeps a struct of `bytes` and `path`."""
    data = value.get("bytes") if isinstance(value, dict) else value
    return data if isinstance(data, bytes) else None


@contextmanager
def _guarded() -> Iterator[None]:
    """Pillow's guard against decompression bombs as an error, not a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        yield


@contextmanager
def _truncated_allowed(allowed: bool) -> Iterator[None]:
    """Let Pillow fill up what a truncated file lacks. A global switch of Pillow's, hence the lock."""
    with _TRUNCATED:
        before = ImageFile.LOAD_TRUNCATED_IMAGES
        ImageFile.LOAD_TRUNCATED_IMAGES = allowed
        try:
            yield
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = before


def _why_remade(image: Image.Image) -> str:
    if image.format not in MEDIA_TYPES:
        return f"was {image.format}"
    if image.has_transparency_data:
        return "was transparent"
    if image.format != "MPO" and getattr(image, "is_animated", False):
        return "was animated"
    return "" if image.mode in ("RGB", "L", "P", "1") else f"was {image.mode}"


def _remade(data: bytes, crop: Box | None) -> bytes:
    """The picture, or its crop, as an RGB PNG. The one set that asks for crops is known to have truncated files."""
    with _guarded(), _truncated_allowed(crop is not None), Image.open(BytesIO(data)) as image:
        image.load()
        out = BytesIO()
        _rgb(image.crop(crop) if crop else image).save(out, "PNG", compress_level=6)
    return out.getvalue()


def _rgb(image: Image.Image) -> Image.Image:
    if image.has_transparency_data:
        white = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")
    if image.mode.startswith("I"):  # sixteen bits a pixel, which Pillow would clip rather than scale
        image = Image.fromarray((np.asarray(image).astype(np.int64).clip(0, 65535) // 257).astype(np.uint8))
    return image.convert("RGB")


def _in_words(error: Exception) -> str:
    if isinstance(error, UnidentifiedImageError):
        return "its content is not a picture"
    return shown(str(error) or type(error).__name__, 100)
