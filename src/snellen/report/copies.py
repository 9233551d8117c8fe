"""Smaller copies of pictures for the page; the store keeps the bytes that were sent.

A drawing (at most 256 colours) is copied without loss: every pixel stays as it was. A photograph or a rendered scene is
compressed with loss, unless every pixel of it counts, as in a test of a threshold. A picture stays as it is if Pillow
cannot read it, if it moves, if it has a colour profile or more than 8 bits a channel, or if the copy would be larger.
"""

import os
import warnings
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Literal

from PIL import Image

from snellen.item import Picture

COLOURS = 256
"""A picture of more colours is no drawing."""
LONGEST_SIDE = 1024
"""Pixels of a copy with loss."""
QUALITY = 75
PNG_LEVEL = 7
"""Higher levels take three times as long for a tenth of the bytes."""

PLAIN_MODES = {"1": "RGB", "L": "RGB", "P": "RGB", "RGB": "RGB", "LA": "RGBA", "PA": "RGBA", "RGBA": "RGBA"}
AT_ONCE = 64

Kind = Literal["exact", "lossless", "lossy"]


@dataclass(frozen=True)
class PictureCopy:
    """What the page shows of a picture: its own bytes (exact), others with the same pixels, or a compressed copy."""

    picture: Picture
    kind: Kind

    @property
    def size(self) -> int:
        return len(self.picture.data)


def copy_of(picture: Picture, *, keep_pixels: bool) -> PictureCopy:
    """A copy of the picture, if a smaller one can be made; with every pixel if `keep_pixels`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            data, kind = _compressed(picture.data, keep_pixels)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        return PictureCopy(picture, "exact")
    if not data or len(data) >= len(picture.data):
        return PictureCopy(picture, "exact")
    media_type = "image/png" if data.startswith(b"\x89PNG") else "image/webp"
    return PictureCopy(Picture(data, media_type, picture.alt), kind)


_ahead: dict[str, PictureCopy] = {}
"""Copies made before a page wanted them, by digest of their picture."""


def copy_ahead(picture: Picture) -> None:
    """Make a copy for a page that is written later, unless it is to keep every pixel."""
    _ahead[picture.digest] = copy_of(picture, keep_pixels=False)


def copies(pictures: Iterable[tuple[str, Picture]], keep_pixels: Collection[str]) -> Iterator[tuple[str, PictureCopy]]:
    """A copy of each picture in turn, made on all processors. Of the digests in `keep_pixels` every pixel is kept."""
    waiting = iter(pictures)

    def made(given: tuple[str, Picture]) -> tuple[str, PictureCopy]:
        digest, picture = given
        keeps = digest in keep_pixels
        copy = None if keeps else _ahead.get(digest)
        return digest, copy or copy_of(picture, keep_pixels=keeps)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        while batch := list(islice(waiting, AT_ONCE)):
            yield from pool.map(made, batch)


def _compressed(data: bytes, keep_pixels: bool) -> tuple[bytes, Kind]:
    """The copy and what it is; empty if the picture should stay as it is."""
    with Image.open(BytesIO(data)) as image:
        if image.mode not in PLAIN_MODES or getattr(image, "n_frames", 1) > 1:
            return b"", "exact"
        if image.info.keys() & {"icc_profile", "gamma", "chromaticity"} or image.getexif().get(_ORIENTATION, 1) != 1:
            return b"", "exact"
        out = BytesIO()
        if image.mode == "P" and image.format == "PNG":
            # Four times as quick as WebP without loss, and half as large again.
            image.save(out, "PNG", compress_level=PNG_LEVEL)
            return out.getvalue(), "lossless"
        mode = "RGBA" if "transparency" in image.info else PLAIN_MODES[image.mode]
        lossless = keep_pixels or image.getcolors(COLOURS) is not None
        pixels = image.convert(mode)
    if lossless:
        pixels.save(out, "WEBP", lossless=True, quality=30, method=1, exact=True)
        return out.getvalue(), "lossless"
    pixels.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    pixels.save(out, "WEBP", quality=QUALITY, method=2)
    return out.getvalue(), "lossy"


_ORIENTATION = 0x0112
