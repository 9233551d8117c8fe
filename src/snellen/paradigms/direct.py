"""Direct: show the stimulus, ask the question, take the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snellen.call import Reply
from snellen.item import Stimulus

if TYPE_CHECKING:
    from snellen.paradigms import Ask, Say


async def direct(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await ask("subject", *stimulus.parts)
