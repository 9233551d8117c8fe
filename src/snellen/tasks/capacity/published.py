"""The published MME-CC as items (`--data capacity=...`)."""

import json
from collections.abc import Callable
from dataclasses import replace

from snellen.item import Condition, Form, Item, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.tasks.capacity.kinds import CATEGORY
from snellen.tasks.capacity.load import PublishedQuestion
from snellen.tasks.capacity.load import load as load_set
from snellen.tasks.fixed import Fixed, over
from snellen.tasks.panels import Panel
from snellen.tasks.task import Task

OF_GENERATED = ("size", "instruction")
NOTE = (
    "published answers are free text, scored by a judge (--role judge=SUBJECT); without one, only identical text counts"
)


def item_of(record: PublishedQuestion) -> Item:
    truth = {
        "prompt": record.prompt,
        "answer": record.answer,
        "criteria": record.criteria,
        "pictures": [dict(panel) for panel in record.panels],
    }
    levels = {"kind": record.kind, "category": CATEGORY[record.kind], "source": "published"}
    digest = content_digest(json.dumps(truth, sort_keys=True, default=str))
    return Item(f"capacity/published/{record.id}", "capacity", levels, truth, digest)


def asking(picture: Callable[[Panel], Picture]) -> Callable[[Item, Condition, Pack], Stimulus]:
    """How to put published questions: the published words as they are, pictures first."""

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        first = pack.say("describe_first", condition.of(item), {})
        text = "\n\n".join(words for words in (item.truth["prompt"], first) if words)
        question = Question(text, Form("text"), item.truth["answer"])
        return Stimulus(item, condition, (*map(picture, item.truth["pictures"]), text), question)

    return stimulus


def published(task: Task, where: str) -> Task:
    """The task over the published set."""
    loaded = load_set(where)
    fixed = Fixed(tuple(item_of(record) for record in loaded.usable()), where, "questions")
    return replace(
        over(task, fixed, OF_GENERATED),
        stimulus=asking(loaded.picture),
        unpictured=None,
        observe=lambda shown: {},
        notes=(*loaded.missing, NOTE),
    )
