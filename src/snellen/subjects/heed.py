"""Settings that a server was asked for and did not heed, as far as its replies show.

Most servers ignore what they do not know. What can be seen is counted, and nothing else is claimed: log-probabilities
that are missing, replies that are no JSON although a schema was given, reasoning that was reported or not reported,
and different replies to the very same request although a seed was set.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from snellen.call import Call, Reply

_SHARE = 0.05
"""The least part of the replies that must show it: a single odd one is no habit."""
_ALL_OF = 5
"""Where only the absence of something shows it, it must be absent in all replies, and these be as many."""


class _Sign(NamedTuple):
    """What a reply shows of one setting."""

    setting: str
    what: str
    """What there is in replies that do not heed it."""
    missed: bool
    always: bool = False
    """Whether heeding it may look the same now and then."""


class HeedCount:
    """Counts, over the replies of one subject."""

    def __init__(self) -> None:
        self._judged: Counter[tuple[str, str]] = Counter()
        self._missed: Counter[tuple[str, str]] = Counter()
        self._always: set[tuple[str, str]] = set()
        self._answered: dict[bytes, bytes] = {}

    def note(self, call: Call, reply: Reply) -> None:
        for sign in self._signs(call, reply):
            key = sign.setting, sign.what
            self._judged[key] += 1
            self._missed[key] += sign.missed
            if sign.always:
                self._always.add(key)

    def unheeded(self, least: int = 1) -> dict[str, str]:
        """What was not heeded, by setting; where fewer than `least` replies could show it, nothing is said."""
        found = {}
        for (setting, what), judged in self._judged.items():
            missed, always = self._missed[setting, what], (setting, what) in self._always
            enough, of = (judged, _ALL_OF) if always else (_SHARE * judged, least)
            if missed and missed >= enough and judged >= of:
                found[setting] = f"{what} {missed:,} of {judged:,} replies"
        return found

    def _signs(self, call: Call, reply: Reply) -> Iterator[_Sign]:
        settings = call.settings
        if settings.get("logprobs") is not None and reply.text:
            yield _Sign("logprobs", "no log-probabilities in", not reply.tokens)
        if settings.get("schema") is not None and reply.text and reply.finish == "stop":
            yield _Sign("structured", "no JSON in", not _is_json(reply.text))
        if effort := settings.get("reasoning_effort"):
            yield from _reasoned(f"reasoning_effort={effort}", effort == "none", reply)
        if settings.get("seed") is not None:
            yield from self._repeated(call, reply)

    def _repeated(self, call: Call, reply: Reply) -> Iterator[_Sign]:
        asked, answer = replace(call, sample=0).key, sha256(reply.text.encode("utf-8", "replace")).digest()[:8]
        if (before := self._answered.setdefault(asked, answer)) is not answer:
            yield _Sign("seed", "another answer to the same request in", before != answer)


def _reasoned(setting: str, unwanted: bool, reply: Reply) -> Iterator[_Sign]:
    """Whether a model reasoned, where that is reported."""
    if reply.tokens_reasoning is None and not reply.reasoning:
        return
    has_reasoned = bool(reply.tokens_reasoning or reply.reasoning)
    if unwanted:
        yield _Sign(setting, "reasoning reported in", has_reasoned)
    elif not setting.endswith("minimal"):
        yield _Sign(setting, "no reasoning, by the server's own count, in", not has_reasoned, always=True)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), Mapping)
    except (ValueError, RecursionError):
        return False
