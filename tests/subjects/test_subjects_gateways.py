"""Servers that turn calls away: a wrong name or key is noticed at once, a single odd answer costs one call."""

import json
from dataclasses import replace
from zlib import crc32

import pytest
from scripted_api import openai_says

from snellen.engine import Engine, Patience, Store, ready, run
from snellen.item import Picture
from snellen.subjects import subject
from support.fakes import PICTURE, FakeJob, jobs
from support.lengths import some_of

KEY = "sk-test-0123456789abcdef"
QUICK = Patience(attempts=2, busy_attempts=2, first_pause=0.001, longest_pause=0.002)
TURNED_AWAY = [401, 403, 404, 302]
BLOCKED = b"<html><title>Request blocked</title>Our policy engine does not let this request through.</html>"
NO_MODEL = {"error": {"message": "The model `m` does not exist", "type": "x", "param": None, "code": "model_not_found"}}


def exam(who, n):
    """Jobs about pictures of their own."""
    for i, job in enumerate(jobs(who, n)):
        picture = Picture(PICTURE.data + i.to_bytes(4))
        messages = tuple(replace(message, parts=(picture, message.parts[1])) for message in job.call.messages)
        yield FakeJob(who, replace(job.call, messages=messages), job.key)


async def held(api, store, n, answer, at_once=16):
    """The summary of an exam at a server, and how many calls it was sent."""
    api.sent.clear()
    api.answer = answer
    async with subject(f"openai/m@{api.url}", env={"SNELLEN_API_KEY": KEY}) as who:
        engine = Engine(store, patience=QUICK, concurrency=at_once, chance=lambda: 0.0)
        summary = await run(ready(exam(who, n)), engine, store.begin_exam({}, {}), total=n)
    assert "\n" not in summary.problem
    return summary, len(api.sent)


def question(sent):
    return json.dumps(sent.json["messages"]).encode()


def answers(_):
    return 200, {}, json.dumps(openai_says()).encode()


def turns_away(status, body=BLOCKED, when=lambda _: True):
    headers = {"Location": "http://127.0.0.1:9/blocked"} if status < 400 else {}
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda sent: (status, headers, raw) if when(sent) else answers(sent)


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "s.db") as opened:
        yield opened


@some_of("status", TURNED_AWAY, 2)
async def test_a_filter_that_turns_some_bodies_away_lets_the_exam_finish(api, store, status):
    filtered = turns_away(status, when=lambda sent: crc32(question(sent)) % 25 == 0)
    summary, sent = await held(api, store, 300, filtered)
    assert (summary.ended, summary.done) == ("complete", 300)
    assert 4 <= summary.errors <= 25
    assert sent == 300
    [(reason, calls)] = summary.failures
    assert calls == summary.errors
    assert str(status) in reason or status == 401
    assert "other calls were answered" in reason
    rows = store.rows()
    assert rows.filter(reason="error")["outcome"].unique().to_list() == ["unread"]
    # The same command again: only what failed is asked, all of it fails as before, and that is no reason to give up.
    for _ in range(2):
        again, sent = await held(api, store, 300, filtered)
        assert (again.ended, again.done, again.errors, sent) == ("complete", summary.errors, summary.errors, sent)
    mended, _ = await held(api, store, 300, answers)
    assert (mended.ended, mended.errors, mended.done) == ("complete", 0, summary.errors)


@pytest.mark.parametrize("status", TURNED_AWAY)
async def test_a_first_call_that_is_turned_away_is_one_call(api, store, status):
    first = []

    def is_first(sent):
        first.append(question(sent))
        return first[-1] == first[0]

    summary, _ = await held(api, store, 40, turns_away(status, when=is_first))
    assert (summary.ended, summary.done, summary.errors) == ("complete", 40, 1)


@pytest.mark.parametrize("n", [2, 500])
@pytest.mark.parametrize("status", TURNED_AWAY)
async def test_one_that_turns_everybody_away_ends_the_exam_within_three_calls(api, store, status, n):
    for _ in range(2):
        summary, sent = await held(api, store, n, turns_away(status))
        assert summary.ended == "given up"
        assert sent <= 3
        assert summary.problem.startswith("openai")
        assert store.rows().filter(outcome="right").height == 0


@some_of("status", TURNED_AWAY, 3)
async def test_one_that_turns_everybody_away_from_some_time_on_ends_the_exam_soon(api, store, status):
    summary, sent = await held(api, store, 1000, turns_away(status, when=lambda _: len(api.sent) > 100))
    assert summary.ended == "given up"
    assert "for several calls in a row, after " in summary.problem
    assert sent <= 100 + 2 * 16
    assert summary.done - summary.errors >= 99, "an answer may come too late to be used"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, NO_MODEL),
        (400, NO_MODEL),
        (200, {"object": "error", "message": "The model `m` does not exist.", "code": 404}),
        (404, {"error": {"message": "model: m", "type": "not_found_error"}}),
        (401, {"error": {"message": "Incorrect API key provided: sk-x.", "code": "invalid_api_key"}}),
    ],
)
async def test_a_wrong_model_or_key_is_noticed_after_one_call(api, store, status, body):
    summary, sent = await held(api, store, 500, turns_away(status, body), at_once=64)
    assert (summary.ended, sent) == ("given up", 1)
