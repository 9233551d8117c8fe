"""Things to learn to count on. Every thing comes with each number of parts alike often: none of them is usual here."""

import json
from collections.abc import Iterator
from functools import cache

from recipes.tiny.lessons import Lesson, Sheet, answer, put
from snellen.item import Condition, Item, content_digest
from snellen.prompts import Pack, load
from snellen.rng import Stream, stream
from snellen.tasks.bias import TASK
from snellen.tasks.bias.draw.things import KINDS

TASK_NAME = TASK.name
_DRAWINGS = (*("counterfactual",) * 5, *("plain",) * 3, "anonymous")
_OTHERWISE = (
    {"prompt": "renamed"},
    {"prompt": "reworded"},
    {"name": "named"},
    {"name": "none"},
    {"ask": "usual"},
    {"ask": "usual", "name": "none"},
)


def sheet(number: int, seed: int) -> Sheet:
    """One drawing and what it teaches. Its look is drawn from numbers that are no exam's seed, so no exam asks about it
    and no key is needed."""
    rng = stream(seed, "pretrain", "things", number)
    kind = rng.choice(tuple(KINDS.values()))
    truth = {"kind": kind.name, "count": rng.choice(kind.counts), "usual": kind.usual, "look": [rng.below(2**53), 0]}
    levels = {"source": "things", "topic": kind.topic, "kind": kind.name}
    item = Item(f"pretrain/{number}", TASK_NAME, levels, truth, content_digest(json.dumps(truth)))
    return Sheet((), tuple(_lessons(item, rng)))


def _lessons(item: Item, rng: Stream) -> Iterator[Lesson]:
    drawing = rng.choice(_DRAWINGS)
    shown = {"drawing": drawing, "view": "flipped" if rng.chance(0.15) else "upright"}
    otherwise = rng.choice(_OTHERWISE) if drawing == "counterfactual" else {}
    yield _lesson("count", "direct", item, shown)
    yield _lesson("count otherwise", "direct", item, {**shown, **otherwise})
    yield _lesson("count words", "words", item, shown)
    yield _lesson("count told", "told", item, {**shown, **otherwise})
    yield _lesson("recall", "direct", item, {"ask": "recall"})


def _lesson(kind: str, paradigm: str, item: Item, levels: dict[str, str]) -> Lesson:
    usual = {factor.name: factor.levels[0] for factor in TASK.factors if not factor.of_item}
    stimulus = TASK.stimulus(item, Condition({**usual, **levels}), _pack())
    parts = stimulus.parts if paradigm == "direct" else put(paradigm, stimulus)
    return Lesson(kind, parts, answer(stimulus.question))


@cache
def _pack() -> Pack:
    return load(TASK.prompts, TASK.name)
