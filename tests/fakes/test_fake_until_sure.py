"""Exams of fakes that stop when they know: the verdict, against what each lacks, and the calls."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes.bars import Seen, contradictions
from fakes.knowing import lesson
from fakes.lacking import Lack, Mind, eyes, habit, slips, thinking
from fakes.server import Part
from snellen.call import Subject
from snellen.examine import make_plan, run_plan
from snellen.subjects.own import own_subject
from support.lengths import few_and_more


@dataclass(frozen=True)
class Case:
    """A fake and its task. `named`: the faults that must be named; `at_most`: its calls, as a share of the usual
    design's; `items`: more than it is asked about (base items of the design)."""

    task: str
    fake: str
    by: tuple[Lack, ...]
    named: frozenset[str]
    at_most: float
    items: int
    usual: int

    def __str__(self) -> str:
        return f"{self.task}-{self.fake}"


def _case(task: str, fake: str, by: tuple[Lack, ...], named: str, at_most: float) -> Case:
    items, usual = SIZES[task]
    return Case(task, fake, by, frozenset(named.split()), at_most, items, usual)


SIZES = {"fixation": (300, 1020), "winoground": (300, 600), "bias": (480, 480), "marvel": (720, 720)}
FEW = [
    _case("winoground", "sound", (), "", 0.1),
]
MORE = [
    _case("fixation", "sound", (), "", 0.1),
    _case("fixation", "eyes-40", (eyes(0.4),), "eyes", 0.6),
    _case("fixation", "habit-60", (habit(0.6),), "habit", 0.3),
    _case("fixation", "slips-33", (slips(0.33),), "attention", 1.0),
    _case("winoground", "eyes-40", (eyes(0.4),), "eyes", 0.8),
    _case("winoground", "thinking-50", (thinking(0.5),), "thinking", 1.0),
    _case("bias", "habit-50", (habit(0.5),), "habit", 0.8),
]
SEEDS = 3


def asked_until_sure(case: Case, seed: int, folder: Path, n: int) -> tuple[Seen, int]:
    """The exam as anybody would hold it: what was seen, and how many calls it took."""
    learned = lesson(case.task, seed, {}, n, until_sure=True)
    mind = Mind(case.fake, case.by, learned)
    plan = make_plan(_subject(mind), tasks=learned.task, seed=seed, until="sure")
    exam = run_plan(plan, folder / f"{case}-{seed}.sqlite")
    (diagnosis,) = exam.findings.diagnoses
    return Seen(case.task, seed, case.fake, diagnosis, {}), mind.calls


def _subject(mind: Mind) -> Subject:
    async def answers(parts: list[Part]) -> str:
        return mind(parts)

    return own_subject(answers, name=mind.name, pictures="bytes")


def check(case: Case, seed: int, folder: Path) -> tuple[Seen, int]:
    return asked_until_sure(case, seed, folder, case.items)
