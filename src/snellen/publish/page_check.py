"""The report page of a published folder, taken apart: a frame of ours around data that cannot run.

A page from somebody else may hold anything. It counts as a report page only if everything in it but its title, its
packed data and its pictures is, byte for byte, what this version writes; these are in letters that mean nothing to
HTML. The data are compared with what the records give, pictures with what the items' seeds give: a pixel for a pixel,
or, of copies with loss, by the mean of small squares.
"""

import gzip
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from snellen.errors import UserError
from snellen.report.page import page

_DATA = re.compile(r'(<script type="text/plain" id="(\w+)">)([A-Za-z0-9+/=]*)(</script>)')
_PICTURE = re.compile(
    r'<script type="text/plain" id="picture-([0-9a-f]{64})" data-alt="([^"<>]*)" data-copy="(\w+)" data-file="">'
    r"(image/\w+);base64,([A-Za-z0-9+/=]*)</script>\n"
)
_TITLE = re.compile(r"<title>([^<>]*)</title>")
_SQUARE = 16
_SHADE = 12.0
"""By how much of 255 the mean of a square may differ between two copies with loss of the same picture."""
_MOST = 1 << 27
"""Bytes of a page's data, unpacked."""


@dataclass(frozen=True)
class PageParts:
    """A report page. `frame`: what is left without title, data and pictures."""

    frame: str
    title: str
    data: dict[str, str]
    pictures: dict[str, tuple[str, str, str]]
    """By digest: alternative text, what kind of copy, and the copy itself."""


def page_parts(path: Path) -> PageParts:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read ({error}); get the folder again") from None
    pictures = {found[1]: (found[2], found[3], found[5]) for found in _PICTURE.finditer(text)}
    data = {found[2]: found[3] for found in _DATA.finditer(text)}
    title = _TITLE.search(text)
    frame = _DATA.sub(r"\1\4", _PICTURE.sub("", text))
    return PageParts(_TITLE.sub("<title></title>", frame, count=1), title[1] if title else "", data, pictures)


def is_our_page(parts: PageParts) -> bool:
    """Whether the page does nothing but what a report page of this version does."""
    names = [name for name in parts.data if name != "head"]
    ours = "".join(page("", {}, dict.fromkeys(names, ""), iter(())))
    return parts.frame == _DATA.sub(r"\1\4", ours)


def page_differences(found: PageParts, expected: PageParts) -> Iterator[str]:
    """Names the parts of a published page that differ from the same page written anew."""
    if found.frame != expected.frame:
        yield "its frame"
    if found.title != expected.title:
        yield "its title"
    for name in dict.fromkeys((*expected.data, *found.data)):
        if _unpacked(found.data.get(name, "")) != _unpacked(expected.data.get(name, "")):
            yield f"its data {name!r}"
    for digest in dict.fromkeys((*expected.pictures, *found.pictures)):
        one, other = found.pictures.get(digest), expected.pictures.get(digest)
        if one is None or other is None or one[:2] != other[:2] or not _looks_alike(one, other):
            yield f"picture {digest[:12]}"


def _unpacked(text: str) -> bytes:
    try:
        with gzip.open(BytesIO(b64decode(text, validate=True))) as file:
            return file.read(_MOST)
    except (OSError, EOFError, ValueError):
        return b"damaged " + text.encode()


def _looks_alike(one: tuple[str, str, str], other: tuple[str, str, str]) -> bool:
    if one[2] == other[2]:
        return True
    try:
        mine, theirs = _pixels(one[2]), _pixels(other[2])
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False
    if mine.shape != theirs.shape:
        return False
    if one[1] != "lossy":
        return bool((mine == theirs).all())
    return bool(np.abs(_squares(mine) - _squares(theirs)).max() <= _SHADE)


def _pixels(copy: str) -> Any:
    with Image.open(BytesIO(b64decode(copy, validate=True))) as image:
        return np.asarray(image.convert("RGBA"), np.float64)


def _squares(pixels: Any) -> Any:
    """The means of squares of pixels; those at the far edges are smaller."""
    down, across = (np.arange(0, size, _SQUARE) for size in pixels.shape[:2])
    sums = np.add.reduceat(np.add.reduceat(pixels, down, 0), across, 1)
    sizes = np.outer(
        *(np.diff(np.append(starts, size)) for starts, size in zip((down, across), pixels.shape[:2], strict=True))
    )
    return sums / sizes[..., None]
