"""A call to a subject and what comes back.

A call is a subject, its settings and messages with pictures by digest; its key is a hash of exactly that. `about` is
not part of it: simulated subjects and oracles read the truth there. Nobody else is given it (`Call.blind`).
"""

import json
from asyncio import CancelledError, current_task
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType, TracebackType
from typing import Any, BinaryIO, Literal, NamedTuple, Protocol, Self, get_args

from snellen.item import Item, Picture, Stimulus
from snellen.masking import LEAST, mask
from snellen.plugins import where

__all__ = ["Abilities", "Call", "CallFailed", "Message", "Reply", "Subject", "Token"]

Finish = Literal["stop", "length", "refused"]
"""Why a reply ended: by itself, at the token limit, or because the provider or the model refused."""
FINISHES: tuple[Finish, ...] = get_args(Finish)

Role = Literal["system", "user", "assistant"]

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
_quoted = json.encoder.encode_basestring


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: the speaker, and text and pictures in the order they are shown."""

    role: Role
    parts: tuple[str | Picture, ...]


@dataclass(frozen=True)
class Call:
    """A request to a subject. `settings`: the subject's, with this call's changes. `sample`: the number of the
    repetition, from 0."""

    subject: str
    settings: Mapping[str, Any]
    messages: tuple[Message, ...]
    about: Stimulus | None = field(default=None, compare=False, repr=False)
    sample: int = 0

    @cached_property
    def request(self) -> str:
        """The call as canonical JSON, pictures by digest: what is hashed, and what the store keeps."""
        messages = ",".join([f"[{','.join([_quoted(m.role), *map(_part, m.parts)])}]" for m in self.messages])
        sample = f',"sample":{self.sample}' if self.sample else ""  # a first sample is the call as it always was
        settings, subject = _canonical_settings(self.settings), _quoted(self.subject)
        return f'{{"messages":[{messages}]{sample},"settings":{settings},"subject":{subject}}}'

    @cached_property
    def key(self) -> bytes:
        return key_of(self.request)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(p for m in self.messages for p in m.parts if isinstance(p, Picture))

    @property
    def blind(self) -> "Call":
        """The call for those who are to know no more than they are shown: without what it is about, and of pictures
        nothing but their bytes."""
        messages = [
            Message(m.role, tuple([p if isinstance(p, str) else p.bare for p in m.parts])) for m in self.messages
        ]
        return Call(self.subject, self.settings, tuple(messages), None, self.sample)


def key_of(request: str) -> bytes:
    """The key of a call by its canonical JSON."""
    return sha256(request.encode("utf-8", "surrogatepass")).digest()[:16]


def _part(part: str | Picture) -> str:
    """A part of a message as canonical JSON."""
    return _quoted(part) if isinstance(part, str) else f'{{"picture":"{part.digest}"}}'


_settings_seen: dict[int, tuple[Mapping[str, Any], dict[str, Any], str]] = {}
"""A subject's own settings by their identity, with their values then and their JSON: nearly all calls have these."""
_MOST_SETTINGS = 64


def _canonical_settings(settings: Mapping[str, Any]) -> str:
    """Settings as canonical JSON."""
    seen = _settings_seen.get(id(settings))
    if seen is not None and seen[0] is settings and seen[1] == settings:
        return seen[2]
    values = dict(settings)
    written = _canonical(values)
    if type(settings) is MappingProxyType:  # others are those of one call, or somebody may change them
        if len(_settings_seen) >= _MOST_SETTINGS:
            _settings_seen.clear()
        _settings_seen[id(settings)] = settings, values, written
    return written


class Token(NamedTuple):
    """A token of a reply with its log-probability, and those of the recorded alternatives."""

    text: str
    logprob: float
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A subject's reply. `text` is verbatim; token counts are as billed, None where the provider does not report"
    " them."""

    text: str
    finish: Finish = "stop"
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""
    """The model's own name for itself, as returned (a dated snapshot, for instance)."""
    reasoning: str = ""
    """The reasoning before the answer, where the server returns it separately."""
    tokens_reasoning: int | None = None
    """How many of `tokens_out` were spent on reasoning."""
    tokens_picture: int | None = None
    """How many of `tokens_in` the pictures took."""
    tokens: tuple[Token, ...] = ()
    """The text token by token, where log-probabilities were requested and returned."""
    tokens_cached: int = 0
    """How many of `tokens_in` the provider read from its cache, as far as it says."""
    tokens_written: int = 0
    """How many of `tokens_in` it wrote to its cache, where that has a price of its own."""


def without_secrets(reply: Reply) -> Reply:
    """The reply with keys masked that a server repeated in it; nearly always the very same reply."""
    tokens = reply.tokens
    if not tokens and not reply.reasoning and len(reply.text) < LEAST and len(reply.model) < LEAST:
        return reply
    text, model, reasoning = mask(reply.text), mask(reply.model), mask(reply.reasoning)
    if tokens and (text != reply.text or mask(said := "".join([token.text for token in tokens])) != said):
        tokens = ()
    if text == reply.text and model == reply.model and reasoning == reply.reasoning and tokens is reply.tokens:
        return reply
    return replace(reply, text=text, model=model, reasoning=reasoning, tokens=tokens)


FailureKind = Literal["busy", "server", "timeout", "connection", "malformed", "rejected", "key", "unreachable"]


Believed = Literal["at once", "at first", "in a row"]
"""When a fatal failure ends the exam: whenever it comes; at once until an answer has come, later only if several calls
in a row fail like this; or only if several do, because a gateway may have turned this call alone away."""


class CallFailed(Exception):
    """A call without a reply. It never counts as an answer.

    `passing`: worth another attempt now. `fatal`: no call of this subject can succeed (wrong key, no such model, no
    server), so the exam stops with one clear line instead of failing ten thousand times; `believed`: as soon as that is
    certain.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        passing: bool = False,
        fatal: bool = False,
        believed: Believed = "at once",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(mask(message))
        self.kind = kind
        self.passing = passing
        self.fatal = fatal
        self.believed = believed
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a subject can do and needs, for the planning of an exam.

    The defaults are those of a model behind a server nobody knows anything about.
    """

    pictures: int | None = None
    """The maximum number of pictures per call; None if unknown."""
    words: bool = True
    """Whether it accepts text alone; False: every call needs a picture."""
    roles: tuple[str, ...] = ()
    """The roles it can have; empty: any."""
    knows: Callable[[Item], bool] | None = None
    """A predicate for the items it supports; None: all."""
    trained_on: Mapping[str, frozenset[str]] | None = field(default_factory=dict)
    """The items it was trained on, by task and as `training_key` names them: an exam leaves them out. None: it was
    trained, and on what is not on record."""
    only: str = ""
    """A description of these items, for the note on what is skipped."""
    needs_twins: bool = False
    """Whether it works only with pictures that have exact descriptions."""
    sees_truth: bool = False
    """Whether it receives the item behind a call: simulated subjects and oracles only."""
    together: int | None = None
    """The maximum number of concurrent calls; None: the engine's limit."""
    batch: int = 1
    """The preferred number of calls per batch."""
    in_process: bool = False
    """Whether it runs in this process, not behind a server."""
    server: str = ""
    """Which server answers, where that matters: subjects of one server share its limits."""
    timeout: float | None = None
    """Seconds that one call may take; None: the engine's default."""
    cached_prefix: Callable[["Call"], bytes | None] | None = None
    """What identifies the part of a call that the provider keeps for later calls, None if there is none: of calls that
    share it, the first goes ahead."""
    cache_write: float = 0
    """How many times the price of its input a token costs that is written to the provider's cache; 0: that is free."""
    per_call: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    """The settings that may differ from call to call, and so can be factors of a study, each with what reads its value
    from a word (a `UserError` if the word is none)."""


class Subject(Protocol):
    """Who answers. `name` is the identity as the user may write it, never with a secret; `settings` go into the key.

    Subjects are opened before the first call and closed after the last; `answer` makes exactly one attempt and
    either returns a reply or raises `CallFailed`: retries, limits and records are the engine's work. `call.settings`
    are to be heeded rather than the subject's own: a call may change some of them.
    """

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    @property
    def abilities(self) -> Abilities: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def answer(self, call: Call) -> Reply: ...


async def hear(name: str, answering: Awaitable[Any]) -> Reply:
    """The reply a subject comes to. Its code may be anybody's: whatever else it comes up with is a failed call, told in
    one line, be it an exit or a cancellation that nobody asked for."""
    try:
        answer = await answering
    except CallFailed:
        raise
    except (Exception, SystemExit) as error:
        raise CallFailed("rejected", f"{name}: {where(error)}") from error
    except CancelledError as error:
        if (task := current_task()) is None or task.cancelling():
            raise
        raise CallFailed("rejected", f"{name}: {where(error)}") from error
    reply = Reply(answer) if isinstance(answer, str) else answer
    if not isinstance(reply, Reply):
        what = type(answer).__name__
        raise CallFailed("malformed", f"{name}: returned {what}; expected the answer as str", fatal=True)
    return reply


class BatchStatus(NamedTuple):
    """How far a provider is with a batch. `state` is its own word for it."""

    state: str
    is_over: bool
    done: int = 0
    problem: str = ""
    """Why the batch was refused as a whole; none of it was worked on."""
    is_crowded: bool = False
    """Whether that is only because too much is queued already."""


class BatchRow(NamedTuple):
    """A row of a batch's results: the id its request had, and how its call ended."""

    id: str
    answer: Reply | CallFailed


class BatchGone(CallFailed):
    """The provider no longer has this batch, or its results."""


class BatchTransport(Protocol):
    """Sends calls of one subject in batches. Each method makes one attempt and raises `CallFailed`.

    A batch has a name, which we make up before anything is sent, and by which it is found again.
    """

    files: dict[str, str]
    """The provider's ids of pictures it has."""

    @property
    def most_rows(self) -> int: ...

    @property
    def most_bytes(self) -> int: ...

    @property
    def frame(self) -> tuple[bytes, bytes, bytes]:
        """What stands before, between and after the rows."""
        ...

    @property
    def price(self) -> float:
        """What a call costs in a batch, as a share of its price alone."""
        ...

    @property
    def by_hand(self) -> str:
        """What the user is to do for the batches to be worked on; empty if a provider does it."""
        ...

    async def prepare(self, calls: Sequence[Call]) -> None:
        """Upload, once, the pictures that several of these calls show, where the API can refer to them."""
        ...

    async def discard(self) -> None:
        """Delete these pictures: no batch needs them any more."""
        ...

    async def row(self, id: str, call: Call) -> bytes: ...

    async def upload(self, name: str, data: BinaryIO) -> str:
        """The provider's id for the file of rows; empty if they travel with `create`."""
        ...

    async def create(self, name: str, uploaded: str, data: BinaryIO) -> str:
        """Begin the batch; its id at the provider."""
        ...

    async def find(self, name: str, uploaded: str, rows: int, since: float) -> str:
        """The id of a batch that may have been begun; empty if it was not. `busy` if that cannot be told yet."""
        ...

    async def status(self, batch: str) -> BatchStatus: ...

    def results(self, batch: str, call_of: Callable[[str], Call | None]) -> AsyncIterator[BatchRow]:
        """What is there of the results, in any order; `call_of`: the call behind an id, where it is known."""
        ...

    async def cancel(self, batch: str) -> None: ...
