"""Rungs that spare a faculty: the answer told, or exact words in place of the pictures.

Told the answer, nothing is left but to say it: whoever errs then slips. With exact words there is nothing to see:
whoever errs then, and not when told, errs in thinking.
"""

from collections.abc import Iterator

from snellen.call import CallFailed, Reply
from snellen.item import Parts, Picture, Stimulus, content_digest
from snellen.paradigms.paradigm import Ask, Say
from snellen.subjects.answers import in_plain_words


async def told(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    question = stimulus.question
    answer = in_plain_words(question)
    words = (numbered(stimulus), say("told"), answer, question.text, say("told_end", answer=answer))
    return await ask("subject", "\n\n".join(filter(None, words)), form=question.form)  # a pack may leave one empty


def numbered(stimulus: Stimulus) -> str:
    """A number for the item. Without its pictures many items ask the very same thing, and the same call is made once:
    whoever slips now and then would slip on all of them or on none."""
    return f"No. {int(content_digest(stimulus.item.id), 16) % 100_000}"


async def words(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await ask("subject", worded(stimulus, say("in_words")), form=stimulus.question.form)


def worded(stimulus: Stimulus, notice: str) -> str:
    """The stimulus as text, each picture replaced by its exact description."""
    parts = stimulus.shown
    if all(part.twin for part in parts if isinstance(part, Picture)):
        return spelled_out(parts, notice)
    if not stimulus.twin:
        raise CallFailed("rejected", f"{stimulus.item.id} has no twin, so there are no exact words for it")
    return "\n\n".join((notice, *_around_the_twin(stimulus)))


def spelled_out(parts: Parts, notice: str) -> str:
    """The parts as text, each picture replaced by its own description."""
    return "\n\n".join((notice, *(part.twin if isinstance(part, Picture) else part for part in parts)))


def _around_the_twin(stimulus: Stimulus) -> Iterator[str]:
    """One picture has the words of all in its place. Several with captions of their own, which would stand there
    alone, are told together before the question."""
    if len(stimulus.pictures) > 1:
        yield stimulus.twin
        yield stimulus.question.text
        return
    for part in stimulus.parts:
        yield stimulus.twin if isinstance(part, Picture) else part
