"""A model server that misbehaves on command, for tests and benches.

It speaks OpenAI's chat completions and Anthropic's messages on a loopback port, answers every call the same
way each time, and serves faults by script:

- `first`: every call meets these faults on its first attempts, in order, then is answered;
- `script`: the first requests of all meet these, in order ("ok" lets one through);
- `hang_after`: after so many answers, nothing is answered any more.

It counts, per call (its words and pictures), how often it was asked and how often it was answered, so that a
test can prove that no answered call was asked twice. In a test, `async with FaultServer(first=["429"]) as
server`; as a process of its own, `python tests/support/fault_server.py '{"first": ["500"]}'`, which prints
its address and then serves until killed. `GET /counts` tells the counts; `POST /plan` replaces the script and
keeps the counts.
"""

import asyncio
import json
import re
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from aiohttp import web

STATUSES = ("429", "429-later", "500", "503", "529", "400", "401", "404")
BROKEN = ("hang", "reset", "truncated", "malformed", "html")
ANSWERS = ("ok", "empty", "filtered", "length", "slow")
SLOW_SECONDS = 0.3


@dataclass(frozen=True)
class Plan:
    """What goes wrong when."""

    first: Sequence[str] = ()
    script: Sequence[str] = ()
    hang_after: int | None = None
    answer: str = ""
    """The text of every answer; if empty, "X" or "O" as the call's content has it."""
    delay: float = 0.0
    retry_after: float = 0.2
    count: bool = True
    """Benches turn counting off: then requests are not even parsed, and one of two named labels is the answer."""

    def __post_init__(self) -> None:
        unknown = {*self.first, *self.script} - {*STATUSES, *BROKEN, *ANSWERS}
        if unknown:
            raise ValueError(f"no such fault: {', '.join(unknown)}")


class FaultServer:
    def __init__(self, reply: Callable[[str], str] | None = None, **plan: Any) -> None:
        self.plan = Plan(**plan)
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.asked_again: set[str] = set()
        """The calls that were asked although they had been answered before."""
        self.requests: list[dict[str, Any]] = []
        """The last requests, parsed: what they held besides pictures can be looked at."""
        self.headers: list[dict[str, str]] = []
        self.together = 0
        self.most_together = 0
        self._reply = reply or self._default_reply
        self._served = 0
        self._let_through = 0
        self._runner: web.AppRunner | None = None
        self.url = ""
        """What to give as base URL; for Anthropic's API without the /v1."""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2**28)
        for path, answer in self.routes().items():
            app.router.add_post(path, answer)
        app.router.add_get("/counts", self._counts)
        app.router.add_post("/plan", self._new_plan)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    def routes(self) -> dict[str, Any]:
        """What answers at which path."""
        return {"/v1/chat/completions": self._chat, "/v1/messages": self._messages}

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        return await self._serve(request, _openai)

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        return await self._serve(request, _anthropic)

    async def _counts(self, _: web.Request) -> web.Response:
        counts = {"asked": self.asked, "answered": self.answered, "asked_again": sorted(self.asked_again)}
        return web.json_response(counts)

    async def _new_plan(self, request: web.Request) -> web.Response:
        self.plan, self._served, self._let_through = Plan(**await request.json()), 0, 0
        return web.json_response({})

    async def _serve(self, request: web.Request, body: Callable[[str, str], Any]) -> web.StreamResponse:
        self.together += 1
        self.most_together = max(self.together, self.most_together)
        try:
            raw = await request.read()
            if not self.plan.count:
                return web.Response(body=_canned(_guess(raw)), content_type="application/json")
            content = self._note(request, raw)
            fault = self._fault(content)
            if self.plan.delay:
                await asyncio.sleep(self.plan.delay)
            if fault != "ok":
                return await self._misbehave(request, fault, content, body)
            return await self._answer(request, content, body(self._reply(content), "stop"))
        finally:
            self.together -= 1

    def _note(self, request: web.Request, raw: bytes) -> str:
        sent = json.loads(raw)
        content = content_of(sent)
        self.asked[content] += 1
        if self.answered[content]:
            self.asked_again.add(content)
        self.requests = [*self.requests[-99:], sent]
        self.headers = [*self.headers[-99:], dict(request.headers)]
        return content

    def _fault(self, content: str) -> str:
        """What happens to this request; "ok" if nothing."""
        plan, served = self.plan, self._served
        self._served += 1
        if plan.hang_after is not None and self._let_through >= plan.hang_after:
            return "hang"
        attempt = self.asked[content] - 1
        faults, index = (plan.script, served) if served < len(plan.script) else (plan.first, attempt)
        fault = faults[index] if index < len(faults) else "ok"
        self._let_through += fault in ANSWERS
        return fault

    async def _misbehave(
        self, request: web.Request, fault: str, content: str, body: Callable[[str, str], Any]
    ) -> web.StreamResponse:
        match fault:
            case "empty":
                return await self._answer(request, content, body("", "stop"))
            case "filtered":
                return await self._answer(request, content, body("", "filtered"))
            case "length":
                return await self._answer(request, content, body("Let me look at the", "length"))
            case "slow":
                await asyncio.sleep(SLOW_SECONDS)
                return await self._answer(request, content, body(self._reply(content), "stop"))
            case "hang":
                await asyncio.sleep(3600)
            case "reset":
                return _reset(request)
            case "truncated":
                return await _truncate(request, json.dumps(body(self._reply(content), "stop")).encode())
            case "malformed":
                return web.Response(body=b'{"choices": [{"message"', content_type="application/json")
            case "html":
                return web.Response(text="<html>Bad gateway</html>", content_type="text/html")
        sent = request.headers.get("Authorization") or request.headers.get("x-api-key")
        message = f"fault {fault}: you sent {sent}"  # some servers do repeat the key they were given
        error = {"error": {"message": message, "type": "fault", "code": None}}
        headers = {"Retry-After": str(self.plan.retry_after)} if fault == "429-later" else {}
        return web.json_response(error, status=int(fault[:3]), headers=headers)

    async def _answer(self, request: web.Request, content: str, body: Any) -> web.StreamResponse:
        """Answer, and count it once it is on its way; nobody is answered who has gone."""
        response = web.json_response(body)
        with suppress(ConnectionError):
            await response.prepare(request)
            await response.write_eof()
            self.answered[content] += 1
        return response

    def _default_reply(self, content: str) -> str:
        return self.plan.answer or "XO"[int(content[0], 16) % 2]


_CHOICE = re.compile(rb"with (\w+) or (\w+)")


def _guess(raw: bytes) -> str:
    """One of the labels that a request ends with, the same for the same request."""
    choices = _CHOICE.findall(raw, max(len(raw) - 400, 0))
    return choices[-1][crc32(raw) % 2].decode() if choices else "X"


@cache
def _canned(label: str) -> bytes:
    return json.dumps(_openai(label, "stop")).encode()


def content_of(sent: Any) -> str:
    """The identity of a call's content: its messages with their words and pictures, whatever the spelling."""
    return sha256(json.dumps(sent["messages"], sort_keys=True).encode()).hexdigest()[:16]


def _openai(text: str, finish: str) -> Any:
    reason = {"filtered": "content_filter"}.get(finish, finish)
    message = {"role": "assistant", "content": text if finish != "filtered" else None}
    usage = {"prompt_tokens": 100, "completion_tokens": 1, "total_tokens": 101}
    choices = [{"index": 0, "message": message, "finish_reason": reason}]
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m-1",
        "choices": choices,
        "usage": usage,
    }


def _anthropic(text: str, finish: str) -> Any:
    reason = {"stop": "end_turn", "length": "max_tokens", "filtered": "refusal"}[finish]
    content = [{"type": "text", "text": text}] if text else []
    usage = {"input_tokens": 100, "output_tokens": 1}
    kind = {"id": "m", "type": "message", "role": "assistant", "model": "m-1"}
    return {**kind, "content": content, "stop_reason": reason, "usage": usage}


def _reset(request: web.Request) -> web.StreamResponse:
    """Drop the connection the rude way, with a reset instead of a goodbye."""
    assert request.transport is not None
    connection = request.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
    return web.Response()


async def _truncate(request: web.Request, body: bytes) -> web.StreamResponse:
    """Promise a whole body, send half of it and hang up."""
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body))})
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    assert request.transport is not None
    request.transport.close()
    return response


async def _main() -> None:
    plan = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    async with FaultServer(**plan) as server:
        print(server.url, flush=True)
        await asyncio.sleep(10**9)


if __name__ == "__main__":
    asyncio.run(_main())
