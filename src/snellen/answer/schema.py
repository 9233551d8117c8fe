"""The form of an answer as a JSON schema, for servers that can hold a reply to one.

Where the prompt asks for reasoning before the answer, the object begins with a field for it: held to the answer alone,
a subject that is told to think step by step could not. `without_reasoning` takes that field out of a reply again, so
that nothing in it is ever read as the answer.
"""

import re
from typing import Any

from snellen.item import Field, Form

ANSWER, REASONING = "answer", "reasoning"


def schema_of(form: Form) -> dict[str, Any]:
    """An object with the answer, `{"answer": ...}` or one entry for each part of it, and with the reasoning first where
    the form leaves room for it."""
    parts = {field.name: _entry(field) for field in form.fields}
    entries = parts if form.kind == "fields" else {ANSWER: _whole(form)}
    if form.reasoned:
        entries = {REASONING: {"type": "string"}, **entries}
    return {"type": "object", "properties": entries, "required": list(entries), "additionalProperties": False}


def _whole(form: Form) -> dict[str, Any]:
    if form.kind == "choice":
        offered = (*form.labels, *((form.empty,) if form.empty else ()))
        return {"type": "string", "enum": list(dict.fromkeys(offered))}
    return {"type": "integer" if form.kind == "number" else "string"}


def _entry(field: Field) -> dict[str, Any]:
    if field.kind == "label":
        return {"type": "string", "enum": list(field.labels)}
    if field.kind == "set":
        return {"type": "array", "items": {"type": "string", "enum": list(field.labels)}}
    return {"type": "number" if field.kind == "number" else "string"}


_OPENING = re.compile(rf'\s*\{{(?=\s*"{REASONING}"\s*:\s*")')
_ENTRY = re.compile(rf'\s*"{REASONING}"\s*:\s*"(?:[^"\\]++|\\.)*+"\s*,?', re.DOTALL)


def without_reasoning(text: str) -> str:
    """The reply with its reasoning field blanked out, all else in its place; as it is if it does not begin with one. Of
    a reply that broke off in its reasoning nothing is left."""
    opening = _OPENING.match(text)
    if opening is None:
        return text
    entry = _ENTRY.match(text, opening.end())
    return text[: opening.end()] + " " * len(entry[0]) + text[entry.end() :] if entry else ""
