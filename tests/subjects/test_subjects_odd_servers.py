"""Good answers from odd servers: absurd counts, answers in the reasoning, streams that nobody asked for."""

import json

import pytest
from scripted_api import a_call, openai_says

from snellen.call import CallFailed, Token
from snellen.engine import Engine, Store
from snellen.subjects import subject


async def ask(api, provider="openai", settings=""):
    at = api.url.removesuffix("/v1") if provider == "anthropic" else api.url
    async with subject(f"{provider}/m@{at}{settings}", env={}) as who:
        return await who.answer(a_call(who))


ABSURD = ["9" * 5000, "-" + "9" * 5000, "-3", "2.5", '"12"', "[1]", '{"n": 1}', "1e999", "NaN", "true", "null"]


@pytest.mark.parametrize("number", ABSURD, ids=lambda number: number[:6])
async def test_an_absurd_count_does_not_discard_a_good_answer(api, number):
    usages = ['{"prompt_tokens": @, "completion_tokens": @}', "@", '{"completion_tokens_details": @}', '"@"', "[@]"]
    usages.append(
        '{"prompt_tokens_details": {"image_tokens": @}, "completion_tokens_details": {"reasoning_tokens": @}}'
    )
    for usage in usages:
        body = json.dumps(openai_says("X") | {"usage": "here"}).replace('"here"', usage.replace('"@"', '"x"'))
        api.says(body.replace("@", number).encode())
        reply = await ask(api)
        assert (reply.text, reply.finish, reply.model) == ("X", "stop", "m-2025-01-01")
        counts = (reply.tokens_in, reply.tokens_out, reply.tokens_reasoning, reply.tokens_picture)
        assert counts == (None, None, None, None)
        message = {"content": [{"type": "text", "text": "X"}], "stop_reason": "end_turn", "usage": "here"}
        api.says(json.dumps(message).replace('"here"', usage.replace('"@"', '"x"')).replace("@", number).encode())
        reply = await ask(api, "anthropic")
        assert (reply.text, reply.tokens_in, reply.tokens_out) == ("X", None, None)


async def test_an_absurd_number_anywhere_else_does_no_harm_either(api, tmp_path):
    body = json.dumps(openai_says("X") | {"created": "here", "model": "here"}).replace('"here"', "7" * 5000)
    api.says(body.encode())
    with Store.open(tmp_path / "s.db") as store:
        async with subject(f"openai/m@{api.url}", env={}) as who:
            reply = await Engine(store).ask(who, a_call(who))
    assert (reply.text, reply.model, reply.tokens_in) == ("X", "", 321)


@pytest.mark.parametrize("content", [None, "", []])
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_an_answer_that_stands_in_the_reasoning_alone_is_read_there(api, content, field):
    api.says(openai_says(content, **{field: "The answer is X."}))
    reply = await ask(api)
    assert reply.text == reply.reasoning == "The answer is X."


@pytest.mark.parametrize(
    ("finish", "more"),
    [
        ("length", {}),
        ("content_filter", {}),
        ("stop", {"refusal": "No."}),
        ("tool_calls", {"tool_calls": [{"id": "c", "type": "function"}]}),
    ],
)
async def test_reasoning_that_did_not_end_in_an_answer_is_none(api, finish, more):
    api.says(openai_says(None, finish, reasoning="It may be X or", **more))
    reply = await ask(api)
    assert (reply.text, reply.reasoning) == (more.get("refusal", ""), "It may be X or")


# Streams


def stream(*events, done=True):
    lines = [": a comment\n\n", *(f"data: {json.dumps(event)}\n\n" for event in events), "data: [DONE]\n\n" * done]
    return "".join(lines).encode()


def piece(finish=None, logprobs=None, **delta):
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}
    return {"id": "c1", "object": "chat.completion.chunk", "model": "m-2", "choices": [choice], "usage": None}


PIECES = (
    piece(role="assistant", content=""),
    piece(reasoning_content="Row "),
    piece(reasoning_content="one."),
    piece(content="X", logprobs={"content": [{"token": "X", "logprob": -0.1, "top_logprobs": []}]}),
    piece(content=" wins"),
    piece("stop"),
    {"id": "c1", "model": "m-2", "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}},
)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
async def test_a_stream_that_nobody_asked_for_is_put_together(api, ends):
    api.says(stream(*PIECES).replace(b"\n", ends.encode()), Content_Type="text/event-stream")
    reply = await ask(api)
    assert (reply.text, reply.reasoning, reply.finish, reply.model) == ("X wins", "Row one.", "stop", "m-2")
    assert (reply.tokens_in, reply.tokens_out, reply.tokens) == (9, 4, (Token("X", -0.1),))
    assert "stream" not in api.sent[0].json


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (stream(piece(content="X"), piece("length")), "X", "length"),
        (stream(piece(content="X"), piece("stop"), done=False), "X", "stop"),
        (stream(piece("content_filter")), "", "refused"),
        (stream(openai_says("X")), "X", "stop"),
        (stream(openai_says("X", "max_tokens")), "X", "length"),
        (json.dumps(openai_says("X", "model_length")).encode(), "X", "length"),
        (stream(piece(content="X")), "X", "stop"),
        (json.dumps(openai_says("X")).encode() + b"\n<!-- served by a proxy -->", "X", "stop"),
        (b"\xef\xbb\xbf" + stream(piece("stop", content="X")), "X", "stop"),
        (b"event: ping\ndata:\n\n" + stream(piece("stop", content="X")), "X", "stop"),
        (json.dumps(openai_says("X")).encode() + b"data: [DONE]\n\n", "X", "stop"),
        (b"event: x\n" + stream(piece("stop", content="caf\u00e9")), "caf\u00e9", "stop"),
    ],
)
async def test_streams_end_as_replies_do(api, body, text, finish):
    api.says(body)
    reply = await ask(api)
    assert (reply.text, reply.finish) == (text, finish)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (stream(piece(content="half an ans"), done=False), "malformed"),
        (stream(), "malformed"),
        (b'data: {"choices": [{"del', "malformed"),
        (b"data: 7\n\n", "malformed"),
        (stream(piece(content="half"), {"error": {"message": "Overloaded", "code": 529}}), "busy"),
    ],
)
async def test_a_stream_that_breaks_off_is_no_answer(api, body, kind):
    api.says(body)
    for provider in ("openai", "anthropic"):
        with pytest.raises(CallFailed) as failed:
            await ask(api, provider)
        assert (failed.value.kind, failed.value.passing) == (kind, True)


async def test_a_stream_of_anthropic_is_put_together(api):
    start = {"id": "m", "model": "c-1", "content": [], "stop_reason": None, "usage": {"input_tokens": 9}}
    api.says(
        stream(
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
            {"type": "ping"},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Row one."}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s"}},
            {"type": "content_block_stop", "index": 0},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "X"}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": " wins"}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}},
            {"type": "message_stop"},
            done=False,
        )
    )
    reply = await ask(api, "anthropic")
    assert (reply.text, reply.reasoning, reply.model) == ("X wins", "Row one.", "c-1")
    assert (reply.tokens_in, reply.tokens_out) == (9, 4)


@pytest.mark.parametrize(
    "complaint",
    [
        {"message": "This model only support stream mode, please enable the stream parameter to access the model. "},
        {"message": "Stream must be set to true"},
        {"message": "parameter.enable_thinking must be set to false for non-streaming calls"},
        {"message": "Non-streaming requests are not supported"},
        {"message": "Unsupported value", "param": "stream"},
    ],
)
async def test_a_server_that_wants_to_stream_may(api, complaint, tmp_path):
    def answer(sent):
        if not sent.json.get("stream"):
            return 400, {}, json.dumps({"error": complaint}).encode()
        return 200, {}, stream(*PIECES)

    api.answer = answer
    with Store.open(tmp_path / "s.db") as store:
        async with subject(f"openai/m@{api.url}", env={}) as who:
            reply = await Engine(store).ask(who, a_call(who))
            await who.answer(a_call(who))
    assert (reply.text, reply.tokens_out) == ("X wins", 4)
    assert len(api.sent) == 3, "asked for a stream after one call, and from then on"


async def test_a_server_that_streams_and_still_complains_says_so(api):
    api.says({"error": {"message": "Streaming is required for this model"}}, 400)
    async with subject(f"openai/m@{api.url}", env={}) as who:
        for passing in (True, False):
            with pytest.raises(CallFailed) as failed:
                await who.answer(a_call(who))
            assert failed.value.passing is passing
    assert "Streaming is required" in str(failed.value)
