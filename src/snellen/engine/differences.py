"""In what two recorded calls differ, field by field: why one of them was not answered by the other's reply."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from snellen.engine.records import CallRecord

_WORD = re.compile(r"\S+\s*|\s+")
_MANY = 3000
"""Words between the first and the last difference of two texts beyond which all between counts as one change."""
_NOT_SET = "not set"

Part = str | Mapping[str, str]
"""Words, or a picture by its digest, as a request has them."""


@dataclass(frozen=True, slots=True)
class CallDifference:
    """A field that two calls have differently, with both values; `is_text`: words of a message, worth a closer look;
    `is_picture`: digests."""

    field: str
    first: str
    second: str
    is_text: bool = False
    is_picture: bool = False


def differences(first: str, second: str) -> list[CallDifference]:
    """Everything that is part of a key and that these requests (`Call.request`) have differently."""
    one, other = json.loads(first), json.loads(second)
    settings = dict.fromkeys((*one["settings"], *other["settings"]))
    fields: list[tuple[str, str, str]] = [
        ("subject", one["subject"], other["subject"]),
        *((f"setting {name}", _value(one, name), _value(other, name)) for name in settings),
        ("sample", str(one.get("sample", 0)), str(other.get("sample", 0))),
        ("roles", ", ".join(_roles(one)), ", ".join(_roles(other))),
    ]
    return [*(CallDifference(*field) for field in fields if field[1] != field[2]), *_of_messages(one, other)]


def text_changes(first: str, second: str, around: int = 5) -> list[tuple[str, str]]:
    """The places where two texts differ, as each has them, with so many words around; places closer than that are
    one."""
    one, other = _WORD.findall(first), _WORD.findall(second)
    spans: list[tuple[int, int, int, int]] = []
    for a, b, c, d in _spans(one, other):
        if spans and a - spans[-1][1] <= 2 * around:
            spans[-1] = (spans[-1][0], b, spans[-1][2], d)
        else:
            spans.append((a, b, c, d))
    return [
        ("".join(one[max(a - around, 0) : b + around]), "".join(other[max(c - around, 0) : d + around]))
        for a, b, c, d in spans
    ]


def _spans(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Where two lists of words differ: from and to which word in each."""
    shorter = min(len(one), len(other))
    start = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    end = next((n for n in range(shorter - start) if one[-1 - n] != other[-1 - n]), shorter - start)
    a, b, c, d = start, len(one) - end, start, len(other) - end
    if b - a + d - c > _MANY:
        return [(a, b, c, d)]
    matcher = SequenceMatcher(None, one[a:b], other[c:d], autojunk=False)
    return [(a + i, a + j, c + k, c + m) for kind, i, j, k, m in matcher.get_opcodes() if kind != "equal"]


def unkeyed(call: CallRecord) -> dict[str, Any]:
    """What is on record of a call and is no part of its key."""
    reply = call.reply
    if reply is None:
        return {"problem": call.problem, "message": call.message, "attempts": call.attempts}
    names = ("text", "finish", "model", "tokens_in", "tokens_out", "tokens_cached", "tokens_written")
    return {**{name: getattr(reply, name) for name in names}, "attempts": call.attempts}


def _value(call: Mapping[str, Any], name: str) -> str:
    if name not in call["settings"]:
        return _NOT_SET
    value = call["settings"][name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _roles(call: Mapping[str, Any]) -> list[str]:
    return [message[0] for message in call["messages"]]


def _of_messages(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[CallDifference]:
    messages, others = one["messages"], other["messages"]
    if _roles(one) != _roles(other):
        yield from _of_parts("all messages", _joined(messages), _joined(others))
        return
    for number, (message, its_other) in enumerate(zip(messages, others, strict=True), 1):
        where = "the message" if len(messages) == 1 else f"message {number}"
        yield from _of_parts(where, message[1:], its_other[1:])


def _joined(messages: Sequence[Sequence[Any]]) -> list[Part]:
    return [part for _, *parts in messages for part in parts]


def _of_parts(where: str, parts: Sequence[Part], others: Sequence[Part]) -> Iterator[CallDifference]:
    if parts == others:
        return
    if len(parts) == len(others) and sorted(map(json.dumps, parts)) == sorted(map(json.dumps, others)):
        yield CallDifference(f"order in {where}", _listed(parts), _listed(others))
        return
    if [type(part) for part in parts] != [type(part) for part in others]:
        yield CallDifference(f"parts of {where}", _listed(parts), _listed(others))
        words, its_words = ("\n".join(part for part in some if isinstance(part, str)) for some in (parts, others))
        if words != its_words:
            yield CallDifference(f"text of {where}", words, its_words, is_text=True)
        return
    for kind, name in ((str, "text"), (dict, "picture")):
        pairs = [pair for pair in zip(parts, others, strict=True) if isinstance(pair[0], kind)]
        for number, (part, its_other) in enumerate(pairs, 1):
            if part != its_other:
                which = name if len(pairs) == 1 else f"{name} {number}"
                values = (_digest(part), _digest(its_other))
                yield CallDifference(f"{which} of {where}", *values, is_text=kind is str, is_picture=kind is dict)


def _digest(part: Part) -> str:
    return part if isinstance(part, str) else part["picture"]


def _listed(parts: Sequence[Part]) -> str:
    """The parts in their order, in short."""
    return ", ".join(
        f"text ({len(part):,} characters)" if isinstance(part, str) else f"picture {part['picture'][:12]}"
        for part in parts
    )
