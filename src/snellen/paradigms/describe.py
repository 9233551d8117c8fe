"""Describe first: seeing and reasoning kept apart.

The describer never learns the question, the reasoner never sees a picture. What is lost compared with asking directly
is lost in the words; what is gained was reasoning crowded out by looking. With `--role describer=twin` the words are
exact, so that only reasoning is left to fail.
"""

from __future__ import annotations

from asyncio import gather
from typing import TYPE_CHECKING

from snellen.call import Reply
from snellen.item import Stimulus

if TYPE_CHECKING:
    from snellen.paradigms import Ask, Say


async def describe(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    replies = await gather(*(ask("describer", picture, say("describe", {})) for picture in stimulus.pictures))
    words = "\n\n".join(reply.text for reply in replies)
    return await ask("reasoner", say("reason", {"description": words, "question": stimulus.question.text}))
