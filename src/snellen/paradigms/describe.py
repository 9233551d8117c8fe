"""Describe first: seeing and reasoning kept apart. In its structured form this is componential analysis (CA).

Each picture is put into words on its own, by a describer who never learns the question, so a description is made once
however many problems show the picture. The reasoner gets the words in the pictures' places and sees no picture. With
`--role describer=twin` the words are exact, so that only reasoning is left to fail.
"""

from asyncio import gather

from snellen.call import Reply
from snellen.item import Parts, Picture, Stimulus
from snellen.paradigms.paradigm import Ask, Say


async def describe(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await _from_words(stimulus, ask, say("describe"), say("in_words"))


async def components(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await _from_words(stimulus, ask, say("components"), say("in_words"))


async def _from_words(stimulus: Stimulus, ask: Ask, request: str, notice: str) -> Reply:
    words = await described(stimulus.parts, ask, request)
    return await ask("reasoner", "\n\n".join((notice, *words)), form=stimulus.question.form)


async def described(parts: Parts, ask: Ask, request: str) -> list[str]:
    """The parts as text, each picture replaced by the describer's words."""
    replies = await gather(*(ask("describer", part, request) for part in parts if isinstance(part, Picture)))
    texts = iter([reply.text for reply in replies])
    return [next(texts) if isinstance(part, Picture) else part for part in parts]
