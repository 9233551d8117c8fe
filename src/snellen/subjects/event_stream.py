"""Replies that come in pieces (server-sent events) although they were not asked for so: put together again.

Some servers stream always, or unless they are told not to. What comes out is the same as from those that do not. Raises
KeyError, TypeError, IndexError or ValueError for a stream that is none or breaks off.
"""

from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from snellen.subjects.lenient_json import parsed

DONE = b"data: [DONE]\n\n"
"""How a stream ends; some servers put it even behind a reply in one piece."""
_END = "[DONE]"
_TEXTS = ("content", "reasoning_content", "reasoning", "refusal")


def events_of(raw: bytes) -> list[Any] | None:
    """The data of the events in a body, in order; None if it is not a stream."""
    raw = raw.removeprefix(BOM_UTF8)
    if raw.startswith(b"{") or not raw.lstrip().startswith((b"data:", b"event:", b"id:", b"retry:", b":")):
        return None
    events, lines = [], []
    for line in (*raw.splitlines(), b""):
        if line.startswith(b"data:"):
            lines.append(line[5:].strip())
        elif not line and lines:
            data, lines = b"\n".join(lines), []
            if data:  # an event without data is none
                events.append(_END if data == _END.encode() else parsed(data))
    return events


def whole_completion(events: Sequence[Any]) -> Any:
    """A chat completion in one piece, from those of OpenAI's API. An error among them is all there is. A stream that is
    marked as ended need not say why."""
    if (error := _error(events)) is not None:
        return error
    texts: dict[str, str] = {}
    tokens: list[Any] = []
    rest: dict[str, Any] = {}
    reason = None
    for event in events:
        if event == _END:
            reason = reason or ("stop" if texts else None)
            continue
        rest |= {name: event[name] for name in ("model", "usage", "promptFeedback") if event.get(name)}
        for choice in event.get("choices") or ():
            if "message" in choice:
                return event
            reason = choice.get("finish_reason") or reason
            for name in _TEXTS:
                if isinstance(text := (choice.get("delta") or {}).get(name), str):
                    texts[name] = texts.get(name, "") + text
            tokens += (choice.get("logprobs") or {}).get("content") or ()
    if reason is None:
        raise ValueError("the stream broke off")
    logprobs = {"content": tokens} if tokens else None
    return {**rest, "choices": [{"message": texts, "finish_reason": reason, "logprobs": logprobs}]}


def whole_message(events: Sequence[Any]) -> Any:
    """A message in one piece, from those of Anthropic's API."""
    if (error := _error(events)) is not None:
        return error
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        if event == _END:
            continue
        match event["type"]:
            case "message_start":
                message = dict(event["message"])
            case "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                block = blocks[event["index"]]
                for name in ("text", "thinking"):
                    if isinstance(piece := event["delta"].get(name), str):
                        block[name] = block.get(name, "") + piece
            case "message_delta":
                message |= {"stop_reason": event["delta"]["stop_reason"]}
                message["usage"] = {**(message.get("usage") or {}), **(event.get("usage") or {})}
    if not message.get("stop_reason"):
        raise ValueError("the stream broke off")
    return {**message, "content": list(blocks.values())}


def _error(events: Iterable[Any]) -> Mapping[str, Any] | None:
    return next((event for event in events if isinstance(event, dict) and event.get("error")), None)
