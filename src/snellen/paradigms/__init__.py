"""Paradigms: the procedures that put a stimulus to a subject.

Each is a short async function over `ask(role, *parts)`, which returns the reply of whoever plays that role, and `say`,
which gives the paradigm's own words from its prompt pack. The reply it returns is the one that is read and marked.
"""

from snellen.errors import unknown
from snellen.paradigms.describe import components, describe
from snellen.paradigms.direct import direct
from snellen.paradigms.induce import deductive
from snellen.paradigms.paradigm import MAIN_ROLE, WORDING, Ask, Paradigm, Say

PARADIGMS = {
    p.name: p
    for p in (
        Paradigm("direct", "the stimulus is shown and the question asked, in one go", (MAIN_ROLE,), direct),
        Paradigm(
            "describe",
            "the describer puts each picture into words, not knowing the question; the reasoner answers from the words",
            ("describer", "reasoner"),
            describe,
            words=("describe", "in_words"),
            needs_pictures=True,
        ),
        Paradigm("dvrl", "direct visual rule learning: all pictures at once, one answer", (MAIN_ROLE,), direct),
        Paradigm(
            "drl",
            "deductive rule learning: the inducer states the rule, the applier judges the query by it",
            ("inducer", "applier"),
            deductive,
            scripts=("induce", "apply"),
        ),
        Paradigm(
            "ca",
            "componential analysis: each picture becomes a structured description of its own, the reasoner reads those",
            ("describer", "reasoner"),
            components,
            words=("components", "in_words"),
            needs_pictures=True,
        ),
    )
}


def paradigm(name: str) -> Paradigm:
    if name not in PARADIGMS:
        raise unknown("paradigm", name, PARADIGMS)
    return PARADIGMS[name]


__all__ = ["MAIN_ROLE", "PARADIGMS", "WORDING", "Ask", "Paradigm", "Say", "paradigm"]
