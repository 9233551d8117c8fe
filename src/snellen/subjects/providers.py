"""Where API models live: addresses, the variables that hold their keys, and the settings they take.

A key goes only where it belongs. A variable named for a service (OPENAI_API_KEY) is sent to that service's
own address and nowhere else; a server named by its address gets SNELLEN_API_KEY, if that is set. vLLM and
SGLang are servers people run themselves, so their variables hold for whichever server is named.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from snellen.errors import UserError, refuse_secret
from snellen.masking import learn
from snellen.subjects import caching
from snellen.subjects.settings import (
    STOP,
    Schema,
    SubjectSetting,
    Value,
    json_object,
    number,
    one_of,
    strings,
    whole,
    words,
)

OTHER_KEY = "SNELLEN_API_KEY"
MAX_TOKENS = 4096
MAX_TOKENS_REASONING = 16384

_REASONS = re.compile(r"(o[1-9]|gpt-[5-9]|gemini-(2\.5|[3-9]))")


@dataclass(frozen=True, slots=True)
class Provider:
    """A service or a kind of server: all that sets it apart from others."""

    name: str
    base: str
    """Its address; empty if everybody has one of their own."""
    keys: tuple[str, ...]
    """The variables that may hold its key, in order of preference."""
    needs_key: bool = True
    self_hosted: bool = False
    """Whether its key belongs to the user's own servers, wherever they are."""
    dialect: Literal["openai", "anthropic"] = "openai"
    """How calls are written (see `dialects.py`)."""
    hottest: float = 2
    """The highest temperature it takes."""
    omits: tuple[str, ...] = ()
    """Settings it does not take."""
    key_header: str = ""
    """The header that shows the key, where that is not the dialect's."""
    also_at: tuple[str, ...] = ()
    """Other hosts of the same service; what is below them is, too."""
    base_variable: str = ""
    """The variable that holds the address where everybody has one of their own."""
    base_like: str = ""
    """What such an address looks like. One that is nothing but a host gets the rest from here."""
    base_ending: str = ""
    """What people may write at the end of an address although it is not part of it."""
    batch: Literal["openai", "anthropic", "gemini"] = "openai"
    """How calls are sent in batches (see `batch/`)."""
    batch_price: float = 1.0
    """What a call costs in a batch, as a share of its price alone; at the provider's own address."""


PROVIDERS = {
    p.name: p
    for p in (
        Provider("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",), batch_price=0.5),
        Provider(
            "anthropic",
            "https://api.anthropic.com",
            ("ANTHROPIC_API_KEY",),
            dialect="anthropic",
            hottest=1,
            omits=("seed", "logprobs", "detail"),
            base_ending="/v1",
            batch="anthropic",
            batch_price=0.5,
        ),
        Provider(
            "gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            batch="gemini",
            batch_price=0.5,
        ),
        Provider(
            "azure",
            "",
            ("AZURE_OPENAI_API_KEY",),
            key_header="api-key",
            also_at=("openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"),
            base_variable="AZURE_OPENAI_ENDPOINT",
            base_like="https://RESOURCE.openai.azure.com/openai/v1",
            batch_price=0.5,
        ),
        Provider("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
        Provider("mistral", "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",), hottest=1.5, omits=("seed", "detail")),
        Provider("xai", "https://api.x.ai/v1", ("XAI_API_KEY",)),
        Provider("deepseek", "https://api.deepseek.com", ("DEEPSEEK_API_KEY",), omits=("seed", "detail")),
        Provider("moonshot", "https://api.moonshot.ai/v1", ("MOONSHOT_API_KEY",), hottest=1, omits=("seed", "detail")),
        Provider(
            "dashscope",
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            ("DASHSCOPE_API_KEY",),
            also_at=("dashscope.aliyuncs.com", "dashscope-us.aliyuncs.com", "maas.aliyuncs.com"),
            omits=("detail",),
        ),
        Provider("together", "https://api.together.ai/v1", ("TOGETHER_API_KEY",), also_at=("api.together.xyz",)),
        Provider("fireworks", "https://api.fireworks.ai/inference/v1", ("FIREWORKS_API_KEY",)),
        Provider("groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
        Provider("nvidia", "https://integrate.api.nvidia.com/v1", ("NVIDIA_API_KEY",)),
        Provider("huggingface", "https://router.huggingface.co/v1", ("HF_TOKEN", "HUGGINGFACE_API_KEY")),
        Provider("ollama", "http://localhost:11434/v1", ("OLLAMA_API_KEY",), needs_key=False),
        Provider("vllm", "http://localhost:8000/v1", ("VLLM_API_KEY",), needs_key=False, self_hosted=True),
        Provider("sglang", "http://localhost:30000/v1", ("SGLANG_API_KEY",), needs_key=False, self_hosted=True),
    )
}

_INSTEAD = {
    "inspect/bedrock/MODEL (pip install 'snellen[inspect]')": "bedrock aws",
    "inspect/vertex/MODEL (pip install 'snellen[inspect]')": "vertex vertex_ai vertexai",
    "gemini/MODEL": "google googleai palm",
    "azure/DEPLOYMENT": "azure_openai azureopenai azureai",
    "anthropic/MODEL": "claude",
    "openai/MODEL": "chatgpt gpt",
    "xai/MODEL": "grok x-ai x",
    "dashscope/MODEL": "qwen alibaba aliyun",
    "moonshot/MODEL": "kimi moonshotai",
    "mistral/MODEL": "mistralai",
    "together/MODEL": "together_ai togetherai",
    "fireworks/MODEL": "fireworks_ai fireworksai",
    "huggingface/MODEL": "hf hf-inference",
    "nvidia/MODEL": "nim nvidia_nim",
    "openrouter/perplexity/MODEL": "perplexity",
    "openai/MODEL@http://localhost:8080/v1": "llamacpp llama.cpp llama-cpp",
    "openai/MODEL@http://localhost:1234/v1": "lmstudio lm-studio lm_studio",
    "openai/MODEL@https://api.cohere.ai/compatibility/v1 and set SNELLEN_API_KEY": "cohere",
    "openai/MODEL@BASE_URL with the address of its OpenAI-compatible API, and set SNELLEN_API_KEY": (
        "ai21 anyscale baidu baseten cerebras cloudflare databricks deepinfra hyperbolic lepton litellm minimax nebius"
        " novita replicate sambanova watsonx zai zhipu"
    ),
}
ELSEWHERE = {name: instead for instead, names in _INSTEAD.items() for name in names.split()}
"""Names people know that nobody goes by here, and what to write instead."""


@dataclass(frozen=True)
class Secret:
    """A key, and the variable it came from. Shows in no repr, and from now on in no message and no reply."""

    variable: str
    _value: str

    def __post_init__(self) -> None:
        learn(self.variable, self._value)

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def reveal(self) -> str:
        return self._value


def schema(provider: Provider, model: str) -> Schema:
    """The settings a model of this provider takes."""
    limit = MAX_TOKENS_REASONING if _REASONS.match(model) else MAX_TOKENS
    settings: Schema = (
        SubjectSetting(
            "temperature",
            f"a number from 0 to {provider.hottest:g}, or default to leave it to the server",
            number(0, provider.hottest, "default"),
            0,
        ),
        SubjectSetting("max_tokens", "a whole number from 1", whole(1, 10_000_000), limit),
        SubjectSetting("top_p", "a number from 0 to 1", number(0, 1)),
        SubjectSetting("max_pixels", "a whole number of pixels from 64", whole(64, 10**12)),
        SubjectSetting("pictures", "a whole number from 0: the most per call", whole(0, 10_000), in_key=False),
        SubjectSetting("timeout", "a number of seconds from 0.1", number(0.1, 86_400), 300, in_key=False),
        SubjectSetting("reasoning_effort", "one of " + ", ".join(_EFFORTS), one_of(*_EFFORTS)),
        SubjectSetting("system", "some words", words),
        SubjectSetting("structured", "json: constrain the reply to the answer's schema", one_of("json")),
        SubjectSetting("extra", 'a JSON object added to the request, such as {"top_k": 1}', json_object),
        SubjectSetting("seed", "a whole number", whole(-(2**63), 2**63 - 1)),
        SubjectSetting("logprobs", "a whole number from 0 to 20: alternatives recorded per token", whole(0, 20)),
        SubjectSetting("stop", STOP, strings),
        SubjectSetting("detail", "one of low, high, original, auto", one_of("low", "high", "original", "auto")),
    )
    settings += (caching.setting(provider.dialect, model),)
    if provider.dialect == "anthropic":
        settings += (SubjectSetting("thinking", "adaptive, or a whole number of tokens from 1024", _thinking),)
    return tuple(setting for setting in settings if setting.name not in provider.omits)


def _thinking(text: str) -> Value | None:
    return text if text == "adaptive" else whole(1024, 10_000_000)(text)


_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


# Addresses


_BASE = re.compile(r"@(?=https?://)", re.IGNORECASE)
_HALF_BASE = re.compile(r"@(\w+:/|localhost|[\w.-]+:[0-9]+|[0-9.]+)(/|$)")
_NEARBY = (".local", ".localhost", ".lan", ".internal", ".home.arpa")


def place(provider: Provider, where: str, env: Mapping[str, str]) -> tuple[str, str, str]:
    """The model in `MODEL` or `MODEL@BASE_URL`, the address it is at, and whose settings the user may get wrong."""
    parts = _BASE.split(where, maxsplit=1)
    model, whose = parts[0], f"{provider.name}/{parts[0]}"
    if len(parts) > 1:
        base = base_url(parts[1], whose)
    elif _HALF_BASE.search(where):
        raise UserError(f"{whose}: an address after @ starts with http:// or https://")
    else:
        base = provider.base or _own_base(provider, whose, env)
    if not model:
        raise UserError(f"{whose} names no model; expected {provider.name}/MODEL@{base}")
    if provider.base_like and not urlsplit(base).path:
        base += urlsplit(provider.base_like).path
    return model, base.removesuffix(provider.base_ending), whose


def _own_base(provider: Provider, whose: str, env: Mapping[str, str]) -> str:
    """The address that the environment names, for providers that have none for all."""
    if base := env.get(provider.base_variable, "").strip():
        return base_url(base, f"{whose}: {provider.base_variable}", provider.keys[0])
    raise UserError(f"{whose}: no address; write {whose}@{provider.base_like} or set {provider.base_variable}")


def full_name(provider: Provider, model: str, base: str) -> str:
    """A model's name, with its address if that is not the provider's own."""
    return f"{provider.name}/{model}" + ("" if base == provider.base else f"@{base}")


def base_url(text: str, whose: str, key: str = OTHER_KEY) -> str:
    """A server's address, checked. One with a secret in it would end up in every result: refused."""
    try:
        url = urlsplit(text)
        host, _ = url.hostname, url.port
    except ValueError:
        host = None
    if not host or not _is_address(text, host):
        raise UserError(f"{whose}: {text!r} is not an address; expected http://HOST[:PORT]/v1 or https://...")
    if "@" in url.netloc:
        raise UserError(f"{whose}: the address contains a user name or password; leave them out and set {key}")
    if "?" in text or "#" in text:
        raise UserError(f"{whose}: the address contains a query; remove it, and give a key in {key}")
    return text.rstrip("/")


def _is_address(text: str, host: str) -> bool:
    if (
        not text.lower().startswith(("http://", "https://"))
        or not text.isascii()
        or re.search(r"[\s\\<>\"^`{|}]", text)
    ):
        return False
    return ":" in host or (len(host) < 254 and all(0 < len(part) < 64 for part in host.rstrip(".").split(".")))


def is_nearby(base: str) -> bool:
    """Whether an address is on this machine or in its own network."""
    host = urlsplit(base).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_NEARBY)
    return address.is_private or address.is_loopback or address.is_link_local


# Keys


def find_key(provider: Provider, base: str, env: Mapping[str, str], whose: str) -> Secret | None:
    """The key to send to this address, if any."""
    at_home = is_at_home(provider, base)
    if (secret := _key(provider, at_home, env)) is not None:
        return _checked(secret)
    if at_home and provider.needs_key:
        raise UserError(f"{whose} needs a key: set {' or '.join(provider.keys)} in the environment")
    return None


def check_name(provider: Provider, base: str, env: Mapping[str, str], name: str) -> None:
    """Refuse what can be told to be wrong about keys before one is needed: a name that holds one, one that is none."""
    if (secret := _key(provider, is_at_home(provider, base), env)) is not None:
        _checked(secret)
    refuse_secret(name, "the subject's name", how_to_pass(provider.name))


_KEYS_BEGIN = {
    **{"AIza": "gemini", "sk-ant-": "anthropic", "sk-or-": "openrouter", "gsk_": "groq", "xai-": "xai"},
    **{"nvapi-": "nvidia", "hf_": "huggingface"},
}
"""How a service's keys begin, where no other service's do."""


def how_to_pass(provider: str) -> str:
    """How to give a key to subjects of this provider, or of another kind; follows "leave it out and"."""
    if provider not in PROVIDERS:
        return "set it in the environment"
    return f"set {' or '.join(PROVIDERS[provider].keys)} in the environment ({OTHER_KEY} for a server of your own)"


def _key(provider: Provider, at_home: bool, env: Mapping[str, str]) -> Secret | None:
    variables = provider.keys if at_home or provider.self_hosted else ()
    for variable in variables if at_home else (*variables, OTHER_KEY):
        if value := env.get(variable, "").strip():
            return Secret(variable, value)
    return None


def is_at_home(provider: Provider, base: str) -> bool:
    """Whether the address is the provider's own, at one of its hosts or below it, as safely reached."""
    home, there = urlsplit(provider.base or "https:"), urlsplit(base)
    host = there.hostname or ""
    if there.scheme != home.scheme:
        return False
    if home.scheme == "http":
        return host == home.hostname
    return any(host == own or host.endswith("." + own) for own in (home.hostname, *provider.also_at) if own)


def _checked(secret: Secret) -> Secret:
    value = secret.reveal()
    if value[0] in "'\"" or value.lower().startswith("bearer "):
        raise UserError(f"the key in {secret.variable} has quotation marks or the word Bearer around it; set it alone")
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise UserError(f"the key in {secret.variable} contains invalid characters; set it again")
    owner = next((owner for prefix, owner in _KEYS_BEGIN.items() if value.startswith(prefix)), None)
    services = (service for service in PROVIDERS.values() if service.needs_key and secret.variable in service.keys)
    if owner and (service := next(services, None)) and service.name != owner:
        own = PROVIDERS[owner].keys[0]
        raise UserError(f"{secret.variable} holds a key of {owner}, which goes to {owner} only; set it as {own}")
    return secret
