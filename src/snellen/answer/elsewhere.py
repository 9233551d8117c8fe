"""Whether a reply goes on to say what people of another world call it: "Blue. They would call it red", "3 (7 in their
world)". Then what was found first is what we call it, and no answer; which of the two was meant nobody can tell.
"""

import re

from snellen.answer.naming import ANY
from snellen.answer.rules import Reply
from snellen.answer.values import Candidate

_THEY = r"(?:they|people there|its people|people of that world)(?:'d| would)?"
_WORLD = r"(?:that|their) (?:world|words|language)"
_OTHER = rf"(?:an? |the )?(?P<other>{ANY})"
_CALLED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bwhich {_THEY} call {_OTHER}",
        rf"\b{_THEY} (?:call (?:it|this|that)|say)[,:]? {_OTHER}",
        rf"\b(?:it|this|that|which)(?:'s| is| would be) called {_OTHER}",
        rf"\((?:called|known as) {_OTHER}",
        rf"\bin {_WORLD}[,:]? (?:(?:it is|it's|that is|that's) )?{_OTHER}(?! (?:is|are|means)\b)",
        rf"(?P<other>{ANY}) in {_WORLD}\b",
    )
)


def called_otherwise(reply: Reply, found: Candidate) -> bool:
    """Whether what follows an answer names another one as theirs."""
    names = (match for pattern in _CALLED for match in pattern.finditer(reply.text))
    return any(
        reply.named.answer(match["other"]) != found.answer and reply.raw(match)[1] > found.span[1] for match in names
    )
