"""What today's models return beside their answer: thinking, log-probabilities, counts; and what a call may ask for."""

import json

import pytest
from scripted_api import PNG, a_call, openai_says

from snellen.call import Call, Message, Token
from snellen.errors import UserError
from snellen.item import Picture
from snellen.subjects import subject


async def ask(api, settings="", provider="openai", **changed):
    at = api.url.removesuffix("/v1") if provider == "anthropic" else api.url
    async with subject(f"{provider}/m@{at}{settings}", env={}) as who:
        call = a_call(who)
        return await who.answer(Call(call.subject, {**call.settings, **changed}, call.messages))


@pytest.mark.parametrize(
    ("message", "thinking"),
    [
        ({"reasoning_content": "Row one."}, "Row one."),
        ({"reasoning": "Row one."}, "Row one."),
        ({"reasoning_content": None, "reasoning": "Row one."}, "Row one."),
        ({"reasoning_details": [{"type": "text", "text": "Row"}, {"type": "x", "summary": "one"}]}, "Row\none"),
        ({"reasoning_details": "not a list"}, ""),
        ({"reasoning": 7}, ""),
        ({}, ""),
    ],
)
async def test_thinking_is_kept_under_whatever_name_it_comes(api, message, thinking):
    api.says(openai_says("X", **message))
    reply = await ask(api)
    assert (reply.text, reply.reasoning) == ("X", thinking)


async def test_thinking_among_the_parts_of_a_message(api):
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Row one."}]},
        {"type": "text", "text": "X wins."},
        {"type": "thinking", "thinking": " Surely."},
    ]
    api.says(openai_says(parts))
    reply = await ask(api)
    assert (reply.text, reply.reasoning) == ("X wins.", "Row one. Surely.")


async def test_thinking_blocks_of_anthropic(api):
    content = [
        {"type": "thinking", "thinking": "Row one.", "signature": "s"},
        {"type": "redacted_thinking", "data": "zzz"},
        {"type": "text", "text": "X"},
    ]
    api.says({"content": content, "stop_reason": "end_turn", "usage": {}, "model": "c"})
    reply = await ask(api, ":thinking=2000,temperature=default,structured=json", "anthropic", schema={"type": "object"})
    assert (reply.text, reply.reasoning) == ("X", "Row one.")
    sent = api.sent[0].json
    assert sent["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert sent["output_config"] == {"format": {"type": "json_schema", "schema": {"type": "object"}}}
    assert "temperature" not in sent
    await ask(api, ":thinking=adaptive,temperature=default", "anthropic")
    assert api.sent[1].json["thinking"] == {"type": "adaptive"}


async def test_stop_strings_are_sent_as_each_api_names_them(api):
    api.says(openai_says("X"))
    await ask(api, r':stop=["\n\n", "###"]')
    assert api.sent[0].json["stop"] == ["\n\n", "###"]
    api.says({"content": [{"type": "text", "text": "X"}], "stop_reason": "end_turn"})
    await ask(api, ":stop=###", "anthropic")
    assert api.sent[1].json["stop_sequences"] == ["###"]


async def test_counts_of_pictures_and_of_thinking(api):
    body = openai_says("X")
    body["usage"] |= {
        "prompt_tokens_details": {"image_tokens": 300, "cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 64},
    }
    api.says(body)
    reply = await ask(api)
    assert (reply.tokens_picture, reply.tokens_reasoning) == (300, 64)
    body["usage"] |= {"prompt_tokens_details": None, "completion_tokens_details": {"reasoning_tokens": "many"}}
    api.says(body)
    reply = await ask(api)
    assert (reply.tokens_picture, reply.tokens_reasoning) == (None, None)


async def test_log_probabilities_where_asked_for(api):
    body = openai_says("X wins")
    others = [{"token": "X", "logprob": -0.1}, {"token": "O", "logprob": -2}]
    body["choices"][0]["logprobs"] = {
        "content": [
            {"token": "X", "logprob": -0.1, "top_logprobs": others},
            {"token": " wins", "logprob": -0.5, "top_logprobs": []},
        ]
    }
    api.says(body)
    reply = await ask(api, ":logprobs=2")
    assert reply.tokens == (Token("X", -0.1, (("X", -0.1), ("O", -2.0))), Token(" wins", -0.5, ()))
    assert (api.sent[0].json["logprobs"], api.sent[0].json["top_logprobs"]) == (True, 2)
    await ask(api, ":logprobs=0")
    assert "top_logprobs" not in api.sent[1].json
    await ask(api)
    assert "logprobs" not in api.sent[2].json


@pytest.mark.parametrize("odd", [None, {}, {"content": None}, {"content": [{"token": "X"}]}, {"content": "X"}, [1]])
async def test_odd_log_probabilities_are_none(api, odd):
    body = openai_says("X")
    body["choices"][0]["logprobs"] = odd
    api.says(body)
    assert (await ask(api)).tokens == ()


async def test_of_a_long_reply_the_last_tokens_are_kept(api):
    body = openai_says("a" * 2000)
    body["choices"][0]["logprobs"] = {"content": [{"token": "a", "logprob": -k / 1e4} for k in range(2000)]}
    api.says(body)
    tokens = (await ask(api, ":logprobs=0")).tokens
    assert len(tokens) == 512
    assert tokens[-1].logprob == -0.1999


async def test_a_call_may_change_settings(api):
    api.says(openai_says("X"))
    async with subject(f"openai/m@{api.url}:temperature=0.5,detail=low", env={}) as who:
        plain = a_call(who)
        more = {"reasoning_effort": "high", "detail": "original", "system": "Be brief."}
        changed = {**who.settings, "temperature": 1, **more}
        await who.answer(plain)
        await who.answer(Call(who.name, changed, plain.messages))
        await who.answer(plain)
    first, second, third = (sent.json for sent in api.sent)
    assert first == third
    assert (first["temperature"], second["temperature"]) == (0.5, 1)
    assert second["reasoning_effort"] == "high"
    assert "reasoning_effort" not in first
    assert [_detail(sent) for sent in (first, second, third)] == ["low", "original", "low"]
    assert second["messages"][0] == {"role": "system", "content": "Be brief."}


def _detail(sent):
    parts = sent["messages"][-1]["content"]
    return next(part["image_url"]["detail"] for part in parts if part["type"] == "image_url")


async def test_the_form_of_the_answer_as_a_schema(api):
    api.says(openai_says('{"answer": "X"}'))
    schema = {"type": "object", "properties": {"answer": {"type": "string", "enum": ["X", "O"]}}}
    await ask(api, ":structured=json", schema=schema)
    form = api.sent[0].json["response_format"]
    assert form == {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


async def test_whatever_else_a_server_wants(api):
    api.says(openai_says("X"))
    await ask(api, ':extra={"chat_template_kwargs": {"enable_thinking": false}, "top_k": 1}')
    sent = api.sent[0].json
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}
    assert sent["top_k"] == 1
    assert json.loads(subject("openai/m@http://h:extra={}", env={}).settings["extra"]) == {}
    with pytest.raises(UserError, match="a JSON object"):
        subject("openai/m@http://h:extra=[1]", env={})


async def test_several_turns_go_out_as_such(api):
    api.says(openai_says("O"))
    async with subject(f"openai/m@{api.url}", env={}) as who:
        messages = (
            Message("system", ("Play fair.",)),
            Message("user", (Picture(PNG), "Who won?")),
            Message("assistant", ("X",)),
            Message("user", ("Are you sure?",)),
        )
        await who.answer(Call(who.name, who.settings, messages))
    roles = [message["role"] for message in api.sent[0].json["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


def test_settings_that_may_differ_from_call_to_call():
    per_call = subject("openai/m@http://h/v1", env={}).abilities.per_call
    assert per_call["reasoning_effort"]("high") == "high"
    assert per_call["temperature"]("0.5") == 0.5
    assert "timeout" not in per_call
    with pytest.raises(UserError, match="reasoning_effort='hgih': expected one of none"):
        per_call["reasoning_effort"]("hgih")
