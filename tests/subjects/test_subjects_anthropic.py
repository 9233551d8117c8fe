"""Anthropic's own dialect."""

import base64

import pytest
from scripted_api import PNG, a_call

from snellen.call import Call, CallFailed, Message, Reply
from snellen.item import Picture
from snellen.subjects import subject

KEY = "sk-ant-0123456789abcdef"


def says(*texts, stop="end_turn", **more):
    content = [{"type": "thinking", "thinking": "hm"}, *({"type": "text", "text": text} for text in texts)]
    usage = {"input_tokens": 100, "output_tokens": 5, "cache_read_input_tokens": 20}
    return {"type": "message", "model": "claude-x-1", "content": content, "stop_reason": stop, "usage": usage, **more}


async def ask(api, settings=""):
    async with subject(f"anthropic/claude-x@{api.url}{settings}", env={"SNELLEN_API_KEY": KEY}) as who:
        return await who.answer(a_call(who))


async def test_a_call_goes_out_as_the_api_wants_it(api):
    api.says(says("X", " wins"))
    assert await ask(api, ":top_p=0.9,reasoning_effort=high") == Reply(
        "X wins", "stop", 120, 5, "claude-x-1", "hm", tokens_cached=20
    )
    (sent,) = api.sent
    assert sent.path == "/v1/messages"
    assert sent.headers["x-api-key"] == KEY
    assert sent.headers["anthropic-version"] == "2023-06-01"
    assert "Authorization" not in sent.headers
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()}
    assert sent.json == {
        "model": "claude-x",
        "max_tokens": 4096,
        "temperature": 0,
        "top_p": 0.9,
        "output_config": {"effort": "high"},
        "messages": [
            {
                "role": "user",
                "content": [{"type": "image", "source": source}, {"type": "text", "text": "Who won?"}],
            }
        ],
    }


async def test_system_words_have_a_place_of_their_own(api):
    api.says(says("X"))
    async with subject(f"anthropic/m@{api.url}:system=Be brief.", env={}) as who:
        turns = (Message("system", ("And kind.",)), Message("user", ("q", Picture(PNG))))
        await who.answer(Call(who.name, who.settings, turns))
    sent = api.sent[0].json
    assert sent["system"] == "Be brief.\n\nAnd kind."
    assert [m["role"] for m in sent["messages"]] == ["user"]


@pytest.mark.parametrize(
    ("stop", "finish"),
    [("end_turn", "stop"), ("stop_sequence", "stop"), ("max_tokens", "length"), ("refusal", "refused")],
)
async def test_how_a_reply_ended(api, stop, finish):
    api.says(says("X", stop=stop))
    assert (await ask(api)).finish == finish


async def test_a_refusal_may_be_silent(api):
    api.says({"content": [], "stop_reason": "refusal"})
    assert await ask(api) == Reply("", "refused")


@pytest.mark.parametrize("answer", [{}, {"content": None, "stop_reason": "end_turn"}, {"content": [7]}])
async def test_an_answer_that_is_none_is_malformed(api, answer):
    api.says(answer)
    with pytest.raises(CallFailed) as failed:
        await ask(api)
    assert (failed.value.kind, failed.value.passing) == ("malformed", True)


async def test_overload_is_busy_and_a_rejected_temperature_names_the_remedy(api):
    api.says({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, 529)
    with pytest.raises(CallFailed) as failed:
        await ask(api)
    assert (failed.value.kind, failed.value.passing) == ("busy", True)
    message = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
    api.says({"type": "error", "error": {"type": "invalid_request_error", "message": message}}, 400)
    with pytest.raises(CallFailed, match=":temperature=default") as failed:
        await ask(api, ":top_p=0.9")
    assert failed.value.fatal
