"""How wide words are, and how they break into lines: from the bundled font, the same on every machine.

Liberation Sans has the widths of Arial and Helvetica, so what is laid out here fits wherever one of the three is.
"""

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import as_file, files

from PIL import ImageFont

TEXT, SMALL = 7.5, 6.5
"""Sizes of words in points: what a figure says, and what stands beside it."""
LEADING = 1.18
ASCENT, DESCENT = 0.74, 0.22
"""How far letters reach above and below their line, in parts of their size."""
FONT = files("snellen.charts") / "fonts" / "LiberationSans-Regular.ttf"

_EM = 2048
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_AFTER = re.compile(r"(?<=[/@:_=,|+&?\-\[\]()])")
"""Where a word too long for its line may break: after a character that ends a part of an address or a setting."""


def width(text: str, size: float) -> float:
    """The width of a line of words in points. Without kerning, as PDF sets it; a browser's is at most a hair less."""
    return sum(map(_advance, text)) * size


def wrap(text: str, size: float, room: float) -> tuple[str, ...]:
    """The text in lines no wider than the room: broken at spaces, within a word only where the word is too long."""
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}".strip()
        if width(joined, size) <= room:
            lines[-1] = joined
            continue
        *whole, last = _broken(word, size, room)
        lines += [*whole, last]
    return tuple(line for line in lines if line) or ("",)


def cut(text: str, size: float, room: float) -> str:
    """As much of the text as the room holds; where the rest is left out, dots say so."""
    if width(text, size) <= room:
        return text
    kept = next(k for k in range(len(text) - 1, -1, -1) if k == 0 or width(text[:k] + "…", size) <= room)
    return text[:kept].rstrip() + "…"


def plain(text: str, most: int = 200) -> str:
    """One line of text nobody vouches for: what cannot be seen is shown by its number, so that it hides nothing."""
    kept = text if len(text) <= most else f"{text[:most]}…"
    seen = "".join(f"‹U+{ord(c):04X}›" if _hidden(c) else c for c in kept)
    return re.sub(r"(\d) %", "\\1\u00a0%", re.sub(r"\s+", " ", seen).strip())


@lru_cache(maxsize=4096)
def _hidden(character: str) -> bool:
    return character not in "\n\r\t" and (unicodedata.category(character) in _UNSEEN or character == "\ufffd")


def _broken(word: str, size: float, room: float) -> list[str]:
    """A word in pieces that fit the room: after punctuation if that is enough, else anywhere."""
    if width(word, size) <= room:
        return [word]
    pieces = [""]
    for part in _AFTER.split(word):
        if width(pieces[-1] + part, size) <= room:
            pieces[-1] += part
            continue
        pieces.append("")
        for character in part:
            if pieces[-1] and width(pieces[-1] + character, size) > room:
                pieces.append("")
            pieces[-1] += character
    return [piece for piece in pieces if piece]


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    """A character's width in parts of its size. The wide letters of East Asia are as wide as high in any font."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return float(_font().getlength(character)) / _EM


@cache
def _font() -> ImageFont.FreeTypeFont:
    with as_file(FONT) as path:
        return ImageFont.truetype(path, _EM, layout_engine=ImageFont.Layout.BASIC)
