"""Names of subjects and the settings written after them."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from snellen.defaults import DEFAULT_SUBJECT
from snellen.errors import UserError
from snellen.subjects import settings, subject
from snellen.subjects.providers import ELSEWHERE, MAX_TOKENS, MAX_TOKENS_REASONING, PROVIDERS, is_nearby

KEYS = {variable: "sk-test-0123456789abcdef" for p in PROVIDERS.values() for variable in p.keys}
AZURE = "https://mine.openai.azure.com/openai/v1"

steady = hypothesis_settings(deadline=None, derandomize=True)


def found(name):
    return subject(name, env={**KEYS, "AZURE_OPENAI_ENDPOINT": AZURE})


@pytest.mark.parametrize("place", PROVIDERS)
def test_every_provider_is_found_and_sends_temperature_zero(place):
    who = found(f"{place}/some-model")
    assert who.name == (f"{place}/some-model" if PROVIDERS[place].base else f"{place}/some-model@{AZURE}")
    assert who.settings == {"temperature": 0, "max_tokens": MAX_TOKENS}


@pytest.mark.parametrize("model", ["o3", "o4-mini", "gpt-5", "gpt-5.2-mini"])
def test_models_that_think_get_room_for_it(model):
    assert found(f"openai/{model}").settings["max_tokens"] == MAX_TOKENS_REASONING


@pytest.mark.parametrize(
    ("name", "bare", "pairs"),
    [
        ("ollama/llama3.2-vision:11b", "ollama/llama3.2-vision:11b", ()),
        ("ollama/llava:7b:seed=3", "ollama/llava:7b", (("seed", "3"),)),
        ("openrouter/qwen/vl:free", "openrouter/qwen/vl:free", ()),
        (
            "openai/m@http://h:8000/v1:top_p=.9,seed=1",
            "openai/m@http://h:8000/v1",
            (("top_p", ".9"), ("seed", "1")),
        ),
        ("openai/m:system=Be brief, be kind: say=it", "openai/m", (("system", "Be brief, be kind: say=it"),)),
        ("openai/m:system=a, b,seed=2", "openai/m", (("system", "a, b"), ("seed", "2"))),
        ("openai/m: temperature=1, seed=2", "openai/m", (("temperature", "1"), ("seed", "2"))),
    ],
)
def test_settings_begin_where_a_name_and_equals_sign_follow_a_colon(name, bare, pairs):
    assert settings.split(name) == (bare, pairs)


def test_settings_reach_the_key_unless_they_cannot_change_the_answer():
    plain = found("openai/m")
    timed = found("openai/m:timeout=5")
    hot = found("openai/m:temperature=0.7,detail=high,max_pixels=50000,reasoning_effort=low,system=Be brief.")
    assert (timed.name, timed.settings) == (plain.name, plain.settings)
    assert hot.settings == {
        "temperature": 0.7,
        "max_tokens": MAX_TOKENS,
        "max_pixels": 50000,
        "reasoning_effort": "low",
        "system": "Be brief.",
        "detail": "high",
    }


def test_the_same_subject_has_one_name_however_it_is_written():
    names = {
        found(name).name
        for name in (
            "openai/m",
            "openai/m:temperature=0",
            "openai/m:temperature=0.0,timeout=9",
            "openai/m@https://api.openai.com/v1/",
        )
    }
    assert names == {"openai/m"}
    assert found("openai/m:seed=1,temperature=1").name == found("openai/m:temperature=1.0,seed=1").name


api_settings = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.one_of(st.just("default"), st.floats(0, 2).map(str)),
        "max_tokens": st.integers(1, 10**6).map(str),
        "top_p": st.floats(0, 1).map(str),
        "seed": st.integers(-(2**40), 2**40).map(str),
        "detail": st.sampled_from(["low", "high", "auto"]),
        "system": st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1).filter(
            lambda t: t.isprintable() and t.strip() and settings.split(f":system={t}")[1] == (("system", t.strip()),)
        ),
    },
)


@steady
@given(api_settings, st.sampled_from(["openai/gpt-4o", "ollama/llava:7b", "vllm/a/b@http://h:1/v1"]))
def test_a_subjects_own_name_finds_the_same_subject(chosen, bare):
    pairs = ",".join(f"{name}={value}" for name, value in chosen.items())
    who = found(f"{bare}:{pairs}" if pairs else bare)
    again = found(who.name)
    assert (again.name, dict(again.settings)) == (who.name, dict(who.settings))
    assert who.settings["temperature"] is not None


@steady
@given(st.text(max_size=40))
def test_any_text_is_a_subject_or_one_clear_line(text):
    for name in (text, f"openai/{text}", f"sim/{text}", f"openai/m:{text}", f"openai/m@{text}", f"sim/ideal:{text}"):
        if name.startswith("inspect/"):
            continue
        line = said(name)
        assert line is None or (line and line.isprintable())


def said(name):
    """The line a wrong name gets, None if it is right."""
    try:
        found(name)
    except UserError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("opnai/gpt-4o", ["provider 'opnai'", "openai"]),
        ("gpt-4o", ["subject 'gpt-4o'", "openai"]),
        ("", ["known: openai"]),
        ("openai/", ["openai/MODEL"]),
        ("openai/@https://h/v1", ["openai/MODEL"]),
        ("sim/", ["sim/NAME"]),
        ("sim/fixatd", ["'fixatd'", "fixated"]),
        ("sim/ideal:se=1", ["setting 'se' of sim/ideal", "see"]),
        ("sim/ideal:see=1.5", ["see='1.5'", "a probability from 0 to 1"]),
        ("sim/ideal:see=nan", ["see='nan'", "a probability"]),
        ("sim/ideal:style=loud", ["'loud'", "plain, chatty, long"]),
        ("sim/ideal:seed=x", ["seed='x'", "whole number"]),
        ("openai/m:temprature=1", ["'temprature'", "temperature"]),
        ("openai/m:temperature=hot", ["temperature='hot'", "from 0 to 2"]),
        ("openai/m:temperature=-1", ["temperature='-1'", "from 0 to 2"]),
        ("mistral/m:temperature=1.6", ["temperature='1.6'", "from 0 to 1.5"]),
        ("mistral/m:seed=1", ["setting 'seed' of mistral/m"]),
        ("anthropic/m:temperature=1.5", ["temperature='1.5'", "from 0 to 1"]),
        ("anthropic/m:seed=1", ["setting 'seed' of anthropic/m"]),
        ("openai/m:max_tokens=0", ["max_tokens='0'", "from 1"]),
        ("openai/m:max_tokens=٣", ["max_tokens='٣'", "from 1"]),
        ("openai/m:detail=huge", ["'huge'", "low, high, original, auto"]),
        ("openai/m:seed=1,seed=2", ["seed is set twice"]),
        ("openai/m:system=", ["system=''", "some words"]),
        ("openai/m@localhost:8000", ["http://"]),
        ("openai/m@ftp://host/v1", ["http://"]),
        ("openai/m@http://", ["'http://'", "not an address"]),
        ("openai/m@http://h:port/v1", ["not an address"]),
        ("openai/m@http://u:secretpass@h/v1", ["user name or password", "SNELLEN_API_KEY"]),
        ("openai/m@http://h/v1?api-key=secretpass", ["query"]),
        ("openai/m\n", ["unprintable characters"]),
        ("twin:see=1", ["twin"]),
        ("twin/x", ["twin"]),
        ("truth:see=1", ["truth"]),
    ],
)
def test_a_wrong_name_gets_one_line_that_helps(name, words):
    with pytest.raises(UserError) as error:
        found(name)
    line = str(error.value)
    assert all(word in line for word in words), line
    assert "\n" not in line
    assert "secretpass" not in line


def test_model_names_may_hold_an_at_sign():
    who = found("openai/@cf/meta/llama@https://h/v1")
    assert who.name == "openai/@cf/meta/llama@https://h/v1"


@pytest.mark.parametrize("place", [p.name for p in PROVIDERS.values() if p.needs_key])
async def test_a_missing_key_is_said_by_its_variable_when_it_is_needed(place):
    env = {PROVIDERS[place].keys[0]: "  ", "AZURE_OPENAI_ENDPOINT": AZURE}
    who = subject(f"{place}/m", env=env)  # naming needs no key: an exam can be planned without
    with pytest.raises(UserError, match=f"needs a key: set {PROVIDERS[place].keys[0]}"):
        async with who:
            pass
    env[PROVIDERS[place].keys[0]] = "sk-test-0123456789abcdef"
    async with who:
        pass


@pytest.mark.parametrize("name", ["ollama/m", "vllm/m", "sglang/m", "openai/m@http://h:1/v1"])
async def test_own_servers_need_no_key(name):
    async with subject(name, env={}) as who:
        assert who.name == name


@pytest.mark.parametrize(
    ("name", "endpoint", "expected"),
    [
        ("azure/gpt", "https://mine.openai.azure.com", f"azure/gpt@{AZURE}"),
        ("azure/gpt", "https://mine.openai.azure.com/", f"azure/gpt@{AZURE}"),
        ("azure/gpt", AZURE + "/", f"azure/gpt@{AZURE}"),
        ("azure/gpt@https://mine.openai.azure.com", "", f"azure/gpt@{AZURE}"),
        ("azure/gpt@https://else.example/base", AZURE, "azure/gpt@https://else.example/base"),
        ("anthropic/m@https://proxy.example/v1", "", "anthropic/m@https://proxy.example"),
        ("anthropic/m@https://proxy.example/v1/", "", "anthropic/m@https://proxy.example"),
    ],
)
def test_an_address_is_completed_where_people_leave_part_of_it_out(name, endpoint, expected):
    who = subject(name, env={"AZURE_OPENAI_ENDPOINT": endpoint})
    assert who.name == expected
    assert subject(who.name, env={}).name == expected


def test_a_provider_without_an_address_for_all_asks_for_one():
    for env in ({}, {"AZURE_OPENAI_ENDPOINT": " "}):
        with pytest.raises(UserError, match="set AZURE_OPENAI_ENDPOINT"):
            subject("azure/gpt", env=env)
    with pytest.raises(UserError, match="AZURE_OPENAI_ENDPOINT: 'mine' is not an address"):
        subject("azure/gpt", env={"AZURE_OPENAI_ENDPOINT": "mine"})


@pytest.mark.parametrize("name", ELSEWHERE)
def test_names_known_elsewhere_get_told_what_to_write(name):
    with pytest.raises(UserError) as error:
        found(f"{name}/some-model")
    instead = str(error.value).partition("; write ")[2]
    assert instead == ELSEWHERE[name]
    assert instead.partition("/")[0] in (*PROVIDERS, "inspect")
    assert name not in PROVIDERS


@pytest.mark.parametrize(
    ("base", "nearby"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://[fe80::1]/v1", True),
        ("http://[fd00::7]/v1", True),
        ("http://10.1.2.3/v1", True),
        ("http://172.16.0.9:1/v1", True),
        ("http://172.32.0.9:1/v1", False),
        ("http://192.168.1.20:11434/v1", True),
        ("http://169.254.1.1/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("https://laptop.local/v1", True),
        ("https://models.lan/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("https://localhost.example.com/v1", False),
    ],
)
def test_servers_nearby_are_told_from_services(base, nearby):
    """What is nearby is one machine for all its models; a service has limits for each."""
    assert is_nearby(base) == nearby
    who = subject(f"openai/m@{base}", env={})
    assert who.abilities.server == (base if nearby else "")
    assert who.abilities.timeout == 300


@pytest.mark.parametrize(
    "base",
    [
        "http://h/ü",
        "http://exämple/v1",
        "http://h h/v1",
        "http://a..b/v1",
        "http://" + "a" * 64,
        "http://" + "a." * 200,
        "http://h/\\",
        "http://h/{x}",
        "http://h:99999/v1",
        "http://[::1/v1",
        "http://h\x00/v1",
        "http://\u202eh/v1",
    ],
)
def test_odd_addresses_get_one_line(base):
    with pytest.raises(UserError) as error:
        subject(f"openai/m@{base}", env=KEYS)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    "base", ["http://h/%zz", "http://h/a;b,c!$&'()*+=~", "http://xn--bcher-kva.example", "http://1.2.3"]
)
def test_addresses_that_look_odd_but_are_not(base):
    assert subject(f"openai/m@{base}", env=KEYS).name == f"openai/m@{base}"


def test_the_default_subject_exists():
    assert subject(DEFAULT_SUBJECT, env={}).name == DEFAULT_SUBJECT


def test_finding_a_simulated_subject_loads_no_network_library():
    code = "import sys; from snellen.subjects import subject; subject('sim/ideal'); print('aiohttp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_inspect_subjects_take_the_same_settings():
    pytest.importorskip("inspect_ai")
    name = "inspect/mockllm/model:temperature=default,max_tokens=9,system=Be brief."
    who = found(name)
    assert who.name == name
    assert who.settings == {"temperature": None, "max_tokens": 9, "system_message": "Be brief."}
    assert found("inspect/mockllm/model").settings == {"temperature": 0}
    with pytest.raises(UserError, match="'max_pixels'"):
        found("inspect/mockllm/model:max_pixels=100")
