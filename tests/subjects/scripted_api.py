"""A server that answers as told and keeps what it was sent, byte for byte."""

import asyncio
import json
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any

from aiohttp import web

from snellen.call import Call, Message
from snellen.item import Picture

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8


@dataclass
class Sent:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Api:
    """`answer` is what every call gets: (status, headers, body), or "reset" or "hang"; or a function that says what,
    at once or when awaited."""

    url: str = ""
    answer: Any = None
    sent: list[Sent] = field(default_factory=list)

    def says(self, body: Any, status: int = 200, **headers: str) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answer = (status, {k.replace("_", "-"): v for k, v in headers.items()}, raw)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.sent.append(Sent(request.path, dict(request.headers), await request.read()))
        answer = self.answer(self.sent[-1]) if callable(self.answer) else self.answer
        if isawaitable(answer):
            answer = await answer
        if answer == "hang":
            await asyncio.sleep(30)
        if answer in ("reset", "hang"):
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        status, headers, raw = answer
        return web.Response(status=status, headers=headers, body=raw)


def a_call(subject: Any, *parts: str | Picture) -> Call:
    return Call(subject.name, subject.settings, (Message("user", parts or (Picture(PNG), "Who won?")),))


def openai_says(text: Any = "X", finish: str = "stop", **message: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 321, "completion_tokens": 2}
    return {"id": "c1", "model": "m-2025-01-01", "choices": [choice], "usage": usage}
