"""Asking: every call once, recorded before it is used, tried again when that makes sense, never guessed."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from snellen.call import Abilities, Call, CallFailed, FailureKind, Reply
from snellen.engine import Engine, Patience, Stopped, Store
from snellen.errors import UserError
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus
from support.fakes import FakeSubject, call, until
from support.planted_keys import Planted

QUICK = Patience(attempts=3, busy_attempts=5, timeout=60, first_pause=0.001, longest_pause=0.002)
HASTY = Patience(attempts=9, busy_attempts=5, timeout=0.2, first_pause=0.001, longest_pause=0.002)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "s.db")
    yield opened
    with suppress(UserError):  # some tests break it
        opened.close()


def engine(store: Store, **options: Any) -> Engine:
    return Engine(store, **{"patience": QUICK, "chance": lambda: 0.5, **options})


def passing(kind: FailureKind = "server", **more: Any) -> CallFailed:
    return CallFailed(kind, f"{kind} failed", passing=True, **more)


async def test_a_call_is_made_once_and_then_answered_from_the_store(store: Store) -> None:
    subject, asking = FakeSubject(), engine(store)
    first = await asking.ask(subject, call("a"))
    assert first == await asking.ask(subject, call("a")) == await engine(store).ask(subject, call("a"))
    assert subject.asked == {call("a").key: 1}
    assert (asking.tallies["fake"].made, asking.tallies["fake"].cached) == (1, 1)
    assert (asking.tallies["fake"].tokens_in, asking.tallies["fake"].tokens_out) == (10, 1)


async def test_other_words_settings_or_subjects_are_other_calls(store: Store) -> None:
    subject, asking = FakeSubject(), engine(store)
    for asked in (call("a"), call("b"), call("a", temperature=1), call("a", "another")):
        await asking.ask(subject, asked)
    assert sorted(subject.asked.values()) == [1, 1, 1, 1]


@pytest.mark.parametrize("sees_truth", [True, False])
async def test_only_who_is_to_see_the_truth_is_told_what_a_call_is_about(store: Store, sees_truth: bool) -> None:
    item = Item("t/0001", "t", {}, {}, "d")
    about = Stimulus(item, Condition(), ("Who?",), Question("Who?", Form("choice", ("X", "O")), "X"))
    heard: list[Call] = []
    subject = FakeSubject(lambda asked: heard.append(asked) or "X", abilities=Abilities(sees_truth=sees_truth))  # type: ignore[func-returns-value]
    await engine(store).ask(subject, replace(call("a"), about=about))
    assert [asked.about for asked in heard] == [about if sees_truth else None]
    assert [asked.pictures[0].alt for asked in heard] == ["a board" if sees_truth else ""]


async def test_the_same_call_under_way_is_joined(store: Store) -> None:
    subject, asking = FakeSubject(delay=0.01), engine(store)
    replies = await asyncio.gather(*(asking.ask(subject, call("a")) for _ in range(20)))
    assert len(set(replies)) == 1
    assert subject.asked.total() == 1
    assert asking.tallies["fake"].joined == 19


async def test_whoever_joined_takes_over_when_the_first_is_cancelled(store: Store) -> None:
    subject, asking = FakeSubject(gate=(gate := asyncio.Event())), engine(store)
    first = asyncio.create_task(asking.ask(subject, call("a")))
    await until(lambda: subject.together == 1)
    others = [asyncio.create_task(asking.ask(subject, call("a"))) for _ in range(3)]
    for _ in range(5):  # a few turns, in which they can only join
        await asyncio.sleep(0)
    first.cancel()
    gate.set()
    replies = await asyncio.gather(*others)
    assert first.cancelled()
    assert {reply.text for reply in replies} == {"X"}
    assert subject.asked.total() == 2


async def test_those_who_joined_a_failing_call_hear_of_it(store: Store) -> None:
    subject, asking = FakeSubject(failures=[CallFailed("rejected", "no")], delay=0.01), engine(store)
    ends = await asyncio.gather(*(asking.ask(subject, call("a")) for _ in range(3)), return_exceptions=True)
    assert [str(end) for end in ends] == ["no"] * 3
    assert subject.asked.total() == 1


async def test_the_record_is_on_disk_before_the_reply_is_used(store: Store) -> None:
    subject, asking = FakeSubject(), engine(store)

    async def use(asked: Call) -> None:
        await asking.ask(subject, asked)
        with Store.open(store.path, readonly=True) as someone_else:
            assert asked.key in someone_else.answered([asked.key])
            assert someone_else.image(asked.pictures[0].digest) is not None

    await asyncio.gather(*(use(call(f"{i % 5}")) for i in range(15)))


async def test_a_reply_that_cannot_be_recorded_is_never_used(store: Store) -> None:
    subject, asking = FakeSubject(), engine(store)
    store._db.execute("PRAGMA query_only = ON")
    ends = await asyncio.gather(*(asking.ask(subject, call("a")) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(end, UserError) for end in ends)
    assert subject.asked.total() == 1, "a store that cannot be written is no reason to ask again"


@pytest.mark.parametrize("kind", ["server", "timeout", "connection", "malformed", "busy"])
async def test_what_passes_is_tried_again(store: Store, kind: FailureKind) -> None:
    subject, asking = FakeSubject(failures=[passing(kind)] * 2), engine(store)
    reply = await asking.ask(subject, call("a"))
    assert reply.text == "X"
    kept = store.call(call("a").key)
    assert kept is not None
    assert kept.attempts == 3


async def test_what_does_not_pass_is_recorded_as_failed_and_tried_by_the_next_run(store: Store) -> None:
    subject = FakeSubject(failures=[CallFailed("rejected", "no such parameter")])
    with pytest.raises(CallFailed, match="no such parameter"):
        await engine(store).ask(subject, call("a"))
    kept = store.call(call("a").key)
    assert kept is not None
    assert (kept.reply, kept.problem, kept.message) == (None, "rejected", "no such parameter")
    assert (await engine(store).ask(subject, call("a"))).text == "X"


async def test_patience_ends(store: Store) -> None:
    subject = FakeSubject(failures=[passing()] * 99)
    with pytest.raises(CallFailed, match="server failed"):
        await engine(store).ask(subject, call("a"))
    assert subject.asked.total() == QUICK.attempts


async def test_being_busy_is_borne_longer_than_faults(store: Store) -> None:
    subject = FakeSubject(failures=[passing("busy")] * 99)
    with pytest.raises(CallFailed, match="busy failed"):
        await engine(store).ask(subject, call("a"))
    assert subject.asked.total() == QUICK.busy_attempts > QUICK.attempts


async def test_an_attempt_that_takes_too_long_is_ended_and_tried_again(store: Store) -> None:
    class Slow(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            reply = await super().answer(call)
            if self.asked[call.key] == 1:
                await asyncio.sleep(3600)
            return reply

    subject = Slow()
    assert (await engine(store, patience=HASTY).ask(subject, call("a"))).text == "X"
    assert subject.asked.total() == 2


async def test_many_attempts_share_a_deadline(store: Store) -> None:
    class Slow(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            reply = await super().answer(call)
            if self.asked[call.key] == 1:
                await asyncio.sleep(0 if call.key[0] % 2 else 3600)
            return reply

    subject, asking = Slow(), engine(store, patience=HASTY)
    calls = [call(f"{i}") for i in range(40)]
    async with asyncio.timeout(60):
        replies = await asyncio.gather(*(asking.ask(subject, asked) for asked in calls))
    assert {reply.text for reply in replies} == {"X"}
    assert all(subject.asked[asked.key] >= 2 for asked in calls if not asked.key[0] % 2)


async def test_cancelled_from_outside_is_not_taken_for_late(store: Store) -> None:
    asking = engine(store)
    task = asyncio.create_task(asking.ask(subject := FakeSubject(delay=3600), call("a")))
    await until(lambda: subject.together == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert asking.lane(subject).pace.running == 0
    assert store.call(call("a").key) is None


async def test_a_subject_that_ignores_its_deadline_may_still_answer(store: Store) -> None:
    class Stubborn(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(3600)
            return Reply("X, at last")

    asking = engine(store, patience=HASTY)
    assert (await asking.ask(Stubborn(), call("a"))).text == "X, at last"
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_retry_after_is_kept_by_all_calls_of_the_subject(store: Store) -> None:
    asking, loop = engine(store, concurrency=2), asyncio.get_running_loop()
    times: list[float] = []

    class Busy(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            times.append(loop.time())
            if len(times) == 1:
                raise passing("busy", retry_after=0.15)
            return Reply("X")

    subject = Busy()
    told = asyncio.create_task(asking.ask(subject, call("a")))
    await until(lambda: asking.held_up > 0)
    await asyncio.gather(told, asking.ask(subject, call("b")), asking.ask(subject, call("c")))
    assert min(times[1:]) - times[0] >= 0.149
    assert asking.held_up == 0


async def test_a_server_that_asks_for_too_long_ends_the_run(store: Store) -> None:
    subject = FakeSubject(failures=[passing("busy", retry_after=7200)])
    with pytest.raises(CallFailed, match="asks to wait 7200 s") as error:
        await engine(store).ask(subject, call("a"))
    assert error.value.fatal


async def test_a_fatal_failure_is_passed_on_and_not_recorded(store: Store) -> None:
    subject = FakeSubject(failures=[CallFailed("key", "the key is wrong", fatal=True)])
    with pytest.raises(CallFailed, match="the key is wrong") as error:
        await engine(store).ask(subject, call("a"))
    assert error.value.fatal
    assert store.call(call("a").key) is None


async def test_many_failures_in_a_row_are_fatal(store: Store) -> None:
    subject = FakeSubject(failures=[CallFailed("rejected", "no")] * 99)
    asking = engine(store, patience=Patience(failures_in_a_row=3))
    ends = [await _end(asking, subject, f"{i}") for i in range(3)]
    assert [end.fatal for end in ends] == [False, False, True]
    assert "3 calls in a row failed" in str(ends[2])
    assert "the last with: no" in str(ends[2])


async def test_a_subject_that_never_answers_is_given_up_after_three_calls_one_at_a_time(store: Store) -> None:
    subject = FakeSubject(failures=[CallFailed("malformed", "no JSON", passing=True)] * 99)
    asking = engine(store, patience=Patience(first_pause=0.001))
    ends = await asyncio.gather(*(_end(asking, subject, f"{i}") for i in range(3)))
    assert [end.fatal for end in ends] == [False, False, True]
    assert (subject.asked.total(), subject.most_together) == (3 * Patience().attempts, 1)


async def test_failures_after_an_answer_are_not_taken_for_the_end_at_once(store: Store) -> None:
    subject = FakeSubject(failures=[])
    asking = engine(store, patience=Patience(attempts=1))
    await asking.ask(subject, call("first"))
    subject.failures = [CallFailed("malformed", "no JSON", passing=True)] * 99
    assert not any([(await _end(asking, subject, f"{i}")).fatal for i in range(9)])


async def _end(asking: Engine, subject: FakeSubject, words: str) -> CallFailed:
    with pytest.raises(CallFailed) as error:
        await asking.ask(subject, call(words))
    return error.value


async def test_no_more_calls_at_once_than_allowed(store: Store) -> None:
    subject, asking = FakeSubject(delay=0.005), engine(store, concurrency=3)
    await asyncio.gather(*(asking.ask(subject, call(f"{i}")) for i in range(12)))
    assert subject.most_together == 3


async def test_stopping_lets_calls_under_way_finish_and_starts_no_other(store: Store) -> None:
    subject, asking = FakeSubject(gate=(gate := asyncio.Event())), engine(store, concurrency=1)
    under_way = asyncio.create_task(asking.ask(subject, call("a")))
    waiting = asyncio.create_task(asking.ask(subject, call("b")))
    await until(lambda: subject.together == 1)
    asking.stop()
    gate.set()
    assert (await under_way).text == "X"
    for ended in (waiting, asyncio.create_task(asking.ask(subject, call("c")))):
        with pytest.raises(Stopped):
            await ended
    assert (await asking.ask(subject, call("a"))).text == "X", "what is in the store can still be had"
    assert subject.asked == {call("a").key: 1}


async def test_stopping_ends_pauses(store: Store) -> None:
    patient = Patience(first_pause=3600, longest_pause=3600)
    subject, asking = FakeSubject(failures=[passing()] * 9), engine(store, patience=patient)
    waiting = asyncio.create_task(asking.ask(subject, call("a")))
    await until(lambda: subject.asked.total() == 1 and subject.together == 0)
    asking.stop()
    with pytest.raises(Stopped):
        await waiting
    assert store.call(call("a").key) is None


async def test_what_no_database_can_hold_is_mended_before_use(store: Store) -> None:
    class Odd(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            return Reply("half \ud83d a pair", "stop", 2**70, -1, "m\udc00")

    asking = engine(store)
    first = await asking.ask(Odd(), call("words with \ud83d half a pair"))
    assert first == Reply("half \ufffd a pair", "stop", None, None, "m\ufffd")
    assert first == await engine(store).ask(Odd(), call("words with \ud83d half a pair"))


async def test_a_mistake_in_a_subject_is_not_swallowed(store: Store) -> None:
    subject = FakeSubject(failures=[ZeroDivisionError("oops")] * 9)
    asking = engine(store)
    ends = await asyncio.gather(*(asking.ask(subject, call("a")) for _ in range(3)), return_exceptions=True)
    assert [type(end) for end in ends] == [ZeroDivisionError] * 3


def test_pauses_double_are_spread_and_keep_what_the_server_asks() -> None:
    patience = Patience(first_pause=1, longest_pause=10)
    assert [patience.pause(n, None, 1.0) for n in range(1, 7)] == [1, 2, 4, 8, 10, 10]
    assert [patience.pause(n, None, 0.0) for n in range(1, 4)] == [0.5, 1, 2]
    assert patience.pause(1, 30, 0.0) == 30.5
    assert patience.pause(10**6, None, 1.0) == 10


async def test_the_first_call_goes_alone_until_it_is_answered(store: Store) -> None:
    subject, asking = FakeSubject(gate=(gate := asyncio.Event())), engine(store)
    asked = [asyncio.create_task(asking.ask(subject, call(f"{i}"))) for i in range(8)]
    await until(lambda: subject.together == 1)
    for _ in range(20):
        await asyncio.sleep(0)
    assert subject.asked.total() == 1
    gate.set()
    await asyncio.gather(*asked)
    assert subject.asked.total() == 8


def prefix(asked: Call) -> bytes | None:
    """The digest of the picture; a call in capital letters shares nothing."""
    return None if asked.messages[0].parts[1] == "ALONE" else asked.pictures[0].digest.encode()


KEEPS = Abilities(in_process=True, cached_prefix=prefix)


async def test_of_calls_that_share_what_a_provider_keeps_the_first_goes_ahead(store: Store) -> None:
    subject, asking = FakeSubject(gate=(gate := asyncio.Event()), abilities=KEEPS), engine(store)
    other = Picture(b"another")
    calls = [*(call(f"{i}") for i in range(5)), *(call(f"{i}", picture=other) for i in range(5)), call("ALONE")]
    asked = [asyncio.create_task(asking.ask(subject, each)) for each in calls]
    await until(lambda: subject.together == 3)
    for _ in range(20):
        await asyncio.sleep(0)
    assert sorted(subject.asked) == sorted(calls[i].key for i in (0, 5, 10))
    gate.set()
    await asyncio.gather(*asked)
    assert subject.asked.total() == 11
    assert not asking._writers, "prefixes of calls that were answered are forgotten"


@pytest.mark.parametrize("how", ["fails", "is cancelled"])
async def test_if_the_first_comes_to_nothing_the_next_goes_ahead(how: str, store: Store) -> None:
    failure = CallFailed("rejected", "no")
    subject = FakeSubject(failures=[failure] if how == "fails" else [], abilities=KEEPS, gate=asyncio.Event())
    assert subject.gate
    asking = engine(store)
    asked = [asyncio.create_task(asking.ask(subject, call(f"{i}"))) for i in range(3)]
    await until(lambda: subject.together == 1)
    if how == "is cancelled":
        asked[0].cancel()
        await until(lambda: subject.asked.total() == 2)
    subject.gate.set()
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert subject.asked.total() == 3
    assert [isinstance(end, Reply) for end in ended] == ([False] * 3 if how == "fails" else [False, True, True])


async def test_a_run_that_stops_waits_for_no_prefix(store: Store) -> None:
    subject, asking = FakeSubject(gate=(gate := asyncio.Event()), abilities=KEEPS), engine(store)
    asked = [asyncio.create_task(asking.ask(subject, call(f"{i}"))) for i in range(3)]
    await until(lambda: subject.together == 1)
    asking.stop()
    gate.set()
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(end) for end in ended] == [Reply, Stopped, Stopped]


async def test_a_subject_in_this_process_gets_all_calls_at_once(store: Store) -> None:
    subject = FakeSubject(gate=(gate := asyncio.Event()), abilities=Abilities(in_process=True))
    asking = engine(store)
    asked = [asyncio.create_task(asking.ask(subject, call(f"{i}"))) for i in range(8)]
    await until(lambda: subject.together == 8)
    gate.set()
    await asyncio.gather(*asked)


async def test_a_server_that_is_busy_for_too_long_ends_the_run(store: Store) -> None:
    patient = Patience(busy_attempts=99, first_pause=0.01, longest_pause=0.02, longest_wait=0.2)
    with pytest.raises(CallFailed, match="run the same command again later") as error:
        await engine(store, patience=patient).ask(FakeSubject(failures=[passing("busy")] * 99), call("a"))
    assert error.value.fatal


async def test_a_server_that_rejects_a_call_is_no_longer_busy(store: Store) -> None:
    patient = Patience(busy_attempts=99, first_pause=0.001, longest_pause=0.002, longest_wait=0.2)
    asking = engine(store, patience=patient)
    with pytest.raises(CallFailed, match="no"):
        await asking.ask(FakeSubject(failures=[passing("busy"), CallFailed("rejected", "no")]), call("a"))
    await asyncio.sleep(0.25)
    assert (await asking.ask(FakeSubject(failures=[passing("busy")]), call("b"))).text == "X"


async def test_whoever_asked_sees_a_reply_as_it_is_stored_without_keys(store: Store) -> None:
    key = Planted().key("openai", "reply")
    reply = await engine(store).ask(FakeSubject(text=f"X, with {key}"), call("a"))
    assert reply.text == "X, with [masked: looks like an API key]"
    assert store.get_reply(call("a").key) == reply
