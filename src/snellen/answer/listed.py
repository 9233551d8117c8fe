"""Which name of a list somebody's words mean.

A list is closed: what is not in it is no answer from it. But people spell invented names by ear, and say what they
name ("the Nimmo logo"), so a spelling that is one slip away from a single listed name counts as that name. Two slips
away, or one from two names, nobody can tell what was meant.
"""

import re
from collections.abc import Sequence

from snellen.answer.matching import named
from snellen.answer.tidy import Tidy, plain_letters

_SAID_OF_IT = re.compile(r"\b(?:brands?|logos?|signs?|company|emblem|sign board)\b", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_SURE, _DOUBTFUL = 1, 2
"""So many slips of the pen at most, until a name is taken for meant, and until it is not ruled out."""


def from_list(words: str, names: Sequence[str]) -> str | None:
    """The listed name that is meant; the words themselves where none is; None where it cannot be told."""
    bare = _SAID_OF_IT.sub(" ", words).strip()
    if named(bare, ()) == "open":
        return words
    meant = [name for name in names if named(bare, (name,)) == "named"]
    if len(meant) == 1:
        return meant[0]
    away = sorted((slips(_spelling(bare), _spelling(name)), name) for name in names)
    near = [name for many, name in away if many <= _SURE]
    if len(near) == 1 and not meant:
        return near[0]
    return None if meant or (away and away[0][0] <= _DOUBTFUL) else words


def _spelling(words: str) -> str:
    return "".join(_LETTERS.findall(plain_letters(Tidy(words)).text.casefold()))


def slips(one: str, other: str) -> int:
    """How many letters are missing, too many, wrong or exchanged with their neighbour."""
    rows = [list(range(len(other) + 1))]
    for place, letter in enumerate(one, start=1):
        row = [place]
        for k, wanted in enumerate(other, start=1):
            fewest = min(rows[-1][k] + 1, row[-1] + 1, rows[-1][k - 1] + (letter != wanted))
            if place > 1 and k > 1 and one[place - 2] == wanted and letter == other[k - 2]:
                fewest = min(fewest, rows[-2][k - 2] + 1)
            row.append(fewest)
        rows.append(row)
    return rows[-1][-1]
