"""Direct: show the stimulus, ask the question, take the answer. With many pictures at once this is DVRL, and with
solved examples before it, few-shot."""

from snellen.call import Reply
from snellen.item import Stimulus
from snellen.paradigms.paradigm import Ask, Say


async def direct(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await ask("subject", *stimulus.shown, form=stimulus.question.form)
