"""Text for LaTeX: escaped, with places where a line may break, and how wide it is.

pdfLaTeX's fonts lack most of Unicode. Accented Latin letters and common signs are spelled as commands; other
characters go through `\\uni{original}{fallback}`, which prints the original with XeLaTeX or LuaLaTeX and the fallback
with pdfLaTeX.
"""

import re
import unicodedata
from itertools import groupby

from snellen.analysis.cells import clean

POINTS = 8.0
"""The size of letters in tables."""
UNI = r"\providecommand{\uni}[2]{\ifdefined\Umathcode #1\else #2\fi}"

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "·": r"\textperiodcentered{}",
    "•": r"\textbullet{}",
    "°": r"\ensuremath{{}^{\circ}}",
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    '"': "''",
    "\u00a0": "~",
    "…": r"\dots{}",
    "ß": r"\ss{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
    **{char: f"\\{char}" for char in "{}$&#_%"},
    **{
        char: f"\\ensuremath{{{command}}}"
        for char, command in {
            "−": "-",
            "×": r"\times",
            "±": r"\pm",
            "≤": r"\le",
            "≥": r"\ge",
            "≠": r"\ne",
            "≈": r"\approx",
            "→": r"\rightarrow",
            "←": r"\leftarrow",
            "′": r"{}^{\prime}",
            "²": "{}^2",
            "³": "{}^3",
            "κ": r"\kappa",
            "α": r"\alpha",
            "β": r"\beta",
            "Δ": r"\Delta",
            "µ": r"\mu",
            "μ": r"\mu",
            "∞": r"\infty",
        }.items()
    },
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_WIDTHS = {
    char: width
    for width, chars in (
        (2.4, "!',.:;[]`il| ·\u00a0"),
        (2.9, "fj-"),
        (3.4, "()rtsI_"),
        (3.8, "cez"),
        (4.3, '"$*/0123456789\\^ago{}~?–°'),
        (4.75, "kqvxyJbdhnpuS"),
        (5.8, "ZLFEP"),
        (6.3, "BCTwR"),
        (7.1, "AHNUVXYDKOQG&+=@<>#%m−×±≤≥"),
    )
    for char in chars
}
_WIDEST = 8.8
_LONGEST_PIECE = 12
_BREAKS = re.compile(r"(?<=\w[-/@:_=+;|])(?=\w)|(?<=\w[.,])(?=[^\W\d])")


def text_width(text: str) -> float:
    """Points that a text takes in Computer Modern, rounded up a little."""
    return sum(_WIDTHS.get(char, _WIDEST) for char in text)


def escaped(text: str) -> str:
    """The text for LaTeX, without what LaTeX would obey."""
    parts = []
    for known, run in groupby(clean(text), key=lambda char: _spelled(char) is not None):
        chars = "".join(run)
        parts.append(
            "".join(_spelled(char) or "" for char in chars) if known else f"\\uni{{{chars}}}{{{_plain(chars)}}}"
        )
    return "".join(parts)


def _spelled(char: str) -> str | None:
    """A character as pdfLaTeX takes it, None if its fonts lack it."""
    if char in _SIGNS:
        return _SIGNS[char]
    if char.isascii():
        return char
    parts = unicodedata.normalize("NFD", char)
    if len(parts) != 2 or not parts[0].isascii() or parts[1] not in _ACCENTS:
        return None
    letter = f"\\{parts[0]}" if parts[0] in "ij" else parts[0]
    return f"\\{_ACCENTS[parts[1]]}{{{letter}}}"


def _plain(chars: str) -> str:
    """What stands in for characters that the fonts lack: their ASCII letters where they have any."""
    letters = ("".join(filter(str.isascii, unicodedata.normalize("NFKD", char))) for char in chars)
    return "".join(_SIGNS.get(letter, letter) if len(letter) == 1 else "?" for letter in letters)


def pieces(text: str) -> list[str]:
    """The parts of a text between which a line may break; a part that ends in a space is followed by one."""
    parts = [part for word in re.findall(r"[^ ]+ *", clean(text)) for part in _BREAKS.split(word)]
    return [part[k : k + _step(part)] for part in parts for k in range(0, len(part), _step(part))]


def _step(part: str) -> int:
    """A part is cut only where it is too long for any column: hashes, names without a hyphen."""
    return _LONGEST_PIECE if len(part) > 2 * _LONGEST_PIECE else len(part)


def breakable(text: str) -> str:
    """The text for LaTeX, with line breaks allowed within long names."""
    parts = pieces(text)
    # LaTeX breaks lines at spaces and after hyphens anyway
    breaks = ["" if part.endswith((" ", "-")) else r"\allowbreak{}" for part in parts[:-1]]
    return "".join(escaped(part) + after for part, after in zip(parts, [*breaks, ""], strict=bool(parts)))


def lines_in(text: str, width: float) -> int:
    """How many lines a text takes at this width."""
    lines, room = 1, width
    for piece in pieces(text):
        if text_width(piece.rstrip()) > room and room < width:
            lines, room = lines + 1, width
        room -= text_width(piece)
    return lines


def narrowest(text: str) -> float:
    """The least width at which nothing sticks out."""
    return max((text_width(piece.rstrip()) for piece in pieces(text)), default=0.0)
