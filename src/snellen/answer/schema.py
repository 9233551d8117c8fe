"""The form of an answer as a JSON schema, for servers that can hold a reply to one."""

from typing import Any

from snellen.item import Field, Form

ANSWER = "answer"


def schema_of(form: Form) -> dict[str, Any]:
    """An object that has the answer and nothing else: `{"answer": ...}`, or one entry for each part of it."""
    parts = {field.name: _entry(field) for field in form.fields}
    entries = parts if form.kind == "fields" else {ANSWER: _whole(form)}
    return {"type": "object", "properties": entries, "required": list(entries), "additionalProperties": False}


def _whole(form: Form) -> dict[str, Any]:
    if form.kind == "choice":
        return {"type": "string", "enum": list(form.labels)}
    return {"type": "integer" if form.kind == "number" else "string"}


def _entry(field: Field) -> dict[str, Any]:
    if field.kind == "label":
        return {"type": "string", "enum": list(field.labels)}
    if field.kind == "set":
        return {"type": "array", "items": {"type": "string", "enum": list(field.labels)}}
    return {"type": "integer" if field.kind == "number" else "string"}
