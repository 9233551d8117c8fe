"""Two subjects compared until sure: what is asked and decided is a function of seed and answers, and nobody is called
better for luck."""

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

import snellen
from snellen.analysis.power import items_for, smallest_difference
from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.errors import UserError
from snellen.examine import make_plan
from snellen.examine.compared_tracks import ComparedQuestion, SubjectPair
from snellen.examine.tracks import TrackAnswer
from snellen.rng import stream
from snellen.sequential import COMPARED, SEQUENTIAL
from snellen.subjects.trained_on import training_key
from support.commands import fails
from support.commands import snellen as command
from support.lengths import few_and_more

TASK = "winoground"
Outcomes = Callable[[ComparedQuestion], str]


# A pair of tracks by itself, with answers made up


@cache
def pair(most: int = 800, margin: float = 0.1) -> SubjectPair:
    plan = make_plan(["sim/ideal", "sim/fixated"], tasks=TASK, until="compared", most=most, margin=margin)
    (own,) = plan.subject_tracks
    assert isinstance(own, SubjectPair)
    return own


def guessing(seed: int, rights: tuple[float, float], alike: float = 0.3) -> Outcomes:
    """Subjects right so often; a part of the items is answered alike by both, and a hard item is hard twice."""
    rng = np.random.default_rng(seed)
    lots = rng.random((2, 4000, 2))
    shared, ease = rng.random(4000) < alike, rng.normal(0, 0.1, 4000)

    def outcome(one: ComparedQuestion) -> str:
        draw, _, question = one.asked
        side = 0 if shared[draw.number] else one.side
        wanted = sum(rights) / 2 if shared[draw.number] else rights[one.side]
        return "right" if lots[side, draw.number, question] < wanted + ease[draw.number] else "wrong"

    return outcome


def ask(
    own: SubjectPair, outcome: Outcomes, known: dict[Any, TrackAnswer] | None = None, lot: int | None = None
) -> tuple[dict[Any, TrackAnswer], list[Any]]:
    """All answers once the pair asks nothing more, and what was asked. `lot`: the answers come in an order by lot, a
    few at a time, and the track is looked at after each few."""
    answers, asked, so_far = dict(known or {}), [], ()
    while True:
        step = own.advance(answers.get, so_far)
        so_far = step.known
        new = [one for one in step.missing if one not in asked]
        asked += new
        if not step.missing:
            return answers, asked
        assert set(step.needed) == set(step.missing)
        order = list(step.missing)
        if lot is not None:
            order = stream(lot, "arrival", len(answers)).sample(order, len(order))[:7]
        answers |= {one: TrackAnswer(outcome(one), 2) for one in order}  # type: ignore[arg-type]


def found(own: SubjectPair, outcome: Outcomes) -> Any:
    return own.result(ask(own, outcome)[0].get).result


def test_the_better_one_is_named_and_a_small_difference_is_none() -> None:
    better = found(pair(), guessing(1, (0.9, 0.6)))
    worse = found(pair(), guessing(1, (0.6, 0.9)))
    assert (better.status, worse.status) == ("first better", "second better")
    assert better.difference.low >= 0 >= worse.difference.high
    alike = found(pair(), guessing(2, (0.85, 0.85), alike=0.6))
    assert alike.status == "equivalent"
    assert -0.1 <= alike.difference.low <= alike.difference.mean <= alike.difference.high <= 0.1


@pytest.mark.parametrize("rights", [(0.8, 0.8), (0.9, 0.7)])
def test_the_order_in_which_answers_come_changes_nothing(rights: tuple[float, float]) -> None:
    outcome = guessing(3, rights)
    answers, asked = ask(pair(), outcome)
    late_answers, late_asked = ask(pair(), outcome, lot=5)
    assert late_answers == answers
    assert late_asked == asked
    assert pair().result(late_answers.get) == pair().result(answers.get)


def test_more_calls_go_on_from_fewer_and_a_decision_stays() -> None:
    outcome = guessing(4, (0.85, 0.8))
    few, _ = ask(pair(128), outcome)
    assert pair(128).result(few.get).result.status == "open"
    assert len(few) == 2 * 128
    whole, all_asked = ask(pair(), outcome)
    gone_on, new = ask(pair(), outcome, few)
    assert gone_on == whole
    assert new == all_asked[len(few) :]
    assert ask(pair(), outcome, whole) == (whole, [])
    assert ask(pair(1600), outcome, whole) == (whole, []), "what is decided needs no more"


@pytest.mark.parametrize("most", [32, 100, 800])
def test_it_asks_both_the_same_in_whole_batches_and_never_more_than_it_may(most: int) -> None:
    _, asked = ask(pair(most), lambda one: "right" if (one.asked.draw.number + one.side) % 2 else "wrong")
    by_side = [[one.asked for one in asked if one.side == side] for side in range(2)]
    assert by_side[0] == by_side[1]
    assert len(by_side[0]) == len(set(by_side[0])) == most // 32 * 32
    assert pair(most).most == len(asked)


def test_an_unread_reply_is_not_right() -> None:
    outcome = guessing(6, (0.9, 0.6))

    def unread(one: ComparedQuestion) -> str:
        return "right" if outcome(one) == "right" else "unread"

    assert found(pair(), unread) == found(pair(), outcome)


@few_and_more("seeds", [range(6)], [range(100, 400)])
@pytest.mark.parametrize("rights", [0.5, 0.9])
def test_of_two_that_are_equal_none_is_called_better_for_luck(seeds: range, rights: float) -> None:
    """Over all looks up to the cap: in at most 1 of 20 comparisons."""
    statuses = [found(pair(), guessing(seed, (rights, rights))).status for seed in seeds]
    assert sum(status in ("first better", "second better") for status in statuses) <= max(1, len(seeds) // 20)


def test_what_a_fixed_comparison_takes_is_what_shows_the_margin() -> None:
    for points, questions in ((5, 1), (10, 2), (30, 2)):
        items = items_for(points / 100, questions)
        assert smallest_difference(items, questions) == points / 100
        assert (smallest_difference(items - 1, questions) or 1) > points / 100


# Whole comparisons


class Watched:
    """A simulated subject that says which calls it was asked. Replies come late by lot; its server is gone after so
    many calls."""

    def __init__(self, name: str, like: str, stops: int = 10**6, lot: int = 0, trained: Any = None) -> None:
        self.name, self.stops, self.lot = name, stops, lot
        self.asked: list[str] = []
        self._own = snellen.subject(like)
        self.settings: Mapping[str, Any] = {}
        self.abilities = Abilities(sees_truth=True, in_process=True, trained_on=trained or {})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    async def answer(self, call: Call) -> Reply:
        self.asked.append(call.key.hex())
        if len(self.asked) > self.stops:
            raise CallFailed("unreachable", "gone", fatal=True)
        if self.lot:
            await asyncio.sleep(stream(self.lot, call.key.hex()).below(5) / 1000)
        return await self._own.answer(call)


def two(**more: Any) -> tuple[Watched, Watched]:
    return Watched("first", "sim/fixated:see=0.95", **more), Watched("second", "sim/fixated:see=0.6", lot=3)


def compared(first: Watched, second: Watched, store: Path, **choices: Any) -> Any:
    return snellen.compare_until_sure(first, second, tasks=TASK, store=store, **choices)


def test_stopped_and_resumed_it_asks_nothing_twice_and_finds_the_same(tmp_path: Path) -> None:
    whole = compared(*two(), tmp_path / "whole.sqlite")
    store = tmp_path / "parts.sqlite"
    first, second = two(stops=40)
    with pytest.raises(UserError, match="gone"):
        compared(first, second, store)
    before = first.asked[:40], list(second.asked)
    small = compared(*two(), store, most=32)
    assert small.tasks[0].result.status == "open"
    first, second = two(lot=9)
    after = compared(first, second, store)
    assert after.lines == whole.lines
    assert not set(first.asked) & set(before[0])
    assert not set(second.asked) & set(before[1])
    again = two()
    assert compared(*again, store).to_json() == whole.to_json()
    assert not again[0].asked
    assert not again[1].asked
    assert "first is better" in repr(whole)


def test_items_that_one_was_trained_on_are_asked_of_neither(tmp_path: Path) -> None:
    task = snellen.task(TASK)
    untrained = compared(*two(), tmp_path / "s.sqlite", most=32).exam.rows
    assert task.item is not None
    named = {row["item"] for row in untrained.iter_rows(named=True)}
    kinds = pair().sides[0].ladder.kinds
    known = {item.id: item for kind in kinds for item in (task.item(kind, 0, 0),) if item.id in named}
    keys = frozenset(training_key(item) for item in known.values())
    assert keys
    first, second = two(trained={TASK: keys})
    rows = compared(first, second, tmp_path / "t.sqlite", most=32).exam.rows
    assert not set(rows["item"]) & set(known)
    assert rows.height == untrained.height


def test_several_tasks_end_one_by_one_and_are_printed_and_recorded(tmp_path: Path) -> None:
    words = ("compare", "sim/ideal", "sim/fixated", "--until-sure", "--tasks", "fixation,winoground", "--most", 600)
    ran = command(*words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["fixation", "winoground"]
    assert "sim/ideal is better: +" in lines[0]
    assert "95 % confidence sequence" in lines[0]
    again = command(*words, "--format", "json", cwd=tmp_path)
    content = json.loads(again.stdout)
    assert [one["task"] for one in content["comparisons"]] == ["fixation", "winoground"]
    assert {one["fixed_calls"] for one in content["comparisons"]} == {468}
    dry = command(*words, "--dry-run", cwd=tmp_path)
    assert dry.stdout.count("0 calls to make") == 2
    exam = snellen.Exam(tmp_path / "snellen.sqlite")
    assert [COMPARED in fingerprint for fingerprint in exam.fingerprints] == [True, True]
    assert not any(SEQUENTIAL in fingerprint for fingerprint in exam.fingerprints)
    on_record = command("compare", "sim/ideal", "sim/fixated", cwd=tmp_path)
    assert "fixation, winoground: asked until it was decided" in on_record.stderr


def test_a_comparison_diagnoses_nothing_and_leaves_what_an_exam_found(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    compared(*two(), store, most=64)
    said = [sentence for one in snellen.Exam(store).findings.diagnoses for sentence in one.details]
    assert not any("Sequential tests" in sentence for sentence in said)
    snellen.exam("sim/ideal", tasks=TASK, until="sure", store=store)
    before = snellen.Exam(store, ["sim/ideal"]).findings.diagnoses[0]
    assert any("Sequential tests" in sentence for sentence in before.details)
    snellen.compare_until_sure("sim/ideal", "sim/fixated", tasks=TASK, most=64, store=store)
    after = snellen.Exam(store, ["sim/ideal"]).findings.diagnoses[0]
    assert (after.headline, after.losses) == (before.headline, before.losses)


def test_wrong_use_is_one_line(tmp_path: Path) -> None:
    def wrong(*words: object) -> str:
        ran = command("compare", *words, cwd=tmp_path)
        fails(ran)
        return ran.stderr

    both = ("sim/ideal", "sim/fixated", "--until-sure")
    assert "expected two subjects" in wrong("sim/ideal", "--until-sure")
    assert "expected two subjects" in wrong("sim/perfect", *both)
    assert "expected two different subjects" in wrong("sim/ideal", "sim/ideal", "--until-sure")
    assert "--margin" in wrong(*both, "--margin", 0)
    assert "--design" in wrong(*both, "--design", "api")
    assert "--most 30: for winoground at least 32" in wrong(*both, "--most", 30, "--tasks", TASK)
    assert "measures thresholds" in wrong(*both, "--tasks", "acuity")
    assert "--by" in wrong(*both, "--by", "rule")
    assert "--format csv" in wrong(*both, "--format", "csv")
    assert "goes with --until-sure" in wrong("sim/ideal", "sim/fixated", "--margin", 5)
    assert "goes with --until-sure" in wrong("sim/ideal", "sim/fixated", "--dry-run")
    assert not list(tmp_path.iterdir())
    with pytest.raises(UserError, match="expected points"):
        snellen.compare_until_sure("sim/ideal", "sim/fixated", margin=0.7)
