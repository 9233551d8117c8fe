"""A text cut into sentences: what a chain of thought is told by, one after another.

Sentences leave no gap: each has the blanks that follow it. None is longer than `LONGEST`. That is the budget of all
patterns: however badly one of them may go about it, it only ever sees so many characters at once, and a text that
repeats itself without end takes time in proportion to its length.
"""

import re
from collections.abc import Iterator

LONGEST = 600
"""What goes on for longer without a stop is cut, between two words if there are any."""
SHORT = 4
"""A sentence of at most so many words ("Okay, so.") may be a mere opening."""

_STOP = re.compile(r"\n\s*+|[。！？]+[\"'”’)\]*]*+\s*+|[.!?…]+[\"'”’)\]*]*+(?:\s++|\Z|(?=[^\x00-\x7f]))")
_LONELY = re.compile(r"(?:^|\s)[(*#\[>-]*(?:\d{1,3}|[A-Za-z]|e\.g|i\.e|vs|etc|approx|no|cf|ca|St|Fig|fig|Mr|Mrs|Dr)\Z")
"""What a full stop does not end: a number of a list, a lone letter, an abbreviation."""
_WORD = re.compile(r"[一-鿿]|[^\W一-鿿]+")
_REACH = 12


def words(text: str) -> int:
    """How many words a text has; a Chinese character is one."""
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))


def sentences(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end between two places; together they are all that is between."""
    for match in _STOP.finditer(text, start, stop):
        if match.end() > start and _ends(text, start, match):
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
    return not _LONELY.search(text[max(start, stop.start() - _REACH) : stop.start()]) or _closes(text, start, stop)


def _closes(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a lone number or letter before a full stop is the last word of a sentence, not a number of a list."""
    before = text[start : stop.start()].rsplit(maxsplit=1)
    following = text[stop.end() : stop.end() + 1]
    return len(before) > 1 and not following.islower() and before[-1].isalnum()


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence, cut where it is too long."""
    while end - start > LONGEST:
        blank = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        cut = blank + 1 if blank > 0 else start + LONGEST
        yield start, cut
        start = cut
    if start < end:
        yield start, end
