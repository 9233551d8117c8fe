"""Where API models live: addresses, the variables that hold their keys, and the settings they take.

A key goes only where it belongs. A variable named for a service (OPENAI_API_KEY) is sent to that service's
own address and nowhere else; a server named by its address gets SNELLEN_API_KEY, if that is set. vLLM and
SGLang are servers people run themselves, so their variables hold for whichever server is named.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from snellen.errors import UserError
from snellen.subjects.settings import Schema, Setting, Value, json_object, number, one_of, whole, words

OTHER_KEY = "SNELLEN_API_KEY"
MAX_TOKENS = 4096
MAX_TOKENS_REASONING = 16384

_REASONS = re.compile(r"(o[1-9]|gpt-[5-9]|gemini-(2\.5|[3-9]))")
_SECRET_LENGTH = 12  # shorter "keys" are place-holders such as EMPTY


@dataclass(frozen=True, slots=True)
class Provider:
    """A service or a kind of server. `keys`: the variables that may hold its key, in order of preference."""

    name: str
    base: str
    keys: tuple[str, ...]
    needs_key: bool = True
    self_hosted: bool = False
    """Whether its key belongs to the user's own servers, wherever they are."""
    dialect: Literal["openai", "anthropic"] = "openai"
    """How calls are written (see `dialects.py`)."""
    hottest: int = 2
    """The highest temperature it takes."""


PROVIDERS = {
    p.name: p
    for p in (
        Provider("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",)),
        Provider("anthropic", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",), dialect="anthropic", hottest=1),
        Provider(
            "gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        ),
        Provider("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
        Provider("ollama", "http://localhost:11434/v1", ("OLLAMA_API_KEY",), needs_key=False),
        Provider("vllm", "http://localhost:8000/v1", ("VLLM_API_KEY",), needs_key=False, self_hosted=True),
        Provider("sglang", "http://localhost:30000/v1", ("SGLANG_API_KEY",), needs_key=False, self_hosted=True),
    )
}


@dataclass(frozen=True, slots=True)
class Secret:
    """A key, and the variable it came from. Shows neither in a repr nor in a message."""

    variable: str
    _value: str

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def reveal(self) -> str:
        return self._value

    def hide(self, text: str) -> str:
        """The text without the key, should somebody have put it there."""
        return text.replace(self._value, "[key]")

    def within(self, text: str) -> bool:
        return self._value in text

    @property
    def is_secret(self) -> bool:
        return len(self._value) >= _SECRET_LENGTH


def schema(provider: Provider, model: str) -> Schema:
    """The settings a model of this provider takes."""
    limit = MAX_TOKENS_REASONING if _REASONS.match(model) else MAX_TOKENS
    everyone = (
        Setting(
            "temperature",
            f"a number from 0 to {provider.hottest}, or default to leave it to the server",
            number(0, provider.hottest, "default"),
            0,
        ),
        Setting("max_tokens", "a whole number from 1", whole(1, 10_000_000), limit),
        Setting("top_p", "a number from 0 to 1", number(0, 1)),
        Setting("max_pixels", "a whole number of pixels from 64", whole(64, 10**12)),
        Setting("pictures", "a whole number from 0: the most it takes at once", whole(0, 10_000), in_key=False),
        Setting("timeout", "a number of seconds from 0.1", number(0.1, 86_400), 300, in_key=False),
        Setting("reasoning_effort", "one of " + ", ".join(_EFFORTS), one_of(*_EFFORTS)),
        Setting("system", "some words", words),
        Setting("structured", "json: the reply is held to the form of the answer", one_of("json")),
        Setting("extra", 'a JSON object to send along, such as {"top_k": 1}', json_object),
    )
    if provider.dialect == "anthropic":
        return (*everyone, Setting("thinking", "adaptive, or a whole number of tokens from 1024", _thinking))
    return (
        *everyone,
        Setting("seed", "a whole number", whole(-(2**63), 2**63 - 1)),
        Setting("logprobs", "a whole number from 0 to 20: alternatives beside each token", whole(0, 20)),
        Setting("detail", "one of low, high, original, auto", one_of("low", "high", "original", "auto")),
    )


def _thinking(text: str) -> Value | None:
    return text if text == "adaptive" else whole(1024, 10_000_000)(text)


_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


_BASE = re.compile(r"@(?=https?://)", re.IGNORECASE)
_HALF_BASE = re.compile(r"@(localhost|[\w.-]+:[0-9]+|[0-9.]+)(/|$)")


def place(provider: Provider, where: str) -> tuple[str, str, str]:
    """The model in `MODEL` or `MODEL@BASE_URL`, the address it is at, and whose settings the user may get wrong."""
    parts = _BASE.split(where, maxsplit=1)
    whose = f"{provider.name}/{parts[0]}"
    if len(parts) == 1:
        if _HALF_BASE.search(where):
            raise UserError(f"{whose}: an address after @ starts with http:// or https://")
        return where, provider.base, whose
    model, base = parts[0], base_url(parts[1], whose)
    if not model:
        raise UserError(f"{whose} names no model; expected {provider.name}/MODEL@{base}")
    return model, base.removesuffix("/v1") if provider.dialect == "anthropic" else base, whose


def full_name(provider: Provider, model: str, base: str) -> str:
    """A model's name, with its address if that is not the provider's own."""
    return f"{provider.name}/{model}" + ("" if base == provider.base else f"@{base}")


def base_url(text: str, whose: str) -> str:
    """A server's address, checked. One with a secret in it would end up in every result: refused."""
    try:
        url = urlsplit(text)
        host, _ = url.hostname, url.port
    except ValueError:
        host = None
    if not host or re.search(r"\s", text):
        raise UserError(f"{whose}: {text!r} is not an address; expected http://HOST[:PORT]/v1 or https://...")
    if "@" in url.netloc:
        raise UserError(f"{whose}: the address holds a user name or password; leave it out and set {OTHER_KEY}")
    if "?" in text or "#" in text:
        raise UserError(f"{whose}: the address holds a query; give it without, and a key by {OTHER_KEY}")
    return text.rstrip("/")


def find_key(provider: Provider, base: str, env: Mapping[str, str], whose: str) -> Secret | None:
    """The key to send to this address, if any."""
    at_home = _at_home(provider, base)
    variables = provider.keys if at_home or provider.self_hosted else ()
    if not at_home:
        variables = (*variables, OTHER_KEY)
    for variable in variables:
        if value := env.get(variable, "").strip():
            return _checked(Secret(variable, value), whose)
    if at_home and provider.needs_key:
        raise UserError(f"{whose} needs a key: set {' or '.join(provider.keys)} in the environment")
    return None


def _at_home(provider: Provider, base: str) -> bool:
    """Whether the address is the provider's own, at its default host or one below it, as safely reached."""
    home, there = urlsplit(provider.base), urlsplit(base)
    own = f"{home.hostname}"
    host = f"{there.hostname}"
    return there.scheme == home.scheme and (host == own or (home.scheme == "https" and host.endswith("." + own)))


def _checked(secret: Secret, whose: str) -> Secret:
    value = secret.reveal()
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise UserError(f"the key in {secret.variable} holds characters no key has; set it anew")
    if secret.is_secret and value in whose:
        raise UserError(f"the name of the subject holds the key of {secret.variable}; leave the key out of it")
    return secret
