"""Errors in the very formats of a dozen providers: each is taken for what it is, and told in one line."""

import json
from pathlib import Path

import pytest
from scripted_api import a_call

from snellen.call import CallFailed, Reply
from snellen.subjects import subject
from snellen.subjects.providers import PROVIDERS

BODIES = json.loads((Path(__file__).parent / "error_bodies.json").read_text("utf-8"))
KEY = "sk-test-0123456789abcdef"
MEANS = {
    # cause: (kind, worth another try, when the exam ends), words of the line
    "bad key": (("key", False, "at first"), ("key in SNELLEN_API_KEY",)),
    "unknown model": (("rejected", False, "at first"), ("no model 'm' at http", "check the name")),
    "rate limit": (("busy", True, ""), ("the server is busy (429: ",)),
    "overloaded": (("busy", True, ""), ("the server is busy (",)),
    "context length": (("rejected", False, ""), ("rejected the call (4", "max_pixels=N", "max_tokens=N")),
    "bad request": (("rejected", False, ""), ("rejected the call (4",)),
}
NOT_CLEAR = {("mistral", "bad key"), ("vllm", "bad key")}
"""Words that any gateway may use: the key is taken to be wrong once three calls in a row are turned away."""


def words_of(body):
    """The server's own account: the innermost message."""
    error = body[0] if isinstance(body, list) else body
    error = error.get("error", error)
    return error if isinstance(error, str) else error.get("message") or error.get("detail")


@pytest.mark.parametrize("entry", BODIES, ids=[f"{entry['provider']}-{entry['cause']}" for entry in BODIES])
async def test_each_body_means_what_it_means(api, entry):
    provider, cause, body = entry["provider"], entry["cause"], entry["body"]
    api.says(body, entry["status"])
    at = api.url.removesuffix("/v1") if provider == "anthropic" else api.url
    name = provider if provider in PROVIDERS else "openai"
    async with subject(f"{name}/m@{at}", env={"SNELLEN_API_KEY": KEY}) as who:
        if cause == "content filter":
            reply = await who.answer(a_call(who))
            assert isinstance(reply, Reply)
            assert reply.finish == "refused"
            return
        with pytest.raises(CallFailed) as caught:
            await who.answer(a_call(who))
    failed, line = caught.value, str(caught.value)
    (kind, passing, believed), words = MEANS[cause]
    if (provider, cause) in NOT_CLEAR:
        believed = "in a row"
    assert (failed.kind, failed.passing) == (kind, passing), line
    assert (failed.fatal, failed.believed if failed.fatal else "") == (bool(believed), believed), line
    assert all(word in line for word in words), line
    assert line.isprintable()
    assert len(line) < 700
    assert KEY not in line
    said = words_of(body)
    if isinstance(said, str) and entry["status"] != 401:
        assert " ".join(said.split())[:60] in line, "the server's own words are quoted"


def test_there_are_bodies_of_ten_providers_and_more():
    assert len({entry["provider"] for entry in BODIES}) >= 12
    assert {entry["cause"] for entry in BODIES} == {*MEANS, "content filter"}
    for cause in MEANS:
        assert len({entry["provider"] for entry in BODIES if entry["cause"] == cause}) >= 9, cause
