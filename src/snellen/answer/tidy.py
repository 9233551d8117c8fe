"""Plain words from a reply: thinking, markup, LaTeX dress and look-alike letters away, positions kept.

Every step rewrites stretches of text and remembers where each came from, so that evidence found in the tidy text can
be shown in the raw reply.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from snellen.answer.repeats import LONG, repeated

TAIL = 20_000
"""Only so many characters at the end of a reply are read: a final answer stands at the end, and time stays bounded,
whatever a pattern does. What repeats itself without end is shortened besides (see `repeats`)."""

FIRST_NAME = "\U000f0000"
"""From here on, private characters stand for labels and numbers (see `naming`). No reply holds them once made plain."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Where the stretches of a rewritten text came from: stretch k starts at `starts[k]` and came from `sources[k]`.

    A source's end is -1 where the stretch was copied character by character.
    """

    starts: list[int]
    sources: list[tuple[int, int]]

    def back(self, start: int, end: int) -> tuple[int, int]:
        k = bisect_right(self.starts, start) - 1
        source, source_end = self.sources[k]
        first = source if source_end >= 0 else source + start - self.starts[k]
        k = bisect_right(self.starts, end - 1) - 1
        source, source_end = self.sources[k]
        return first, source_end if source_end >= 0 else source + end - self.starts[k]


@dataclass(frozen=True, slots=True)
class Tidy:
    """A text and the way back to the raw reply. Layers are in the order they were applied."""

    text: str
    offset: int = 0
    layers: tuple[Layer, ...] = ()
    cut: bool = False
    """Whether it begins in the midst of something."""

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the raw reply that text[start:end] came from."""
        for layer in reversed(self.layers):
            start, end = layer.back(start, end)
        return self.offset + start, self.offset + end

    def without(self, spans: list[tuple[int, int]]) -> "Tidy":
        """The text with these stretches left out, which are in order and apart."""
        if not spans:
            return self
        edges = [0, *(place for span in spans for place in span), len(self.text)]
        kept = [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]
        starts = [0, *accumulate(end - start for start, end in kept)][: len(kept)]
        text = "".join(self.text[start:end] for start, end in kept)
        return Tidy(text, self.offset, (*self.layers, Layer(starts, [(start, -1) for start, _ in kept])), self.cut)

    def rewritten(self, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> "Tidy":
        """The text with every match replaced."""
        text = self.text
        pieces: list[str] = []
        starts: list[int] = []
        sources: list[tuple[int, int]] = []
        done = length = 0
        for match in pattern.finditer(text):
            start, end = match.span()
            new = replace(match)
            if start > done:
                pieces.append(text[done:start])
                starts.append(length)
                sources.append((done, -1))
                length += start - done
            if new:
                pieces.append(new)
                starts.append(length)
                sources.append((start, end))
                length += len(new)
            done = end
        if not done:
            return self
        if done < len(text):
            pieces.append(text[done:])
            starts.append(length)
            sources.append((done, -1))
        return Tidy("".join(pieces), self.offset, (*self.layers, Layer(starts, sources)), self.cut)


def spoken(raw: str) -> Tidy:
    """The part of a reply that is meant for the reader: thinking left out, the tail only, look-alikes made plain."""
    start, end = _after_thinking(raw) if "<" in raw or "◁" in raw else (0, len(raw))
    tidy = Tidy(raw[max(start, end - TAIL) : end], max(start, end - TAIL), cut=end - start > TAIL)
    if end - start > LONG:
        tidy = tidy.without(repeated(tidy.text))
    if "~~" in raw or "</" in raw:
        tidy = tidy.rewritten(_STRUCK, lambda match: " ")
    if not _CROSSED.search(raw):
        tidy = tidy.rewritten(_TICKS, lambda match: " ")
    return plain_letters(tidy)


_TICKS, _CROSSED = re.compile("[✓✔✅]"), re.compile("[✗✘❌✖]")
"""A tick is a verdict only where there are crosses as well."""
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(s|del|strike)>[^<\n]{0,200}</\1>", re.IGNORECASE)
"""What was crossed out is no longer said."""


_THINKING = re.compile(r"[<◁](/?)(?:think|thinking|thoughts?|reasoning|scratchpad)[>▷]", re.IGNORECASE)


def _after_thinking(raw: str) -> tuple[int, int]:
    """What follows the last closed stretch of thinking and comes before one left open."""
    start, end = 0, len(raw)
    for tag in _THINKING.finditer(raw):
        if tag[1]:
            start, end = tag.end(), len(raw)
        elif end == len(raw):
            end = tag.start()
    return start, end


def _pairs(plain: str, alike: str) -> dict[str, str]:
    return dict(zip(alike, plain, strict=True))


_ALIKE: dict[str, str] = {
    **_pairs("ABCEHIJKMOPSTXYYVGQWZ", "АВСЕНІЈКМОРЅТХУҮѴԌԚԜꙀ"),  # Cyrillic
    **_pairs("aceijopsxyhqwd", "асеіјорѕхуһԛԝԁ"),
    **_pairs("ABEFHIKMNOPTXYZ", "ΑΒΕϜΗΙΚΜΝΟΡΤΧΥΖ"),  # Greek
    **_pairs("aiouv", "αιουν"),
    **_pairs("DLRUWVGSZ", "ᎠᏞᎡՍᎳᏙᏀᏚᏃ"),  # Cherokee, Armenian
    **_pairs("xxxxoo", "×✕╳⨯○◯"),
    **_pairs("'''`", "‘’‛‵"),
    **_pairs('"' * 12, "“”„‟«»‹›「」『』"),
    **_pairs("-----", "‐‑‒–−"),
    **{sign: f"{plain} " for plain, sign in zip(".,:!?.,;?.,", "。、︓！？।،؛؟．，", strict=True)},
    **dict.fromkeys("—―", " - "),
    **dict.fromkeys("→⇒⟶⟹", "->"),
    **{"🔴": " red ", "🟡": " yellow ", "⚫": " black ", "⚪": " white ", "🔵": " blue ", "🟢": " green "},
    **{"🟠": " orange ", "🟣": " purple ", "👉": " -> "},
    **dict.fromkeys("\u0335\u0336\u0337\u0338", "~"),  # struck through: no longer the same letter
}
_CHEER = re.compile("(?![👎🚫])[\u2600-\u26ff\u2728\U0001f300-\U0001faff]")
_UNFOLDED = ("<super>", "<sub>", "<fraction>")  # a raised 4 is not a 4
_NON_ASCII = re.compile(r"(?P<group>(?<=\d)[\xa0\u2009\u202f](?=\d{3}(?!\d)))|[^\x00-\x7f]")


@lru_cache(maxsize=8192)
def plain_letter(char: str) -> str:
    """The plain character(s) a reader sees in this one; empty for what is not seen."""
    if char in _ALIKE:
        return _ALIKE[char]
    if _CHEER.match(char):
        return " "
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Cf"):
        return ""
    if category in ("Co", "Cs", "Cn", "Zs"):
        return " "
    if category in ("Zl", "Zp"):
        return "\n"
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if unicodedata.decomposition(char).startswith(_UNFOLDED):
        return char
    parts = unicodedata.normalize("NFKD", char)
    return char if parts == char else "".join(part if part.isascii() else plain_letter(part) for part in parts)


def plain_letters(tidy: Tidy) -> Tidy:
    """Look-alikes, ligatures, accents, full-width forms and invisible characters made plain."""
    if tidy.text.isascii():
        return tidy
    return tidy.rewritten(_NON_ASCII, lambda match: "," if match["group"] else plain_letter(match[0]))


_DRESS = (
    r"\\(?:(?:text(?:bf|it|tt|sf|rm|sc|normal|up|md)?|math(?:rm|bf|it|tt|sf|bb|cal|normal)|operatorname|mbox|emph|"
    r"underline|boldsymbol|bm|bf|rm|it|tt|large|Large|LARGE|huge|Huge|displaystyle|boxed|fbox|quad|qquad|left|right)"
    r"(?![a-zA-Z])\*?|(?:text)?color\{[a-zA-Z]{1,20}\}|[()\[\],;:! {}])"
)
_TAG = r"</?[a-zA-Z][^<>\n]{0,60}>|<\|[a-zA-Z_]{1,40}\|>"
_QUOTE = r"'(?:(?![^\W_])|(?<![^\W_]'))|_(?:(?![A-Za-z0-9])|(?<![A-Za-z0-9]_))"
_SIGNS = r'*`"$#{}'
_BREAKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85"
# Each branch starts with a plain character and lone blanks start none: so the search is fast.
_NOISE = re.compile(
    rf"(?:\{{,\}}|{'|'.join(re.escape(char) for char in _BREAKS + _SIGNS)}|{_QUOTE}|{_DRESS}|{_TAG})"
    rf"(?:[\s{_SIGNS}]|{_QUOTE}|{_DRESS}|{_TAG})*"
)
_BLANKS = re.compile(r"  +")


def _blank(match: re.Match[str]) -> str:
    markup = match[0]
    if markup == "{,}":  # the thousands separator of LaTeX
        return ","
    if "<" in markup and "answer>" in (tags := markup.lower()):
        return "\nanswer: " if "<answer>" in tags else "\n"
    if "\n" in markup or "\r" in markup:
        return "\n"
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    needed = before != " " if " " in markup or "\t" in markup else before.isalnum() and after.isalnum()
    return " " if needed else ""


def undressed(tidy: Tidy) -> Tidy:
    """Markdown, LaTeX dress, HTML tags and quotes away; every gap is one blank, or a line break with at most one."""
    if "  " in tidy.text:
        tidy = tidy.rewritten(_BLANKS, lambda match: " ")
    return tidy.rewritten(_NOISE, _blank)


_LEFT = frozenset("~?!=+&%^\\/❌✗✘✖🚫👎<")
_RIGHT = frozenset("~?=+&%^\\/-")


def core(text: str, start: int = 0, end: int | None = None) -> tuple[int, int]:
    """The stretch without ornament (dots, brackets, bullets, emoji) at either end; signs that change it stay."""
    end = len(text) if end is None else end
    while start < end and not text[start].isalnum() and text[start] not in _LEFT and text[start] < FIRST_NAME:
        start += 1
    while end > start and not text[end - 1].isalnum() and text[end - 1] not in _RIGHT and text[end - 1] < FIRST_NAME:
        end -= 1
    return start, end
