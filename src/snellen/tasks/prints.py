"""Whether two pictures look the same: saved anew, in another size, cropped a little, or with a pixel changed.

A picture's **print** is a difference hash (is a cell darker than the one to its left? 16 x 16 cells), by which likely
pairs are found fast, and a thumbnail of 64 x 64 cells, by which they are confirmed: two digits that change places in a
maze leave the hash as it was, but not the thumbnail. The limits below were measured on mazes, boards and charts:
pictures saved anew as JPEG or WebP, or in another size, differ by up to 4 bits and 20 shades; the least changes that
make another item (one digit, one piece, one unit in a chart) by 0 bits, but at least 43 shades.

A **crop** is tried on the thumbnails: up to 5 % off each side, in steps of 1 %, columns and rows in turn. Photographs
cropped so match within 11 shades (36 are allowed); of drawings, whose edges are sharp, some crops are missed.
"""

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.errors import UserError
from snellen.item import Picture

HASH_CELLS = 16
MOST_BITS = 8
"""So many bits of the hash may differ."""
THUMBNAIL_CELLS = 64
MOST_SHADE = 28
"""So much of 255 may any cell of the thumbnail differ in any colour."""
CROP_BITS = 60
CROP_SHADE = 36
_CUTS = np.arange(6) / 100
_CROP_CELLS = 32
_STEP = 4
"""Cells that differ less are alike in the hash: what saving anew does to a plain ground must not show."""


@dataclass(frozen=True, slots=True)
class PictureFingerprint:
    """What a picture looks like, in little."""

    hash: NDArray[np.uint8]
    thumbnail: NDArray[np.uint8]


def print_of(picture: Picture, whose: str) -> PictureFingerprint:
    """The print of a picture; `whose` names it in the error if it cannot be decoded."""
    try:
        with Image.open(BytesIO(picture.data)) as image:
            pixels = np.asarray(_on_white(image))
    except Exception as error:  # Pillow's decoders raise all sorts on the bodies of broken pictures
        raise UserError(f"{whose}: a picture cannot be decoded ({error}); make the folder again") from None
    thumbnail = _cells(pixels, THUMBNAIL_CELLS, THUMBNAIL_CELLS)
    grey = _cells(thumbnail, HASH_CELLS, HASH_CELLS + 1) @ np.array([77, 150, 29]) >> 8
    falls = grey[:, :-1] - grey[:, 1:] > _STEP
    return PictureFingerprint(np.packbits(falls), thumbnail.astype(np.uint8))


def _on_white(image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image.convert("RGB")
    white = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")


def _cells(pixels: NDArray[np.integer[Any]], rows: int, columns: int) -> NDArray[np.int64]:
    """The mean colour of each cell of a grid over the picture, rounded down: whole numbers, the same everywhere."""
    sums = _sums(_sums(pixels, rows).swapaxes(0, 1), columns).swapaxes(0, 1)
    means: NDArray[np.int64] = sums // (pixels.shape[0] * pixels.shape[1])
    return means


def _sums(lines: NDArray[np.integer[Any]], cells: int) -> NDArray[np.int64]:
    """The lines summed up into so many cells of equal height, times that number: a line that lies in two cells counts
    in each by its share, so that a picture in another size has the same cells."""
    before = np.zeros((len(lines) + 1, *lines.shape[1:]), np.int64)
    np.cumsum(lines, axis=0, out=before[1:])
    line, share = np.divmod(np.arange(cells + 1) * len(lines), cells)
    following = np.append(lines, lines[-1:], axis=0)[line]
    sums: NDArray[np.int64] = np.diff(before[line] * cells + following * share[:, None, None], axis=0)
    return sums


def bits_between(hashes: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.int64]:
    """In how many bits each hash differs from another one."""
    return np.asarray(np.bitwise_count(hashes ^ other).sum(axis=-1), np.int64)


def shade_between(one: PictureFingerprint, other: PictureFingerprint) -> int:
    """How much the thumbnails differ where they differ most."""
    return int(np.abs(one.thumbnail.astype(np.int16) - other.thumbnail).max())


def is_cropped(one: PictureFingerprint, other: PictureFingerprint) -> bool:
    """Whether either shows the other with a little cut off."""
    return _shows_part(one, other) or _shows_part(other, one)


def _shows_part(whole: PictureFingerprint, part: PictureFingerprint) -> bool:
    full, wanted = (picture.thumbnail.mean(axis=2) for picture in (whole, part))
    cuts = _cuts()
    wanted = cuts[0] @ wanted @ cuts[0].T
    down = across = 0
    for _ in range(2):
        across = int(np.abs(cuts[down] @ full @ cuts.transpose(0, 2, 1) - wanted).mean(axis=(1, 2)).argmin())
        down = int(np.abs(cuts @ full @ cuts[across].T - wanted).mean(axis=(1, 2)).argmin())
    if down == across == 0:
        return False  # nothing cut off fits best: then they differ in what they show
    return float(np.abs(cuts[down] @ full @ cuts[across].T - wanted).max()) <= CROP_SHADE


@cache
def _cuts() -> NDArray[np.float64]:
    """Matrices that cut both ends off a row of cells and make the rest a row of fewer cells; the first cuts nothing."""
    ends = [(near, far) for near in _CUTS for far in _CUTS]
    edges = THUMBNAIL_CELLS * np.array([np.linspace(near, 1 - far, _CROP_CELLS + 1) for near, far in ends])
    cell = np.arange(THUMBNAIL_CELLS)
    covered = np.minimum(edges[:, 1:, None], cell + 1) - np.maximum(edges[:, :-1, None], cell)
    shares = np.clip(covered, 0, None)
    return np.asarray(shares / shares.sum(axis=2, keepdims=True), np.float64)
