"""Anthropic's own Messages API."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from snellen.call import Call, Finish, Message, Reply
from snellen.item import Picture
from snellen.subjects.caching import PrefixCaching, marked, marks_of
from snellen.subjects.complaints import Complaint
from snellen.subjects.event_stream import whole_message
from snellen.subjects.openai import as_object, cache_counts, count
from snellen.subjects.pictures import PictureCache
from snellen.subjects.settings import strings_of

VERSION = "2023-06-01"
Refer = Callable[[Picture], bytes | None]
"""How a picture that the server has already is referred to; None if it has to be sent."""
_FINISH: dict[Any, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


class AnthropicDialect:
    """How calls and replies are written in Anthropic's API."""

    path = "/v1/messages"

    def __init__(self, model: str, settings: Mapping[str, Any], cache: PrefixCaching | None = None) -> None:
        self._model = model
        self._mark = cache.mark if cache else b""
        self._settings = dict(settings)
        self._head = _opening(model, settings)
        self._albums: dict[Any, PictureCache] = {}

    def headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    async def body(self, call: Call, refer: Refer = lambda _: None) -> bytes:
        own = call.settings == self._settings
        settings = self._settings if own else {**self._settings, **call.settings}
        album = self._album(settings.get("max_pixels"))
        system = [str(settings["system"])] if "system" in settings else []
        system += [str(part) for m in call.messages if m.role == "system" for part in m.parts]
        marks = marks_of(call.messages, self._mark)
        messages = [
            await _message(m, album, marks.get(n, {}), refer) for n, m in enumerate(call.messages) if m.role != "system"
        ]
        opening = b'"system":' + json.dumps("\n\n".join(system)).encode() + b"," if system else b""
        head = self._head if own else _opening(self._model, settings)
        return b"".join((head, opening, b'"messages":[', b",".join(messages), b"]}"))

    def reply(self, data: Any) -> Reply:
        usage = as_object(data.get("usage"))
        blocks = data["content"]
        read, written = (usage.get(f"cache_{how}_input_tokens") for how in ("read", "creation"))
        # What comes from the cache, or goes into it, is not among the tokens of input here.
        fresh = count(usage.get("input_tokens"))
        tokens_in = None if fresh is None else fresh + (count(read) or 0) + (count(written) or 0)
        tokens_cached, tokens_written = cache_counts(tokens_in, read, written)
        return Reply(
            "".join(block["text"] for block in blocks if block["type"] == "text"),
            _FINISH.get(data["stop_reason"], "stop"),
            tokens_in,
            count(usage.get("output_tokens")),
            str(data.get("model") or ""),
            "\n".join(str(block.get("thinking", "")) for block in blocks if block["type"] == "thinking"),
            tokens_cached=tokens_cached,
            tokens_written=tokens_written,
        )

    def whole(self, events: Sequence[Any]) -> Any:
        return whole_message(events)

    def learn(self, complaint: Complaint, body: bytes) -> bool:
        return False

    def _album(self, max_pixels: Any) -> PictureCache:
        album = self._albums.get(max_pixels)
        if album is None:
            most = max_pixels if isinstance(max_pixels, int) else None
            album = self._albums[max_pixels] = PictureCache(_frame, most)
        return album


async def _message(message: Message, album: PictureCache, marks: Mapping[int, bytes], refer: Refer) -> bytes:
    blocks = [
        marked(refer(part) or await album.fragment(part), marks.get(place, b""))
        if isinstance(part, Picture)
        else b'{"type":"text","text":' + json.dumps(part).encode() + b"}"
        for place, part in enumerate(message.parts)
    ]
    return b'{"role":"%b","content":[%b]}' % (message.role.encode(), b",".join(blocks))


def _opening(model: str, settings: Mapping[str, Any]) -> bytes:
    """Everything that is the same in all requests with these settings."""
    fields: dict[str, Any] = {"model": model}
    for name in ("max_tokens", "temperature", "top_p"):
        if (value := settings.get(name, "default")) != "default":
            fields[name] = value
    if stop := strings_of(settings.get("stop")):
        fields["stop_sequences"] = stop
    output: dict[str, Any] = {}
    if effort := settings.get("reasoning_effort"):
        output["effort"] = effort
    if (schema := settings.get("schema")) is not None:
        output["format"] = {"type": "json_schema", "schema": schema}
    if output:
        fields["output_config"] = output
    if (budget := settings.get("thinking")) is not None:
        kind = {"type": "adaptive"} if budget == "adaptive" else {"type": "enabled", "budget_tokens": budget}
        fields["thinking"] = kind
    fields |= json.loads(settings.get("extra", "{}"))
    return json.dumps(fields, separators=(",", ":")).encode()[:-1] + b","


def _frame(media_type: str, base64: bytes) -> bytes:
    opening = (
        b'{"type":"image","source":{"type":"base64","media_type":"%b","data":"' % json.dumps(media_type)[1:-1].encode()
    )
    return b"".join((opening, base64, b'"}}'))
