"""Any provider Inspect AI knows, as a subject: `inspect/PROVIDER/MODEL`.

Inspect is used for one thing here: making a single attempt at a call. Its retries and its cache stay off and
its own connection limit is out of the way, because the engine does that work for every subject alike. The
package is loaded when the subject is opened, so naming one costs nothing.
"""

from __future__ import annotations

import asyncio
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from snellen.call import Abilities, Call, CallFailed, FailureKind, Finish, Message, Reply, Token
from snellen.errors import UserError, unknown
from snellen.item import Picture
from snellen.masking import learn_environment, mask

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content, GenerateConfig, Model, ModelOutput, ModelUsage

Detail = Literal["auto", "low", "high", "original"]
INSTALL = "pip install 'snellen[inspect]'"

_FINISH: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refused",
}
_DEFAULTS: Mapping[str, Any] = {"temperature": 0.0, "timeout": 300.0}
_CONNECTIONS = 4096  # more than the engine ever opens: its limit is the one that counts
_MESSAGE_LIMIT = 300
_WRITTEN = {"system_message": "system"}


def require_inspect() -> None:
    """One clear line if the optional package is missing."""
    if find_spec("inspect_ai") is None:
        raise UserError(f"Inspect AI is not installed; install it with: {INSTALL}")


def inspect_subject(
    model: str, settings: Mapping[str, Any], per_call: Mapping[str, Callable[[str], Any]] | None = None
) -> InspectSubject:
    """The subject for a model as Inspect names it (`google/gemini-2.5-pro`).

    `settings` may hold any option of Inspect's GenerateConfig, `detail` (how closely pictures are seen) and
    `timeout` (seconds one attempt may take, no part of a call's identity). Temperature is always sent, 0 unless
    said otherwise; None leaves it to the provider. The limit of tokens is Inspect's own unless set. `per_call`: the
    settings that a call may change (see `Abilities`).
    """
    provider, slash, name = model.partition("/")
    if not (provider and slash and name):
        raise UserError(
            f"subject 'inspect/{model}': expected inspect/PROVIDER/MODEL, as in inspect/google/gemini-2.5-pro"
        )
    require_inspect()
    return InspectSubject(model, {**_DEFAULTS, **settings}, per_call or {})


class InspectSubject:
    """A model reached through Inspect. One `answer` is one attempt."""

    def __init__(self, model: str, settings: Mapping[str, Any], per_call: Mapping[str, Callable[[str], Any]]) -> None:
        self._model_name = model
        self._settings = MappingProxyType({k: v for k, v in settings.items() if k != "timeout"})
        self._timeout = float(settings["timeout"])
        self._abilities = Abilities(timeout=self._timeout, per_call=per_call)
        self._model: Model | None = None

    @property
    def name(self) -> str:
        chosen = {k: v for k, v in self._settings.items() if k not in _DEFAULTS or v != _DEFAULTS[k]}
        written = (f"{_WRITTEN.get(k, k)}={'default' if v is None else v}" for k, v in chosen.items())
        return f"inspect/{self._model_name}" + (f":{','.join(written)}" if chosen else "")

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._settings

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    async def __aenter__(self) -> Self:
        self._config(self._settings)  # an unknown setting is said now, not once per call
        self._model = _open(self._model_name)
        learn_environment(os.environ)  # Inspect has read its .env by now
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._model is not None:
            await self._model.api.aclose()
            self._model = None

    async def answer(self, call: Call) -> Reply:
        if self._model is None:
            raise RuntimeError(f"{self.name} was asked before it was opened")
        model, config = self._model, self._config(call.settings)
        messages = chat(call.messages, call.settings.get("detail", "auto"))
        # Inspect keeps a transcript per context, pictures and all. A task of its own has a context of its
        # own, so the transcript goes when the call is over and a long exam does not fill memory.
        attempt = asyncio.create_task(model.generate(messages, config=config, cache=False))
        try:
            async with asyncio.timeout(self._timeout):
                output = await attempt
        except TimeoutError:
            raise CallFailed("timeout", f"{self.name}: no reply in {self._timeout:g} s", passing=True) from None
        except Exception as error:
            raise _failure(model, self.name, error) from None
        return _reply(self.name, output)

    def _config(self, settings: Mapping[str, Any]) -> GenerateConfig:
        from inspect_ai.model import GenerateConfig

        options = {name: value for name, value in settings.items() if name != "detail"}
        if (alternatives := options.pop("logprobs", None)) is not None:
            options |= {"logprobs": True, "top_logprobs": alternatives or None}
        for name in options:
            if name not in GenerateConfig.model_fields:
                raise UserError(f"{self.name}: unknown setting {name!r}; expected one of Inspect's GenerateConfig")
        if (detail := settings.get("detail", "auto")) not in get_args(Detail):
            raise unknown(f"image detail of {self.name}", str(detail), get_args(Detail))
        try:
            return GenerateConfig(**{**options, "max_retries": 0, "max_connections": _CONNECTIONS})
        except ValueError as error:
            raise UserError(f"{self.name}: {_line(str(error))}") from None


def chat(messages: Iterable[Message], detail: Detail = "auto") -> list[ChatMessage]:
    """Our messages as Inspect's."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return [kinds[message.role](content=contents(message.parts, detail)) for message in messages]


def contents(parts: Iterable[str | Picture], detail: Detail = "auto") -> list[Content]:
    """Words and pictures as Inspect's content, in the same order; pictures as the very bytes."""
    from inspect_ai.model import ContentImage, ContentText

    return [
        ContentImage(image=data_uri(part), detail=detail) if isinstance(part, Picture) else ContentText(text=part)
        for part in parts
    ]


def data_uri(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{b64encode(picture.data).decode('ascii')}"


def finish_of(stop_reason: str) -> Finish:
    """Why a reply ended, from Inspect's reason."""
    return _FINISH.get(stop_reason, "stop")


def reply_of(output: ModelOutput) -> Reply:
    """Inspect's output as a reply."""
    usage = output.usage
    return Reply(
        text=output.completion,
        finish=finish_of(output.stop_reason),
        tokens_in=_read_tokens(usage) if usage else None,
        tokens_out=usage.output_tokens if usage else None,
        model=output.model,
        reasoning=_reasoning(output),
        tokens_reasoning=usage.reasoning_tokens if usage else None,
        tokens=_tokens(output),
        tokens_cached=(usage.input_tokens_cache_read or 0) if usage else 0,
        tokens_written=(usage.input_tokens_cache_write or 0) if usage else 0,
    )


def _reasoning(output: ModelOutput) -> str:
    """What the model thought before it answered; a summary where the thinking itself is kept back."""
    content = output.choices[0].message.content if output.choices else ""
    parts = [part for part in content if not isinstance(part, str) and part.type == "reasoning"]
    return "\n".join(str(part.summary or "") if part.redacted else part.reasoning for part in parts)


def _tokens(output: ModelOutput) -> tuple[Token, ...]:
    logprobs = output.choices[0].logprobs if output.choices else None
    return tuple(
        Token(token.token, token.logprob, tuple((other.token, other.logprob) for other in token.top_logprobs or ()))
        for token in (logprobs.content if logprobs else ())
    )


def _read_tokens(usage: ModelUsage) -> int:
    """Inspect counts tokens served from a provider's prompt cache apart; they are part of what was read."""
    return usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)


def _reply(name: str, output: ModelOutput) -> Reply:
    if not output.choices:
        raise CallFailed("malformed", f"{name}: {_line(output.error or 'the provider sent no choices')}", passing=True)
    return reply_of(output)


def _open(model: str) -> Model:
    """The model, or one clear line: no such provider, its package is missing, no key."""
    from inspect_ai.model import get_model

    try:
        return get_model(model, memoize=False)
    except ValueError as error:
        raise UserError(f"inspect/{model}: {_line(str(error))}; see Inspect's list of providers") from None
    except ImportError as error:
        raise UserError(f"inspect/{model}: {_line(str(error))}") from None
    except Exception as error:  # Inspect's own "something must be set up first", whose class is not public
        if type(error).__name__ != "PrerequisiteError":
            raise
        raise UserError(f"inspect/{model}: {_line(_words(error))}") from None


def _failure(model: Model, name: str, error: Exception) -> Exception:
    """What went wrong, in the engine's terms. Providers know their own errors best: they are asked."""
    cause = _cause(error)
    status = _status(cause)
    if model.api.is_auth_failure(cause) or status in (401, 403):
        # said without the provider's words, which may quote the key
        return CallFailed("key", f"{name}: the provider refused the key; check it in the environment", fatal=True)
    message = f"{name}: {_line(_words(cause))}"
    if "Timeout" in type(cause).__name__:  # each client library has an error of its own for it
        return CallFailed("timeout", message, passing=True)
    decision = model.api.should_retry(cause)
    if decision:
        kind: FailureKind = "server" if status else "connection"
        if status == 429 or getattr(decision, "kind", "") == "rate_limit":
            kind = "busy"
        return CallFailed(kind, message, passing=True, retry_after=getattr(decision, "retry_after", None))
    return CallFailed("rejected", message, fatal=status == 404)


def _cause(error: Exception) -> Exception:
    """The provider's own error beneath the wrappers of Inspect and of its retry library."""
    attempt = getattr(error, "last_attempt", None)
    if attempt is not None and isinstance(last := attempt.exception(), Exception):
        error = last
    if type(error).__name__ == "ModelGenerateError" and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return error


def _status(error: Exception) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        for attribute in ("status_code", "code"):
            if isinstance(value := getattr(holder, attribute, None), int):
                return value
    return None


def _words(error: Exception) -> str:
    """The error's words; an error without any gives its name."""
    return str(getattr(error, "message", "")) or str(error) or type(error).__name__


def _line(words: str) -> str:
    """One short line, without Inspect's markup and without keys."""
    learn_environment(os.environ)
    line = " ".join(re.sub(r"\[/?(bold|italic|blue|red)\]", "", mask(words)).split())
    return line if len(line) <= _MESSAGE_LIMIT else line[: _MESSAGE_LIMIT - 1] + "…"
