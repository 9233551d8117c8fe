"""OpenAI's chat completions, spoken by nearly everyone: vLLM, SGLang, Ollama, OpenRouter, Gemini, ..."""

import json
import re
from collections.abc import Mapping
from typing import Any

from snellen.call import Call, Finish, Message, Reply
from snellen.item import Picture
from snellen.subjects.failures import Complaint
from snellen.subjects.pictures import PictureCache
from snellen.subjects.settings import Value

_NEW_LIMIT = re.compile(r"(o[1-9]|gpt-[5-9])")
_SENT_AS_THEY_ARE = ("temperature", "top_p", "seed", "reasoning_effort")
_FINISH: dict[Any, Finish] = {"length": "length", "content_filter": "refused"}


class OpenAIDialect:
    """How calls and replies are written in OpenAI's API."""

    path = "/chat/completions"

    def __init__(self, model: str, settings: Mapping[str, Value]) -> None:
        self._model = model
        self._settings = settings
        self._new_limit = bool(_NEW_LIMIT.match(model))
        self._head = self._opening()
        self._system = settings.get("system")
        detail = settings.get("detail")
        tail = f'","detail":"{detail}"}}}}' if detail else '"}}'
        self._tail = tail.encode()
        max_pixels = settings.get("max_pixels")
        self._pictures = PictureCache(self._frame, max_pixels if isinstance(max_pixels, int) else None)

    def headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    async def body(self, call: Call) -> bytes:
        messages = [await self._message(message) for message in call.messages]
        if self._system is not None:
            messages.insert(0, b'{"role":"system","content":' + _text(str(self._system)) + b"}")
        return b"".join((self._head, b",".join(messages), b"]}"))

    def reply(self, data: Any) -> Reply:
        choice = data["choices"][0]
        message = choice["message"]
        usage = data.get("usage") or {}
        if (reason := choice.get("finish_reason")) == "error":
            raise ValueError("the provider behind the server failed")
        finish: Finish = _FINISH.get(reason, "stop")
        text = _words(message.get("content"))
        if message.get("refusal"):
            finish, text = "refused", text or str(message["refusal"])
        return Reply(
            text,
            finish,
            count(usage.get("prompt_tokens")),
            count(usage.get("completion_tokens")),
            str(data.get("model") or ""),
        )

    def learn(self, said: Complaint, body: bytes) -> bool:
        """Newer models want the same limit under another name; not all can be told by their own."""
        if "max_completion_tokens" not in said.message or (self._new_limit and body.startswith(self._head)):
            return False
        self._new_limit = True
        self._head = self._opening()
        return True

    def _opening(self) -> bytes:
        """Everything that is the same in all requests, up to the messages."""
        limit = "max_completion_tokens" if self._new_limit else "max_tokens"
        fields: dict[str, Value] = {"model": self._model, limit: self._settings["max_tokens"]}
        for name in _SENT_AS_THEY_ARE:
            if (value := self._settings.get(name, "default")) != "default":
                fields[name] = value
        return json.dumps(fields, separators=(",", ":")).encode()[:-1] + b',"messages":['

    async def _message(self, message: Message) -> bytes:
        opening = b'{"role":"%b","content":' % message.role.encode()
        if len(message.parts) == 1 and isinstance(only := message.parts[0], str):
            return opening + _text(only) + b"}"
        parts = [
            await self._pictures.fragment(part)
            if isinstance(part, Picture)
            else b'{"type":"text","text":' + _text(part) + b"}"
            for part in message.parts
        ]
        return b"".join((opening, b"[", b",".join(parts), b"]}"))

    def _frame(self, media_type: str, base64: bytes) -> bytes:
        opening = b'{"type":"image_url","image_url":{"url":"data:%b;base64,' % _text(media_type)[1:-1]
        return b"".join((opening, base64, self._tail))


def _text(text: str) -> bytes:
    return json.dumps(text).encode()


def count(tokens: Any) -> int | None:
    """A number of tokens, if that is what the server sent."""
    return tokens if isinstance(tokens, int) else None


def _words(content: Any) -> str:
    """The text of a message: plain, in parts, or none at all."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type", "text") == "text")
