"""A call to a subject and what comes back.

A call is a subject, its settings and messages with pictures by digest; its key is a hash of exactly that. `about` is
not part of it: simulated subjects and oracles read the truth there, real ones never look.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from snellen.item import Picture, Stimulus

Finish = Literal["stop", "length", "refused"]
"""Why a reply ended: by itself, at the token limit, or because the provider or the model refused."""

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    parts: tuple[str | Picture, ...]


@dataclass(frozen=True)
class Call:
    subject: str
    settings: Mapping[str, Any]
    messages: tuple[Message, ...]
    about: Stimulus | None = field(default=None, compare=False, repr=False)

    @cached_property
    def request(self) -> str:
        """The call as canonical JSON, pictures by digest: what is hashed, and what the store keeps."""
        messages = [
            [m.role, *({"picture": p.digest} if isinstance(p, Picture) else p for p in m.parts)] for m in self.messages
        ]
        content = {"subject": self.subject, "settings": dict(self.settings), "messages": messages}
        return _canonical(content)

    @cached_property
    def key(self) -> bytes:
        return sha256(self.request.encode("utf-8", "surrogatepass")).digest()[:16]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(p for m in self.messages for p in m.parts if isinstance(p, Picture))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a subject said. `text` is verbatim; `tokens_*` are as billed, None where the provider does not say."""

    text: str
    finish: Finish = "stop"
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""
    """The model's own name for itself, as returned (a dated snapshot, for instance)."""


FailureKind = Literal["busy", "server", "timeout", "connection", "malformed", "rejected", "key", "unreachable"]


class CallFailed(Exception):
    """A call that brought no reply. Never taken for an answer.

    `passing`: worth another attempt now. `fatal`: no call of this subject can succeed (wrong key, no such model, no
    server), so the exam stops with one clear line instead of failing ten thousand times.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        passing: bool = False,
        fatal: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.passing = passing
        self.fatal = fatal
        self.retry_after = retry_after


class Subject(Protocol):
    """Who answers. `name` is the identity as the user may write it, never with a secret; `settings` go into the key.

    Subjects are opened before the first call and closed after the last; `answer` makes exactly one attempt and
    either returns a reply or raises `CallFailed`: retries, limits and records are the engine's work.
    """

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def answer(self, call: Call) -> Reply: ...
