"""Subjects: whoever answers. `subject("openai/gpt-4o")` finds one by name.

Names: `openai/MODEL`, `anthropic/MODEL`, `gemini/MODEL`, `openrouter/MODEL`, `ollama/MODEL`, `vllm/MODEL`,
`sglang/MODEL`, each of them with `@BASE_URL` for a server elsewhere; `inspect/PROVIDER/MODEL`; `sim/NAME`;
`twin` and `truth`, the oracles. Settings follow after a colon: `openai/gpt-4o:temperature=1,detail=high`,
`sim/fixated:see=0.8,seed=3`.
"""

import os
from collections.abc import Mapping
from difflib import get_close_matches

from snellen.call import Subject
from snellen.errors import UserError, unknown
from snellen.subjects import settings
from snellen.subjects.characters import PROFILES
from snellen.subjects.oracles import ORACLES
from snellen.subjects.providers import PROVIDERS, Provider, find_key, full_name, place, schema
from snellen.subjects.simulated import simulated_subject

_PLACES = (*PROVIDERS, "inspect", "sim", *ORACLES)


def subject(name: str, *, env: Mapping[str, str] | None = None) -> Subject:
    """The subject of that name. Keys are taken from `env`, the process's environment if not given."""
    if not name.isprintable():
        raise UserError(f"subject {name!r}: the name holds characters that cannot be printed")
    bare, pairs = settings.split(name.strip())
    kind, slash, model = bare.partition("/")
    if kind not in _PLACES:
        if bare and not slash and not get_close_matches(bare, _PLACES):
            raise UserError(f"subject {name!r}: expected PROVIDER/MODEL, such as openai/{bare}, or sim/fixated")
        raise unknown("subject", bare, _PLACES) if not slash else unknown("provider", kind, _PLACES)
    if kind in ORACLES:
        if slash or pairs:
            raise UserError(f"subject {name!r}: {kind} takes neither a model nor settings; write {kind}")
        return ORACLES[kind]
    if not model:
        raise UserError(f"subject {name!r} names no model; expected {kind}/{'NAME' if kind == 'sim' else 'MODEL'}")
    if kind == "sim":
        return simulated_subject(model, pairs)
    if kind == "inspect":
        return _inspect_subject(model, pairs)
    return _api_subject(PROVIDERS[kind], model, pairs, os.environ if env is None else env)


def _api_subject(provider: Provider, where: str, pairs: tuple[tuple[str, str], ...], env: Mapping[str, str]) -> Subject:
    # aiohttp takes long to load, so only those who need it do
    from snellen.subjects.anthropic import AnthropicDialect
    from snellen.subjects.failures import Server
    from snellen.subjects.http import HttpSubject
    from snellen.subjects.openai import OpenAIDialect

    model, base, whose = place(provider, where)
    known = schema(provider, model)
    values = settings.read(pairs, known, whose)
    name = full_name(provider, model, base) + settings.written(values, known)
    server = Server(name, provider, model, base, find_key(provider, base, env, name), settings.keyed(values, known))
    dialect = AnthropicDialect if provider.name == "anthropic" else OpenAIDialect
    subject = HttpSubject(server, dialect(model, server.settings), float(values["timeout"]), env)
    if "pictures" in values:
        subject.pictures = int(values["pictures"])
    return subject


def _inspect_subject(model: str, pairs: tuple[tuple[str, str], ...]) -> Subject:
    from snellen.subjects.inspect import inspect_subject

    known = tuple(s for s in schema(PROVIDERS["openai"], model) if s.name not in ("max_pixels", "pictures"))
    values: dict[str, settings.Value | None] = {**settings.read(pairs, known, f"inspect/{model}")}
    given = {name for name, _ in pairs}
    chosen = {name: value for name, value in values.items() if name in given}
    if chosen.get("temperature") == "default":
        chosen["temperature"] = None
    if "system" in chosen:
        chosen["system_message"] = chosen.pop("system")
    return inspect_subject(model, chosen)


__all__ = ["PROFILES", "PROVIDERS", "subject"]
