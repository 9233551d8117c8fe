"""What providers say when something is wrong, in their own shapes, and what becomes of it.

A refusal is about this very call and is an answer: unread (refused). What is about the key, the account or the model
ends the exam; what is about the size of this call is an error of this call alone, with a word on what to do.
"""

import json

import pytest
from scripted_api import a_call, openai_says

from snellen.call import CallFailed
from snellen.engine import Engine, Store
from snellen.subjects import subject
from snellen.subjects.complaints import blocked, is_filtered, read_complaint
from snellen.subjects.failures import Refused, Server, failure
from snellen.subjects.providers import PROVIDERS, Secret

REFUSED = "refused"
FATAL = "fatal"
THIS_CALL = "this call"
LATER = "later"

KEY = "sk-test-0123456789abcdef"


def openai(message, code=None, kind="invalid_request_error", param=None, **more):
    return {"error": {"message": message, "type": kind, "param": param, "code": code, **more}}


def vllm(message, kind="BadRequestError", code=400):
    return {"object": "error", "message": message, "type": kind, "param": None, "code": code}


def anthropic(message, kind="invalid_request_error"):
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011CZ"}


def google(message, code=400, status="INVALID_ARGUMENT", **more):
    return [{"error": {"code": code, "message": message, "status": status, **more}}]


def openrouter(message, code, **metadata):
    return {"error": {"message": message, "code": code, **({"metadata": metadata} if metadata else {})}, "user_id": "u"}


FLAGGED = (
    "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a "
    "different prompt: https://platform.openai.com/docs/guides/reasoning#advice-on-prompting"
)
SAFETY = (
    "Your request was rejected as a result of our safety system. Your request may contain content that is not allowed "
    "by our safety system."
)
AZURE_FILTER = (
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify "
    "your prompt and retry. To learn more about our content filtering policies please read our documentation: "
    "https://go.microsoft.com/fwlink/?linkid=2198766"
)
GROK = (
    "Content violates usage guidelines. Team: 0a1b2c3d, API key ID: 4e5f6071, Model: grok-4-0709, Failed check: "
    "SAFETY_CHECK_TYPE_BIO"
)
CONTEXT = (
    "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, "
    "10000 in the completion). Please reduce the length of the messages or completion."
)
TPM = (
    "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 42031. The "
    "input or output tokens must be reduced in order to run successfully."
)

TABLE = [
    # provider, status, body, what becomes of it, words that the line holds
    ("openai", 400, openai(SAFETY, "content_policy_violation"), REFUSED, "safety system"),
    ("openai", 400, openai(SAFETY, "moderation_blocked", "image_generation_user_error"), REFUSED, "safety system"),
    ("openai", 400, openai(FLAGGED, "invalid_prompt"), REFUSED, "flagged"),
    (
        "openai",
        400,
        openai("Your input image may contain content that is not allowed by our safety system."),
        REFUSED,
        "",
    ),
    ("openai", 400, openai("The image violates policy.", "image_content_policy_violation"), REFUSED, "image"),
    (
        "openai",
        403,
        openai("Country, region, or territory not supported", "unsupported_country_region_territory"),
        FATAL,
        "",
    ),
    ("openai", 403, openai("You are not allowed to sample from this model"), FATAL, "not allowed"),
    ("openai", 401, openai(f"Incorrect API key provided: {KEY}.", "invalid_api_key"), FATAL, "refused the key"),
    (
        "openai",
        403,
        openai("Your access was terminated due to violation of our policies.", "access_terminated"),
        FATAL,
        "",
    ),
    ("openai", 429, openai("You exceeded your current quota", "insufficient_quota"), FATAL, "no credit"),
    ("openai", 429, openai("Rate limit reached for gpt-4o", "rate_limit_exceeded"), LATER, "busy"),
    ("openai", 429, openai(TPM, "rate_limit_exceeded", "tokens"), THIS_CALL, "max_pixels=N"),
    (
        "openai",
        404,
        openai("The model `m` does not exist or you do not have access to it.", "model_not_found"),
        FATAL,
        "'m'",
    ),
    ("openai", 400, openai(CONTEXT, "context_length_exceeded", param="messages"), THIS_CALL, "max_tokens=N"),
    (
        "openai",
        400,
        openai("Invalid content type. image_url is only supported by certain models."),
        FATAL,
        "pictures=0",
    ),
    ("openai", 400, openai("Too many images in request. Max is 10."), THIS_CALL, "openai/m:pictures=10"),
    ("openai", 400, openai("You uploaded an unsupported image. Please make sure your image is valid."), THIS_CALL, ""),
    (
        "azure",
        400,
        openai(AZURE_FILTER, "content_filter", None, "prompt", status=400)
        | {"innererror": {"code": "ResponsibleAIPolicyViolation"}},
        REFUSED,
        "content management policy",
    ),
    (
        "azure",
        400,
        openai(
            "Blocked.", "BadRequest", innererror={"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}}
        ),
        REFUSED,
        "Blocked.",
    ),
    (
        "azure",
        400,
        openai("The response was filtered", "content_filter", None, "prompt", status=400),
        REFUSED,
        "filtered",
    ),
    ("azure", 401, openai("Access denied due to invalid subscription key or wrong API endpoint.", "401"), FATAL, "key"),
    ("azure", 403, openai("Access denied due to Virtual Network/Firewall rules.", "AccessDenied"), FATAL, "Firewall"),
    ("azure", 404, openai("The API deployment for this resource does not exist.", "DeploymentNotFound"), FATAL, "'m'"),
    (
        "azure",
        429,
        openai("Requests to the Chat Completions Operation have exceeded call rate limit.", "429"),
        LATER,
        "",
    ),
    ("anthropic", 400, anthropic("Output blocked by content filtering policy"), REFUSED, "Output blocked"),
    (
        "anthropic",
        403,
        anthropic("Your API key does not have permission to use it", "permission_error"),
        FATAL,
        "permission",
    ),
    ("anthropic", 403, {"error": {"type": "forbidden", "message": "Request not allowed"}}, FATAL, "not allowed"),
    ("anthropic", 400, anthropic("This organization has been disabled."), FATAL, "disabled"),
    ("anthropic", 400, anthropic("Your credit balance is too low to access the Anthropic API."), FATAL, "no credit"),
    ("anthropic", 400, anthropic("prompt is too long: 210012 tokens > 200000 maximum"), THIS_CALL, "max_pixels=N"),
    ("anthropic", 400, anthropic("messages.0.content.2.image: image exceeds 5 MB maximum"), THIS_CALL, "5 MB"),
    ("anthropic", 404, anthropic("model: m", "not_found_error"), FATAL, "'m'"),
    ("anthropic", 429, anthropic("This request would exceed your rate limit.", "rate_limit_error"), LATER, "busy"),
    ("anthropic", 529, anthropic("Overloaded", "overloaded_error"), LATER, "busy"),
    ("gemini", 400, google("API key not valid. Please pass a valid API key."), FATAL, "key"),
    (
        "gemini",
        400,
        google("User location is not supported for the API use.", status="FAILED_PRECONDITION"),
        FATAL,
        "location",
    ),
    (
        "gemini",
        403,
        google("Permission denied: Consumer has been suspended.", 403, "PERMISSION_DENIED"),
        FATAL,
        "suspended",
    ),
    (
        "gemini",
        400,
        google("The input token count (1200000) exceeds the maximum number of tokens"),
        THIS_CALL,
        "max_pixels",
    ),
    ("gemini", 404, google("models/m is not found for API version v1main", 404, "NOT_FOUND"), FATAL, "'m'"),
    (
        "gemini",
        429,
        google("Resource has been exhausted (e.g. check quota).", 429, "RESOURCE_EXHAUSTED"),
        LATER,
        "busy",
    ),
    (
        "gemini",
        503,
        google("The model is overloaded. Please try again later.", 503, "UNAVAILABLE"),
        LATER,
        "overloaded",
    ),
    (
        "openrouter",
        403,
        openrouter(
            'openai/gpt-4o requires moderation on OpenAI. Your input was flagged for "violence". No credits charged.',
            403,
            reasons=["violence"],
            flagged_input="Who wi...",
            provider_name="OpenAI",
            model_slug="openai/gpt-4o",
        ),
        REFUSED,
        "violence",
    ),
    ("openrouter", 403, openrouter("Denied.", 403, reasons=["self-harm"], flagged_input="x"), REFUSED, "Denied."),
    ("openrouter", 403, openrouter("Denied.", 403, error_type="content_policy_violation"), REFUSED, "Denied."),
    ("openrouter", 403, openrouter("Request blocked: prompt injection patterns detected", 403), REFUSED, "blocked"),
    ("openrouter", 403, openrouter("Key limit exceeded (total limit). Manage it in settings", 403), FATAL, "no credit"),
    ("openrouter", 403, openrouter("Your key lacks the permission", 403, error_type="permission_denied"), FATAL, "key"),
    ("openrouter", 402, openrouter("Insufficient credits. Add more", 402), FATAL, "no credit"),
    (
        "openrouter",
        400,
        openrouter(
            "Provider returned error", 400, raw=json.dumps(openai(FLAGGED, "invalid_prompt")), provider_name="OpenAI"
        ),
        REFUSED,
        "Provider returned error: Invalid prompt",
    ),
    (
        "openrouter",
        400,
        openrouter("Provider returned error", 400, raw=anthropic("Output blocked by content filtering policy")),
        REFUSED,
        "Output blocked",
    ),
    (
        "openrouter",
        400,
        openrouter(
            "Provider returned error", 400, raw='{"error":{"message":"Model supports at most 1 image per prompt."}}'
        ),
        THIS_CALL,
        "openrouter/m:pictures=1",
    ),
    (
        "openrouter",
        429,
        openrouter("Provider returned error", 429, raw="m is temporarily rate-limited upstream. Please retry shortly"),
        LATER,
        "rate-limited upstream",
    ),
    ("openrouter", 404, openrouter("No endpoints found that support image input", 404), FATAL, "pictures=0"),
    ("openrouter", 404, openrouter("No endpoints found for m.", 404), FATAL, "'m'"),
    ("xai", 403, {"code": "The caller does not have permission", "error": GROK}, REFUSED, "usage guidelines"),
    (
        "xai",
        403,
        {"code": "permission-denied", "error": "Content violates usage guidelines. "},
        REFUSED,
        "usage guidelines",
    ),
    ("xai", 403, {"code": "permission-denied", "error": "Access to the chat endpoint is denied"}, FATAL, "key"),
    ("xai", 403, {"code": "403", "error": "Your team doesn't have any credits yet."}, FATAL, "no credit"),
    ("deepseek", 400, openai("Content Exists Risk"), REFUSED, "Risk"),
    ("deepseek", 400, openai("Model Not Exist"), FATAL, "'m'"),
    ("deepseek", 402, openai("Insufficient Balance", kind="unknown_error"), FATAL, "no credit"),
    (
        "deepseek",
        400,
        openai("unknown variant `image_url`, expected `text` at line 1 column 80"),
        FATAL,
        "pictures=0",
    ),
    (
        "dashscope",
        400,
        openai("Input data may contain inappropriate content.", "data_inspection_failed", "data_inspection_failed"),
        REFUSED,
        "inappropriate",
    ),
    (
        "dashscope",
        400,
        openai("<400> InternalError.Algo.DataInspectionFailed: Input text data may contain inappropriate content."),
        REFUSED,
        "inappropriate",
    ),
    ("dashscope", 400, openai("Access denied, account is not in good standing.", "Arrearage"), FATAL, "no credit"),
    (
        "moonshot",
        400,
        openai("The request was rejected because it was considered high risk", None, "content_filter"),
        REFUSED,
        "high risk",
    ),
    ("moonshot", 429, openai("Your account is suspended", None, "exceeded_current_quota_error"), FATAL, "no credit"),
    (
        "mistral",
        400,
        {"object": "error", "message": "Invalid model: m", "type": "invalid_model", "code": "1500"},
        FATAL,
        "'m'",
    ),
    (
        "mistral",
        422,
        {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
        THIS_CALL,
        "Extra",
    ),
    (
        "huggingface",
        400,
        openai("The requested model 'm' is not supported by any provider", "model_not_supported"),
        FATAL,
        "",
    ),
    ("groq", 400, openai("The model `m` has been decommissioned", "model_decommissioned"), FATAL, "'m'"),
    (
        "groq",
        400,
        openai("Too many images provided. This model supports up to 5 images"),
        THIS_CALL,
        "groq/m:pictures=5",
    ),
    ("groq", 413, openai("Request too large for model `m` on tokens per minute (TPM)"), THIS_CALL, "max_pixels"),
    ("vllm", 400, vllm("At most 1 image(s) may be provided in one request."), THIS_CALL, "vllm/m:pictures=1"),
    ("vllm", 400, {"error": vllm("At most 4 image(s) may be provided in one prompt.")}, THIS_CALL, "vllm/m:pictures=4"),
    ("vllm", 400, vllm(CONTEXT), THIS_CALL, "max_tokens=N"),
    (
        "vllm",
        400,
        vllm("The decoder prompt (length 10127) is longer than the maximum model length of 8192."),
        THIS_CALL,
        "max_pixels=N",
    ),
    ("vllm", 400, vllm("m is not a multimodal model"), FATAL, "pictures=0"),
    ("vllm", 404, vllm("The model `m` does not exist.", "NotFoundError", 404), FATAL, "'m'"),
    ("vllm", 401, {"error": "Unauthorized"}, FATAL, "refused the key"),
    ("vllm", 500, vllm("Internal server error", "InternalServerError", 500), LATER, "server failed"),
    (
        "sglang",
        400,
        vllm("The input (61709 tokens) is longer than the model's context length (40960 tokens)."),
        THIS_CALL,
        "max_pixels=N",
    ),
    (
        "openai",  # llama.cpp
        500,
        {
            "error": {
                "code": 500,
                "message": "the request exceeds the available context size. try increasing the context size",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 1407,
                "n_ctx": 256,
            }
        },
        THIS_CALL,
        "max_pixels=N",
    ),
    (
        "openai",  # llama.cpp without its projector
        500,
        {
            "error": {
                "code": 500,
                "message": "image input is not supported - hint: provide the mmproj",
                "type": "server_error",
            }
        },
        FATAL,
        "pictures=0",
    ),
    (
        "openai",
        503,
        {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}},
        LATER,
        "Loading",
    ),
    (
        "ollama",
        404,
        openai('model "m" not found, try pulling it first', None, "api_error"),
        FATAL,
        "try pulling it first",
    ),
    (
        "ollama",
        400,
        openai("this model does not support image input (ref: b8bd)", None, "api_error"),
        FATAL,
        "pictures=0",
    ),
    (
        "ollama",
        500,
        openai("this model is missing data required for image input", None, "api_error"),
        FATAL,
        "pictures=0",
    ),
    (
        "ollama",
        500,
        openai("model requires more system memory (8 GiB) than is available", None, "api_error"),
        LATER,
        "memory",
    ),
    (
        "openai",
        400,
        openai("input contains sensitive words: [x]", "sensitive_words_detected", "new_api_error"),
        REFUSED,
        "",
    ),
    ("openai", 400, openai("系统检测到输入或生成内容可能包含不安全或敏感内容", "1301"), REFUSED, "敏感"),
    (
        "openai",
        403,
        "<html><title>Attention Required! | Cloudflare</title>Sorry, you have been blocked</html>",
        FATAL,
        "key",
    ),
    ("openai", 451, openai("Unavailable for legal reasons: content policy"), REFUSED, "legal"),
]


def made_of(provider, status, body):
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    base = PROVIDERS[provider].base or "https://mine.openai.azure.com/openai/v1"
    server = Server(f"{provider}/m", PROVIDERS[provider], "m", base, Secret("THE_KEY", KEY), {"temperature": 0})
    return failure(server, status, {}, read_complaint(raw), raw)


@pytest.mark.parametrize(
    ("provider", "status", "body", "becomes", "words"),
    TABLE,
    ids=[f"{row[0]}-{row[1]}-{i}" for i, row in enumerate(TABLE)],
)
def test_what_a_provider_says_becomes_what_it_means(provider, status, body, becomes, words):
    failed = made_of(provider, status, body)
    found = (
        REFUSED if isinstance(failed, Refused) else FATAL if failed.fatal else LATER if failed.passing else THIS_CALL
    )
    assert (found, str(failed)) == (becomes, str(failed))
    assert words in str(failed)
    assert KEY not in str(failed)
    assert str(failed).isprintable()


def test_every_kind_of_end_is_in_the_table():
    assert {row[3] for row in TABLE} == {REFUSED, FATAL, THIS_CALL, LATER}
    assert len(TABLE) > 80


# Through the subject


@pytest.mark.parametrize("place", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, openai(SAFETY, "content_policy_violation")),
        (403, openrouter("flagged", 403, reasons=["violence"], flagged_input="x")),
        (200, openrouter("flagged", 403, reasons=["violence"], flagged_input="x")),
        (
            200,
            {
                "choices": [
                    {"error": openrouter("flagged", 403, reasons=["x"])["error"], "message": {"content": "half"}}
                ]
            },
        ),
    ],
)
async def test_a_refusal_is_an_answer(api, place, status, body):
    api.says(body, status)
    async with subject(f"{place}/m@{api.url}", env={"SNELLEN_API_KEY": KEY}) as who:
        reply = await who.answer(a_call(who))
    assert reply.finish == "refused"
    assert "safety system" in reply.text or "flagged" in reply.text


async def test_a_refusal_is_recorded_as_an_answer_and_asked_once(api, tmp_path):
    api.says(openai(f"flagged for violence, {KEY}", "content_policy_violation"), 403)
    with Store.open(tmp_path / "s.db") as store:
        for _ in range(2):
            async with subject(f"openai/m@{api.url}", env={"SNELLEN_API_KEY": KEY}) as who:
                reply = await Engine(store).ask(who, a_call(who))
            assert (reply.text, reply.finish) == (
                "flagged for violence, [masked: the key in SNELLEN_API_KEY]",
                "refused",
            )
        assert len(api.sent) == 1
        assert store.call(a_call(who).key).reply.finish == "refused"


async def test_an_error_in_the_place_of_the_answer_is_one(api):
    error = {"code": 502, "message": "Provider disconnected"}
    body = openai_says("half an ans", "error")
    body["choices"][0]["error"] = error
    for said in (body, {"error": error}, [{"error": error}], {"error": {**error, "code": "502"}}):
        api.says(said)
        async with subject(f"openai/m@{api.url}", env={}) as who:
            with pytest.raises(CallFailed, match="Provider disconnected") as failed:
                await who.answer(a_call(who))
        assert (failed.value.kind, failed.value.passing) == ("server", True)


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({"finish_reason": "content_filter: PROHIBITED_CONTENT", "index": 0, "message": {"role": "assistant"}}, ""),
        ({"finish_reason": "content_filter: SAFETY", "message": {"role": "assistant", "content": "I s"}}, "I s"),
        ({"finish_reason": "SAFETY", "index": 0}, "SAFETY"),
        ({"finish_reason": "RECITATION", "message": {"content": None}}, ""),
        ({"finish_reason": "sensitive", "message": {"content": ""}}, ""),
        ({"finish_reason": "content_filter", "message": {"content": None}}, ""),
    ],
)
async def test_what_a_filter_kept_back_is_a_refusal(api, choice, text):
    api.says({"choices": [choice], "model": "gemini-x", "usage": {"prompt_tokens": 5}})
    async with subject(f"gemini/m@{api.url}", env={}) as who:
        reply = await who.answer(a_call(who))
    assert (reply.text, reply.finish, reply.model) == (text, "refused", "gemini-x")


@pytest.mark.parametrize("choices", [{}, {"choices": []}, {"choices": None}])
@pytest.mark.parametrize(
    "feedback", [{"promptFeedback": {"blockReason": "OTHER"}}, {"prompt_feedback": {"block_reason": "X"}}]
)
async def test_no_answer_but_a_reason_for_it_is_a_refusal(api, choices, feedback):
    api.says({**choices, **feedback, "model": "g"})
    async with subject(f"gemini/m@{api.url}", env={}) as who:
        reply = await who.answer(a_call(who))
    assert (reply.text in ("OTHER", "X"), reply.finish) == (True, "refused")


async def test_no_answer_and_no_reason_is_worth_another_try(api):
    api.says({"choices": [], "model": "g"})
    async with subject(f"gemini/m@{api.url}", env={}) as who:
        with pytest.raises(CallFailed, match="cannot parse") as failed:
            await who.answer(a_call(who))
    assert failed.value.passing


def test_usual_ends_are_no_refusals():
    for reason in ("stop", "length", "tool_calls", "end_turn", "STOP", "MAX_TOKENS", "error", ""):
        assert not is_filtered(reason)
    for data in (
        {},
        [],
        None,
        {"choices": [{"finish_reason": None}]},
        {"choices": [{"finish_reason": 3}]},
        {"choices": "x"},
    ):
        assert blocked(data) == ""
