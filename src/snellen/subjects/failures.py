"""What went wrong, in the engine's terms: pure functions from a server's answer to one clear line.

Servers' words are quoted, cut to one printable line without the key: some servers repeat in an error what
they were sent.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from snellen.call import CallFailed
from snellen.subjects.providers import OTHER_KEY, Provider, Secret
from snellen.subjects.settings import Value

_LIMIT = 300
_READ = 65_536
_RETRY_DELAY = re.compile(rb'"retryDelay"\s*:\s*"([0-9.]+)s"')
_TEMPERATURE = re.compile(r"\btemperature\b['\"`]* (is|does|do|and|may|must|cannot|can)\b", re.IGNORECASE)
_ONLY_ONE = re.compile(r"only (the default|1|1\.0)\b|does not support 0|must be 1|may only be set to 1", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient_quota|credit balance is too low|insufficient credits", re.IGNORECASE)
_BAD_KEY = re.compile(r"api[ _-]key (not valid|expired|invalid|not found)|invalid api[ _-]key", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Server:
    """Whom we talk to, as far as a message may say; the key shows nowhere."""

    name: str
    provider: Provider
    model: str
    base: str
    key: Secret | None
    settings: Mapping[str, Value]

    def quote(self, text: str) -> str:
        """Somebody else's words as one short printable line, without the key."""
        safe = self.key.hide(text) if self.key else text
        line = " ".join("".join(c if c.isprintable() else " " for c in safe[: 4 * _LIMIT]).split())
        return line if len(line) <= _LIMIT else line[: _LIMIT - 1] + "…"


@dataclass(frozen=True, slots=True)
class Complaint:
    """A server's own account of an error."""

    message: str
    code: str = ""
    setting: str = ""
    """The part of the request it complains about, if it says so."""


def complaint(body: bytes) -> Complaint:
    """What the body of an error says, in any of the shapes in use."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return Complaint(re.sub(r"<[^>]*>", " ", body[:_READ].decode("utf-8", "replace")))
    if isinstance(data, list) and data:
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    if not isinstance(error, dict):
        return Complaint(str(error))
    message = error.get("message") or error.get("detail") or error
    code = " ".join(str(error[name]) for name in ("code", "type") if error.get(name))
    return Complaint(str(message), code, str(error.get("param") or ""))


def failure(server: Server, status: int, headers: Mapping[str, str], body: bytes) -> CallFailed:
    """The failure that a status other than success means."""
    said = complaint(body)
    words = f"{status}: {server.quote(said.message) or 'no explanation'}"
    if status == 402 or _NO_CREDIT.search(f"{said.code} {said.message}"):
        return CallFailed("rejected", f"{server.name}: the account has no credit left ({words})", fatal=True)
    if status in (401, 403) or (status == 400 and _BAD_KEY.search(said.message)):
        return _key_refused(server, status, words)
    if status in (429, 529):
        return _later("busy", f"{server.name}: the server is busy ({words})", headers, body)
    if status == 408:
        return _later("timeout", f"{server.name}: the server gave up waiting ({words})", headers, body)
    if status >= 500:
        return _later("server", f"{server.name}: the server failed ({words})", headers, body)
    if status == 404:
        return CallFailed(
            "rejected",
            f"{server.name}: no model {server.model!r} at {server.base} ({words}); check name and address",
            fatal=True,
        )
    if status < 400:
        return CallFailed(
            "rejected",
            f"{server.name}: {server.base} points elsewhere ({status}); give the final address",
            fatal=True,
        )
    return _rejected(server, said, words)


def _later(kind: Any, message: str, headers: Mapping[str, str], body: bytes) -> CallFailed:
    return CallFailed(kind, message, passing=True, retry_after=retry_after(headers, body))


def _key_refused(server: Server, status: int, words: str) -> CallFailed:
    provider = server.provider.name
    if server.key is None:
        variables = server.provider.keys if server.provider.self_hosted else (OTHER_KEY,)
        message = f"{provider}: the server at {server.base} wants a key; set {' or '.join(variables)}"
    elif status == 401:
        # Without the server's words: they tend to hold pieces of the key.
        message = f"{provider}: the server refused the key in {server.key.variable}; check the key and its account"
    else:
        message = f"{provider}: the server refused the key in {server.key.variable} ({words})"
    return CallFailed("key", message, fatal=True)


def _rejected(server: Server, said: Complaint, words: str) -> CallFailed:
    """A request the server will not take; fatal if it objects to a setting, for all calls have it."""
    sent = server.settings.get("temperature", "default")
    if sent != "default" and (said.setting == "temperature" or _TEMPERATURE.search(said.message)):
        other = "1" if sent != 1 and _ONLY_ONE.search(said.message) else "default"
        return CallFailed(
            "rejected",
            f"{server.name}: the model does not take temperature={sent}; add temperature={other} to its "
            f"settings, as in {server.provider.name}/{server.model}:temperature={other} ({words})",
            fatal=True,
        )
    objects = said.setting in server.settings
    hint = f"; change the setting {said.setting}" if objects else ""
    return CallFailed("rejected", f"{server.name}: the server rejected the call ({words}){hint}", fatal=objects)


def retry_after(headers: Mapping[str, str], body: bytes = b"", now: datetime | None = None) -> float | None:
    """How many seconds the server asks us to wait: as (milli)seconds, a date, or Google's retryDelay."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
    except ValueError:
        pass
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{0,9})?", value):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())
    except (ValueError, TypeError, OverflowError):
        found = _RETRY_DELAY.search(body)
        return float(found[1]) if found and found[1].count(b".") <= 1 and found[1] != b"." else None
