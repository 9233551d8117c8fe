"""Who can be named, and how each is found: what stands before the slash decides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from snellen.call import Abilities, Subject
from snellen.errors import UserError, unknown
from snellen.item import content_digest
from snellen.plugins import offered, own_module, published, where
from snellen.subjects import settings
from snellen.subjects.characters import PROFILES
from snellen.subjects.oracles import ORACLES
from snellen.subjects.own import own_subject, read_like, settings_of
from snellen.subjects.providers import PROVIDERS, Provider, check_name, full_name, is_nearby, place, schema
from snellen.subjects.simulated import simulated_subject
from snellen.subjects.vllm import is_offline

Pairs = tuple[tuple[str, str], ...]
Find = Callable[[str, Pairs, Mapping[str, str]], Subject]
"""From what follows the slash, the settings and the environment to the subject."""

SIMULATED = "snellen.simulated"
"""The entry point group of simulated subjects that tasks bring."""
OWN_FILE = "a function answer(parts), or SUBJECT = a function or an object with answer(call)"


@dataclass(frozen=True, slots=True)
class Finder:
    """`expects`: what is to follow the slash; `alone`: nothing is."""

    find: Find
    expects: str = "MODEL"
    alone: bool = False


def _simulated(name: str, pairs: Pairs, env: Mapping[str, str]) -> Subject:
    if name in (brought := published(SIMULATED)):
        find: Callable[[Pairs], Subject] = offered(brought[name], "simulated subject")
        return find(pairs)
    if name not in PROFILES:
        raise unknown("simulated subject", name, (*PROFILES, *brought))
    return simulated_subject(name, pairs)


def _oracle(name: str) -> Find:
    return lambda _model, _pairs, _env: ORACLES[name]


def _api(provider: Provider) -> Find:
    def find(where_: str, pairs: Pairs, env: Mapping[str, str]) -> Subject:
        # aiohttp takes long to load, so only those who need it do
        from snellen.subjects.caching import caching, prefix_of
        from snellen.subjects.dialects import DIALECTS
        from snellen.subjects.failures import Server
        from snellen.subjects.http import HttpSubject

        model, base, whose = place(provider, where_, env)
        own_schema = schema(provider, model)
        values = settings.read(pairs, own_schema, whose)
        name = full_name(provider, model, base) + settings.written(values, own_schema)
        check_name(provider, base, env, name)
        server = Server(name, provider, model, base, None, settings.keyed(values, own_schema))
        cache = caching(provider.dialect, model, values.get("cache"))
        abilities = Abilities(
            pictures=int(values["pictures"]) if "pictures" in values else None,
            timeout=float(values["timeout"]),
            # What people run themselves is one machine for all its models; a service has limits for each.
            server=base if is_nearby(base) else "",
            per_call={setting.name: settings.reader(setting, whose) for setting in own_schema if setting.in_key},
            cached_prefix=prefix_of if values.get("cache", "off") != "off" else None,
            cache_write=cache.write,
        )
        return HttpSubject(server, DIALECTS[provider.dialect](model, server.settings, cache), abilities, env)

    return find


_NOT_THROUGH_INSPECT = ("max_pixels", "pictures", "structured", "extra", "stop", "cache")


def _through_inspect(model: str, pairs: Pairs, env: Mapping[str, str]) -> Subject:
    from snellen.subjects.inspect import inspect_subject

    own_schema = tuple(s for s in schema(PROVIDERS["openai"], model) if s.name not in _NOT_THROUGH_INSPECT)
    values: dict[str, settings.Value | None] = {**settings.read(pairs, own_schema, f"inspect/{model}")}
    given = {name for name, _ in pairs}
    chosen = {name: value for name, value in values.items() if name in given}
    if chosen.get("temperature") == "default":
        chosen["temperature"] = None
    if "system" in chosen:
        chosen["system_message"] = chosen.pop("system")
    varied = [s for s in own_schema if s.in_key and s.name not in ("system", "temperature")]
    return inspect_subject(model, chosen, {s.name: settings.reader(s, f"inspect/{model}") for s in varied})


def _local(where_: str, pairs: Pairs, env: Mapping[str, str]) -> Subject:
    if where_ == "tiny":  # comes with the package, and needs no extra
        from snellen.subjects.tiny import tiny_subject

        bundled: Subject = tiny_subject(pairs)
        return bundled
    from snellen.subjects.local.subject import local_subject

    return local_subject(where_, pairs)


def _vllm(where_: str, pairs: Pairs, env: Mapping[str, str]) -> Subject:
    """A server's model, or one for the offline engine."""
    if is_offline(where_):
        from snellen.subjects.vllm.subject import vllm_subject

        return vllm_subject(where_, pairs)
    return _api(PROVIDERS["vllm"])(where_, pairs, env)


def _ocr(model: str, pairs: Pairs, env: Mapping[str, str]) -> Subject:
    from snellen.subjects.ocr import ocr_subject

    return ocr_subject(model, pairs, env)


FINDERS: dict[str, Finder] = {
    **{name: Finder(_api(provider)) for name, provider in PROVIDERS.items()},
    "vllm": Finder(_vllm),
    "inspect": Finder(_through_inspect, "PROVIDER/MODEL"),
    "local": Finder(_local, "PATH_OR_HUB_ID"),
    "ocr": Finder(_ocr, "rapidocr or ocr/tesseract"),
    "sim": Finder(_simulated, "NAME"),
    **{name: Finder(_oracle(name), alone=True) for name in ORACLES},
}


def own_file(path: str, pairs: Pairs) -> Subject:
    """The subject in a Python file of somebody's own, with settings for whatever of it has a default."""
    file = Path(path)
    module = own_module(file, "subject", OWN_FILE)
    model = getattr(module, "SUBJECT", None) or getattr(module, "answer", None)
    if model is None:
        raise UserError(f"subject {path}: it defines neither; expected a Python file with {OWN_FILE}")
    defaults = settings_of(model)
    chosen = {name: _read(path, name, text, defaults) for name, text in pairs}
    written = ":" + ",".join(f"{name}={text}" for name, text in pairs) if pairs else ""
    code = content_digest(file.read_bytes())[:12]
    own_name = getattr(model, "name", "") if hasattr(model, "answer") else ""
    words = getattr(module, "WORDS", None)
    if words is not None and not isinstance(words, bool):
        raise UserError(f"subject {path}: WORDS = {words!r}; expected True or False")
    return own_subject(model, name=f"{own_name or file.stem}{written}", settings={"code": code, **chosen}, words=words)


def _read(path: str, name: str, text: str, defaults: Mapping[str, Any]) -> Any:
    if name not in defaults:
        raise unknown(f"setting of {path}", name, defaults)
    return read_like(defaults[name], path, name, text)


def plugin(point: EntryPoint) -> Finder:
    """Who an installed package offers: a function from a model's name (and settings) to whatever can be a subject."""

    def find(model: str, pairs: Pairs, env: Mapping[str, str]) -> Subject:
        make = offered(point, "subject")
        try:
            made = make(model, **dict(pairs))
        except UserError:
            raise
        except Exception as error:
            raise UserError(f"subject {point.name}/{model}: {where(error)}") from error
        written = ":" + ",".join(f"{name}={text}" for name, text in pairs) if pairs else ""
        return own_subject(made, name=None if hasattr(made, "answer") else f"{point.name}/{model}{written}")

    return Finder(find)
