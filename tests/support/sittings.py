"""Somebody put before charts of the eye chart, without an exam around them."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from snellen.call import Call, Message
from snellen.item import Condition, Stimulus
from snellen.prompts import load
from snellen.psychometric import TrackResult, finding
from snellen.subjects import subject
from snellen.tasks.acuity import TASK
from snellen.tasks.acuity.battery import track
from snellen.tasks.acuity.view import USUALLY
from snellen.tasks.adaptive import replay

PACK = load(TASK.prompts, TASK.name)


def stimulus(test: str, level: str, number: int = 0, seed: int = 0, **condition: str) -> Stimulus:
    """A chart of the battery, as it is asked."""
    return TASK.stimulus(
        TASK.item({"test": test, "level": level}, number, seed), Condition({**USUALLY, **condition}), PACK
    )


def replies(name: str, *stimuli: Stimulus) -> list[str]:
    """What somebody says who is shown no more than an exam would show."""
    who = subject(name)

    async def all_of_them() -> list[str]:
        async with who:
            calls = [Call(who.name, who.settings, (Message("user", one.parts),), one).blind for one in stimuli]
            return [(await who.answer(call)).text for call in calls]

    return asyncio.run(all_of_them())


def right(name: str, *stimuli: Stimulus) -> float:
    """The share of answers that are right."""
    said = replies(name, *stimuli)
    return sum(answer == one.question.key for answer, one in zip(said, stimuli, strict=True)) / len(stimuli)


def threshold(
    name: str, test: str, most: int = 96, seed: int = 0, condition: Mapping[str, str] | None = None
) -> TrackResult:
    """What a track of the battery finds, from its first question to its last."""
    levels: dict[str, Any] = dict(condition or {})
    graded = track(test, most=most, **levels)
    course = replace(graded.track, seed=seed)
    known: dict[tuple[str, int], Any] = {}
    while missing := replay(course, lambda level, number: known.get((level, number))).missing:
        shown = [stimulus(test, level, number, seed, **levels) for level, number in missing]
        for place, one, said in zip(missing, shown, replies(name, *shown), strict=True):
            known[place] = "right" if said == one.question.key else "wrong"
    return finding(course, replay(course, lambda level, number: known.get((level, number))).history)
