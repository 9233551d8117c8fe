"""Subjects that answer many calls at once: who is taken together, and what befalls whom."""

import asyncio
from collections.abc import Sequence
from threading import Barrier, Lock
from typing import NamedTuple

import pytest

from snellen.call import Call, CallFailed, Message, Reply
from snellen.errors import UserError
from snellen.subjects.batched import Batched, TooMuch, company


class Waiting(NamedTuple):
    length: int
    kind: str = "words"
    text: str = ""


def test_the_first_in_line_is_taken_with_those_nearest_in_length() -> None:
    line = [Waiting(100), Waiting(900), Waiting(110), Waiting(95), Waiting(400)]
    assert company(line, 3, 10_000) == [0, 3, 2]


def test_only_calls_of_one_kind_are_taken_together() -> None:
    line = [Waiting(10, "hot"), Waiting(10, "cold"), Waiting(12, "hot")]
    assert company(line, 8, 1000) == [0, 2]


def test_padding_counts_among_the_tokens() -> None:
    assert company([Waiting(100)] * 10, 8, 400) == [0, 1, 2, 3]
    assert company([Waiting(10), Waiting(10), Waiting(200)], 8, 100) == [0, 1]


def test_long_calls_do_not_pad_short_ones() -> None:
    line = [Waiting(100), Waiting(2000), Waiting(250), Waiting(60), Waiting(2100)]
    assert company(line, 8, 10**6) == [0, 3]
    assert company(line[1:], 8, 10**6) == [0, 3]


def test_a_call_that_is_too_long_for_any_batch_goes_alone() -> None:
    assert company([Waiting(5000), Waiting(10)], 8, 100) == [0]


class Echo(Batched[Waiting]):
    """Repeats what it is asked. `holds`: how many tokens its device can take."""

    def __init__(self, batch: int = 8, workers: int = 1, holds: int = 10**6) -> None:
        super().__init__("echo", {}, batch=batch, tokens=10**6, linger=0.05)
        self.wanted, self.holds = workers, holds
        self.batches: list[list[Waiting]] = []
        self.seen_by: set[int] = set()
        self.closed = False
        self._lock = Lock()

    def open(self) -> int:
        return self.wanted

    def prepare(self, call: Call) -> Waiting:
        text = str(call.messages[0].parts[0])
        if text == "unprintable":
            raise ValueError("cannot be made ready")
        return Waiting(len(text), "words", text)

    def work(self, worker: int, batch: Sequence[Waiting]) -> list[Reply]:
        with self._lock:
            self.batches.append(list(batch))
            self.seen_by.add(worker)
        if len(batch) * max(each.length for each in batch) > self.holds:
            raise TooMuch("out of memory")
        if any(each.text == "poison" for each in batch):
            raise ValueError("poisoned")
        return [Reply(each.text) for each in batch]

    def close(self) -> None:
        self.closed = True


def call(text: str) -> Call:
    return Call("echo", {}, (Message("user", (text,)),))


async def ask(subject: Echo, texts: Sequence[str]) -> list[Reply | BaseException]:
    async with subject:
        return await asyncio.gather(*(subject.answer(call(text)) for text in texts), return_exceptions=True)


async def test_each_call_gets_its_own_reply() -> None:
    texts = [f"{'long ' * (place % 5)}{place}" for place in range(50)]
    subject = Echo()
    assert [reply.text for reply in await ask(subject, texts) if isinstance(reply, Reply)] == texts
    assert max(map(len, subject.batches)) == 8
    assert len(subject.batches) < 25
    assert subject.closed


async def test_batches_have_calls_of_like_length() -> None:
    subject = Echo(batch=4)
    await ask(subject, ["short"] * 4 + ["very long " * 20] * 4)
    assert all(len({each.length for each in batch}) == 1 for batch in subject.batches)


async def test_out_of_memory_halves_the_batch_and_those_after_it() -> None:
    subject = Echo(batch=8, holds=30)
    replies = await ask(subject, ["12345678"] * 24)
    assert all(isinstance(reply, Reply) for reply in replies)
    sizes = [len(batch) for batch in subject.batches]
    assert sizes[:4] == [8, 4, 2, 2]
    assert max(sizes[6:]) == 2


async def test_a_call_too_large_alone_fails_and_the_others_do_not() -> None:
    subject = Echo(holds=30)
    *fine, huge = await ask(subject, ["ok", "fine", "x" * 50])
    assert [reply.text for reply in fine if isinstance(reply, Reply)] == ["ok", "fine"]
    assert isinstance(huge, CallFailed)
    assert "even for a single call" in str(huge)


async def test_a_call_that_breaks_the_model_fails_alone() -> None:
    good, bad, also_good, unready = await ask(Echo(), ["a", "poison", "b", "unprintable"])
    assert isinstance(good, Reply)
    assert isinstance(also_good, Reply)
    assert isinstance(bad, CallFailed)
    assert "poisoned" in str(bad)
    assert isinstance(unready, CallFailed)
    assert "cannot be made ready" in str(unready)


async def test_a_reply_too_few_is_told_to_those_who_wait() -> None:
    class Forgetful(Echo):
        def work(self, worker: int, batch: Sequence[Waiting]) -> list[Reply]:
            return [reply for reply in super().work(worker, batch) if reply.text != "poor"]

    good, bad, also_good = await asyncio.wait_for(ask(Forgetful(), ["a", "poor", "b"]), 20)
    assert isinstance(good, Reply)
    assert isinstance(also_good, Reply)
    assert isinstance(bad, CallFailed)


async def test_calls_that_were_called_off_are_not_worked_on() -> None:
    subject = Echo()
    async with subject:
        off = asyncio.create_task(subject.answer(call("never")))
        await asyncio.sleep(0.01)
        off.cancel()
        assert (await subject.answer(call("now"))).text == "now"
    assert "never" not in {each.text for batch in subject.batches for each in batch}


async def test_twice_the_batch_is_let_in_for_each_worker() -> None:
    subject = Echo(batch=4, workers=3)
    async with subject:
        assert subject.abilities.together == 24
        assert subject.abilities.batch == 4
        assert subject.abilities.in_process


async def test_every_device_has_a_worker() -> None:
    meeting = Barrier(2, timeout=20)

    class Meeting(Echo):
        def work(self, worker: int, batch: Sequence[Waiting]) -> list[Reply]:
            meeting.wait()  # nobody gets on before both are at work
            return super().work(worker, batch)

    subject = Meeting(batch=1, workers=2)
    assert all(isinstance(reply, Reply) for reply in await ask(subject, ["a", "b"]))
    assert subject.seen_by == {0, 1}


async def test_what_goes_wrong_at_opening_is_said() -> None:
    class Broken(Echo):
        def open(self) -> int:
            raise UserError("no such model")

    with pytest.raises(UserError, match="no such model"):
        await ask(Broken(), ["x"])
    with pytest.raises(CallFailed, match="before it was opened"):
        await Echo().answer(call("x"))
