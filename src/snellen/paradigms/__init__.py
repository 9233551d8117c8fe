"""Paradigms: the procedures that put a stimulus to a subject.

Each is a short async function over `ask(role, *parts)`, which returns the reply of whoever plays that role, and `say`,
which gives the paradigm's own words from its prompt pack. The reply it returns is the one that is read and marked.
"""

from pathlib import Path
from typing import Any

from snellen.errors import UserError, unknown
from snellen.item import content_digest
from snellen.paradigms.chains import compositional, contrastive, duty_distinct
from snellen.paradigms.describe import components, describe
from snellen.paradigms.direct import direct
from snellen.paradigms.induce import deductive
from snellen.paradigms.paradigm import MAIN_ROLE, WORDING, Ask, Paradigm, Say, own_paradigm
from snellen.paradigms.rule import rule_given, rule_in_words, rule_on_components
from snellen.paradigms.sparing import told, words
from snellen.plugins import is_file, offered, own_module, published

GROUP = "snellen.paradigms"

PARADIGMS = {
    p.name: p
    for p in (
        Paradigm("direct", "the stimulus and the question in a single call", (MAIN_ROLE,), direct),
        Paradigm(
            "describe",
            "the describer describes each picture without knowing the question; the reasoner answers from the"
            " descriptions",
            ("describer", "reasoner"),
            describe,
            words=("describe", "in_words"),
            needs_pictures=True,
            shows="one by one",
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
            "componential analysis: a structured description of each picture; the reasoner answers from these",
            ("describer", "reasoner"),
            components,
            words=("components", "in_words"),
            needs_pictures=True,
            shows="one by one",
        ),
        Paradigm(
            "ddcot",
            "duty-distinct: the planner splits the question without the pictures; the describer answers the open parts",
            ("planner", "describer", "reasoner"),
            duty_distinct,
            words=("divide", "unseen", "look", "with_findings"),
            needs_pictures=True,
            unseeing=("planner",),
        ),
        Paradigm(
            "ccot",
            "compositional: the describer draws up a scene graph first; the reasoner sees it with the pictures",
            ("describer", "reasoner"),
            compositional,
            words=("graph", "with_graph"),
            needs_pictures=True,
        ),
        Paradigm(
            "cocot",
            "contrastive: the describer compares the pictures first; the reasoner sees that with the pictures",
            ("describer", "reasoner"),
            contrastive,
            words=("compare", "with_comparison"),
            needs_pictures=True,
        ),
        Paradigm(
            "told",
            "the answer is given before and after the question: it only has to be repeated",
            (MAIN_ROLE,),
            told,
            words=("told", "told_end"),
            shows="none",
        ),
        Paradigm(
            "words",
            "exact descriptions replace the pictures: nothing has to be seen",
            (MAIN_ROLE,),
            words,
            words=("in_words",),
            needs_pictures=True,
            needs_twins=True,
            shows="none",
        ),
        Paradigm(
            "rule",
            "the true rule and the query as a picture: the rule only has to be applied",
            (MAIN_ROLE,),
            rule_given,
            scripts=("apply",),
            needs_rule=True,
        ),
        Paradigm(
            "rule-words",
            "the true rule and an exact description of the query: nothing has to be seen or found",
            (MAIN_ROLE,),
            rule_in_words,
            words=("in_words",),
            scripts=("apply",),
            needs_twins=True,
            needs_rule=True,
            shows="none",
        ),
        Paradigm(
            "rule-ca",
            "the true rule and the describer's description of the query: no rule has to be found",
            ("describer", "reasoner"),
            rule_on_components,
            words=("components", "in_words"),
            scripts=("apply",),
            needs_rule=True,
            shows="one by one",
        ),
    )
}


def paradigm(which: Any) -> Paradigm:
    """The paradigm that `which` stands for: a name, a Python file of your own, a name given by an installed package, a
    `Paradigm` or an async function. Returns the `Paradigm`. Raises `UserError` if there is none.

    >>> paradigm("describe").roles
    ('describer', 'reasoner')
    """
    if isinstance(which, Paradigm) and PARADIGMS.get(which.name) is which:
        return which
    if not isinstance(which, str):
        return own_paradigm(which)
    if which in PARADIGMS:
        return PARADIGMS[which]
    if is_file(which):
        return _in_file(Path(which))
    theirs = published(GROUP)
    if which in theirs:
        return own_paradigm(offered(theirs[which], "paradigm"))
    raise unknown("paradigm", which, [*PARADIGMS, *theirs])


def _in_file(path: Path) -> Paradigm:
    wanted = f"PARADIGM = Paradigm(...), or async def {path.stem}(stimulus, ask, say)"
    module = own_module(path, "paradigm", wanted)
    own = getattr(module, "PARADIGM", None) or getattr(module, path.stem, None)
    if own is None:
        raise UserError(f"paradigm {path}: it defines neither; expected a Python file with {wanted}")
    return own_paradigm(own, content_digest(path.read_bytes())[:12])


__all__ = ["MAIN_ROLE", "PARADIGMS", "WORDING", "Ask", "Paradigm", "Say", "paradigm"]
