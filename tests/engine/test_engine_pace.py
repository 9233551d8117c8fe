"""How many calls a server gets, and how fast: found out with few refusals, for many kinds of servers, in no time."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.engine import Engine, RunSummary, Store, ready, run
from snellen.engine.pace import Pace
from support.fake_clock import run_jumping
from support.fakes import jobs
from support.lengths import few_and_more
from support.limited import Allows, LimitedSubject

AT_HOME = Abilities(server="http://localhost:1", timeout=300)
OUT_THERE = Abilities(timeout=300)


@dataclass
class Held:
    """A run and what it came to."""

    subject: LimitedSubject
    summary: RunSummary
    pace: Pace
    seconds: float
    n: int

    @property
    def share(self) -> float:
        """What part of the least possible time it took."""
        return self.subject.allows.least(self.n) / self.seconds


class Uneven(LimitedSubject):
    """Some calls take longer than others, some shorter."""

    def seconds(self, call: Call) -> float:
        rng = Random(call.key)
        return self.allows.work * rng.lognormvariate(-0.08, 0.4)


def hold(
    folder: Path, allows: Allows, n: int = 500, abilities: Abilities = OUT_THERE, kind: type[LimitedSubject] = Uneven
) -> Held:
    async def hold_it() -> Held:
        subject, loop = kind(allows, abilities), asyncio.get_running_loop()
        with Store.open(folder / "s.db") as store:
            engine, began = Engine(store, chance=Random(0).random), loop.time()
            summary = await run(ready(jobs(subject, n)), engine, 1, total=n)
            return Held(subject, summary, engine.lane(subject).pace, loop.time() - began, n)

    held = run_jumping(hold_it())
    assert (held.summary.done, held.summary.errors, held.summary.ended) == (n, 0, "complete")
    assert len(held.subject.worked) == n
    return held


LONG = pytest.mark.soak


@pytest.mark.parametrize("retry_after", [None, *(pytest.param(word, marks=LONG) for word in (2.0, "exact"))])
@pytest.mark.parametrize(
    ("allows", "n", "share", "refused"),
    [
        pytest.param({"at_once": 5}, 500, 0.9, 10, id="5 at once"),
        pytest.param({"at_once": 5, "work": 1.0}, 300, 0.85, 12, id="5 at once, slow", marks=LONG),
        pytest.param({"at_once": 20, "work": 10.0}, 500, 0.85, 12, id="20 at once, very slow", marks=LONG),
        pytest.param({"per": (50, 1.0)}, 500, 0.8, 15, id="50 a second"),
        pytest.param(
            {"per": (50, 1.0), "at_once": 5, "work": 0.04},
            500,
            0.8,
            15,
            id="50 a second, 5 at once",
            marks=LONG,
        ),
        pytest.param({"per": (500, 60.0)}, 1500, 0.8, 50, id="500 a minute"),
        pytest.param({"per": (60, 60.0), "work": 2.0}, 240, 0.75, 40, id="60 a minute, slow"),
        pytest.param({"bucket": (10.0, 50)}, 500, 0.8, 20, id="10 a second, 50 saved up"),
        pytest.param({"bucket": (1.0, 1)}, 150, 0.8, 20, id="one a second", marks=LONG),
        pytest.param(
            {"bucket": (10.0, 10), "at_once": 20, "work": 1.0},
            500,
            0.8,
            20,
            id="10 a second, 20 at once",
            marks=LONG,
        ),
        pytest.param({"shut": (0.0, 60.0)}, 500, 0.85, 20, id="shut at first"),
        pytest.param({"shut": (5.0, 65.0)}, 5000, 0.85, 80, id="shut in between", marks=LONG),
    ],
)
def test_most_of_what_a_server_allows_with_few_refusals(tmp_path, allows, n, share, refused, retry_after):
    held = hold(tmp_path, Allows(**allows, retry_after=retry_after), n)
    assert held.share >= share
    assert held.subject.refused <= refused
    assert set(held.subject.worked.values()) == {1}, "nothing is worked on twice"


def test_a_server_that_asks_for_longer_than_needed_is_given_it_once(tmp_path):
    held = hold(tmp_path, Allows(per=(50, 1.0), retry_after=10.0), 1000)
    assert held.seconds < 10 + 1.2 * held.subject.allows.least(1000)
    assert held.subject.refused <= 15


class Overloaded(Uneven):
    """Refuses without a word on when to come back, as 503 and 529 do."""

    def __init__(self, allows: Allows, abilities: Abilities) -> None:
        super().__init__(allows, abilities)
        self.answers: list[float] = []

    async def answer(self, call: Call) -> Reply:
        reply = await super().answer(call)
        self.answers.append(asyncio.get_running_loop().time())
        return reply


@few_and_more("seconds", [3], [30, 300])
@pytest.mark.parametrize("abilities", [AT_HOME, OUT_THERE], ids=["at home", "out there"])
def test_after_a_burst_of_refusals_work_goes_on_within_twice_its_length(tmp_path, abilities, seconds):
    allows = Allows(shut=(5.0, 5.0 + seconds), work=0.5)
    held = hold(tmp_path, allows, 2000, abilities, Overloaded)
    assert isinstance(held.subject, Overloaded)
    back = min(at for at in held.subject.answers if at > 5.0 + seconds + allows.work)
    assert back - 5.0 <= 2 * seconds
    assert held.seconds <= 2 * seconds + 1.2 * (allows.least(2000) - seconds)
    assert held.subject.refused <= 64 + 20


@pytest.mark.parametrize(("shut", "work", "n"), [((0.5, 4.5), 0.05, 8000), ((0.3, 10.3), 0.2, 5000)])
def test_a_burst_before_the_pace_is_known_is_no_measure_of_it(tmp_path, shut, work, n):
    held = hold(tmp_path, Allows(shut=shut, work=work), n)
    assert held.seconds <= 1.6 * held.subject.allows.least(n)
    assert held.subject.refused <= 20


def test_nobody_waits_long_for_a_first_answer_that_is_slow(tmp_path):
    held = hold(tmp_path, Allows(work=60.0), 8, kind=LimitedSubject)
    assert held.subject.most_together == 8
    assert held.seconds == pytest.approx(5 + 60)


@pytest.mark.soak
def test_the_rate_that_failed_is_approached_again_later_and_later(tmp_path):
    """Half an hour at a server that takes 2 a second: refusals become rare, and the pace stays close."""
    held = hold(tmp_path, Allows(per=(2, 1.0), retry_after=2.0), 3600)
    assert held.share >= 0.85
    assert held.subject.refused <= 40


@pytest.mark.soak
def test_the_number_that_failed_is_tried_again_later_and_later(tmp_path):
    held = hold(tmp_path, Allows(at_once=5, work=0.5, retry_after=2.0), 4000)
    assert held.share >= 0.9
    assert held.subject.refused <= 20


@pytest.mark.parametrize(("moody", "times"), [(0.02, 5), pytest.param(0.1, 30, marks=LONG), (0.3, 100)])
def test_a_server_that_refuses_for_no_reason_is_not_left_alone_for_good(tmp_path, moody, times):
    """The more it refuses, the slower it is asked; but it goes on."""
    held = hold(tmp_path, Allows(moody=moody), 1000)
    assert held.seconds < times * held.subject.allows.least(1000)


class Roomier(Uneven):
    """After a minute the server takes 40 at once instead of 5."""

    async def answer(self, call: Call):
        if asyncio.get_running_loop().time() > 60:
            self.gate.allows = Allows(at_once=40, work=self.allows.work)
        return await super().answer(call)


def test_a_server_that_takes_more_after_a_while_is_given_more(tmp_path):
    held = hold(tmp_path, Allows(at_once=5, work=1.0), 3000, kind=Roomier)
    assert held.seconds < 60 + 2 * (3000 - 300) / 40
    assert held.pace.limit.value >= 36


@pytest.mark.parametrize("abilities", [AT_HOME, OUT_THERE], ids=["at home", "out there"])
def test_a_quick_server_is_not_held_back(tmp_path, abilities):
    held = hold(tmp_path, Allows(work=0.01), 3000, abilities)
    assert held.share >= 0.85
    assert held.subject.most_together == 64
    assert held.subject.most_at < 0.2, "all there are, almost at once"


def test_a_slow_service_that_takes_everybody_gets_everybody(tmp_path):
    held = hold(tmp_path, Allows(work=5.0), 1500)
    assert held.share >= 0.8
    assert held.subject.most_together == 64


@pytest.mark.parametrize("kind", [LimitedSubject, Uneven])
@pytest.mark.parametrize("work", [1.0, 10.0, 90.0])
def test_a_server_that_works_one_by_one_gets_few_and_nothing_is_lost(tmp_path, work, kind):
    held = hold(tmp_path, Allows(workers=1, work=work), 100, AT_HOME, kind)
    assert set(held.subject.worked.values()) == {1}, "nothing is worked on twice"
    assert held.subject.most_together <= 8
    assert held.seconds <= 1.05 * sum(held.subject.seconds(job.call) for job in jobs(held.subject, 100))


def test_calls_that_wait_at_a_server_are_not_late(tmp_path):
    """64 at once at a server that takes 30 s for each: the last waits for half an hour, and has 300 s."""
    held = hold(tmp_path, Allows(workers=1, work=30.0), 64, Abilities(timeout=300, in_process=True), LimitedSubject)
    assert set(held.subject.worked.values()) == {1}
    assert held.subject.most_together == 64


def test_a_server_with_several_workers_gets_enough_for_them(tmp_path):
    held = hold(tmp_path, Allows(workers=8, work=3.0), 600, AT_HOME)
    assert held.share >= 0.85
    assert set(held.subject.worked.values()) == {1}


# The pace by itself


def take(pace: Pace, n: int, now: float):
    turns = []
    while len(turns) < n and pace.wait(now) == 0:
        turns.append(pace.begin(now))
    return turns


def test_the_limit_becomes_what_the_server_kept_of_a_burst():
    pace = Pace(64, 8)
    turns = take(pace, 99, 0.0)
    assert len(turns) == 8
    for turn in turns[5:]:
        pace.refused(turn, 0.01, 2.0)
    assert pace.limit.value == 5
    assert pace.closed_until is None, "the five go on, and so do those who follow them"
    pace.answered(turns[0], 0.1)
    assert pace.wait(0.1) == 0


def test_a_refusal_after_the_cut_means_the_rate():
    pace = Pace(64, 8)
    turns = take(pace, 99, 0.0)
    for turn in turns[5:]:
        pace.refused(turn, 0.01, 2.0)
    pace.answered(turns[0], 0.1)
    pace.refused(pace.begin(0.1), 0.11, 2.0)
    assert pace.closed_until == 2.11
    assert pace.limit.value == 8
    assert pace.wait(1.0) == pytest.approx(1.11)
    assert pace.wait(2.2) == 0
    assert pace.rate.value is not None


def test_news_from_before_a_pause_is_old_after_it():
    pace = Pace(64, 8)
    old, *turns = take(pace, 99, 0.0)
    for turn in turns:
        pace.refused(turn, 0.01, 1.0)
    pace.refused(pace.begin(0.02), 0.03, 1.0)
    assert pace.wait(1.1) == 0
    pace.refused(old, 1.2, 60.0)
    assert pace.closed_until is None


def test_a_server_that_takes_nobody_is_asked_by_one_at_a_time_after_pauses_that_double():
    pace, now, pauses = Pace(64, 8, pause=0.5, longest=60.0), 0.0, []
    for _ in range(9):
        turns = take(pace, 99, now)
        assert len(turns) == (1 if pauses else 8)
        for turn in turns:
            pace.refused(turn, now, None)
        assert pace.closed_until is not None
        pauses.append(pace.closed_until - now)
        now = pace.closed_until
    assert pauses == [0.5, 1, 2, 4, 8, 16, 32, 60, 60]
    assert pace.wait(now) == 0
    pace.answered(pace.begin(now), now + 1)
    assert len(take(pace, 99, now + 1)) == 8


def test_answers_near_the_timeout_narrow_the_lane_unless_all_take_long():
    slower, always_slow = Pace(8, 8), Pace(8, 8)
    for pace, first in ((slower, 10.0), (always_slow, 170.0)):
        for turn in take(pace, 8, 0.0):
            pace.answered(turn, first, 300.0)
        pace.rate.spread(0)
        pace.answered(take(pace, 8, first)[0], first + 170, 300.0)
    assert slower.limit.value == 4
    assert always_slow.limit.value == 8


def test_a_call_that_was_late_narrows_the_lane_once():
    pace = Pace(8, 8)
    for turn in take(pace, 8, 0.0):
        pace.late(turn, 300.0)
    assert pace.limit.value == 4
    assert pace.running == 0


# Lanes


async def test_subjects_of_one_server_share_its_lane_and_others_do_not(tmp_path):
    home = Abilities(server="http://localhost:1")
    with Store.open(tmp_path / "s.db") as store:
        engine = Engine(store)
        one, two = (LimitedSubject(Allows(), home, name) for name in ("a", "b"))
        three = LimitedSubject(Allows(), Abilities(), "c")
        assert engine.lane(one) is engine.lane(two)
        assert engine.lane(three) is not engine.lane(one)
        assert [engine.lane(who).pace.limit.value for who in (one, three)] == [1, 8]
        assert engine.lane(LimitedSubject(Allows(), Abilities(together=3), "d")).pace.limit.most == 3
        assert engine.lane(LimitedSubject(Allows(), Abilities(server="x", batch=4), "e")).pace.limit.value == 4
        assert engine.lane(LimitedSubject(Allows(), Abilities(in_process=True), "f")).pace.limit.value == 64
        engine.lane(LimitedSubject(Allows(), Abilities(server="http://localhost:1", together=2), "g"))
        assert engine.lane(one).pace.limit.most == 2


async def test_a_turn_given_to_someone_cancelled_is_passed_on():
    from snellen.engine.lane import Lane

    lane = Lane(Pace(1))
    first = await lane.enter(60)
    gone, next_one = asyncio.create_task(lane.enter(60)), asyncio.create_task(lane.enter(60))
    await asyncio.sleep(0)
    lane.left(first, CallFailed("server", "no", passing=True))
    gone.cancel()
    await asyncio.wait_for(next_one, 1)
    assert gone.cancelled()
    assert lane.pace.running == 1
