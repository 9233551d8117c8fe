"""Exams of fakes that stop when they know: what is named, against what each lacks, and the calls.

The fakes are those of the proof: functions that read prompts and pictures and fail on some items, some games, some
questions or some calls. Nobody is charged with what a fake does not lack; what it lacks is named in most exams.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from fakes import lacking as lack
from fakes.bars import Seen, contradictions
from fakes.knowing import Lesson, lesson
from fakes.lacking import Lack, Mind
from fakes.server import Part
from snellen.call import Subject
from snellen.examine import make_plan, run_plan
from snellen.examine.ladder_tracks import SubjectLadder
from snellen.subjects.own import own_subject

SEEDS = (1, 2, 3)
ITEMS = {"fixation": 300, "winoground": 300, "bias": 240}
"""More items than an exam asks for."""
SLIPPING = frozenset({"attention", "leaning"})


@dataclass(frozen=True)
class Case:
    """A fake and its task. `lacks`: the faults that may be named and, unless the calls are used up, must be. `at_most`:
    its calls, as a share of the usual design's."""

    task: str
    fake: str
    by: tuple[Lack, ...] = ()
    lacks: frozenset[str] = frozenset()
    at_most: float = 1.0

    def __str__(self) -> str:
        return f"{self.task}-{self.fake}"


QUICK = (
    Case("winoground", "sound", at_most=0.1),
    Case("winoground", "eyes-40", (lack.eyes(0.4),), frozenset({"eyes"})),
)
MORE = (
    Case("fixation", "sound", at_most=0.1),
    Case("fixation", "eyes-40", (lack.eyes(0.4),), frozenset({"eyes"})),
    Case("fixation", "habit-60", (lack.habit(0.6),), frozenset({"habit"}), 0.25),
    Case("fixation", "eyes-and-habit", (lack.eyes(0.4), lack.habit(0.7)), frozenset({"eyes", "habit"})),
    Case("fixation", "blind-on-a-game", (lack.eyes(1.0, lack.in_game("reversi")),), frozenset({"eyes"})),
    Case("fixation", "slips-33", (lack.slips(0.33),), frozenset({"attention"})),
    Case("fixation", "half-leaner", (lack.leaning(0.5),), SLIPPING),
    Case("winoground", "thinking-50", (lack.thinking(0.5),), frozenset({"thinking"})),
    Case("winoground", "one-direction", (lack.thinking(0.8, lack.given_a_caption),), frozenset({"thinking"})),
    Case("winoground", "refuser", (lack.refuses_pictures(),), frozenset({"form", "refusal"}), 0.25),
    Case("bias", "sound", at_most=0.15),
    Case("bias", "habit-50", (lack.habit(0.5),), frozenset({"habit"})),
    Case("bias", "clutter", (lack.clutter(0.7, 1),), frozenset({"clutter"})),
)


@lru_cache(maxsize=len(SEEDS))
def learned(task: str, seed: int) -> Lesson:
    return lesson(task, seed, {}, ITEMS[task], until_sure=True)


def asked_until_sure(case: Case, seed: int, folder: Path) -> tuple[Seen, float]:
    """The exam as anybody would hold it: what was seen, and its calls as a share of the usual design's."""
    mind = Mind(case.fake, case.by, learned(case.task, seed))
    plan = make_plan(_subject(mind), tasks=learned(case.task, seed).task, seed=seed, until="sure")
    exam = run_plan(plan, folder / f"{case}-{seed}.sqlite")
    assert exam.summary is not None
    assert not exam.summary.errors
    (ladder,) = plan.subject_tracks
    assert isinstance(ladder, SubjectLadder)
    return Seen(case.task, seed, case.fake, exam.findings.diagnoses[0], {}), mind.calls / ladder.ladder.fixed


def _subject(mind: Mind) -> Subject:
    async def answers(parts: list[Part]) -> str:
        return mind(parts)

    return own_subject(answers, name=mind.name, pictures="bytes")


def check(case: Case, seed: int, folder: Path) -> frozenset[str]:
    """What is named; it must be something that the fake lacks, for no more calls than it may take."""
    seen, calls = asked_until_sure(case, seed, folder)
    assert seen.named <= case.lacks, seen.diagnosis.headline
    assert calls <= case.at_most
    assert not [*contradictions(seen)]
    return seen.named


@pytest.mark.parametrize("case", QUICK, ids=str)
def test_what_is_named_is_what_a_fake_lacks(case: Case, tmp_path: Path) -> None:
    assert check(case, 1, tmp_path) == case.lacks


@pytest.mark.soak
@pytest.mark.parametrize("case", [*QUICK, *MORE], ids=str)
def test_over_seeds(case: Case, tmp_path: Path) -> None:
    times = Counter(name for seed in SEEDS for name in check(case, seed, tmp_path))
    assert not case.lacks or max(times.values(), default=0) >= len(SEEDS) - 1
