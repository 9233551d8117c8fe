"""What providers keep of prompts: asked for where they want it, counted and priced, and never by moving anything."""

import asyncio
import json
from collections.abc import Sequence

import pytest
from scripted_api import PNG, Api, openai_says

from snellen.call import Call, Message
from snellen.engine import Engine, Price, Store, estimate
from snellen.errors import UserError
from snellen.item import Picture
from snellen.subjects import subject
from snellen.subjects.caching import breakpoints
from snellen.tasks import pack_of, task, task_names
from support.caching_server import CachingServer

QUESTIONS = ("Who won?", "Who lost?", "Who won under the inverse rule?", "How many pieces are there?")
ANTHROPIC, EARLIER, LATER = "anthropic/claude-x", "openai/gpt-4.1", "openai/gpt-5.6"


def picture(number: int) -> Picture:
    return Picture(PNG + bytes([number]))


def calls(who, pictures=3, questions: Sequence[str] = QUESTIONS):
    for number in range(pictures):
        for words in questions:
            yield Call(who.name, who.settings, (Message("user", (picture(number), words)),))


async def held(api: Api, server: CachingServer, store: Store, name: str, settings: str = "", at_once: int = 16):
    """The tally of all calls made together, and the subject."""
    api.answer = server
    async with subject(f"{name}@{api.url}{settings}", env={}) as who:
        engine = Engine(store, concurrency=at_once)
        await asyncio.gather(*(engine.ask(who, call) for call in calls(who)))
        return engine.tally(who.name), who


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "s.db") as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "kind", "settings", "write"),
    [
        (ANTHROPIC, "anthropic", ":cache=on", None),
        (ANTHROPIC, "anthropic", ":cache=5m", None),
        (ANTHROPIC, "anthropic", ":cache=1h", 20),
        (EARLIER, "by itself", ":cache=on", None),
        (LATER, "at breakpoints", ":cache=on", None),
    ],
)
async def test_a_picture_is_paid_for_once_and_our_sum_is_the_bill(api, store, name, kind, settings, write):
    server = CachingServer(kind, seconds=0.02)
    tally, who = await held(api, server, store, name, settings)
    assert server.read >= 9 * 400, "all but the first call about each picture"
    assert (tally.tokens_cached, tally.tokens_written) == (server.read, server.written)
    assert Price(10, 0, 1, write).spent(tally) == pytest.approx(server.bill)
    assert who.abilities.cache_write == {"anthropic": 2 if write else 1.25, "at breakpoints": 1.25}.get(kind, 0)
    assert Price(10, 0).spent(tally) >= server.bill or write, "without a price of cached input nothing is cheaper"


async def test_the_first_call_about_a_picture_goes_ahead_and_the_others_read_what_it_wrote(api, store):
    server = CachingServer("anthropic", seconds=0.02)
    await held(api, server, store, ANTHROPIC, ":cache=on")
    assert server.written == 3 * 400, "each picture was written once"
    assert server.read == 9 * 400


async def test_unasked_nothing_is_marked_and_nobody_waits(api, store):
    server = CachingServer("anthropic")
    tally, who = await held(api, server, store, ANTHROPIC)
    assert (server.read, server.written, tally.tokens_cached) == (0, 0, 0)
    assert who.abilities.cached_prefix is None
    assert all(b"cache" not in sent.body for sent in api.sent)
    await held(api, CachingServer("by itself"), store, EARLIER)
    assert all(b"cache" not in sent.body for sent in api.sent)


async def test_later_models_of_openai_write_whole_prompts_unless_told_otherwise(api, tmp_path):
    servers = {}
    for setting in ("", ":cache=on", ":cache=off"):
        servers[setting] = CachingServer("at breakpoints")
        with Store.open(tmp_path / f"{setting[1:]}.db") as store:
            await held(api, servers[setting], store, LATER, setting)
    assert servers[""].read == 0, "no two prompts are the same to their end"
    assert servers[""].written > 12 * 400
    assert (servers[":cache=off"].read, servers[":cache=off"].written) == (0, 0)
    assert servers[":cache=on"].bill < servers[":cache=off"].bill < servers[""].bill


async def test_asking_for_it_changes_no_key_and_no_name(api, store):
    for name in (ANTHROPIC, EARLIER, LATER):
        plain, asking = subject(f"{name}@{api.url}", env={}), subject(f"{name}@{api.url}:cache=on", env={})
        assert (plain.name, plain.settings) == (asking.name, asking.settings)
        assert [call.key for call in calls(plain)] == [call.key for call in calls(asking)]
    await held(api, CachingServer("anthropic"), store, ANTHROPIC)
    tally, _ = await held(api, CachingServer("anthropic"), store, ANTHROPIC, ":cache=on")
    assert (tally.made, tally.cached) == (0, 12)


async def test_requests_differ_in_the_marks_alone(api):
    bodies = []
    for settings in ("", ":cache=1h"):
        api.answer = CachingServer("anthropic")
        async with subject(f"{ANTHROPIC}@{api.url}{settings}", env={}) as who:
            await who.answer(next(calls(who)))
        bodies.append(api.sent[-1].body)
    mark = b',"cache_control":{"type":"ephemeral","ttl":"1h"}'
    assert bodies[1].count(mark) == 1
    assert bodies[1].replace(mark, b"") == bodies[0]


async def test_requests_that_share_a_prefix_say_so_to_models_that_look_at_breakpoints(api, store):
    await held(api, CachingServer("at breakpoints"), store, LATER, ":cache=on")
    keys = [sent.json["prompt_cache_key"] for sent in api.sent]
    assert sorted(map(keys.count, set(keys))) == [4, 4, 4]
    api.sent.clear()
    own = ':cache=on,extra={"prompt_cache_key": "mine", "prompt_cache_options": {"mode": "implicit"}}'
    await held(api, CachingServer("at breakpoints"), store, LATER, own)
    assert {sent.json["prompt_cache_key"] for sent in api.sent} == {"mine"}
    assert api.sent[0].body.count(b"prompt_cache_key") == 1
    assert api.sent[0].json["prompt_cache_options"] == {"mode": "implicit"}


def test_breakpoints_are_the_last_pictures_that_something_follows():
    a, b = picture(1), picture(2)
    assert breakpoints((Message("user", ("words", a, "more", b, "question")),)) == [(0, 3), (0, 1)]
    assert breakpoints((Message("user", ("question", a)),)) == [], "nobody else's prompt goes on from here"
    assert breakpoints((Message("user", (a, "q")), Message("assistant", ("X",)), Message("user", (b,)))) == [(0, 0)]
    assert breakpoints((Message("user", ("words",)),)) == []
    many = tuple(part for number in range(9) for part in (picture(number), "and"))
    assert breakpoints((Message("user", many),)) == [(0, 16), (0, 14), (0, 12), (0, 10)]


@pytest.mark.parametrize("name", task_names())
def test_tasks_show_their_pictures_before_the_question(name):
    """So nothing has to be moved; a condition that is about order stands as it is."""
    family = task(name)
    for stimulus in family.stimuli(family.design(), 1, 0, pack_of(family)):
        if any(isinstance(part, Picture) for part in stimulus.shown):
            is_words_first = stimulus.condition.get("order") == "text_first"
            assert isinstance(stimulus.shown[-1], Picture) == is_words_first


async def test_counts_that_cannot_be_true_are_left_out(api):
    for details in ({"cached_tokens": 1000}, {"cached_tokens": -1}, {"cached_tokens": "7"}, [], None):
        api.says(openai_says() | {"usage": {"prompt_tokens": 321, "prompt_tokens_details": details}})
        async with subject(f"openai/m@{api.url}", env={}) as who:
            reply = await who.answer(next(calls(who)))
        assert (reply.tokens_in, reply.tokens_cached, reply.tokens_written) == (321, 0, 0)


async def test_what_was_cached_is_on_record_and_prices_the_next_estimate(api, store):
    tally, who = await held(api, CachingServer("anthropic"), store, ANTHROPIC, ":cache=on")
    replies = [store.get_reply(call.key) for call in calls(who)]
    assert sum(reply.tokens_cached for reply in replies) == tally.tokens_cached > 0
    assert sum(reply.tokens_written for reply in replies) == tally.tokens_written > 0
    shares = store.cache_shares(who.name)
    assert shares == (tally.tokens_cached / tally.tokens_in, tally.tokens_written / tally.tokens_in)
    new = [Call(who.name, who.settings, (Message("user", (picture(9), words)),)) for words in QUESTIONS]
    price = Price(10, 0, 1, writes=True)
    known = estimate(new, store, {who.name: price}).by_subject[who.name]
    assert known.tokens_cached == round(shares[0] * known.tokens_in) > 0
    written = known.tokens_in * shares[1]
    plain = known.tokens_in - known.tokens_cached - written
    assert known.cost == pytest.approx((10 * plain + 1 * known.tokens_cached + 12.5 * written) / 1e6)
    unknown = estimate(new, None, {who.name: price}).by_subject[who.name]
    assert unknown.cost == pytest.approx(known.tokens_in * 12.5 / 1e6), "as dear as it can be"


async def test_a_reply_with_probabilities_keeps_both(api, store):
    content = [{"token": "X", "logprob": -0.5, "top_logprobs": []}]
    said = openai_says()
    said["choices"][0]["logprobs"] = {"content": content}
    said["usage"]["prompt_tokens_details"] = {"cached_tokens": 300}
    api.says(said)
    async with subject(f"openai/m@{api.url}:logprobs=0", env={}) as who:
        asked = next(calls(who))
        reply = await Engine(store).ask(who, asked)
    assert store.get_reply(asked.key) == reply
    assert (reply.tokens[0].logprob, reply.tokens_cached) == (-0.5, 300)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (f"{ANTHROPIC}:cache=off", "expected on or 5m or 1h"),
        (f"{EARLIER}:cache=1h", "expected on$"),
        (f"{LATER}:cache=1h", "expected on or off"),
    ],
)
def test_a_wrong_value_is_told_what_there_is(name, words):
    with pytest.raises(UserError, match=words):
        subject(name, env={})


def test_prices_are_written_as_they_are_read():
    for written in ("1.0/2.0", "1.0/2.0/0.5", "1.0/2.0/0.5/3.0"):
        assert str(Price(*map(float, written.split("/")))) == written
    assert str(Price(1.0, 2.0, None, 3.0)) == "1.0/2.0/1.0/3.0"
    assert json.loads(json.dumps(Price(2, 8, 0.5).of(1_000_000, 0, 1_000_000))) == 0.5
