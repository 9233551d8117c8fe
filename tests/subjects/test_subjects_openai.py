"""The OpenAI dialect: what goes out, byte for byte, and what comes back."""

import base64
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image
from scripted_api import PNG, a_call, openai_says

from snellen.call import Call, CallFailed, Message, Reply
from snellen.item import Picture
from snellen.subjects import subject


async def ask(api, settings="", parts=(), env=None):
    async with subject(f"openai/m@{api.url}{settings}", env=env or {}) as who:
        return await who.answer(a_call(who, *parts))


async def test_settings_that_a_call_changes_are_sent_and_the_next_call_has_the_subjects_own(api):
    api.says(openai_says("X"))
    async with subject(f"openai/m@{api.url}:top_p=0.5", env={}) as who:
        own = a_call(who)
        for call in (own, replace(own, settings={**who.settings, "temperature": 1, "max_tokens": 7}), own):
            await who.answer(call)
    sent = [(each.json["temperature"], each.json["max_tokens"], each.json["top_p"]) for each in api.sent]
    assert sent == [(0, 4096, 0.5), (1, 7, 0.5), (0, 4096, 0.5)]


async def test_a_call_goes_out_as_the_api_wants_it(api):
    api.says(openai_says("X"))
    reply = await ask(api, ":detail=high,seed=4,top_p=0.5,reasoning_effort=low,system=Be brief.")
    assert reply == Reply("X", "stop", 321, 2, "m-2025-01-01")
    (sent,) = api.sent
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["Content-Type"] == "application/json"
    url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    assert sent.json == {
        "model": "m",
        "temperature": 0,
        "max_tokens": 4096,
        "seed": 4,
        "top_p": 0.5,
        "reasoning_effort": "low",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": url, "detail": "high"}},
                    {"type": "text", "text": "Who won?"},
                ],
            },
        ],
    }


def pictures_in(sent):
    return [
        base64.b64decode(part["image_url"]["url"].partition(";base64,")[2])
        for part in sent.json["messages"][-1]["content"]
        if part["type"] == "image_url"
    ]


async def test_pictures_go_out_as_the_very_bytes(api):
    api.says(openai_says())
    small, large = Picture(PNG), Picture(PNG * 1000, "image/jpeg")
    async with subject(f"openai/m@{api.url}", env={}) as who:
        for _ in range(2):
            await who.answer(a_call(who, small, "and", large, small))
    for sent in api.sent:
        assert pictures_in(sent) == [small.data, large.data, small.data]
        assert "data:image/jpeg;base64," in sent.json["messages"][-1]["content"][2]["image_url"]["url"]


async def test_a_picture_is_made_smaller_only_by_setting_and_only_if_too_large(api):
    api.says(openai_says())
    drawn = [BytesIO(), BytesIO()]
    Image.effect_noise((300, 200), 40).save(drawn[0], "PNG")
    Image.new("P", (20, 20)).save(drawn[1], "PNG")
    large, small = (Picture(file.getvalue()) for file in drawn)
    await ask(api, ":max_pixels=6000", (large, small, "?"))
    shrunk, kept = pictures_in(api.sent[0])
    assert kept == small.data
    with Image.open(BytesIO(shrunk)) as image:
        assert image.size == (94, 63)


async def test_a_picture_that_is_none_is_not_made_smaller(api):
    with pytest.raises(CallFailed, match=r"cannot be made smaller") as failed:
        await ask(api, ":max_pixels=6000")
    assert (failed.value.kind, failed.value.passing, failed.value.fatal) == ("rejected", False, False)


async def test_words_of_any_kind_arrive_as_they_are(api):
    api.says(openai_says('"\\ \u2028 \U0001f600'))
    words = 'quote " backslash \\ newline \n NUL \0 emoji \U0001f600 half \ud83d'
    reply = await ask(api, parts=(words,))
    assert api.sent[0].json["messages"] == [{"role": "user", "content": words}]
    assert reply.text == '"\\ \u2028 \U0001f600'


async def test_several_turns_keep_their_roles(api):
    api.says(openai_says())
    async with subject(f"openai/m@{api.url}", env={}) as who:
        turns = (Message("system", ("s",)), Message("user", ("q", Picture(PNG))), Message("assistant", ("a",)))
        await who.answer(Call(who.name, who.settings, (*turns, Message("user", ("again",)))))
    roles = [m["role"] for m in api.sent[0].json["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert api.sent[0].json["messages"][2]["content"] == "a"


async def test_temperature_is_left_out_only_on_demand(api):
    api.says(openai_says())
    await ask(api, ":temperature=default")
    assert "temperature" not in api.sent[0].json


@pytest.mark.parametrize(("model", "field"), [("gpt-4o", "max_tokens"), ("o3", "max_completion_tokens")])
async def test_the_token_limit_has_the_name_the_model_knows(api, model, field):
    api.says(openai_says())
    async with subject(f"openai/{model}@{api.url}:max_tokens=77", env={}) as who:
        await who.answer(a_call(who))
    assert api.sent[0].json[field] == 77
    assert len([name for name in api.sent[0].json if "tokens" in name]) == 1


async def test_a_model_that_wants_the_limit_by_its_newer_name_gets_it_so(api):
    wants = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    async with subject(f"openai/gpt-next@{api.url}", env={}) as who:
        api.says({"error": {"message": wants, "param": "max_tokens", "code": "unsupported_parameter"}}, 400)
        with pytest.raises(CallFailed) as failed:
            await who.answer(a_call(who))
        assert (failed.value.passing, failed.value.retry_after) == (True, 0)
        # Calls that were under way at that time may come again too; one written the new way may not.
        assert who._failure(400, {}, api.answer[2], api.sent[0].body).passing  # type: ignore[attr-defined]
        with pytest.raises(CallFailed) as failed:
            await who.answer(a_call(who))
        assert not failed.value.passing
        api.says(openai_says())
        await who.answer(a_call(who))
    assert api.sent[-1].json["max_completion_tokens"] == 4096
    assert who.settings["max_tokens"] == 4096


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (openai_says("X", "length"), Reply("X", "length", 321, 2, "m-2025-01-01")),
        (openai_says(None, "content_filter"), Reply("", "refused", 321, 2, "m-2025-01-01")),
        (openai_says(None, refusal="I can't."), Reply("I can't.", "refused", 321, 2, "m-2025-01-01")),
        (openai_says("", "stop"), Reply("", "stop", 321, 2, "m-2025-01-01")),
        (
            openai_says([{"type": "text", "text": "X"}, {"type": "text", "text": " wins"}]),
            Reply("X wins", "stop", 321, 2, "m-2025-01-01"),
        ),
        ({"choices": [{"message": {"content": "X"}}]}, Reply("X")),
        ({"choices": [{"message": {"content": "X"}}], "usage": {"prompt_tokens": "many"}}, Reply("X")),
        ({"choices": [{"message": {"content": "X"}}], "error": None}, Reply("X")),
    ],
)
async def test_replies_are_read_with_how_they_ended(api, answer, expected):
    api.says(answer)
    assert await ask(api) == expected


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not json",
        b"<html>busy</html>",
        b'{"choices": [{"message": {"content": "X"',
        b"[" * 100_000,
        b"\xff\xfe\x00",
        {"choices": []},
        {"choices": None},
        {"choices": [{}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"content": "X"}, "finish_reason": "error"}]},
        [],
        7,
    ],
)
async def test_an_answer_that_is_none_is_malformed_and_worth_another_try(api, answer):
    api.says(answer)
    with pytest.raises(CallFailed) as failed:
        await ask(api)
    assert (failed.value.kind, failed.value.passing, failed.value.fatal) == ("malformed", True, False)
    assert len(str(failed.value)) < 400


async def test_a_subject_must_be_open_to_be_asked(api):
    who = subject(f"openai/m@{api.url}", env={})
    with pytest.raises(RuntimeError, match="opened"):
        await who.answer(a_call(who))
