"""Clauses of a short reply that only say how sure or how hard to see something is: "but the image is very blurry".

They neither name nor deny anything, so that what is left is read without them. A clause with any other word stays, and
makes the reply unread where nobody knows that word.
"""

import re
from collections.abc import Set

from snellen.answer.naming import ANY

_BREAK = re.compile(r"[,;.!()\n]|\b(?:but|though|although|however|because|since|yet)\b| - ")
_DOUBTFUL = """
blurry blurred blur fuzzy pixelated noisy unclear indistinct resolution quality contrast confidence confident hard
difficult tricky tell make out exactly certain certainty for with of due too extremely really rather somewhat size based
overall appearance are my eyes what
"""
_DOUBTS = frozenset(_DOUBTFUL.split())
_UNSURE = re.compile(
    r"\b(?:is not|isn't|it's not|are not|aren't|i'm not|i am not|not|can't|cannot|can not|couldn't|could not)"
    r"(?: (?:be|entirely|quite|really|very|completely|fully|totally|absolutely|too|perfectly|100 ?%)){0,2} "
    r"(?:sure|certain|clear|sharp|legible|confident|easy|distinct|tell|see|read|say|make (?:it|this) out)"
    r"(?: (?:it|this|that|clearly|well|exactly|for sure|with certainty|about (?:it|this|that))){0,2} ?$|"
    r"\b(?:i|it|this|that) (?:could|might|may) (?:well )?be (?:wrong|mistaken) ?$"
)
_LEVEL = re.compile(
    r"\bconfidence ?(?:is |: ?)?(?:(?:very |rather |fairly )?(?:low|medium|moderate|high)|\d{1,3} ?%)|"
    r"\b(?:low|high|medium|moderate|poor|limited) (?=confidence\b|contrast\b|resolution\b|quality\b)"
)
"""How sure it is; a gap may be low, too."""
_NAME = re.compile(ANY)
_WORDS = re.compile(r"[^\s:]+")


def unhedged(text: str, words: Set[str]) -> str:
    """The text without such clauses; `words` are those that say nothing here besides."""
    clauses = (clause.strip() for clause in _BREAK.split(text))
    return ", ".join(clause for clause in clauses if _NAME.search(clause) or not _only_hedges(clause, words))


def _only_hedges(clause: str, words: Set[str]) -> bool:
    known = _LEVEL.sub(" ", _UNSURE.sub(" ", clause))
    return all(word in words or word in _DOUBTS for word in _WORDS.findall(known))
