"""Providers that keep the beginnings of prompts: where what calls share ends, and how a provider is told.

The pictures of an item are asked about under many conditions, and wherever a condition does not say otherwise they come
before the question. So what calls share ends with a picture, and that is where breakpoints go. They change nothing
that a model reads, so they are no part of a call's key. No part of a prompt is ever moved for the sake of a cache: the
order of words and pictures is something that exams examine.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from snellen.call import Call, Message
from snellen.defaults import CACHE_WRITE
from snellen.item import Picture
from snellen.subjects.settings import SubjectSetting, one_of

WRITE_LONG = 2.0
"""As `CACHE_WRITE`, for an hour in Anthropic's cache."""
MOST = 4
"""Breakpoints that Anthropic and OpenAI take in a request."""
_MARKED = re.compile(r"gpt-(5\.([6-9]|[1-9][0-9])|[6-9]|[1-9][0-9])")
"""Models of OpenAI that charge for writing, and find again only what ends at a breakpoint."""


@dataclass(frozen=True, slots=True)
class PrefixCaching:
    """What a provider is told about its cache. `mark`: what is added, as JSON, to a block with which a prefix ends;
    `fields`: what is added to the request; `write`: as `Abilities.cache_write`."""

    mark: bytes = b""
    fields: Mapping[str, Any] = field(default_factory=dict)
    write: float = 0


def setting(dialect: str, model: str) -> SubjectSetting:
    """The setting that asks for it."""
    if dialect == "anthropic":
        words: tuple[str, ...] = ("on", "5m", "1h")
    else:
        words = ("on", "off") if _MARKED.match(model) else ("on",)
    return SubjectSetting("cache", " or ".join(words), one_of(*words), in_key=False)


def caching(dialect: str, model: str, asked: Any) -> PrefixCaching:
    """How a value of the setting is put to a provider."""
    if dialect == "anthropic":
        if not asked:
            return PrefixCaching()
        if asked == "1h":
            return PrefixCaching(b'"cache_control":{"type":"ephemeral","ttl":"1h"}', write=WRITE_LONG)
        return PrefixCaching(b'"cache_control":{"type":"ephemeral"}', write=CACHE_WRITE)
    if not _MARKED.match(model):
        return PrefixCaching()
    if not asked:  # they write the whole of every prompt
        return PrefixCaching(write=CACHE_WRITE)
    fields = {"prompt_cache_options": {"mode": "explicit"}}
    if asked == "off":
        return PrefixCaching(fields=fields)
    return PrefixCaching(b'"prompt_cache_breakpoint":{"mode":"explicit"}', fields, CACHE_WRITE)


def breakpoints(messages: tuple[Message, ...]) -> list[tuple[int, int]]:
    """The message and the place in it of pictures that something follows: the last ones, the very last first."""
    places = ((m, p) for m in reversed(range(len(messages))) for p in reversed(range(len(messages[m].parts))))
    before_the_end = islice(places, 1, None)
    pictures = ((m, p) for m, p in before_the_end if isinstance(messages[m].parts[p], Picture))
    return list(islice(pictures, MOST))


def prefix_of(call: Call) -> bytes | None:
    """What identifies a call up to its last breakpoint; None if it has none."""
    if not (ends := breakpoints(call.messages)):
        return None
    last, part = ends[0]
    ending = call.messages[last]
    shared = (*call.messages[:last], Message(ending.role, ending.parts[: part + 1]))
    return Call(call.subject, call.settings, shared).key


def marks_of(messages: tuple[Message, ...], mark: bytes) -> dict[int, dict[int, bytes]]:
    """The mark at each breakpoint, by message and place in it; none if there is no mark."""
    marks: dict[int, dict[int, bytes]] = {}
    for message, place in breakpoints(messages) if mark else ():
        marks.setdefault(message, {})[place] = mark
    return marks


def marked(block: bytes, mark: bytes) -> bytes:
    """A block of a message, as JSON, with a breakpoint."""
    return b"%b,%b}" % (block[:-1], mark) if mark else block
