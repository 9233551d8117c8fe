"""Whether an answer that was found is denied where it stands ("It's no C", "unlikely to be K"), or another one is named
after it and not withdrawn ("C (or possibly G)"): then there is no answer. "K, not R" withdraws the R.

Charts are asked of whoever sees badly, and those say what they do not see. The rules for long replies take "no 3" for
number three and a last sentence for a conclusion; for a single sign that is too bold.
"""

import re

from snellen.answer.naming import ANY, WEAK
from snellen.answer.rules import NOUN, Reply
from snellen.answer.values import Candidate

WORDS_TOO = ("A", "I")
"""Letters that are words as well."""
_WORD = r"(?: (?!(?:but|so|though|although|and|yet)\b)[a-z']+)"
DENIES = (
    r"(?:\b(?:no|not|never|hardly|unlikely|nor|neither|without|unlike|cannot|except|rather than|instead of|far from|"
    r"anything but|other than|different from|excluding|ruled? out|rules out|doubt|doubtful)\b|n't\b)"
)
_BEFORE = re.compile(rf"{DENIES}{_WORD}{{0,5}} [(\[]?$")
_AFTER = re.compile(
    r"(?: [a-z]+){0,2} (?:is|was|seems|looks|appears)(?: (?:to be|very|most|quite|rather))?(?:n't| not| unlikely| "
    r"absent| missing| wrong| out\b| impossible| excluded| ruled out)|"
    r"[ ,:;]{1,2}(?:but )?(?:\((?:not|no)\b|no\b(?! doubt)|not really\b|(?:that|it|this)(?:'s| is) (?:wrong|not)\b)"
)
_DROPPED = re.compile(
    r"(?:\b(?:not|nor|never|no|unlike|rather than|instead of|opposed to)|n't)"
    rf"(?: (?:an?|the|be|{NOUN})){{0,3}} [(\[]?$"
)
_OR = re.compile(r"\b(?:or|be|maybe|perhaps|possibly|even|also)(?: (?:an?|the|as many as)){0,2} [(\[]?$")
_COUNTS = re.compile(r" [a-z]+s\b")
_THE = re.compile(r"\b(?:the|this|that|other|right|left|which|each|any) $")
""" "The other one" is no 1."""
_HALF = re.compile(r"\b(?:upper|lower|above|below|diagonal(?:ly)?|slightly|slanted|angled?)\b")
"""Half of a direction, said apart: "in the upper part, to the right" is not right."""
_NAMES = re.compile(ANY)
_IS_WEAK = re.compile(WEAK)
_REACH = 60


def withdrawn(reply: Reply, found: Candidate) -> bool:
    """Whether an answer is denied where it was found or later on, or what comes after names another."""
    if found.answer in ("left", "right") and _HALF.search(reply.text):
        return True
    names = list(_NAMES.finditer(reply.text))
    names = [match for match in names if reply.raw(match)[1] > found.span[0]]
    own = [match for match in names if reply.named.answer(match[0]) == found.answer]
    if any(_IS_WEAK.match(match[0]) and _THE.search(_lead(match)) for match in own if found.answer == "1"):
        return True
    if any(_BEFORE.search(_lead(match)) or _AFTER.match(reply.text, match.end()) for match in own):
        return True
    last = max((m.start() for m in own if reply.raw(m)[0] < found.span[1]), default=len(reply.text))
    return any(_rivals(reply, match, found.answer) for match in names if match.start() > last)


def _lead(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - _REACH) : match.start()]


def _rivals(reply: Reply, match: re.Match[str], answer: str) -> bool:
    """Whether a name stands for another answer that is not withdrawn; "a", "I", "one" and "two lines" are words."""
    other = reply.named.answer(match[0])
    if other == answer or _DROPPED.search(_lead(match)):
        return False
    if reply.form.kind == "number":  # who counts may also say of what: "12 dots, in 4 rows of 3"
        return bool(_OR.search(_lead(match)))
    word = other in WORDS_TOO or (other.isdigit() and (other == "1" or _COUNTS.match(reply.text, match.end())))
    return not (word and _IS_WEAK.match(match[0]))
