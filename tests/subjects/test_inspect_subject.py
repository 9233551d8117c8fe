"""The Inspect adapter against Inspect's own mock model: one attempt per answer, failures in our terms."""

import asyncio
import base64
import functools
import gc
import subprocess
import sys
import tracemalloc

import pytest

from snellen.call import Call, CallFailed, Message, Reply
from snellen.errors import UserError
from snellen.item import Picture
from snellen.subjects import subject as find_subject
from snellen.subjects.inspect import inspect_subject
from support.later import later

later("inspect_ai")


PICTURE = Picture(b"\x89PNG not really, but the very bytes", "image/png")
PARTS = ("look:", PICTURE, "who won?")


class Provider:
    """What the mock model does with a call, and what it was sent."""

    def __init__(self, act):
        self.act = act
        self.sent = []

    def __call__(self, messages, tools, tool_choice, config):
        self.sent.append((messages, config))
        return self.act()


@pytest.fixture
def provider(monkeypatch):
    """Make the mock model act as told; counting its tokens would need the network."""
    import inspect_ai.model

    real = inspect_ai.model.get_model

    def use(act):
        provider = Provider(act)
        monkeypatch.setattr(inspect_ai.model, "get_model", functools.partial(real, custom_outputs=provider))
        return provider

    return use


def output(text="X", stop_reason="stop", **usage):
    from inspect_ai.model import ModelOutput, ModelUsage

    made = ModelOutput.from_content("mock-2026", text, stop_reason=stop_reason)
    made.usage = ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9, **usage)
    return made


def call(subject, **settings):
    return Call(subject.name, {**subject.settings, **settings}, (Message("user", PARTS),))


async def ask(act, provider, **settings):
    sent = provider(act)
    async with inspect_subject("mockllm/model", settings) as subject:
        return await subject.answer(call(subject)), sent


async def test_words_pictures_and_settings_arrive_as_given(provider):
    reply, seen = await ask(output, provider, max_tokens=50, detail="high")
    assert reply == Reply("X", "stop", 7, 2, "mock-2026")
    [([message], config)] = seen.sent
    first, picture, last = message.content
    assert (message.role, first.text, last.text) == ("user", "look:", "who won?")
    head, _, data = picture.image.partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data) == PICTURE.data
    assert picture.detail == "high"
    assert (config.temperature, config.max_tokens, config.max_retries) == (0.0, 50, 0)


async def test_temperature_of_the_call_wins(provider):
    seen = provider(output)
    async with inspect_subject("mockllm/model", {}) as subject:
        await subject.answer(call(subject, temperature=0.7))
    assert seen.sent[0][1].temperature == 0.7


def test_names_say_what_differs_from_the_default():
    plain = find_subject("inspect/mockllm/model:timeout=20")
    assert plain.name == "inspect/mockllm/model"
    assert plain.settings == {"temperature": 0.0}
    other = find_subject("inspect/mockllm/model:temperature=default,system=Be brief,max_tokens=9")
    assert other.name == "inspect/mockllm/model:temperature=default,max_tokens=9,system=Be brief"
    assert other.settings == {"temperature": None, "max_tokens": 9, "system_message": "Be brief"}
    assert find_subject(other.name).name == other.name


@pytest.mark.parametrize(
    ("stop_reason", "finish"), [("max_tokens", "length"), ("content_filter", "refused"), ("unknown", "stop")]
)
async def test_why_a_reply_ended(provider, stop_reason, finish):
    reply, _ = await ask(lambda: output("so", stop_reason, input_tokens_cache_read=100), provider)
    assert (reply.finish, reply.tokens_in, reply.tokens_cached) == (finish, 107, 100)


class ProviderError(Exception):
    def __init__(self, words, status_code):
        super().__init__(words)
        self.status_code = status_code


def fail(error):
    raise error


async def failure(act, provider):
    with pytest.raises(CallFailed) as caught:
        await ask(act, provider)
    assert len(caught.value.args) == 1
    return caught.value


async def test_a_refused_key_is_fatal_and_its_words_are_not_repeated(provider):
    problem = await failure(lambda: fail(ProviderError("bad key sk-123456789", 401)), provider)
    assert (problem.kind, problem.fatal, problem.passing) == ("key", True, False)
    assert "sk-123456789" not in str(problem)


async def test_secrets_are_taken_out_of_error_messages(provider, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "s3cr3t-value-42")
    problem = await failure(lambda: fail(ProviderError("no: s3cr3t-value-42\nis odd " + "x" * 999, 400)), provider)
    assert (problem.kind, problem.fatal, problem.passing) == ("rejected", False, False)
    assert "s3cr3t" not in str(problem)
    assert "no: [masked: the key in SOME_API_KEY] is odd" in str(problem)
    assert len(str(problem)) < 400


async def test_no_such_model_is_fatal(provider):
    assert (await failure(lambda: fail(ProviderError("no such model", 404)), provider)).fatal


class ReadTimeout(Exception):
    """As client libraries name theirs."""


async def test_timeouts_of_the_provider_pass(provider):
    problem = await failure(lambda: fail(ReadTimeout()), provider)
    assert (problem.kind, problem.passing) == ("timeout", True)


async def test_a_provider_that_hangs_is_given_up(provider):
    async def hang():
        await asyncio.sleep(60)

    provider(hang)
    async with inspect_subject("mockllm/model", {"timeout": 0.05}) as subject:
        with pytest.raises(CallFailed, match=r"no reply in 0.05 s") as caught:
            await subject.answer(call(subject))
    assert (caught.value.kind, caught.value.passing) == ("timeout", True)


async def test_a_reply_without_choices_is_malformed(provider):
    from inspect_ai.model import ModelOutput, ModelUsage

    problem = await failure(lambda: ModelOutput(model="m", choices=[], usage=ModelUsage()), provider)
    assert (problem.kind, problem.passing) == ("malformed", True)


@pytest.mark.parametrize(
    ("status", "kind", "wait"), [(429, "busy", 3.5), (503, "server", None), (None, "connection", None)]
)
async def test_what_the_provider_would_retry_passes_but_is_attempted_once(provider, monkeypatch, status, kind, wait):
    from inspect_ai.model import RetryDecision
    from inspect_ai.model._providers.mockllm import MockLLM

    limit, passing = RetryDecision.rate_limit(retry_after=3.5), RetryDecision.transient()
    monkeypatch.setattr(MockLLM, "should_retry", lambda self, error: limit if status == 429 else passing)
    sent = provider(lambda: fail(ProviderError("later", status)))
    async with inspect_subject("mockllm/model", {}) as subject:
        with pytest.raises(CallFailed) as caught:
            await subject.answer(call(subject))
    assert (caught.value.kind, caught.value.passing, caught.value.retry_after) == (kind, True, wait)
    assert len(sent.sent) == 1


async def test_an_answer_can_be_cancelled(provider):
    began, ended = asyncio.Event(), asyncio.Event()

    async def hang():
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    provider(hang)
    async with inspect_subject("mockllm/model", {}) as subject:
        answering = asyncio.create_task(subject.answer(call(subject)))
        await began.wait()
        answering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answering
    assert ended.is_set()


@pytest.mark.soak
async def test_pictures_of_past_calls_are_not_kept(provider):
    """Inspect's transcript would hold each of them for as long as the exam runs."""
    seen = provider(output)
    async with inspect_subject("mockllm/model", {}) as subject:
        await subject.answer(call(subject))
        tracemalloc.start()
        for i in range(20):
            seen.sent.clear()
            picture = Picture(bytes([i]) * 300_000)
            await subject.answer(Call(subject.name, subject.settings, (Message("user", (picture,)),)))
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert held < 2_000_000


@pytest.mark.parametrize(
    ("model", "settings", "words"),
    [
        ("mockllm", {}, "expected inspect/PROVIDER/MODEL"),
        ("nosuchprovider/m", {}, "nosuchprovider"),
        ("mockllm/model", {"tempo": 1}, "unknown setting 'tempo'"),
        ("mockllm/model", {"temperature": "warm"}, "temperature"),
        ("mockllm/model", {"detail": "hihg"}, "did you mean high?"),
    ],
)
async def test_mistakes_get_one_line(model, settings, words):
    with pytest.raises(UserError) as caught:
        async with inspect_subject(model, settings):
            pass
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("snellen.subjects.inspect.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'snellen\[inspect\]'"):
        inspect_subject("mockllm/model", {})


def test_naming_a_subject_does_not_load_inspect():
    code = (
        "import sys, snellen\nfrom snellen.subjects.inspect import inspect_subject\n"
        "inspect_subject('openai/m', {})\nassert 'inspect_ai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
