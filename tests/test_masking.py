"""Keys in text are found by their looks; what only looks random is left alone."""

import hashlib
import json
import re
import string
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen import masking
from snellen.call import CallFailed, Reply, Token, without_secrets
from snellen.errors import UserError
from snellen.masking import LOOKS_LIKE, is_random, learn_environment, mask, secret_in
from support.planted_keys import KINDS, Planted

AROUND = ["{}", "you sent {}", "({})", '{{"error": "{}"}}', "first\n{}\nlast", "key {}, please", "x={};", "'{}'"]
ORDINARY = [
    "The winner is X, since X has three in a row: X-O-X / O-X-O / O-X-X.",
    "Task-specific risk-averse desk-based mask-like sk-learn-pipelines-version-12-and-more",
    "commit 58ca6ba2d7f0a1b3c4d5e6f708192a3b4c5d6e7f, digest sha256:" + hashlib.sha256(b"x").hexdigest(),
    str(UUID(int=Random(1).getrandbits(128))),
    "local//data/models/Qwen2.5-VL-3B-Instruct/checkpoint-1200/adapter_model_0001",
    "Qwen/Qwen2.5-VL-3B-Instruct-AWQ gpt-4o-2024-08-06 claude-sonnet-4-5-20250929 hf_hub_download_v2_for_all_models",
    '{"answer_key": "A1B2C3", "token": "winner", "tokens": [123456789012345678901234], "key": "row 3, column 4"}',
    '"token": 1.2345678901234567e-05, "max_tokens": 4096, "prompt_token_ids_v1": "none"',
    "The secret is that the password field says Authorization required, and the bearer of bad news left.",
    "api_key=EMPTY token-abc123 sk-no-key-required lm-studio not-needed Bearer EMPTY",
    "secret: /run/secrets/openai_key_1/value_2 api_key: projects/123456/secrets/openai",
    "openai/m@http://localhost:8000/v1,openai/n@http://localhost:8001/v1 small=vllm/a@http://gpu-box:8000/v1",
    "data:image/png;base64," + b64encode(Random(2).randbytes(30_000)).decode(),
    "hexhexhex" + "deadbeef" * 40 + " counterclockwise-oriented/upside-down 2024-08-06T12:00:00.000Z",
    "[begin 1f2e3d4c5b6a7980]\nX\n[end 1f2e3d4c5b6a7980]",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("kind", KINDS)
def test_a_key_is_found_wherever_it_stands(kind: str, around: str) -> None:
    planted = Planted()
    for number in range(20):
        text = around.format(planted.key(kind, str(number)))
        for written in (text, json.dumps({"text": text}), json.dumps(json.dumps([text]))):
            masked = mask(written)
            assert LOOKS_LIKE in masked
            assert not planted.found(masked), written
            assert mask(masked) == masked
        assert secret_in(text)
        assert json.loads(mask(json.dumps({"text": text})))["text"]


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_looks_random_stays(text: str) -> None:
    assert mask(text) == text
    assert mask(json.dumps(text)) == json.dumps(text)
    assert not secret_in(text, strict=True)


def test_no_reply_of_the_golden_sets_is_touched() -> None:
    files = sorted((Path(__file__).parent / "answer").rglob("*.jsonl"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    assert len(lines) > 4000
    assert [line for line in lines if mask(line) != line or secret_in(line, strict=True)] == []


@given(st.text(string.ascii_letters + string.digits + "-_./+=:@ \n\"'", max_size=200))
def test_random_text_without_a_telling_prefix_or_name_stays(text: str) -> None:
    telling = re.compile(r"|".join([*map(re.escape, masking._BODIES), "://", *masking._HINTS]), re.IGNORECASE)
    assert mask(telling.sub(" ", text)) == telling.sub(" ", text)


@given(st.text(), st.text())
def test_a_key_is_found_between_any_words(before: str, after: str) -> None:
    planted = Planted()
    text = f"{before} {planted.key('gemini', 'text')} {after}"
    assert not planted.found(mask(text))


@pytest.mark.parametrize("key", ["correct-horse-battery", 'a/b"c\\d+e%f&g', "x" * 12])
def test_a_key_of_this_process_is_masked_whatever_it_looks_like(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masking, "_known", {})
    assert mask(f"<{key}>") == f"<{key}>"
    learn_environment({"SOME_API_KEY": key, "OTHER": "three in a row wins", "PASSWORD": "short"})
    assert (
        mask(f"<{key}> three in a row wins, short") == "<[masked: the key in SOME_API_KEY]> three in a row wins, short"
    )
    assert key not in mask(json.dumps({"sent": key}))
    assert secret_in(f"x{key}x") == "the key in SOME_API_KEY"


def test_what_users_write_is_held_to_more() -> None:
    value = "4fK9xQ2mLw81Zr0TbN7c"
    for text in (f"token={value}", f'{{"my_token": "{value}"}}', f"KEY: {value}", f"auth={value}"):
        assert not secret_in(text)
        assert secret_in(text, strict=True)


@pytest.mark.parametrize(
    "value", ["EMPTY", "winner-takes-all-of-it", "20241118123456789012", "1e-300000000000001", "/a/b1c2d3e4f5g6h7"]
)
def test_words_numbers_and_paths_are_not_random(value: str) -> None:
    assert not is_random(value)


def test_tokens_that_spell_a_key_go() -> None:
    key = Planted().key("groq", "tokens")
    tokens = tuple(Token(key[k : k + 4], -0.1) for k in range(0, len(key), 4))
    assert without_secrets(Reply(f"it is {key}", tokens=tokens)).tokens == ()
    assert without_secrets(Reply("X", tokens=tokens)) == Reply("X")
    plain = Reply("X wins", tokens=(Token("X", -0.1), Token(" wins", -0.2)))
    assert without_secrets(plain) is plain


@pytest.mark.parametrize("error", [UserError, lambda words: CallFailed("server", words)])
def test_no_error_line_shows_a_key(error: Callable[[str], Exception]) -> None:
    planted = Planted()
    told = error(f"no such thing: {planted.key('gemini', 'error')}")
    assert not planted.found(f"{told} {told!r} {told.args}")
