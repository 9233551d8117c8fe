"""Similarity of texts: from a server's vectors, and offline."""

import asyncio
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.call import CallFailed
from snellen.errors import UserError
from snellen.subjects import embedding_api
from snellen.subjects.embedding import embedder, lexical_similarity

KEY = "sk-live-THIS-IS-THE-SECRET-0123456789"
VECTORS = {"east": [2, 0], "north": [0, 5], "west": [-1, 0], "north-east": [3, 3]}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(embedding_api, "_LONGEST_WAIT", 0)


def vectors(sent, known=VECTORS):
    """What a server says to a request: the vectors, last text first, so that only `index` tells which is which."""
    texts = sent.json["input"]
    data = [{"object": "embedding", "index": i, "embedding": known.get(text, [1, 1])} for i, text in enumerate(texts)]
    return 200, {}, json.dumps({"object": "list", "data": data[::-1], "model": "m"}).encode()


async def similarity(api, pairs, settings="", env=None):
    async with embedder(f"openai/m@{api.url}{settings}", env=env or {}) as alike:
        return await alike.similarity(pairs)


async def test_the_cosines_of_a_servers_vectors(api):
    api.answer = vectors
    pairs = [("east", "north"), ("east", "east"), ("east", "west"), ("north", "north-east")]
    assert await similarity(api, pairs, env={"SNELLEN_API_KEY": KEY}) == pytest.approx([0, 1, -1, 0.5**0.5])
    (sent,) = api.sent
    assert sent.path == "/v1/embeddings"
    assert sent.headers["Authorization"] == f"Bearer {KEY}"
    assert sent.json == {"model": "m", "input": ["east", "north", "west", "north-east"], "encoding_format": "float"}


async def test_settings_go_out_and_into_the_name(api):
    api.answer = vectors
    who = embedder(f"openai/m@{api.url}:dimensions=2,timeout=9", env={})
    assert (who.name, who.settings) == (f"openai/m@{api.url}:dimensions=2", {"dimensions": 2})
    async with who:
        await who.similarity([("east", "north")])
    assert api.sent[0].json["dimensions"] == 2


async def test_empty_texts_are_like_nothing_and_are_not_sent(api):
    api.answer = vectors
    assert await similarity(api, [("", "east"), (" \n", ""), ("east", "east")]) == pytest.approx([0, 0, 1])
    assert [sent.json["input"] for sent in api.sent] == [["east"]]
    assert await similarity(api, []) == []
    assert len(api.sent) == 1


async def test_each_text_is_sent_once_in_batches_of_bounded_size(api):
    api.answer = vectors
    pairs = [(f"text {i % 300}", "east") for i in range(900)]
    assert len(await similarity(api, pairs)) == 900
    sent = [text for each in api.sent for text in each.json["input"]]
    assert sorted(sent) == sorted({text for pair in pairs for text in pair})
    assert max(len(each.json["input"]) for each in api.sent) == 128
    api.sent.clear()
    await similarity(api, [("a" * 150_000, "b" * 150_000), ("c" * 300_000, "d")])
    assert [len(each.json["input"]) for each in api.sent] == [1, 1, 1, 1]


async def test_texts_of_any_kind_arrive_as_they_are(api):
    api.answer = vectors
    words = 'quote " NUL \0 emoji \U0001f600 half \ud83d'
    await similarity(api, [(words, "east")])
    assert api.sent[0].json["input"] == [words, "east"]


@pytest.mark.parametrize(
    ("status", "body", "kind", "fatal"),
    [
        (401, {"error": {"message": f"bad key {KEY}"}}, "key", True),
        (404, {"error": {"message": "no such model"}}, "rejected", True),
        (400, {"error": {"message": f"too long, {KEY}"}}, "rejected", False),
        (302, b"", "rejected", True),
    ],
)
async def test_a_failure_that_will_not_pass_is_raised_at_once(api, status, body, kind, fatal):
    api.says(body, status)
    with pytest.raises(CallFailed) as failed:
        await similarity(api, [("a", "b")], env={"SNELLEN_API_KEY": KEY})
    assert (failed.value.kind, failed.value.fatal, failed.value.passing) == (kind, fatal, False)
    assert KEY not in str(failed.value)
    assert len(api.sent) == 1


async def test_a_busy_server_is_asked_again_a_few_times(api):
    def busy_twice(sent):
        return vectors(sent) if len(api.sent) == 3 else (429, {"Retry-After": "7"}, b"{}")

    api.answer = busy_twice
    assert await similarity(api, [("east", "east")]) == pytest.approx([1])
    api.says({}, 500)
    with pytest.raises(CallFailed) as failed:
        await similarity(api, [("east", "east")])
    assert (failed.value.kind, len(api.sent)) == ("server", 3 + 4)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"<html>",
        {},
        {"data": []},
        {"data": None},
        {"data": [{"embedding": [1, 0], "index": 0}]},
        {"data": [{"embedding": [1, 0], "index": 0}] * 2},
        {"data": [{"embedding": [1, 0], "index": 0}, {"embedding": [1, 0, 0], "index": 1}]},
        {"data": [{"embedding": [1, 0], "index": 0}, {"embedding": [0, 0], "index": 1}]},
        {"data": [{"embedding": [], "index": 0}, {"embedding": [], "index": 1}]},
        {"data": [{"embedding": "AAAA", "index": 0}, {"embedding": "AAAA", "index": 1}]},
        {"data": [{"embedding": ["a"], "index": 0}, {"embedding": [1], "index": []}]},
        b'{"data": [{"embedding": [NaN, 1], "index": 0}, {"embedding": [1, 1], "index": 1}]}',
        b'{"data": [{"embedding": [1e308, 1e308], "index": 0}, {"embedding": [1, 1], "index": 1}]}',
        {"data": [[[1]], [[1]]]},
    ],
)
async def test_an_answer_without_the_vectors_is_malformed(api, body):
    api.says(body)
    with pytest.raises(CallFailed) as failed:
        await similarity(api, [("a", "b")])
    assert failed.value.kind == "malformed"
    assert len(api.sent) == 4


async def test_batches_whose_vectors_differ_in_length_are_malformed(api):
    def growing(sent):
        return vectors(sent, {text: [1.0] * len(sent.json["input"]) for text in sent.json["input"]})

    api.answer = growing
    with pytest.raises(CallFailed, match="different lengths"):
        await similarity(api, [(f"text {i}", "x") for i in range(150)])


async def test_no_server_is_said_so():
    async with embedder("openai/m@http://127.0.0.1:9/v1", env={}) as alike:
        with pytest.raises(CallFailed) as failed:
            await alike.similarity([("a", "b")])
    assert (failed.value.kind, failed.value.fatal) == ("unreachable", True)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ofline", ["'ofline'", "offline"]),
        ("offline:see=1", ["write offline"]),
        ("anthropic/m", ["'anthropic'"]),
        ("openai/", ["openai/MODEL"]),
        ("openai/m@localhost:80", ["http://"]),
        ("openai/m@http://h/v1:temperature=1", ["'temperature'"]),
        ("openai/m@http://h/v1:dimensions=0", ["dimensions='0'"]),
        ("offline\n", ["unprintable characters"]),
    ],
)
def test_a_wrong_name_gets_one_line_that_helps(name, words):
    with pytest.raises(UserError) as error:
        embedder(name, env={})
    assert all(word in str(error.value) for word in words), str(error.value)


def test_the_key_of_a_service_is_found_where_all_subjects_find_it():
    who = embedder("openai/text-embedding-3-small", env={"OPENAI_API_KEY": KEY})
    assert who.name == "openai/text-embedding-3-small"
    assert KEY not in repr(who) + repr(vars(who)) + json.dumps(dict(who.settings))


def test_offline_is_the_default_and_loads_no_network_library():
    assert asyncio.run(embedder().similarity([("a dog", "dogs"), ("", "x")]))[1] == 0
    code = (
        "import sys; from snellen.subjects.embedding import embedder; print(embedder().name, 'aiohttp' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["offline", "False"]


def test_offline_what_is_closer_in_words_is_more_alike():
    rule = "a person riding a bicycle"
    by_likeness = [
        "A person is riding a bicycle.",
        "persons who ride bicycles",
        "someone with a bicycle",
        "a bowl of fruit on a table",
    ]
    found = [lexical_similarity(rule, text) for text in by_likeness]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1
    assert found[-1] < 0.1
    assert lexical_similarity("a picture of it", "an image of it") > 0.3  # nothing but common words: those count
    assert lexical_similarity("red", "not red") < 1


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=60), st.text(max_size=60))
def test_offline_likeness_is_symmetric_and_between_nothing_and_all(one, other):
    value = lexical_similarity(one, other)
    assert 0 <= value <= 1
    assert value == pytest.approx(lexical_similarity(other, one))
    assert lexical_similarity(one, one) == (1 if any(c.isalnum() or c == "_" for c in one) else 0)


async def test_a_missing_key_is_said_when_it_is_needed():
    with pytest.raises(UserError, match="OPENAI_API_KEY"):
        async with embedder("openai/m", env={}):
            pass
