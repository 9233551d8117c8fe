"""A fence around somebody else's words, so that whoever reads them can tell where they begin and end.

The marks of the fence hold a digest of the words themselves: words that wanted to close the fence early would have to
hold their own digest.
"""

from snellen.item import content_digest


def fenced(words: str) -> str:
    """The words between two marks that do not occur in them."""
    mark = content_digest(words)[:16]
    return f"[begin {mark}]\n{words}\n[end {mark}]"
