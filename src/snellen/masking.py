"""API keys and passwords in text: found, and masked before the text is stored, shown or sent on.

Two kinds are known. Exact ones: the keys that this process uses or finds in its environment (`learn`), in every
spelling in which a server may repeat them. And shapes nobody could mistake: prefixes of providers (`sk-...`, `AIza...`,
`hf_...`), bearer tokens, JSON web tokens, passwords in addresses, and random-looking values of fields that are named
for what they hold (`api_key`, `client_secret`, `?token=`).

A reply that is masked is not the reply any more, so digests, UUIDs, base64, paths and model names must stay as they
are: without a telling prefix or name nothing is masked however random it looks. What users write themselves is held to
more (`strict`): there a random value of any field ending in key, token or secret counts.

Everything passes through here on its way into the store (`engine/writer.py`), out of a subject (`engine/engine.py`) and
into an error (`errors.py`), so it is quick: prose has no word as long as a key, and only long words are looked at.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import log2
from typing import Any
from urllib.parse import quote

LEAST = 12
"""Shorter "keys" are place-holders such as EMPTY."""
_RANDOM = 16
_BITS = 3.0
"""Entropy per character from which a value counts as random; words and versions have less or no digits in them."""

_VALUE = r"""[A-Za-z0-9_\-.+/~%]{16,}+(?!(?!={1,2}(?!\w))\s{0,3}=|["'\\]{1,4}\s{0,3}[:=])={0,2}"""
"""A value to its end, `==` of base64 included; what has a value itself is the name of another field."""
_MIXED = r"(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?![\w-]*[a-z]{7})[\w-]{20,}"
_SHORT = 4
"""A prefix of so many letters may be the end of a word (task-) and counts only at the beginning of one."""
_BODIES = {
    **{f"sk-{kind}-": r"[\w-]{20,}" for kind in ("proj", "ant", "or", "live", "test", "svcacct", "admin")},
    "sk-": rf"(?:(?=\w*[0-9])[A-Za-z0-9]{{20,}}|{_MIXED})",
    **dict.fromkeys(("sk_live_", "sk_test_", "rk_live_", "rk_test_"), r"[A-Za-z0-9]{16,}"),
    "AIza": r"[\w-]{35,}",
    "AQ.": r"(?=[\w-]*[0-9])[\w-]{40,}",
    **dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"[A-Za-z0-9]{36,}"),
    "github_pat_": r"\w{22,}",
    "glpat-": r"[\w-]{20,}",
    "hf_": r"[A-Za-z0-9]{30,}",
    "xai-": r"[A-Za-z0-9]{40,}",
    "gsk_": r"[A-Za-z0-9]{40,}",
    "nvapi-": r"[\w-]{40,}",
    "csk-": r"[A-Za-z0-9]{40,}",
    "pplx-": r"[A-Za-z0-9]{40,}",
    "tgp_v1_": r"[\w-]{40,}",
    "fw_": r"(?=\w*[0-9])[A-Za-z0-9]{20,}",
    "r8_": r"[A-Za-z0-9]{36,}",
    **dict.fromkeys(("xoxb-", "xoxp-", "xoxa-"), r"[A-Za-z0-9-]{20,}"),
    "rpa_": r"[A-Z0-9]{30,}",
    "sk_": r"(?=\w*[0-9])[A-Za-z0-9]{32,}",
    **dict.fromkeys(("lsv2_pt_", "lsv2_sk_"), r"[0-9a-f]{32}_\w{10}"),
    "ya29.": r"(?=[\w-]*[0-9])[\w-]{40,}",
    "dapi": r"[0-9a-f]{32}(?![A-Za-z0-9])",
    "ABSK": r"[A-Za-z0-9+/]{100,}={0,2}",
    **dict.fromkeys(("AKIA", "ASIA"), r"[A-Z2-7]{16}(?![A-Za-z0-9])"),
    "eyJ": r"[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",
}
_SHAPES = [
    # The boundary (or an escape of JSON's) is looked for behind the prefix: plain letters are searched for quickly.
    (
        prefix,
        re.compile(
            (start := re.escape(prefix))
            + (rf"(?:(?<![A-Za-z0-9]{start})|(?<=\\[nrt]{start}))" if len(prefix) <= _SHORT else "")
            + body,
            re.ASCII,
        ),
    )
    for prefix, body in _BODIES.items()
]
_SIGNS = "-_AJ.d"
_BY_SIGN = {sign: [shape for shape in _SHAPES if next(s for s in _SIGNS if s in shape[0]) == sign] for sign in _SIGNS}
"""The shapes by a letter that their prefix holds."""
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^\"-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?")
_LOGIN = re.compile(
    r"(?<=://)(?:[^\s/:@\"'<>\\,;()]{0,100}:[^\s/@\"'<>\\,;()]{1,200}|(?P<value>[\w~.-]{20,}))(?=@[\w\[])"
)

_MEANING = r"""["'\\]{0,4}\s{0,3}(?:=>|[:=])\s{0,3}["'\\]{0,4}(?:(?:basic|bearer|token|key)\s{1,2})?"""
_FIELD_NAMES = (
    r"api[_\- ]?key|access[_-]?key(?:[_-]?id)?|(?:secret|private|account|subscription|master)[_-]?(?:access[_-]?)?key"
    r"|(?:auth|access|refresh|bearer|session|security|api)[_-]?token|secret|passw(?:or)?d|passphrase|credentials?"
    r"|authorization"
)
_FIELD = re.compile(
    rf"(?:(?:{_FIELD_NAMES}){_MEANING}|[?&;][\w.-]{{0,40}}(?:key|token|sig|signature|credential|auth|pat|code)="
    rf"|bearer\s{{1,3}})(?P<value>{_VALUE})",
    re.IGNORECASE | re.ASCII,
)
_OWN_FIELD = re.compile(
    rf"(?:key|token|secret|auth|pwd|credential|signature|bearer)s?{_MEANING}(?P<value>{_VALUE})",
    re.IGNORECASE | re.ASCII,
)
_HINTS = (
    *("api", "access", "secret", "private", "account", "subscription", "master", "passw", "passphrase", "credential"),
    *("authorization", "bearer", "token=", '_token"', "-token", "key=", "sig=", "signature=", "auth=", "pat=", "code="),
)
_PIECES = re.compile(r"[-_./=~+%]+")
_KINDS = bytes(97 if re.match(r"[\w\-.+/=~%]", chr(code), re.ASCII) else 32 for code in range(256))
_RUN = b"a" * _RANDOM
_HEX = "0123456789abcdef"
_PICTURE = '"picture":"'
"""What stands before a picture's digest in a request."""
_CONTEXT = 60
"""How far before a value the name of its field is looked for."""
_NAMED = re.compile(r"(?:KEY|TOKEN|ACCESS_KEY_ID|(?P<always>API_KEY|SECRET|PASSWORD|PASSWD|HF_TOKEN))\Z")

_KEY_NAME = re.compile(r"(^|[-_]|api)(key|secret|password)$|(^|(api|access|auth|bearer)[-_]?)token$", re.IGNORECASE)
_REMEMBERED = 200
"""Texts of at most so many characters are remembered: most of what a store is given repeats, such as names."""

LOOKS_LIKE = "[masked: looks like an API key]"

_known: dict[str, str] = {}
"""Spellings of the keys that this process knows, each with the mark that replaces it; the longest first."""


def learn(variable: str, value: str) -> None:
    """Mask this key from now on, wherever it turns up; `variable`: where it came from."""
    mark = f"[masked: the key in {variable}]"
    if len(value) < LEAST or _known.get(value) == mark:
        return
    escaped = json.dumps(value)[1:-1]
    for spelling in (value, escaped, escaped.replace("/", "\\/"), quote(value), quote(value, safe="")):
        _known[spelling] = mark
    by_length = sorted(_known.items(), key=lambda entry: -len(entry[0]))
    _known.clear()
    _known.update(by_length)
    _masked_before.cache_clear()


def learn_environment(env: Mapping[str, str]) -> None:
    """Mask the keys and passwords among these variables, as their names tell them."""
    for variable, value in env.items():
        if (name := _NAMED.search(variable.upper())) and (name["always"] or is_random(value.strip())):
            learn(variable, value.strip())


def mask(text: str) -> str:
    """The text with a mark in place of every key in it; the very same text if there is none.

    >>> mask("you sent Bearer 4fK9xQ2mLw81Zr0TbN7c")
    'you sent Bearer [masked: looks like an API key]'
    """
    if len(text) < LEAST:
        return text
    return _masked_before(text) if len(text) <= _REMEMBERED else _masked(text)


def mask_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row for the store with keys masked in its texts."""
    return tuple(
        [
            value
            if type(value) is not str or (size := len(value)) < LEAST
            else _masked_before(value)
            if size <= _REMEMBERED
            else _masked(value)
            for value in row
        ]
    )


def _masked(text: str) -> str:
    for spelling, mark in _known.items():
        if spelling in text:
            text = text.replace(spelling, mark)
    places = _places(text)
    for start, end in reversed(places):
        text = text[:start] + LOOKS_LIKE + text[end:]
    return text


_masked_before = lru_cache(maxsize=4096)(_masked)


def secret_in(text: str, *, strict: bool = False) -> str:
    """What kind of key the text holds, in words that do not repeat it; empty if none. `strict`: for what users write
    themselves, where every field named key, token or secret counts.

    >>> secret_in("key=4fK9xQ2mLw81Zr0TbN7c"), secret_in("key=4fK9xQ2mLw81Zr0TbN7c", strict=True)
    ('', 'what looks like an API key')
    """
    for spelling, mark in _known.items():
        if spelling in text:
            return mark[len("[masked: ") : -1]
    if "@" in text and any(_logins(text)):
        return "a user name or password"
    own = strict and any(is_random(match["value"]) for match in _OWN_FIELD.finditer(text))
    return "what looks like an API key" if own or _places(text) else ""


def names_key(name: str) -> bool:
    """Whether a setting or option of this name is meant to take a key.

    >>> names_key("--api-key"), names_key("max_tokens")
    (True, False)
    """
    return bool(_KEY_NAME.search(name.lstrip("-")))


def is_random(value: str) -> bool:
    """Whether a value looks like a key rather than a word, number, version or path."""
    if len(value) < _RANDOM or value[0] in "/." or not value.isascii():
        return False
    if not any(len(piece) > 5 and not piece.isdigit() and not piece.isalpha() for piece in _PIECES.split(value)):
        return False
    if _is_number(value):
        return False
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values()) >= _BITS


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _places(text: str) -> list[tuple[int, int]]:
    """Where keys stand that can be told by their looks, in order and without overlap."""
    found = list(_logins(text)) if "@" in text else []
    kinds = text.encode("latin-1", "replace").translate(_KINDS)
    start = kinds.find(_RUN)
    if start >= 0 and "PRIVATE KEY" in text:
        found += _spans(_PEM, text, 0, len(text))
    while start >= 0:
        end = kinds.find(b" ", start)
        end = len(text) if end < 0 else end
        for pattern in _suspects(text, start, end):
            found += _spans(pattern, text, max(0, start - _CONTEXT), end)
        start = kinds.find(_RUN, end)
    return _merged(found) if found else found


def _suspects(text: str, start: int, end: int) -> Iterator["re.Pattern[str]"]:
    """The patterns that could match here, told by substrings."""
    word = text[start:end]
    if word.strip(_HEX):
        for sign, shapes in _BY_SIGN.items():
            if sign in word:
                yield from (pattern for prefix, pattern in shapes if prefix in word)
    elif text.endswith(_PICTURE, 0, start):  # a digest, such as every request holds of its pictures
        return
    around = text[max(0, start - _CONTEXT) : end].lower()
    if ("=" in around or ":" in around or "bearer" in around) and any(hint in around for hint in _HINTS):
        yield _FIELD


def _spans(pattern: "re.Pattern[str]", text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(text, start, end):
        value = match["value"] if "value" in pattern.groupindex else None
        if value is None:
            yield match.span()
        elif is_random(value):
            yield match.span("value")


def _logins(text: str) -> Iterator[tuple[int, int]]:
    """Users and passwords in addresses: each follows a "://"."""
    start = text.find("://") + 3
    while start > 2 and "@" in text[start:]:
        if (match := _LOGIN.match(text, start)) and (match["value"] is None or is_random(match["value"])):
            yield match.span()
        start = text.find("://", match.end() if match else start) + 3


def _merged(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    places.sort()
    merged = places[:1]
    for start, end in places[1:]:
        if start > merged[-1][1]:
            merged.append((start, end))
        elif end > merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
    return merged
