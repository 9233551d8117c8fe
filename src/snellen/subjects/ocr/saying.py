"""From what a recogniser made of a line to what it says.

A letter alone has no context: O is 0, S is s. Capital and small are one here, and where the question asks for letters,
or for digits, look-alikes are taken for the kind that is asked for. Nothing else of the question is read.
"""

import re

NOTHING = "nothing"

_ALIKE = (("0", "O"), ("1", "I"), ("2", "Z"), ("5", "S"), ("6", "G"), ("8", "B"))
_AS_LETTERS = str.maketrans(dict(_ALIKE))
_AS_DIGITS = str.maketrans({letter: digit for digit, letter in _ALIKE})


def said(line: str, words: str) -> str:
    """The letters and digits of a line that was read, as asked for in `words`; the bare line if it has none."""
    capitals = "".join(line.upper().split())
    letters = re.sub(r"[^A-Z0-9]", "", capitals)
    return (letters or capitals).translate(_asked_for(words)) or NOTHING


def _asked_for(words: str) -> dict[int, str]:
    letters, digits = (re.search(rf"\b{kind}s?\b", words, re.IGNORECASE) for kind in ("letter", "digit"))
    if bool(letters) == bool(digits):
        return {}
    return _AS_LETTERS if letters else _AS_DIGITS
