"""Whether somebody's words name a thing that goes by several names.

Case, articles, plurals and hyphens do not matter. The words name the thing if they are one of its names, if they hold a
name as whole words and then end or go on to something else ("an apple on a plate", not "apple pie"), or if they are
the last words of a name ("retriever" for "golden retriever"). One of two ("an apple or a pear"), a mere denial ("not an
apple") and words that fill the place without naming a thing ("wrong", "something else") leave it open.
"""

import re
from collections.abc import Sequence
from typing import Literal

from snellen.answer.tidy import Tidy, plain_letters

Named = Literal["named", "other", "open"]

_ARTICLES = frozenset(("a", "an", "the", "some", "this", "that", "its", "it", "is", "s"))
_ENDS = frozenset(("in", "on", "of", "at", "with", "from", "by", "near", "under", "over", "behind", "beside", "which"))
_ENDS |= {"who", "because", "since", "as", "for", "and", "but"}
_DENIES = frozenset(("not", "no", "non", "never", "isnt", "without", "nor", "neither", "except", "arent", "wasnt"))
_NO_ANSWER = re.compile(
    r"(?:i )?(?:do ?n.?t|do not|cannot|can.?t) (?:know|tell|say).*|unknown|unclear|unsure|not (?:sure|known|given)|"
    r"n/?a|none|nothing|no answer|skip(?:ped)?|blank|left (?:out|blank|open)|\.*|-+|_+|x|tbd"
)
_FILLING = """
wrong incorrect false mistaken untrue invalid deliberately intentionally purposely purposefully wrongly incorrectly
something anything everything else other another different random whatever answer name label value response thing
object item stuff here placeholder filler omitted redacted hidden withheld declined refused idk blah asdf qwerty xyz
lorem ipsum error null undefined test misidentified mislabeled mislabelled given be will one any
"""
_FILLERS = frozenset(_FILLING.split())
"""Words that by themselves name no thing."""
_ALL_BUT = re.compile(
    r"\b(?:(?:any|every|some)(?:thing|one)|all|other|else|different) (?:else )?(?:but|than|except|from)\b"
)
_NO_WORD = re.compile(r"([a-z])\1{2,}")
_BREAK = "|"
_REACH = 3


def named(words: str, names: Sequence[str]) -> Named:
    """Whether the words name a thing of these names, something else, or leave it open."""
    plain = plain_letters(Tidy(words)).text.lower().strip()
    if not plain or _NO_ANSWER.fullmatch(plain.strip(" .!?")):
        return "open"
    said = _words(plain)
    found = any(_names(said, _words(plain_letters(Tidy(name)).text.lower())) for name in names)
    if "or" in said or "/" in plain or "?" in plain:
        return "open"
    if found:
        return "named"
    return "open" if _says_nothing(said, plain) or _runs_on_non(said, names) else "other"


def _says_nothing(said: list[str], plain: str) -> bool:
    """Whether the words only fill the place, or only say what the thing is not."""
    spoken = [word for word in said if word != _BREAK]
    if _ALL_BUT.search(plain):
        return True
    if spoken and spoken[0] in _DENIES:
        return "but" not in spoken[:-1] and "rather" not in spoken[:-1]
    return all(word in _FILLERS or _NO_WORD.fullmatch(word) for word in spoken)


def _runs_on_non(said: list[str], names: Sequence[str]) -> bool:
    """ "noncastle" for a castle."""
    return "".join(said) in {"non" + "".join(_words(plain_letters(Tidy(name)).text.lower())) for name in names}


def _words(text: str) -> list[str]:
    """The words that matter, in the singular; a sign between them is a word of its own."""
    text = re.sub(r"(?<=\w)['’`](?=\w)", "", text)
    tokens = re.findall(r"[^\W_]+|[,.;:()|/]", text)
    return [_singular(token) if token[0].isalnum() else _BREAK for token in tokens if token not in _ARTICLES]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _names(said: list[str], name: list[str]) -> bool:
    spoken = [word for word in said if word != _BREAK]
    name = [word for word in name if word != _BREAK]
    if not name or not spoken:
        return False
    if "".join(spoken) == "".join(name) or (len(spoken) < len(name) and name[-len(spoken) :] == spoken):
        return True
    places = (k for k in range(len(said) - len(name) + 1) if said[k : k + len(name)] == name)
    return any(_ends(said[k + len(name) :]) and not _denied(said[:k]) for k in places)


def _ends(rest: list[str]) -> bool:
    return not rest or rest[0] == _BREAK or rest[0] in _ENDS


def _denied(before: list[str]) -> bool:
    near = before[-_REACH:]
    cut = max((k + 1 for k, word in enumerate(near) if word in (_BREAK, "but", "rather")), default=0)
    anything_but = near[-1:] == ["but"] and near[-2:-1] == ["anything"]
    return anything_but or any(word in _DENIES for word in near[cut:])
