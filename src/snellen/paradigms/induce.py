"""Deductive rule learning (DRL): finding a rule and applying it kept apart.

The inducer sees the examples and states the rule in a few words; the applier sees the query and that rule, and nothing
else. With `--role inducer=truth` the rule is the true one, so that only applying it is left to fail.
"""

import re

from snellen.call import Reply
from snellen.item import Stimulus
from snellen.paradigms.paradigm import Ask, Say

_FIRST_IN_LINE = re.compile(r"^[^\w\n]*(?:\d+[^\w\n]+)?rule[*_ ]*:[\s*_]*", re.IGNORECASE | re.MULTILINE)
_ANYWHERE = re.compile(r"\brule[*_ ]*:[\s*_]*", re.IGNORECASE)


async def deductive(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    induced = await ask("inducer", *stimulus.script("induce"))
    rule = stated_rule(induced.text) or " ".join(induced.text.split())
    return await ask("applier", *stimulus.script("apply", rule=rule), form=stimulus.question.form)


def stated_rule(text: str) -> str:
    """The line that follows the last "Rule:" (at the start of a line, if it stands there at all), without marks of
    emphasis; empty if nothing does."""
    marks = [*_FIRST_IN_LINE.finditer(text)] or [*_ANYWHERE.finditer(text)]
    line = text[marks[-1].end() :].partition("\n")[0] if marks else ""
    return " ".join(line.split()).rstrip("*_")
