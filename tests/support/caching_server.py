"""A server that keeps the beginnings of prompts, as Anthropic, OpenAI and OpenAI's later models do, and charges for it.

It looks at nothing but the requests: what it counts and charges is its own arithmetic.
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

LEAST = 100
"""Tokens of the shortest beginning that is kept."""
PICTURE = 400
TOO_MANY = b'{"error": {"message": "A maximum of 4 blocks with cache_control may be provided."}}'
MARKS = ("cache_control", "prompt_cache_breakpoint")


class Sent(Protocol):
    """A request that arrived."""

    @property
    def json(self) -> Any: ...


@dataclass
class CachingServer:
    """`seconds`: how long an answer takes; only then can others read what it wrote. `bill`: dollars so far, at 10 for a
    million tokens, 1 from the cache and 12.5 (20 if it is to last) into it; replies cost nothing."""

    kind: Literal["anthropic", "by itself", "at breakpoints"]
    seconds: float = 0.0
    kept: set[str] = field(default_factory=set)
    bill: float = 0.0
    read: int = 0
    written: int = 0

    async def __call__(self, sent: Sent) -> Any:
        request = sent.json
        blocks, ends, write_price = self._blocks(request)
        if len(ends) > 4:
            return 400, {}, TOO_MANY
        sizes = [PICTURE if "base64" in block else len(block) // 4 for block in blocks]
        prefixes = {end: json.dumps(blocks[: end + 1]) for end in ends if sum(sizes[: end + 1]) >= LEAST}
        read = max((sum(sizes[: end + 1]) for end, prefix in prefixes.items() if prefix in self.kept), default=0)
        last = max((sum(sizes[: end + 1]) for end in prefixes), default=0)
        written = 0 if self.kind == "by itself" else last - read
        await asyncio.sleep(self.seconds)
        self.kept.update(prefixes.values())
        total = sum(sizes)
        self.read, self.written = self.read + read, self.written + written
        self.bill += ((total - read - written) * 10 + read * 1 + written * write_price) / 1e6
        return 200, {}, json.dumps(self._says(total, read, written)).encode()

    def _blocks(self, request: Any) -> tuple[list[str], list[int], float]:
        """The blocks of all messages, where beginnings of them end, and what writing costs."""
        blocks, ends, write_price = [], [], 12.5
        for message in request["messages"]:
            content = message["content"]
            for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                marks = [block.pop(mark) for mark in MARKS if mark in block]
                if marks:
                    ends.append(len(blocks))
                    write_price = 20 if marks[0].get("ttl") == "1h" else 12.5
                blocks.append(json.dumps([message["role"], block]))
        if self.kind == "by itself":
            ends = list(range(len(blocks)))[-4:]
        if self.kind == "at breakpoints" and request.get("prompt_cache_options", {}).get("mode") != "explicit":
            ends.append(len(blocks) - 1)
        return blocks, ends, write_price

    def _says(self, total: int, read: int, written: int) -> Any:
        if self.kind == "anthropic":
            usage = {"cache_read_input_tokens": read, "cache_creation_input_tokens": written, "output_tokens": 1}
            fresh = {"input_tokens": total - read - written}
            return {"content": [{"type": "text", "text": "X"}], "stop_reason": "end_turn", "usage": usage | fresh}
        details = {"cached_tokens": read, **({"cache_write_tokens": written} if written else {})}
        counts = {"prompt_tokens": total, "completion_tokens": 1, "prompt_tokens_details": details}
        return {"choices": [{"message": {"content": "X"}, "finish_reason": "stop"}], "usage": counts}
