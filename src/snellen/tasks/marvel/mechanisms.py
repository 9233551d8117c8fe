"""What a wrong choice betrays, in few classes.

A pattern says in a sentence of its own what each wrong choice does ("the grey dot moved once too often"): the
**detail**. Puzzle by puzzle these differ, so nothing could be counted; the **mechanism** is the class they belong to. A
choice with one slip is of that slip's class; one with slips in several rules at once is of the last.
"""

import re
from functools import lru_cache

SEVERAL = "more than one thing wrong"
_CLASSES: tuple[tuple[str, str], ...] = (
    ("copies a neighbour", r"did not move|as in the panel (?:before|above)|^unchanged$|unchanged instead"),
    ("wrong way", r"the wrong way$"),
    ("too far", r"too far$|once too often$"),
    ("too short", r" short$"),
    ("mirror image", r"mirror"),
    ("another turn or flip", r"^(?:\w+ figure )?(?:turned|flipped)\b.* instead of "),
    ("faces out of place", r"\bfaces? turned|faces swapped|opposite faces"),
    ("too many", r"too many$|too large$"),
    ("too few", r"too few$|too small$"),
    ("wrong sum", r" in all instead of |^(?:as many|\w+ more) (?:black|white) symbols? .* instead of "),
    ("parts elsewhere", r" elsewhere$|: [\w ]+ instead$|not in the last panel$|of the last panel missing$"),
    ("wrong symmetry", r"\bsymmetry\b|wrong image$|image as"),
    ("wrong size", r"^(?:smaller|larger) instead of|wrong size$"),
    (
        "wrong fill or line",
        r"\bfill\b|\b(?:black|white|grey|striped) instead of|wrong (?:kind of|inner|outer) line$|wrong openness$"
        r"|direction of the cut",
    ),
    (
        "wrong shape",
        r"another figure|\bkind(?: of the [\w ]+)?: |^(?:outline|inner figure) .* instead of|wrong form$|wrong pieces$"
        r"|foreign face",
    ),
    ("wrong place", r" instead of |left its |^went round |^(?:above|below|to the (?:left|right) of)\b"),
)
MECHANISMS = (*(name for name, _ in _CLASSES), SEVERAL)
"""The classes, in the order they are shown."""
_JOINT = re.compile(r" and (?!to the)|(?<!\babove)(?<!\bbelow) and (?=to the)")
"""Between two slips; "above and to the left" is one place."""
_PATTERNS = tuple((name, re.compile(pattern)) for name, pattern in _CLASSES)


@lru_cache(maxsize=8192)
def mechanism_of(detail: str) -> str:
    """The class of what a wrong choice does; "" for the right one. A class is of itself."""
    if not detail or detail in MECHANISMS:
        return detail
    slips = _JOINT.split(detail)
    classes = {_class(slip) for slip in slips}
    return SEVERAL if len(slips) > 1 else classes.pop()


def _class(slip: str) -> str:
    for name, pattern in _PATTERNS:
        if pattern.search(slip):
            return name
    raise ValueError(f"no class of mechanisms for {slip!r}: give it one in tasks/marvel/mechanisms.py")
