"""A text cut into sentences: what a chain of thought is told by, one after another.

Sentences leave no gap: each has the blanks that follow it. None is longer than `LONGEST`, and a text has about `MOST`
of them at most. That is the budget of all patterns, and no clock is in it: however badly one of them may go about it,
it only ever sees so many characters at once, and a text that repeats itself takes time in proportion to its length.
"""

import re
from collections.abc import Iterator

LONGEST = 600
"""What goes on for longer without a stop is cut, between two words if there are any."""
MOST = 4000
"""In a text of very many short sentences, some are taken together."""
SHORT = 4
"""A sentence of at most so many words ("Okay, so.") may be a mere opening."""

_CLOSING = r"[\"'”’)\]*]*+"
_STOP = re.compile(rf"\n\s*+|(?:[。！？]++{_CLOSING}\s*+)++|(?:[.!?…]++{_CLOSING}(?:\s++|\Z|(?=[^\x00-\x7f])))++")
_ABBREVIATIONS = frozenset(("e.g", "i.e", "vs", "etc", "approx", "cf", "ca", "fig", "mr", "mrs", "dr", "st"))
_WORD = re.compile(r"[一-鿿]|[^\W一-鿿]+")
_REACH = 12


def words(text: str) -> int:
    """How many words a text has; a Chinese character is one."""
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))


def sentences(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end between two places; together they are all that is between."""
    least = max((stop - start) // MOST, 1)
    for match in _STOP.finditer(text, start, stop):
        if match.end() - start >= least and _ends(text, start, match):
            yield from _pieces(text, start, match.end())
            start = match.end()
    yield from _pieces(text, start, stop)


def _ends(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a stop ends its sentence. Line breaks do, dots only if what follows begins anew."""
    sign = stop[0].rstrip()
    if not sign:
        return stop.start() > start  # blank lines before a text belong to its first sentence
    following = text[stop.end() : stop.end() + 1]
    if sign in ("...", "…", ".."):
        return "\n" in stop[0] or not following or following.isupper()
    if sign != "." or "\n" in stop[0]:
        return True
    return not _continues(text[max(start, stop.start() - _REACH) : stop.start()].split(), following)


def _continues(before: list[str], following: str) -> bool:
    """Whether a sentence goes on after a full stop: after an abbreviation, after the number of a list, or after a lone
    letter or number that no new sentence follows."""
    if not before:
        return False
    word = before[-1].lstrip("(*#[>-").lower()
    lonely = len(word) == 1 or (word.isdigit() and len(word) <= 3)
    return word in _ABBREVIATIONS or (
        lonely and (len(before) == 1 or following.islower() or word != before[-1].lower())
    )


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence, cut where it is too long."""
    while end - start > LONGEST:
        blank = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        cut = blank + 1 if blank > 0 else start + LONGEST
        yield start, cut
        start = cut
    if start < end:
        yield start, end
