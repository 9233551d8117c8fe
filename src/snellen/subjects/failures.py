"""What went wrong, in the engine's terms: pure functions from a server's answer to one clear line.

Servers' words are quoted, cut to one printable line without the key: some servers repeat in an error what
they were sent.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from snellen.call import Believed, CallFailed, FailureKind
from snellen.masking import mask
from snellen.subjects.complaints import Complaint, refuses
from snellen.subjects.providers import OTHER_KEY, Provider, Secret, full_name
from snellen.subjects.settings import Value

_LIMIT = 300
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?")
_RETRY_DELAY = re.compile(rb'"retryDelay"\s*:\s*"([0-9.]+)s"')
_TEMPERATURE = re.compile(r"\btemperature\b['\"`]* (is|does|do|and|may|must|cannot|can)\b", re.IGNORECASE)
_ONLY_ONE = re.compile(r"only (the default|1|1\.0)\b|does not support 0|must be 1|may only be set to 1", re.IGNORECASE)
_NO_CREDIT = re.compile(
    r"insufficient[_ ](quota|credits?|balance|funds)|credit balance is too low|exceeded_current_quota|arrearage"
    r"|billing_(not_active|hard_limit_reached)|credit limit exceeded|key limit exceeded|have any credits",
    re.IGNORECASE,
)
_BAD_KEY = re.compile(
    r"api[ _-]?key (not valid|expired|invalid|not found|provided)|(invalid|incorrect)[ _-](x-)?api[ _-]?key"
    r"|invalid subscription key|no auth credentials|authentication error",
    re.IGNORECASE,
)
_NO_ACCESS = re.compile(
    r"(location|country|region)\b.{0,40}\bnot (supported|available)|unsupported_country"
    r"|\b(account|organi[sz]ation|project|access)\b.{0,40}\b(disabled|deactivated|suspended|terminated|banned)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_(not_found|not_supported|not_available|decommissioned)|\binvalid[_ ]model\b|model not exist|unknown model"
    r"|not a valid model|dedicated_endpoint_not_running|pinned to .{1,200}requested"
    r"|\bmodel\b.{0,120}?(does not exist|not found|is not supported by any provider|has been decommissioned)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_MODEL = re.compile(r"\bmodels?\b|deployment|no endpoints", re.IGNORECASE)
"""What is not found where it says so: any other 404 may be that of a gateway."""
_TOO_LONG = re.compile(
    r"context[_ ](length|size|window)|context_length_exceeded|maximum (context|model) length|prompt is too long"
    r"|prompt too long|max_new_tokens`? must be|token count .{0,40}exceeds|too many (input )?tokens|request too large",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(r"request too large", re.IGNORECASE)
"""For the limit on tokens by the minute, that is: waiting will not help."""
_PICTURE = r"(image|picture|photo)s?(\(s\))?"
_TOO_MANY = re.compile(
    rf"too many {_PICTURE}|at most [0-9]+ {_PICTURE}|(up to|no more than|maximum of|limit of) [0-9]+ {_PICTURE}"
    rf"|number of {_PICTURE}.{{0,40}}(exceed|limit|more than)|multiple {_PICTURE} (are )?not supported",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"(?:at most|up to|no more than|maximum of|limit of|max(?:imum)? is|limit is) ([0-9]{1,4})\b", re.IGNORECASE
)
_NO_PICTURES = re.compile(
    rf"(not support|unsupported (?!image|picture)|support only text|no endpoints .{{0,40}}support"
    rf"|only supported by certain models|missing data required for|not a multimodal|text.only)"
    rf".{{0,60}}({_PICTURE}|vision|multimodal)"
    rf"|{_PICTURE}(_url| input| content)?.{{0,40}}(not supported|unsupported|only supported by certain models)"
    r"|not a multimodal model|unknown variant `image_url`|no vision (support|capab)",
    re.IGNORECASE,
)


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
        """Somebody else's words as one short printable line, without keys."""
        line = " ".join("".join(c if c.isprintable() else " " for c in mask(text)[: 4 * _LIMIT]).split())
        return line if len(line) <= _LIMIT else line[: _LIMIT - 1] + "…"

    def named_with(self, setting: str) -> str:
        """How to write the subject with one more setting."""
        has_settings = self.name != full_name(self.provider, self.model, self.base)
        return f"{self.name}{',' if has_settings else ':'}{setting}"


class Refused(CallFailed):
    """The server will not answer this call because of what is in it: a refusal, in the server's words."""

    def __init__(self, words: str) -> None:
        super().__init__("rejected", words)


def failure(
    server: Server, status: int, headers: Mapping[str, str], complaint: Complaint, body: bytes = b""
) -> CallFailed:
    """The failure that a status other than success means."""
    told = f"{complaint.code} {complaint.message}"
    words = f"{status}: {server.quote(complaint.message) or 'no explanation'}"
    if status == 402 or _NO_CREDIT.search(told):
        return CallFailed("rejected", f"{server.name}: the account has no credit left ({words})", fatal=True)
    if refuses(status, complaint) and not _NO_ACCESS.search(complaint.message):
        return Refused(server.quote(complaint.message))
    if status in (401, 403) or (status == 400 and (_BAD_KEY.search(told) or _NO_ACCESS.search(told))):
        is_clear = bool(_BAD_KEY.search(told) or _NO_ACCESS.search(told)) or (status == 401 and server.key is None)
        return CallFailed("key", _key_refused(server, status, words), fatal=True, believed=_believed(is_clear))
    rejected = f"{server.name}: the server rejected the call ({words})"
    if status not in (408, 429, 529) and not _TOO_MANY.search(told) and _NO_PICTURES.search(told):
        hint = f"; if the model accepts no images, write {server.named_with('pictures=0')}"
        return CallFailed("rejected", f"{rejected}{hint}", fatal=True, believed="in a row")
    if (hint := _unfit(server, told)) and (status not in (408, 429, 529) or _TOO_LARGE.search(told)):
        return CallFailed("rejected", f"{rejected}{hint}")
    if status in (429, 503, 529):
        return _later("busy", f"{server.name}: the server is busy ({words})", headers, body)
    if status == 408:
        return _later("timeout", f"{server.name}: the server gave up waiting ({words})", headers, body)
    if status >= 500:
        return _later("server", f"{server.name}: the server failed ({words})", headers, body)
    if status == 404 or _NO_MODEL.search(told):
        where = f"no model {server.model!r} at {server.base} ({words}); check the name and the address"
        is_clear = bool(_NO_MODEL.search(told) or _ABOUT_MODEL.search(told))
        return CallFailed("rejected", f"{server.name}: {where}", fatal=True, believed=_believed(is_clear))
    if status < 400:
        where = f"{server.base} redirects ({status}){_to(server, headers)}; give the final address"
        return CallFailed("rejected", f"{server.name}: {where}", fatal=True, believed="in a row")
    return _rejected(server, complaint, words)


def _later(kind: FailureKind, message: str, headers: Mapping[str, str], body: bytes) -> CallFailed:
    return CallFailed(kind, message, passing=True, retry_after=retry_after(headers, body))


def _to(server: Server, headers: Mapping[str, str]) -> str:
    """Where a redirect leads, without what may be secret in it: query, fragment, user and password."""
    address = re.split(r"[?#]", headers.get("location", ""), maxsplit=1)[0]
    return f" to {server.quote(re.sub(r'//[^/]*@', '//', address))}" if address else ""


def _believed(is_clear: bool) -> Believed:
    """When a failure ends the exam that may be about one call alone; `is_clear`: its words leave no doubt."""
    return "at first" if is_clear else "in a row"


def _key_refused(server: Server, status: int, words: str) -> str:
    provider = server.provider.name
    if server.key is None:
        variables = " or ".join(server.provider.keys if server.provider.self_hosted else (OTHER_KEY,))
        if status == 401:
            return f"{provider}: the server at {server.base} requires a key; set {variables}"
        return f"{provider}: the server at {server.base} denied access ({words}); if it requires a key, set {variables}"
    if status == 401:
        # Without the server's words: they tend to hold pieces of the key.
        return f"{provider}: the server refused the key in {server.key.variable}; check the key and its account"
    return f"{provider}: the server denied access with the key in {server.key.variable} ({words})"


def _unfit(server: Server, told: str) -> str:
    """What can be done about a call that is more than the model takes; empty if it is not about that."""
    if _TOO_MANY.search(told):
        most = limit[1] if (limit := _HOW_MANY.search(told)) else "N"
        return f"; set the number of pictures it accepts, as in {server.named_with(f'pictures={most}')}"
    if _TOO_LONG.search(told):
        return "; use smaller pictures (max_pixels=N) or a shorter reply (max_tokens=N)"
    return ""


def _rejected(server: Server, complaint: Complaint, words: str) -> CallFailed:
    """A request the server will not take; fatal if it objects to a setting, for all calls have it."""
    sent = server.settings.get("temperature", "default")
    if sent != "default" and (complaint.setting == "temperature" or _TEMPERATURE.search(complaint.message)):
        other = "1" if sent != 1 and _ONLY_ONE.search(complaint.message) else "default"
        return CallFailed(
            "rejected",
            f"{server.name}: the model does not take temperature={sent}; add temperature={other} to its "
            f"settings, as in {server.provider.name}/{server.model}:temperature={other} ({words})",
            fatal=True,
        )
    objects = complaint.setting in server.settings
    hint = f"; change the setting {complaint.setting}" if objects else ""
    return CallFailed("rejected", f"{server.name}: the server rejected the call ({words}){hint}", fatal=objects)


def retry_after(headers: Mapping[str, str], body: bytes = b"", now: datetime | None = None) -> float | None:
    """How many seconds the server asks us to wait: as (milli)seconds, a date, or Google's retryDelay."""
    if _SECONDS.fullmatch(milliseconds := headers.get("retry-after-ms", "").strip()):
        return float(milliseconds) / 1000
    if _SECONDS.fullmatch(value := headers.get("retry-after", "").strip()):
        return float(value)
    if (date := _date(value)) is not None:
        # The server's clock may not be ours.
        return max(0.0, (date - (_date(headers.get("date", "")) or now or datetime.now(UTC))).total_seconds())
    delay = _RETRY_DELAY.search(body)
    return float(delay[1]) if delay and delay[1].count(b".") <= 1 and delay[1] != b"." else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
