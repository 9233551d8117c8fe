"""A custom paradigm: ask, then ask whether the subject is sure. The second answer counts."""

from snellen.call import Message, Reply
from snellen.item import Stimulus
from snellen.paradigms import Ask, Say


async def reconsider(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    """Ask a second time, with the first answer in the conversation."""
    first = await ask("subject", *stimulus.parts)
    said = (Message("user", stimulus.parts), Message("assistant", (first.text,)))
    again = f"Are you sure? Look at the picture once more. {stimulus.question.text}"
    return await ask("subject", again, after=said, form=stimulus.question.form)
