"""`sim/eyes:cap=768,blur=1.5,contrast=0.05,count=7`: an observer with known limits, who really looks.

It is given the pixels and the words of the question, never the truth. From the words it knows what kind of chart is
asked about and which answers there are; all else it sees. Its limits are planted, so that an exam can be held to
finding them.
"""

import os
from dataclasses import fields
from functools import partial

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.item import Item
from snellen.rng import Stream, stream
from snellen.subjects import settings
from snellen.subjects.cores import OneCoreEach
from snellen.subjects.own import OwnSubject
from snellen.subjects.pictures import pixels_of
from snellen.subjects.settings import Schema, SubjectSetting, number, whole
from snellen.tasks.acuity.eyes import sight as sights
from snellen.tasks.acuity.eyes.asked import NOTHING, Test, test_of
from snellen.tasks.acuity.eyes.gaze import Gaze, Mind
from snellen.tasks.acuity.eyes.sight import WHOSE, Eyesight

TASK = "acuity"
ONLY = f"the charts of task {TASK}"

_MIND: Schema = (
    SubjectSetting("count", "a whole number from 1 to 1000: the most things that it counts", whole(1, 1000)),
    SubjectSetting("crowd", "a number from 0 to 10: the letter sizes that it needs between letters", number(0, 10), 0),
    SubjectSetting("noise", "a number of grey levels from 0 to 255", number(0, 255), 8),
    SubjectSetting("lapse", "a probability from 0 to 1", number(0, 1), 0),
    SubjectSetting("seed", "a whole number", whole(-(2**63), 2**63 - 1), 0),
)
SCHEMA: Schema = (*sights.SCHEMA, *_MIND)


def eyes_subject(pairs: tuple[tuple[str, str], ...]) -> OwnSubject:
    """The eyes that the settings stand for."""
    behind = {setting.name for setting in _MIND}
    values = settings.read(pairs, SCHEMA, WHOSE)
    sight = sights.sight_of(tuple(pair for pair in pairs if pair[0] not in behind))
    mind = Mind(**{field.name: values[field.name] for field in fields(Mind) if field.name in values})  # type: ignore[arg-type]
    abilities = Abilities(
        pictures=1, words=False, knows=_knows, together=min(4, os.cpu_count() or 1), in_process=True, only=ONLY
    )
    name, look = WHOSE + settings.written(values, SCHEMA), partial(_answer, sight, mind)
    return OwnSubject(name, values, abilities, look, OneCoreEach())


def _knows(item: Item) -> bool:
    return item.task == TASK


def _answer(sight: Eyesight, mind: Mind, call: Call) -> Reply:
    words = "\n".join(part for part in call.messages[-1].parts if isinstance(part, str))
    test = test_of(words)
    if test is None or len(call.pictures) != 1:
        raise CallFailed("rejected", f"{WHOSE} looks at {ONLY}, one at a time; this call is about something else")
    chances = stream(int(call.settings["seed"]), WHOSE, call.key.hex())
    if chances.chance(float(call.settings["lapse"])):
        return Reply(chances.choice(test.answers))
    gaze = Gaze(sight, mind, chances.below(2**31))
    seen = test.look(pixels_of(call.pictures[0]), gaze)
    return Reply(_where_nothing_is(test, words, chances) if seen is None else seen)


def _where_nothing_is(test: Test, words: str, chances: Stream) -> str:
    """That it is nothing, if that may be said; else a guess."""
    return test.empty or (NOTHING if NOTHING in words.lower() else chances.choice(test.answers))
