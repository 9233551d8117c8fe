"""A server's own account of an error, in any of the shapes in use, and whether it is about what was asked.

A refusal is about this very call: a filter or a policy objects to its words, its pictures or the reply. It says
something about the model as it is offered, so it is an answer of a kind, and neither a fault nor a wrong key.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

_READ = 65_536
_DEPTH = 3
_REFUSING = (400, 403, 422, 451)

_CODE = re.compile(
    r"content_?(filter|policy|moderation|safety)|policy_violation|moderation|responsibleai|data_?inspection"
    r"|sensitive_(words|content)|prohibited_content|image_safety|\brefusal\b",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"content (management|filter\w*|moderation|safety|usage|policy|policies)|content[- ]filter|usage (polic|guideline)"
    r"|safety (system|polic|filter|guideline|reason)|flagged (as|for|by)|was flagged|requires moderation"
    r"|(inappropriate|unsafe|harmful|sensitive) (content|words)|content exists risk|considered high risk"
    r"|blocked by .{0,30}(filter|moderation|safety|guardrail|policy)|prompt injection|responsible ai"
    r"|prohibited (content|use)|safety_check|不安全|敏感",
    re.IGNORECASE,
)
_FILTERED = {
    *(
        "safety",
        "recitation",
        "prohibited_content",
        "blocklist",
        "spii",
        "sensitive",
        "moderation",
        "refusal",
        "refused",
    ),
    *("image_safety", "image_prohibited_content", "image_recitation", "image_other", "guardrail_intervened"),
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """A server's own account of an error."""

    message: str
    code: str = ""
    setting: str = ""
    """The part of the request it complains about, if it says so."""


def read_complaint(body: bytes) -> Complaint:
    """What the body of an error says, in any of the shapes in use."""
    try:
        return complaint_of(json.loads(body))
    except (ValueError, RecursionError):
        return Complaint(re.sub(r"<[^<>]*>", " ", body[:_READ].decode("utf-8", "replace")))


def complaint_of(data: Any, depth: int = 0) -> Complaint:
    """The same of a body that is read already. Servers that pass on to others put those others' words inside theirs."""
    if isinstance(data, list) and data:
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    if not isinstance(error, dict):
        return Complaint(str(error)[:_READ], _codes(data))
    message = error.get("message") or error.get("detail") or error
    code, setting = _codes(error), str(error.get("param") or "")
    more = error.get("metadata")
    if isinstance(more, dict) and depth < _DEPTH:
        if more.get("reasons") or more.get("flagged_input"):
            code += " moderation"
        if raw := more.get("raw"):
            inner = (
                read_complaint(raw.encode("utf-8", "replace")) if isinstance(raw, str) else complaint_of(raw, depth + 1)
            )
            message, code, setting = f"{message}: {inner.message}", f"{code} {inner.code}", setting or inner.setting
    return Complaint(str(message)[:_READ], code.strip(), setting)


def _codes(error: Any) -> str:
    """Every word by which an error names its kind."""
    if not isinstance(error, dict):
        return ""
    inner = error.get("innererror") or error.get("inner_error") or error.get("metadata")
    words = [error.get(name) for name in ("code", "type", "status")]
    words += [inner.get(name) for name in ("code", "error_type", "type")] if isinstance(inner, dict) else []
    return " ".join(str(word) for word in words if isinstance(word, str | int))


def refuses(status: int, complaint: Complaint) -> bool:
    """Whether an error is about what was asked or answered."""
    return status in _REFUSING and bool(_CODE.search(complaint.code) or _WORDS.search(complaint.message))


def hidden_error(data: Any) -> tuple[int, Any] | None:
    """An error that came as a success, with its status: beside the answer, or in the place of it."""
    if isinstance(data, list) and data:
        data = data[0]
    if not isinstance(data, dict):
        return None
    error = data.get("error") or (data if data.get("object") == "error" else None)
    if not error and isinstance(choices := data.get("choices"), list) and choices and isinstance(choices[0], dict):
        error = choices[0].get("error")
    if not error:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isascii() and code.isdecimal():
        code = int(code[:4])
    return (code if isinstance(code, int) and 400 <= code < 600 else 500), error


def blocked(data: Any) -> str:
    """Why a filter kept back the answer, or part of it, in a reply that came as a success; empty if none did."""
    if not isinstance(data, dict):
        return ""
    choices = data.get("choices")
    if isinstance(choices, list) and choices:
        reason = choices[0].get("finish_reason") if isinstance(choices[0], dict) else None
        return reason if isinstance(reason, str) and is_filtered(reason) else ""
    feedback = data.get("promptFeedback") or data.get("prompt_feedback")
    reason = (feedback.get("blockReason") or feedback.get("block_reason")) if isinstance(feedback, dict) else None
    return str(reason) if reason else ""


def is_filtered(reason: str) -> bool:
    """Whether a reply that ended for this reason was kept back by a filter."""
    word = reason.lower().removeprefix("finishreason.")
    return word.startswith(("content_filter", "content-filter")) or word in _FILTERED
