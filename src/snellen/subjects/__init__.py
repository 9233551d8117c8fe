"""Subjects: whoever answers. `subject("openai/gpt-4o")` finds one by name.

Names: `openai/MODEL`, `anthropic/MODEL`, `gemini/MODEL`, `openrouter/MODEL`, `ollama/MODEL`, `vllm/MODEL`,
`sglang/MODEL`, each of them with `@BASE_URL` for a server elsewhere; `inspect/PROVIDER/MODEL`; `sim/NAME`;
`twin` and `truth`, the oracles. Settings follow after a colon: `openai/gpt-4o:temperature=1,detail=high`,
`sim/fixated:see=0.8,seed=3`.
"""

import os
import re
from collections.abc import Mapping

from snellen.call import Subject
from snellen.errors import UserError, unknown
from snellen.subjects import settings
from snellen.subjects.characters import PROFILES
from snellen.subjects.oracles import ORACLES
from snellen.subjects.providers import PROVIDERS, Provider, base_url, find_key, schema
from snellen.subjects.simulated import simulated_subject

DEFAULT_SUBJECT = "sim/fixated"

_BASE = re.compile(r"@(?=https?://)", re.IGNORECASE)
_HALF_BASE = re.compile(r"@(localhost|[\w.-]+:[0-9]+|[0-9.]+)(/|$)")
_PLACES = (*PROVIDERS, "inspect", "sim", *ORACLES)


def subject(name: str, *, env: Mapping[str, str] | None = None) -> Subject:
    """The subject of that name. Keys are taken from `env`, the process's environment if not given."""
    if not name.isprintable():
        raise UserError(f"subject {name!r}: the name holds characters that cannot be printed")
    bare, pairs = settings.split(name.strip())
    place, slash, model = bare.partition("/")
    if place not in _PLACES:
        raise unknown("subject", bare, _PLACES) if not slash else unknown("provider", place, _PLACES)
    if place in ORACLES:
        if slash or pairs:
            raise UserError(f"subject {name!r}: {place} takes neither a model nor settings; write {place}")
        return ORACLES[place]
    if not model:
        raise UserError(f"subject {name!r} names no model; expected {place}/{'NAME' if place == 'sim' else 'MODEL'}")
    if place == "sim":
        return simulated_subject(model, pairs)
    if place == "inspect":
        return _inspect_subject(model, pairs)
    return _api_subject(PROVIDERS[place], model, pairs, os.environ if env is None else env)


def _api_subject(provider: Provider, where: str, pairs: tuple[tuple[str, str], ...], env: Mapping[str, str]) -> Subject:
    # aiohttp takes long to load, so only those who need it do
    from snellen.subjects.anthropic import AnthropicDialect
    from snellen.subjects.failures import Server
    from snellen.subjects.http import HttpSubject
    from snellen.subjects.openai import OpenAIDialect

    whose = f"{provider.name}/{_BASE.split(where)[0]}"
    model, base = _place(provider, where, whose)
    known = schema(provider, model)
    values = settings.read(pairs, known, whose)
    elsewhere = "" if base == provider.base else f"@{base}"
    name = f"{provider.name}/{model}{elsewhere}{settings.written(values, known)}"
    server = Server(name, provider, model, base, find_key(provider, base, env, name), settings.keyed(values, known))
    dialect = AnthropicDialect if provider.name == "anthropic" else OpenAIDialect
    return HttpSubject(server, dialect(model, server.settings), float(values["timeout"]), env)


def _place(provider: Provider, where: str, whose: str) -> tuple[str, str]:
    """The model and the address it is at."""
    parts = _BASE.split(where, maxsplit=1)
    if len(parts) == 1:
        if _HALF_BASE.search(where):
            raise UserError(f"{whose}: an address after @ starts with http:// or https://")
        return where, provider.base
    model, base = parts[0], base_url(parts[1], whose)
    if not model:
        raise UserError(f"{whose} names no model; expected {provider.name}/MODEL@{base}")
    return model, base.removesuffix("/v1") if provider.name == "anthropic" else base


def _inspect_subject(model: str, pairs: tuple[tuple[str, str], ...]) -> Subject:
    from snellen.subjects.inspect import inspect_subject

    known = tuple(s for s in schema(PROVIDERS["openai"], model) if s.name != "max_pixels")
    values: dict[str, settings.Value | None] = {**settings.read(pairs, known, f"inspect/{model}")}
    given = {name for name, _ in pairs}
    chosen = {name: value for name, value in values.items() if name in given}
    if chosen.get("temperature") == "default":
        chosen["temperature"] = None
    if "system" in chosen:
        chosen["system_message"] = chosen.pop("system")
    return inspect_subject(model, chosen)


__all__ = ["DEFAULT_SUBJECT", "PROFILES", "PROVIDERS", "subject"]
