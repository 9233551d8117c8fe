"""Keys: sent where they belong, shown nowhere."""

import asyncio
import json
import logging
import pickle
import traceback
from urllib.parse import quote

import pytest
from scripted_api import a_call, openai_says

from snellen.call import CallFailed
from snellen.errors import UserError
from snellen.subjects import subject
from snellen.subjects.http import _proxy
from snellen.subjects.providers import PROVIDERS, find_key

KEY = "sk-live-THIS-IS-THE-SECRET-0123456789"


def everything_shown(who, errors=()):
    """All that a log, a store or a screen could get to see of a subject and its errors."""
    shown = [repr(who), str(who), who.name, json.dumps(dict(who.settings)), f"{who!r:>80}"]
    shown += [repr(who._server), repr(who._dialect), repr(who._server.key), repr(who._settings)]
    shown += ["".join(traceback.format_exception(e)) + repr(e.__dict__) for e in errors]
    return "\n".join(shown)


@pytest.mark.parametrize("place", ["openai", "anthropic"])
@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500])
async def test_a_key_shows_nowhere_even_if_the_server_repeats_it(api, caplog, place, status):
    caplog.set_level(logging.DEBUG)
    errors = []

    def echo(sent):
        message = f"you sent {dict(sent.headers)} and the key {KEY}"
        body = {"error": {"message": message}} if status != 200 else {"nonsense": message}
        return status, {"X-Echo": KEY, "Retry-After": "1"}, json.dumps(body).encode()

    api.answer = echo
    async with subject(f"{place}/m@{api.url}", env={"SNELLEN_API_KEY": KEY}) as who:
        call = a_call(who)
        with pytest.raises(CallFailed) as failed:
            await who.answer(call)
        errors.append(failed.value)
    sent = api.sent[0]
    assert KEY in str(sent.headers)
    assert KEY.encode() not in sent.body
    assert KEY not in everything_shown(who, errors) + caplog.text + call.request + repr(call)
    assert KEY[8:30] not in str(failed.value)


async def test_a_reply_that_repeats_the_key_is_kept_without_it(api):
    api.says(openai_says(f"Your key is {KEY}, and the answer is X."))
    async with subject(f"openai/m@{api.url}", env={"SNELLEN_API_KEY": KEY}) as who:
        reply = await who.answer(a_call(who))
    assert reply.text == "Your key is [masked: the key in SNELLEN_API_KEY], and the answer is X."


async def test_a_place_holder_for_a_key_is_no_secret(api):
    api.says(openai_says("EMPTY cells: 3"))
    async with subject(f"vllm/m@{api.url}", env={"VLLM_API_KEY": "EMPTY"}) as who:
        assert (await who.answer(a_call(who))).text == "EMPTY cells: 3"
    assert api.sent[0].headers["Authorization"] == "Bearer EMPTY"


@pytest.mark.parametrize(
    "key", ['sk-a/b"c\\d+e%f&g-0123456789', "sk-ünsafe".encode("ascii", "replace").decode() + "x" * 20]
)
async def test_a_key_is_hidden_however_a_server_spells_it(api, key):
    spelled = [key, json.dumps(key)[1:-1], json.dumps(key)[1:-1].replace("/", "\\/"), quote(key), quote(key, safe="")]
    for each in spelled:
        api.says(f"<p>no: {each}</p>".encode(), 500)
        async with subject(f"openai/m@{api.url}", env={"SNELLEN_API_KEY": key}) as who:
            with pytest.raises(CallFailed) as failed:
                await who.answer(a_call(who))
        assert "[masked: the key in SNELLEN_API_KEY]" in str(failed.value)
        assert each not in str(failed.value)


async def test_azure_gets_its_key_in_a_header_of_its_own(api, monkeypatch):
    api.says(openai_says())
    monkeypatch.setattr("snellen.subjects.providers.is_at_home", lambda provider, base: True)
    async with subject(f"azure/m@{api.url}", env={"AZURE_OPENAI_API_KEY": KEY}) as who:
        await who.answer(a_call(who))
        assert KEY not in everything_shown(who)
    assert api.sent[0].headers["api-key"] == KEY
    assert "Authorization" not in api.sent[0].headers


@pytest.mark.parametrize("error", ["refused", "reset"])
async def test_errors_of_the_connection_show_no_key(api, error):
    api.answer = error
    base = "http://127.0.0.1:1/v1" if error == "refused" else api.url
    async with subject(f"openai/m@{base}", env={"SNELLEN_API_KEY": KEY}) as who:
        with pytest.raises(CallFailed) as failed:
            await who.answer(a_call(who))
    assert KEY not in everything_shown(who, [failed.value])


def test_an_open_subject_shows_no_key_either():
    async def show():
        async with subject("openai/m", env={"OPENAI_API_KEY": KEY}) as who:
            return everything_shown(who)

    assert KEY not in asyncio.run(show())


@pytest.mark.parametrize(
    "name", [f"openai/m:system={KEY}", f"openai/{KEY}", f"groq/{KEY}", f"openai/m@https://h.example/{KEY}/v1"]
)
@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "SNELLEN_API_KEY"])
def test_a_key_in_the_name_is_refused_before_it_is_needed(name, variable):
    with pytest.raises(UserError, match=variable) as error:
        subject(name, env={variable: KEY})
    assert KEY not in str(error.value)


@pytest.mark.parametrize("key", ["two words", "né", "line\nbreak", f'"{KEY}"', f"Bearer {KEY}", "'x'"])
def test_a_key_no_header_can_hold_is_refused_without_showing_it(key):
    with pytest.raises(UserError, match="OPENAI_API_KEY") as error:
        subject("openai/m", env={"OPENAI_API_KEY": key})
    assert key not in str(error.value)


@pytest.mark.parametrize(
    ("variable", "key", "right"),
    [("OPENAI_API_KEY", "AIza", "GEMINI_API_KEY"), ("OPENAI_API_KEY", "sk-ant-", "ANTHROPIC_API_KEY")],
)
def test_a_key_of_one_service_is_not_sent_to_another(variable, key, right):
    with pytest.raises(UserError, match=f"{variable} holds a key of .* set it as {right}"):
        subject("openai/m", env={variable: key + "x" * 40})
    assert find_key(PROVIDERS["vllm"], "http://h/v1", {"VLLM_API_KEY": "hf_" + "x" * 40}, "vllm/m") is not None


@pytest.mark.parametrize("name", ["api_key", "key", "token", "secret"])
def test_a_setting_for_a_key_says_where_keys_come_from(name):
    with pytest.raises(UserError, match=f"{name} is no setting; set the key in the environment"):
        subject(f"openai/m:{name}=abc", env={})
    with pytest.raises(UserError, match="did you mean max_tokens"):
        subject("openai/m:max_token=9", env={})


ENV = {variable: f"key-of-{variable}" for p in PROVIDERS.values() for variable in p.keys}


@pytest.mark.parametrize(
    ("place", "base", "variable"),
    [
        ("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("openai", "https://eu.api.openai.com/v1", "OPENAI_API_KEY"),
        ("openai", "http://api.openai.com/v1", "SNELLEN_API_KEY"),
        ("openai", "https://api.openai.com.example.net/v1", "SNELLEN_API_KEY"),
        ("openai", "https://evilapi.openai.com.net/v1", "SNELLEN_API_KEY"),
        ("openai", "https://evilapi.openai.com/v1", "SNELLEN_API_KEY"),
        ("openai", "http://localhost:8000/v1", "SNELLEN_API_KEY"),
        ("anthropic", "https://proxy.example/anthropic", "SNELLEN_API_KEY"),
        ("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
        ("ollama", "http://localhost:11434/v1", "OLLAMA_API_KEY"),
        ("ollama", "http://elsewhere:11434/v1", "SNELLEN_API_KEY"),
        ("vllm", "http://gpu-box:8000/v1", "VLLM_API_KEY"),
        ("sglang", "https://gpu-box/v1", "SGLANG_API_KEY"),
        ("azure", "https://mine.openai.azure.com/openai/v1", "AZURE_OPENAI_API_KEY"),
        ("azure", "https://mine.services.ai.azure.com/openai/v1", "AZURE_OPENAI_API_KEY"),
        ("azure", "http://mine.openai.azure.com/openai/v1", "SNELLEN_API_KEY"),
        ("azure", "https://mineopenai.azure.com.example/openai/v1", "SNELLEN_API_KEY"),
        ("azure", "https://mineopenai.azure.com/openai/v1", "SNELLEN_API_KEY"),
        ("dashscope", "https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
        ("dashscope", "https://w1.us-east-1.maas.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
        ("dashscope", "https://else.aliyuncs.com/v1", "SNELLEN_API_KEY"),
        ("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
        ("together", "https://notapi.together.xyz/v1", "SNELLEN_API_KEY"),
    ],
)
def test_a_key_goes_only_where_it_belongs(place, base, variable):
    env = {**ENV, "SNELLEN_API_KEY": "key-of-SNELLEN_API_KEY"}
    secret = find_key(PROVIDERS[place], base, env, f"{place}/m")
    assert secret.reveal() == f"key-of-{variable}"
    if variable == "SNELLEN_API_KEY":
        assert find_key(PROVIDERS[place], base, ENV, f"{place}/m") is None


@pytest.mark.parametrize("place", ["openai", "anthropic", "groq"])
def test_the_key_for_other_servers_is_not_sent_to_a_service(place):
    provider = PROVIDERS[place]
    with pytest.raises(UserError, match=f"set {provider.keys[0]}"):
        find_key(provider, provider.base, {"SNELLEN_API_KEY": KEY}, f"{place}/m")


async def test_a_services_key_is_not_sent_to_another_address(api):
    api.says(openai_says())
    async with subject(f"openai/m@{api.url}", env={"OPENAI_API_KEY": KEY}) as who:
        await who.answer(a_call(who))
    assert KEY not in str(api.sent[0].headers)
    assert "Authorization" not in api.sent[0].headers


@pytest.mark.parametrize("through_proxy", [False, True])
async def test_a_redirect_does_not_carry_the_key_away(api, through_proxy):
    api.says(b"", 307, Location=f"{api.url}/elsewhere")
    proxy = {"http_proxy": api.url.removesuffix("/v1")} if through_proxy else {}
    address = "http://far.example/v1" if through_proxy else api.url
    async with subject(f"anthropic/m@{address}", env={"SNELLEN_API_KEY": KEY, **proxy}) as who:
        with pytest.raises(CallFailed, match="redirects"):
            await who.answer(a_call(who))
    assert [sent.path for sent in api.sent] == ["/v1/messages"]


def test_a_subject_cannot_be_written_to_a_file():
    who = subject("openai/m", env={"OPENAI_API_KEY": KEY})
    with pytest.raises(TypeError):
        pickle.dumps(who)


@pytest.mark.parametrize(
    ("base", "env", "proxy"),
    [
        ("https://api.openai.com/v1", {"HTTPS_PROXY": "http://p:3128"}, "http://p:3128"),
        ("https://api.openai.com/v1", {"https_proxy": "p:3128"}, "http://p:3128"),
        ("https://api.openai.com/v1", {"HTTP_PROXY": "http://p:3128"}, None),
        ("https://api.openai.com/v1", {"HTTPS_PROXY": "http://p", "NO_PROXY": "a.com, .openai.com"}, None),
        ("https://api.openai.com/v1", {"HTTPS_PROXY": "http://p", "no_proxy": "*"}, None),
        ("https://api.openai.com/v1", {"HTTPS_PROXY": "http://p", "no_proxy": "notopenai.com,"}, "http://p"),
        ("http://127.0.0.1:8000/v1", {"HTTP_PROXY": "http://p"}, None),
        ("http://localhost:8000/v1", {"HTTP_PROXY": "http://p"}, None),
        ("http://gpu-box:8000/v1", {}, None),
    ],
)
def test_a_proxy_is_taken_from_the_environment(base, env, proxy):
    assert _proxy(base, env) == proxy


async def test_calls_go_through_the_proxy_of_the_environment(api):
    api.says(openai_says("X"))
    proxy = api.url.removesuffix("/v1")
    async with subject("openai/m@http://far.example:8000/v1", env={"http_proxy": proxy}) as who:
        assert (await who.answer(a_call(who))).text == "X"
    assert (api.sent[0].path, api.sent[0].headers["Host"]) == ("/v1/chat/completions", "far.example:8000")
    async with subject("openai/m@http://far.example:8000/v1", env={"http_proxy": "http://127.0.0.1:9"}) as who:
        with pytest.raises(CallFailed) as failed:
            await who.answer(a_call(who))
    assert (failed.value.kind, failed.value.fatal) == ("unreachable", True)
