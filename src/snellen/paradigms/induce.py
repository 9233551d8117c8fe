"""Deductive rule learning (DRL): finding a rule and applying it kept apart.

The inducer sees the examples and states the rule in a few words; the applier sees the query and that rule, and nothing
else. With `--role inducer=truth` the rule is the true one, so that only applying it is left to fail.
"""

from snellen.answer.rule import stated_rule
from snellen.call import Reply
from snellen.item import Stimulus
from snellen.paradigms.paradigm import Ask, Say


async def deductive(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    induced = await ask("inducer", *stimulus.script("induce"))
    rule = stated_rule(induced.text) or " ".join(induced.text.split())
    return await ask("applier", *stimulus.script("apply", rule=rule), form=stimulus.question.form)
