"""Whether a reply goes on to say what people of another world call it: "Blue. They would call it red", "3 (7 in their
world)". Then what was found first is what we call it, and no answer; which of the two was meant nobody can tell.
"""

import re

from snellen.answer.naming import ANY
from snellen.answer.rules import Reply
from snellen.answer.values import Candidate

_THEY = (
    r"(?:they|one of them|an inhabitant|(?:the |its )?(?:people|inhabitants)"
    r"(?: there| (?:of|in|from) (?:that|the other) world)?)(?:'d| would| will)?"
)
_WORLD = r"(?:(?:that|their|the other) (?:world|words|language)|theirs)"
_OTHER = rf"(?:an? |the )?(?P<other>{ANY})"
_IS = r"(?:'s| is| would be)"
_CALLED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bwhich {_THEY} call {_OTHER}",
        rf"\b{_THEY} (?:call (?:it|this|that)|say|use the word)[,:]? {_OTHER}",
        rf"\bcall (?:it|this|that) {_OTHER} there\b",
        rf"\b(?:it|which|(?:this|that)(?: [a-z]+)?)(?:{_IS} (?:called|told as)| becomes| maps to) {_OTHER}",
        rf"\((?:called|known as|told as) {_OTHER}",
        rf"\b(?:in {_WORLD}|(?:for|to) them)[,:]? (?:(?:it|this|that){_IS} )?{_OTHER}(?! (?:is|are|means)\b)",
        rf"\bthere[,:]? (?:it|this|that){_IS} {_OTHER}",
        rf"\b(?:the word there|their (?:name|word))(?: is|:) {_OTHER}",
        rf"\b(?:translated|swapped|told|reported)(?: as|:) {_OTHER}",
        rf"\b(?:things|what is) in (?:it|the picture) (?:is|are) called {_OTHER}",
        rf"(?P<other>{ANY}) (?:in {_WORLD}|(?:for|to) them|(?:over )?there)\b",
    )
)
_OURS = (
    re.compile(rf"(?P<own>{ANY}),? \(?(?:for us|as we(?:'d| would)? (?:say|call (?:it|this|that)))\b"),
    re.compile(rf"(?P<own>{ANY}),? \(?(?:in|by) our (?:own )?(?:world|words|language|terms|sense)\b"),
    re.compile(
        rf"(?P<it>{ANY})(?: [a-z]+)?,? (?:since|because|as|for) (?:we|i) (?:count|see) (?!(?P=it))(?P<own>{ANY})"
    ),
)
_MAP = re.compile(rf"(?P<own>{ANY})(?: things)? (?:(?:is|are) called|becomes|means) {_OTHER}")


def called_otherwise(reply: Reply, found: Candidate) -> bool:
    """Whether an answer is said to be ours, or what follows it names another one as theirs."""
    ours = (match["own"] for pattern in _OURS for match in pattern.finditer(reply.text))
    theirs = (
        match["other"] for pattern in _CALLED for match in pattern.finditer(reply.text) if _after(reply, found, match)
    )
    return (
        any(reply.named.answer(name) == found.answer for name in ours)
        or any(reply.named.answer(name) != found.answer for name in theirs)
        or _is_still_to_be_mapped(reply, found)
    )


def _is_still_to_be_mapped(reply: Reply, found: Candidate) -> bool:
    """ "It is pink. Pink is called purple there": whoever has an answer begins with what it is made of."""
    rule = next((match for match in _MAP.finditer(reply.text) if _after(reply, found, match)), None)
    return bool(rule) and reply.named.answer(rule["own"]) == found.answer != reply.named.answer(rule["other"])


def _after(reply: Reply, found: Candidate, match: re.Match[str]) -> bool:
    return reply.raw(match)[1] > found.span[1]
