"""Deductive rule learning (DRL): finding a rule and applying it kept apart.

The inducer sees the examples and states the rule in a few words; the applier sees the query and that rule, and nothing
else. With `--role inducer=truth` the rule is the true one, so that only applying it is left to fail.
"""

from snellen.call import Reply
from snellen.item import Stimulus
from snellen.paradigms.paradigm import Ask, Say

_LINE = re.compile(r"^[\W\d]*rule\W*:\W*?(?=[^\s*_]|\Z)", re.IGNORECASE | re.MULTILINE)
_ANYWHERE = re.compile(r"\brule\W*:[\s*_]*", re.IGNORECASE)


async def deductive(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    induced = await ask("inducer", *stimulus.script("induce"))
    return await ask("applier", *stimulus.script("apply", rule=stated_rule(induced.text)))


def stated_rule(text: str) -> str:
    """What follows the last "Rule:", or the whole reply if it says no such thing."""
    at = text.lower().rfind(MARK)
    return " ".join(text[at + len(MARK) :].split() if at >= 0 else text.split())
