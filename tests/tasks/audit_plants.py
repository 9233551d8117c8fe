"""Made sets with one shortcut planted: everything else about them is noise."""

from collections.abc import Iterator
from io import BytesIO

import numpy as np
from PIL import Image, PngImagePlugin

from snellen.item import Picture
from snellen.tasks.audit import Observation

SIDE = 16
NAMED = {
    "pixel": "picture: single pixel",
    "brightness": "picture: brightness",
    "size": "picture: width",
    "comment": "picture: metadata",
    "id": "id",
    "order": "order: place",
    "wording": "wording",
    "colours": "picture: colour histogram",
}
"""For each shortcut how the observer's name begins who must find it."""


def planted(shortcut: str, strength: float, n: int = 160, seed: int = 0) -> list[Observation]:
    """n rows with fair keys; the shortcut tells the key of this share of them, and of no more."""
    rng = np.random.default_rng(seed)
    keys = rng.permutation(np.arange(n) % 2)
    hints = np.where(rng.permutation(n) < strength * n, keys, 1 - keys)
    order = np.argsort(hints, kind="stable") if shortcut == "order" else np.arange(n)
    return list(_rows(shortcut, keys[order], hints[order], rng))


def _rows(shortcut: str, keys: np.ndarray, hints: np.ndarray, rng: np.random.Generator) -> Iterator[Observation]:
    for key, hint in zip(keys.tolist(), hints.tolist(), strict=True):
        number = 2 * int(rng.integers(10**6)) + (hint if shortcut == "id" else int(rng.integers(2)))
        words = " ".join(rng.choice(list("abcdefgh"), 3)) + (" surely" if shortcut == "wording" and hint else "")
        picture = _picture(shortcut, hint, rng)
        yield Observation("g", f"row-{number}", str(key), {}, 2, words=words, pictures=(picture,))


def _picture(shortcut: str, hint: int, rng: np.random.Generator) -> Picture:
    wide = SIDE + (4 * hint if shortcut == "size" else 0)
    pixels = rng.integers(0, 200, (SIDE, wide, 3), dtype=np.uint8)
    if shortcut == "pixel":
        pixels[5, 7] = 255 * hint
    elif shortcut == "brightness":
        pixels += np.uint8(20 * hint)
    elif shortcut == "colours" and hint:  # a sixth is of one colour, here and there
        coloured = rng.random((SIDE, wide)) < 1 / 6
        pixels[coloured] = (250, 20, 20)
    return png(pixels, f"take {hint}" if shortcut == "comment" else "")


def png(pixels: np.ndarray, comment: str = "") -> Picture:
    """A PNG file, with a comment if one is given."""
    info = PngImagePlugin.PngInfo()
    if comment:
        info.add_text("Comment", comment)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG", pnginfo=info)
    return Picture(file.getvalue())
