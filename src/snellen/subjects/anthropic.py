"""Anthropic's own Messages API."""

import json
from collections.abc import Mapping
from typing import Any

from snellen.call import Call, Finish, Message, Reply
from snellen.item import Picture
from snellen.subjects.failures import Complaint
from snellen.subjects.openai import count
from snellen.subjects.pictures import PictureCache
from snellen.subjects.settings import Value

VERSION = "2023-06-01"
_FINISH: dict[Any, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


class AnthropicDialect:
    """How calls and replies are written in Anthropic's API."""

    path = "/v1/messages"

    def __init__(self, model: str, settings: Mapping[str, Value]) -> None:
        self._system = settings.get("system")
        self._head = _opening(model, settings)
        max_pixels = settings.get("max_pixels")
        self._pictures = PictureCache(_frame, max_pixels if isinstance(max_pixels, int) else None)

    def headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    async def body(self, call: Call) -> bytes:
        system = [str(self._system)] if self._system is not None else []
        system += [str(part) for m in call.messages if m.role == "system" for part in m.parts]
        messages = [await self._message(m) for m in call.messages if m.role != "system"]
        opening = b'"system":' + json.dumps("\n\n".join(system)).encode() + b"," if system else b""
        return b"".join((self._head, opening, b'"messages":[', b",".join(messages), b"]}"))

    def reply(self, data: Any) -> Reply:
        usage = data.get("usage") or {}
        text = "".join(block["text"] for block in data["content"] if block["type"] == "text")
        return Reply(
            text,
            _FINISH.get(data["stop_reason"], "stop"),
            _tokens_in(usage),
            count(usage.get("output_tokens")),
            str(data.get("model") or ""),
        )

    def learn(self, said: Complaint, body: bytes) -> bool:
        return False

    async def _message(self, message: Message) -> bytes:
        blocks = [
            await self._pictures.fragment(part)
            if isinstance(part, Picture)
            else b'{"type":"text","text":' + json.dumps(part).encode() + b"}"
            for part in message.parts
        ]
        return b'{"role":"%b","content":[%b]}' % (message.role.encode(), b",".join(blocks))


def _opening(model: str, settings: Mapping[str, Value]) -> bytes:
    """Everything that is the same in all requests."""
    fields: dict[str, Any] = {"model": model}
    for name in ("max_tokens", "temperature", "top_p"):
        if (value := settings.get(name, "default")) != "default":
            fields[name] = value
    if effort := settings.get("reasoning_effort"):
        fields["output_config"] = {"effort": effort}
    return json.dumps(fields, separators=(",", ":")).encode()[:-1] + b","


def _frame(media_type: str, base64: bytes) -> bytes:
    opening = (
        b'{"type":"image","source":{"type":"base64","media_type":"%b","data":"' % json.dumps(media_type)[1:-1].encode()
    )
    return b"".join((opening, base64, b'"}}'))


def _tokens_in(usage: Mapping[str, Any]) -> int | None:
    """All that was read, also what the provider took from its own cache."""
    fresh = count(usage.get("input_tokens"))
    if fresh is None:
        return None
    cached = (count(usage.get(f"cache_{how}_input_tokens")) for how in ("creation", "read"))
    return fresh + sum(tokens or 0 for tokens in cached)
