"""Subjects in processes of their own: what is asked comes back to who asked it, and whatever happens there is told."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

import pytest

from snellen.call import Call, CallFailed, Message, Reply
from snellen.errors import UserError
from snellen.item import Picture
from snellen.subjects.hosted import Hosted, Making
from support.lengths import some_of

PICTURE = Picture(b"x" * 100_000, alt="large")


def call(words: str, *pictures: Picture) -> Call:
    return Call("pupil", MappingProxyType({"heat": 2}), (Message("user", (words, *pictures)),))


def pupils(*moods: str) -> Hosted:
    return Hosted("pupil", [Making("hosted_pupils", "Pupil", (mood,)) for mood in moods])


async def answers(hosted: Hosted, calls: Sequence[Call]) -> list[Reply | BaseException]:
    return await asyncio.gather(*(hosted.answer(each) for each in calls), return_exceptions=True)


def asked(*words: str, children: int = 1) -> list[Reply | BaseException]:
    async def ask() -> list[Reply | BaseException]:
        async with pupils(*["good"] * children) as hosted:
            async with asyncio.timeout(30):
                return await answers(hosted, [call(each, PICTURE) for each in words])

    return asyncio.run(ask())


def test_replies_come_back_to_who_asked() -> None:
    waits = ["wait 0.2", "wait 0", "wait 0.1", "hello there"]
    replies = asked(*waits)
    assert [reply.text for reply in replies if isinstance(reply, Reply)] == [f"{each} 100000" for each in waits]
    assert {reply.model for reply in replies if isinstance(reply, Reply)} == {"2"}


def test_whoever_has_least_to_do_is_asked() -> None:
    replies = asked(*["wait 0.1"] * 6, children=2)
    by = [reply.tokens_in for reply in replies if isinstance(reply, Reply)]
    assert os.getpid() not in by
    assert sorted(by.count(each) for each in set(by)) == [3, 3]


def test_what_goes_wrong_with_a_call_is_told_and_the_others_are_answered() -> None:
    failed, broken, printed = asked("fail try again", "break a leg", "print it")
    assert isinstance(failed, CallFailed)
    assert (failed.kind, str(failed), failed.passing, failed.fatal) == ("busy", "try again", True, False)
    assert isinstance(broken, CallFailed)
    assert "ZeroDivisionError: a leg" in str(broken)
    assert isinstance(printed, Reply)


@some_of(
    ("mood", "words"),
    [
        ("refuses", "^pupil: there is no such school$"),
        ("breaks", r"^pupil cannot be opened: ZeroDivisionError: too early \(hosted_pupils.py, line \d+\)$"),
        ("dies", "^pupil: its process ended with status 3$"),
    ],
    3,
)
def test_a_child_that_cannot_begin_is_one_line_and_none_is_left(mood: str, words: str) -> None:
    async def begin() -> None:
        async with pupils("good", mood):
            raise AssertionError("it began")

    with pytest.raises(UserError, match=words):
        asyncio.run(begin())


def test_a_child_that_is_killed_is_told_to_all_who_wait_and_to_all_who_come() -> None:
    async def ask() -> list[Reply | BaseException]:
        async with pupils("good") as hosted:
            (who,) = await answers(hosted, [call("hello")])
            assert isinstance(who, Reply)
            assert who.tokens_in
            waiting = asyncio.create_task(answers(hosted, [call("wait 60"), call("wait 60")]))
            await asyncio.sleep(0.1)
            os.kill(who.tokens_in, signal.SIGKILL)
            return [*await waiting, *await answers(hosted, [call("hello")])]

    told = asyncio.run(ask())
    assert len(told) == 3
    for each in told:
        assert isinstance(each, CallFailed)
        assert each.fatal
        assert "its process ended with status -9: it was killed" in str(each)


def test_an_interruption_is_not_for_the_child() -> None:
    async def ask() -> list[Reply | BaseException]:
        async with pupils("good") as hosted:
            (who,) = await answers(hosted, [call("hello")])
            assert isinstance(who, Reply)
            assert who.tokens_in
            os.kill(who.tokens_in, signal.SIGINT)
            return await answers(hosted, [call("wait 0.1")])

    assert isinstance(asyncio.run(ask())[0], Reply)


ORPHANED = """
import asyncio
from test_subjects_hosted import call, pupils

async def main():
    async with pupils("good") as hosted:
        print((await hosted.answer(call("hello"))).tokens_in, flush=True)
        await hosted.answer(call("wait 600"))

asyncio.run(main())
"""


def test_a_child_ends_with_an_exam_that_is_killed() -> None:
    path = os.pathsep.join(sys.path)
    exam = subprocess.Popen(
        [sys.executable, "-c", ORPHANED], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    )
    assert exam.stdout is not None
    child = int(exam.stdout.readline())
    exam.kill()
    exam.wait()
    exam.stdout.close()
    for _ in range(100):
        if not _alive(child):
            return
        time.sleep(0.1)
    raise AssertionError("it goes on without its exam")


def _alive(process: int) -> bool:
    """Whether a process does something; one that only waits to be counted does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
