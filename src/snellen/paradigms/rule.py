"""The rule given: only applying it is left, to the query as a picture, in exact words, or in words of one's own.

What is solved so, and not when the rule must be found in the examples, is lost to finding it.
"""

from snellen.call import CallFailed, Reply
from snellen.item import Parts, Picture, Stimulus
from snellen.paradigms.describe import described
from snellen.paradigms.paradigm import Ask, Say
from snellen.paradigms.sparing import spelled_out
from snellen.subjects.oracles import concept_of


async def rule_given(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await ask("subject", *_by_rule(stimulus), form=stimulus.question.form)


async def rule_in_words(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    parts = _by_rule(stimulus)
    if not all(part.twin for part in parts if isinstance(part, Picture)):
        raise CallFailed("rejected", f"{stimulus.item.id} has no twin, so there are no exact words for it")
    return await ask("subject", spelled_out(parts, say("in_words")), form=stimulus.question.form)


async def rule_on_components(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    words = await described(_by_rule(stimulus), ask, say("components"))
    return await ask("reasoner", "\n\n".join((say("in_words"), *words)), form=stimulus.question.form)


def _by_rule(stimulus: Stimulus) -> Parts:
    concept = concept_of(stimulus.item)
    if not concept:
        raise CallFailed("rejected", f"{stimulus.item.id} has no known concept, so there is no true rule to state")
    return stimulus.script("apply", rule=concept)
