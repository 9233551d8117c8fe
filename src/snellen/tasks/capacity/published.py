"""The published MME-CC as items (`--data capacity=...`)."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from snellen.errors import UserError
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.tasks.capacity.kinds import CATEGORY
from snellen.tasks.capacity.load import Published
from snellen.tasks.capacity.load import load as load_set
from snellen.tasks.panels import Panel
from snellen.tasks.task import Levels, Task

OF_GENERATED = ("size",)
NOTE = "published answers are free text: a judge gives the score (--role judge=SUBJECT); without one, equal texts count"


def item_of(record: Published) -> Item:
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
        first = pack.say("describe_first", condition, {})
        text = "\n\n".join(words for words in (item.truth["prompt"], first) if words)
        question = Question(text, Form("text"), item.truth["answer"])
        return Stimulus(item, condition, (*map(picture, item.truth["pictures"]), text), question)

    return stimulus


def published(task: Task, where: str) -> Task:
    """The task over the published set; `--n` spreads over it evenly, and as many as the set has means all that fit."""
    loaded = load_set(where)
    everything = [item_of(record) for record in loaded.usable()]

    def chosen(levels: Levels, n: int) -> list[Item]:
        fitting = [item for item in everything if item.levels["kind"] in levels["kind"]]
        wanted = len(fitting) if n == len(everything) else n
        if not 0 < wanted <= len(fitting):
            raise UserError(f"--n {n}: {where} has {len(fitting)} such questions that can be used")
        return [fitting[k * len(fitting) // wanted] for k in range(wanted)]

    def counts(levels: Levels, n: int) -> list[tuple[Mapping[str, str], int]]:
        kinds = Counter(item.levels["kind"] for item in chosen(levels, n))
        return [({"kind": kind}, count) for kind, count in kinds.items()]

    def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
        return iter(chosen(levels, n))

    return replace(
        task,
        factors=tuple(f for f in task.factors if f.name not in OF_GENERATED),
        designs=tuple(replace(design, n=len(everything)) for design in task.designs),
        items=items,
        counts=counts,
        item=None,
        stimulus=asking(loaded.picture),
        observe=lambda shown: {},
        notes=(*loaded.missing, NOTE),
    )
