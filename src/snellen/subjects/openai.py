"""OpenAI's chat completions, spoken by nearly everyone: vLLM, SGLang, Ollama, OpenRouter, Gemini, ..."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from snellen.call import Call, Finish, Message, Reply, Token
from snellen.subjects.caching import PrefixCaching, marked, marks_of, prefix_of
from snellen.subjects.complaints import Complaint
from snellen.subjects.event_stream import whole_completion
from snellen.subjects.pictures import PictureCache
from snellen.subjects.settings import strings_of

_quoted = json.encoder.encode_basestring_ascii
_NEW_LIMIT = re.compile(r"(o[1-9]|gpt-[5-9])")
_SENT_AS_THEY_ARE = ("temperature", "top_p", "seed", "reasoning_effort")
_STREAM = b'"stream":true,"stream_options":{"include_usage":true}'
_MUST_STREAM = re.compile(
    r"(only|must|requires?|enable|use|set).{0,20}\bstream|stream(ing)?\W+(must|(is|be) required|false)|non-?stream",
    re.IGNORECASE,
)
_NO_MARKS: Mapping[int, bytes] = {}
_CUT_OFF = ("length", "max_tokens", "model_length")
"""What servers say of a reply that ended at a limit: of its tokens, or (Mistral) of the model's context."""
_MOST_TOKENS = 512
"""Of a long reply so many tokens are kept with their probabilities, from its end: that is where its answer stands."""


class OpenAIDialect:
    """How calls and replies are written in OpenAI's API."""

    path = "/chat/completions"

    def __init__(self, model: str, settings: Mapping[str, Any], cache: PrefixCaching | None = None) -> None:
        self._model = model
        self._cache = cache or PrefixCaching()
        self._settings = dict(settings)
        self._new_limit = bool(_NEW_LIMIT.match(model))
        self._streams = False
        self._head = self._opening(self._settings)
        self._albums: dict[tuple[Any, Any], PictureCache] = {}

    def headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    async def body(self, call: Call) -> bytes:
        # Nearly all calls have the subject's own settings: what these open with is written once.
        own = call.settings == self._settings
        settings = self._settings if own else {**self._settings, **call.settings}
        album = self._album(settings)
        marks = marks_of(call.messages, self._cache.mark)
        messages = [await _message(message, album, marks.get(n, _NO_MARKS)) for n, message in enumerate(call.messages)]
        if (system := settings.get("system")) is not None:
            messages.insert(0, b'{"role":"system","content":' + _text(str(system)) + b"}")
        head = self._head if own else self._opening(settings)
        return b"".join((head, b",".join(messages), b"]", self._cache_key(call, head), b"}"))

    def reply(self, data: Any) -> Reply:
        choice = data["choices"][0]
        message = choice["message"]
        if (reason := choice.get("finish_reason")) == "error":
            raise ValueError("the provider behind the server failed")
        finish = _finish(reason)
        text, thinking = _words(message.get("content"))
        if message.get("refusal"):
            finish, text = "refused", text or str(message["refusal"])
        thinking = thinking or _reasoning(message)
        if not text and finish == "stop" and not message.get("tool_calls"):
            # Servers that take an answer for reasoning leave nothing else. That `text` and `reasoning` are the same
            # words marks such a reply.
            text = thinking
        usage = as_object(data.get("usage"))
        details = as_object(usage.get("prompt_tokens_details"))
        tokens_in = count(usage.get("prompt_tokens"))  # those from the cache included
        return Reply(
            text,
            finish,
            tokens_in,
            count(usage.get("completion_tokens")),
            str(data.get("model") or ""),
            thinking,
            count(as_object(usage.get("completion_tokens_details")).get("reasoning_tokens")),
            count(details.get("image_tokens")),
            _tokens(choice.get("logprobs")),
            *cache_counts(tokens_in, details.get("cached_tokens"), details.get("cache_write_tokens")),
        )

    def whole(self, events: Sequence[Any]) -> Any:
        return whole_completion(events)

    def learn(self, complaint: Complaint, body: bytes) -> bool:
        """Newer models want the same limit under another name, and some only stream; not all can be told by their
        names."""
        if "max_completion_tokens" in complaint.message:
            known = self._new_limit and b'"max_completion_tokens"' in body
            self._new_limit = True
        elif complaint.setting == "stream" or _MUST_STREAM.search(complaint.message):
            known = self._streams and _STREAM in body
            self._streams = True
        else:
            return False
        self._head = self._opening(self._settings)
        return not known

    def _opening(self, settings: Mapping[str, Any]) -> bytes:
        """Everything that is the same in all requests with these settings, up to the messages."""
        limit = "max_completion_tokens" if self._new_limit else "max_tokens"
        fields: dict[str, Any] = {"model": self._model, limit: settings["max_tokens"]}
        for name in _SENT_AS_THEY_ARE:
            if (value := settings.get(name, "default")) != "default":
                fields[name] = value
        if (alternatives := settings.get("logprobs")) is not None:
            fields |= {"logprobs": True, **({"top_logprobs": alternatives} if alternatives else {})}
        if stop := strings_of(settings.get("stop")):
            fields["stop"] = stop
        if (schema := settings.get("schema")) is not None:
            form = {"name": "answer", "strict": True, "schema": schema}
            fields["response_format"] = {"type": "json_schema", "json_schema": form}
        fields |= {**self._cache.fields, **json.loads(settings.get("extra", "{}"))}
        stream = b"," + _STREAM if self._streams else b""
        return json.dumps(fields, separators=(",", ":")).encode()[:-1] + stream + b',"messages":['

    def _cache_key(self, call: Call, head: bytes) -> bytes:
        """What leads requests that share a prefix to where it is kept, for models that look at breakpoints."""
        prefix = prefix_of(call) if self._cache.mark and b'"prompt_cache_key"' not in head else None
        return b',"prompt_cache_key":"%b"' % prefix.hex().encode() if prefix else b""

    def _album(self, settings: Mapping[str, Any]) -> PictureCache:
        detail, max_pixels = kind = settings.get("detail"), settings.get("max_pixels")
        album = self._albums.get(kind)
        if album is None:
            tail = f'","detail":"{detail}"}}}}' if detail else '"}}'

            def frame(media_type: str, base64: bytes) -> bytes:
                opening = b'{"type":"image_url","image_url":{"url":"data:%b;base64,' % _text(media_type)[1:-1]
                return b"".join((opening, base64, tail.encode()))

            album = self._albums[kind] = PictureCache(frame, max_pixels if isinstance(max_pixels, int) else None)
        return album


async def _message(message: Message, album: PictureCache, marks: Mapping[int, bytes]) -> bytes:
    opening = b'{"role":"%b","content":' % message.role.encode()
    if len(message.parts) == 1 and isinstance(only := message.parts[0], str):
        return opening + _text(only) + b"}"
    parts = [
        b'{"type":"text","text":%b}' % _text(part)
        if isinstance(part, str)
        else marked(album.held(part) or await album.fragment(part), marks.get(place, b""))
        for place, part in enumerate(message.parts)
    ]
    return b"".join((opening, b"[", b",".join(parts), b"]}"))


def _text(text: str) -> bytes:
    return _quoted(text).encode()


def count(tokens: Any) -> int | None:
    """A number of tokens, if that is what the server sent."""
    return tokens if type(tokens) is int and 0 <= tokens < 2**63 else None


def cache_counts(tokens_in: int | None, read: Any, written: Any) -> tuple[int, int]:
    """Tokens read from the provider's cache and written to it; none if these are more than there were."""
    counts = count(read) or 0, count(written) or 0
    return counts if sum(counts) <= (tokens_in or 0) else (0, 0)


def as_object(value: Any) -> Mapping[str, Any]:
    """An object, or an empty one in place of anything else: what is told beside an answer is no reason to lose it."""
    return value if isinstance(value, dict) else {}


def _finish(reason: Any) -> Finish:
    """Why a reply ended; some servers say more after "content_filter"."""
    word = str(reason).lower()
    if word in _CUT_OFF:
        return "length"
    return "refused" if word.startswith("content_filter") else "stop"


def _words(content: Any) -> tuple[str, str]:
    """The text of a message and the thinking in it: plain, in parts, or none at all."""
    if content is None or isinstance(content, str):
        return content or "", ""
    texts, thoughts = [], []
    for part in content:
        if part.get("type", "text") == "text":
            texts.append(part["text"])
        elif part.get("type") == "thinking":
            thinking = part.get("thinking")
            thoughts.append(thinking if isinstance(thinking, str) else _words(thinking)[0])
    return "".join(texts), "".join(thoughts)


def _reasoning(message: Mapping[str, Any]) -> str:
    """What a model thought before it answered, under any of the names in use."""
    for name in ("reasoning_content", "reasoning"):
        if isinstance(reasoning := message.get(name), str) and reasoning:
            return reasoning
    details = message.get("reasoning_details")
    if not isinstance(details, list):
        return ""
    texts = (part.get("text") or part.get("summary") for part in details if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _tokens(logprobs: Any) -> tuple[Token, ...]:
    """The reply token by token; nothing where the server did not send that, or not as one would expect."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(content, list):
        return ()
    try:
        return tuple(
            Token(
                str(token["token"]),
                float(token["logprob"]),
                tuple((str(other["token"]), float(other["logprob"])) for other in token.get("top_logprobs") or ()),
            )
            for token in content[-_MOST_TOKENS:]
        )
    except (KeyError, TypeError, ValueError):
        return ()
