"""A paradigm of your own: ask, then ask whether it is sure. The second answer is the one that counts."""

from snellen.call import Message, Reply
from snellen.item import Stimulus
from snellen.paradigms import Ask, Say


async def reconsider(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    """Asked once more, with its own answer before it."""
    first = await ask("subject", *stimulus.parts)
    said = (Message("user", stimulus.parts), Message("assistant", (first.text,)))
    again = f"Are you sure? Look at the picture once more. {stimulus.question.text}"
    return await ask("subject", again, after=said, form=stimulus.question.form)
