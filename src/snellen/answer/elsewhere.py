"""Whether a reply goes on to say what people of another world call it: "Blue. They would call it red", "3 (7 in their
world)". Then what was found first is what we call it, and no answer; which of the two was meant nobody can tell.
"""

import re
from collections.abc import Iterator

from snellen.answer.naming import ANY
from snellen.answer.rules import THERE, Reply
from snellen.answer.values import Candidate

_THEY = (
    r"(?:they|one of them|an inhabitant|someone|a person|(?:the |its )?(?:people|inhabitants))"
    r"(?: there| (?:of|in|from) (?:that|the other) world)?(?:'d| would| will)?"
)
_WORLD = r"(?:(?:that|their|the other) (?:world|words|language|world's (?:words|language))|theirs)"
_APPLIED = (
    r"(?:(?:after|with|by|applying|according to) (?:the )?(?:swap|swapping|rule|map)|"
    r"(?:by|under) their (?:rule|convention))"
)
_OTHER = rf"(?:an? |the )?(?P<other>{ANY})"
_IS = r"(?:'s| is| would be)"
_CALLED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bcall (?:it|this|that) {_OTHER} there\b",
        rf"\b(?:it|which|(?:this|that)(?: [a-z]+)?)(?:{_IS} (?:called|told as)| becomes| maps to) {_OTHER}",
        rf"\((?:called|known as|told as) {_OTHER}",
        rf"\b(?:in {_WORLD}|(?:for|to) them)[,:]? (?:(?:it|this|that){_IS} )?{_OTHER}(?! (?:is|are|means)\b)",
        rf"\bthere[,:]? (?:it|this|that){_IS} {_OTHER}",
        rf"\b(?:the word there|its name there|their (?:name|word))(?: is|:) {_OTHER}",
        rf"\b{_APPLIED}[,:]? (?:(?:it|this|that){_IS} )?{_OTHER}(?= ?[.!]? ?$)",
        rf"\b(?:translated|swapped|told|reported)(?: as|:) {_OTHER}",
        rf"\b(?:things|what is) in (?:it|the picture) (?:is|are) called {_OTHER}",
        rf"(?P<other>{ANY}) (?:in {_WORLD}|(?:for|to) them|(?:over )?there)\b",
    )
)
_SAID = re.compile(
    rf"\b{_THEY} (?:call|say|answer|name|describe|refer|respond|report|use the word)s?\b(?P<said>[^.!?;\n]{{1,200}})"
)
_WE = re.compile(r"\b(?:we|us|our)\b")
_NAMES = re.compile(ANY)
_OURS = (
    re.compile(rf"(?P<own>{ANY}),? \(?(?:for us|as we(?:'d| would)? (?:say|call (?:it|this|that)))\b"),
    re.compile(rf"(?P<own>{ANY}),? \(?(?:in|by) our (?:own )?(?:world|words|language|terms|sense)\b"),
    re.compile(
        rf"(?P<it>{ANY})(?: [a-z]+)?,? (?:since|because|as|for) (?:we|i) (?:count|see) (?!(?P=it))(?P<own>{ANY})"
    ),
)
_REASONED = re.compile(
    rf"\W*{THERE}(?P<answer>{ANY})(?: [a-z]+)?(?:[.:;,]| -)? (?:(?:because|since|as|for) )?"
    r"(?:(?:i|we)(?: can)? (?:see|count)|there are)\b"
)
""" "7. I count 3": a number and what it is made of."""
_MAP = re.compile(rf"(?P<own>{ANY})(?: things)? (?:(?:is|are) called|becomes|means) {_OTHER}")


def called_otherwise(reply: Reply, found: Candidate) -> bool:
    """Whether an answer is said to be ours, or what follows it names another one as theirs. No world has other
    words for what is a letter or digit: "B. They call a taxi" is about something else."""
    if any(len(label) == 1 for label in reply.form.labels):
        return False
    ours = (match["own"] for pattern in _OURS for match in pattern.finditer(reply.text))
    return (
        any(reply.named.answer(name) == found.answer for name in ours)
        or any(reply.named.answer(name) != found.answer for name in _theirs(reply, found))
        or _is_still_to_be_mapped(reply, found)
        or _is_a_reason(reply, found)
    )


def _theirs(reply: Reply, found: Candidate) -> Iterator[str]:
    """What those who live there call it, by what follows an answer: what they say ends with it, before "we" is said."""
    for pattern in _CALLED:
        yield from (match["other"] for match in pattern.finditer(reply.text) if _after(reply, found, match))
    for match in _SAID.finditer(reply.text):
        if _after(reply, found, match):
            yield from _NAMES.findall(_WE.split(match["said"])[0])[-1:]


def _is_a_reason(reply: Reply, found: Candidate) -> bool:
    """Whether a count is what the number is made of that the reply opens with; "1." may be the first of a list."""
    opens = _REASONED.match(reply.text) if found.how == "stated outcome" else None
    return opens is not None and reply.named.answer(opens["answer"]) not in ("1", found.answer)


def _is_still_to_be_mapped(reply: Reply, found: Candidate) -> bool:
    """ "It is pink. Pink is called purple there": whoever has an answer begins with what it is made of."""
    rule = next((match for match in _MAP.finditer(reply.text) if _after(reply, found, match)), None)
    return rule is not None and reply.named.answer(rule["own"]) == found.answer != reply.named.answer(rule["other"])


def _after(reply: Reply, found: Candidate, match: re.Match[str]) -> bool:
    return reply.raw(match)[1] > found.span[1]
