"""What a page shows, held against what the program prints today: words and counts must be equal, the last digit of an
estimate need not be.

An estimate may be off by one unit of the last digit shown, an end of its interval by two. Estimates are numbers with a
decimal point, numbers with an interval behind them, and the ends of intervals. Everything else is text
or a count (trials, items, calls, 87 of 120) and must be equal. A digit more makes columns wider and wraps lines
elsewhere, and a bar longer: so where a number differs, white space, rules of tables and bars are left out. Where none
does, all must be equal to the letter. In drawings (tags of HTML and SVG) numbers are places that follow from estimates.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NUMBER = re.compile(r"[-+−]?\d+(?:,\d{3})*(?:\.\d+)?")
_TAG = re.compile(r"<[^<>]*>")
_BAR = re.compile(r"[█▚▞▒░▓▌▐═·|─●○]{5,}(?: [█▚▞▒░▓▌▐═·|─●○]{5,})*")
_RULE = re.compile(r"-{3,}|─{3,}")
_ATTACHED = re.compile(r"[\w/=:#.\-]$")
_SIGN = r"[-+−]?\d[\d,.]*"
_OPENS = re.compile(r"[(\[](?:95 % CI )?$")
_CLOSES = re.compile(rf"(?:[(\[](?:95 % CI )?{_SIGN}(?: to |–|, )|at most |up to )$")
_GOES_ON = re.compile(rf"(?: to |–|, ){_SIGN}")
_HAS_INTERVAL = re.compile(rf"(?: %|%)?(?: of items)? [(\[](?:95 % CI )?{_SIGN}(?:[)\]]| to |–|, )")
_IN_LEGEND = re.compile(r"[█▚▞▒░▓▌▐═]{2} [a-z ]+$")
_LONG = 5
"""Numbers with so many decimals are not rounded for people; they are held to be close, not to their last digit."""
_CLOSE = 1e-3
_PLACES = 5.0
"""By how much places in a drawing may differ: two points of a hundred, on bars some 250 wide."""


class Token(NamedTuple):
    """A number with what it may be off by, or a stretch of text (`off` is None)."""

    text: str
    off: float | None = None

    @property
    def value(self) -> float:
        return float(self.text.replace(",", "").replace("−", "-"))

    def same(self, other: "Token") -> bool:
        if self.text == other.text:
            return True
        if self.off is None or other.off is None:
            return False
        return abs(self.value - other.value) <= min(self.off, other.off) * (1 + 1e-9)


def difference(kept: str, printed: str) -> str:
    """The first place where what is printed is not what was kept, in words; nothing if they are the same."""
    if kept == printed:
        return ""
    one, other = (list(_tokens(_loosened(text))) for text in (kept, printed))
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if not a.same(b):
            before = "".join(token.text for token in one[max(0, place - 4) : place])
            return f"after {before[-60:]!r}: {a.text[:80]!r} is kept, {b.text[:80]!r} is printed"
    if len(one) != len(other):
        return f"{len(one)} words and numbers are kept, {len(other)} are printed"
    if one == other:
        return "only white space, rules or bars differ"
    return ""


def _loosened(text: str) -> str:
    """Without what follows from the width of numbers."""
    return " ".join(_RULE.sub("---", _BAR.sub("▇", text)).split())


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    for tag in _TAG.finditer(text):
        yield from _parted(text[at : tag.start()])
        yield from _parted(tag[0], drawn=True)
        at = tag.end()
    yield from _parted(text[at:])


def _parted(text: str, *, drawn: bool = False) -> Iterator[Token]:
    at = 0
    for found in _NUMBER.finditer(text):
        if at < found.start():
            yield Token(text[at : found.start()])
        yield Token(found[0], _PLACES if drawn else _off(found[0], text[: found.start()], text[found.end() :]))
        at = found.end()
    if at < len(text):
        yield Token(text[at:])


def _off(number: str, before: str, after: str) -> float | None:
    """By how much a number may be off, by what stands around it; None for what must be the same."""
    decimals = len(number.partition(".")[2])
    if decimals >= _LONG:
        return _CLOSE * max(abs(float(number.replace(",", "").replace("−", "-"))), _CLOSE)
    if _ATTACHED.search(before) or before.endswith(" of "):
        return None
    unit = 10.0**-decimals
    if _CLOSES.search(before) or (_OPENS.search(before) and _GOES_ON.match(after)):
        return 2 * unit
    if decimals or _HAS_INTERVAL.match(after) or _IN_LEGEND.search(before):
        return unit
    return None
