"""The published VLMBias as items (`--data bias=...`)."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from snellen.errors import UserError
from snellen.item import NOTHING, Condition, Form, Item, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.tasks.bias.asking import HABIT, flipped
from snellen.tasks.bias.designs import PROMPT, VIEW
from snellen.tasks.bias.load import PAPER_TOPICS, Published
from snellen.tasks.bias.load import load as load_set
from snellen.tasks.bias.words import counted
from snellen.tasks.fixed import Fixed
from snellen.tasks.ladder import PICTURES, TOLD, Ladder, Put, Rung
from snellen.tasks.panels import Panel, shown
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task

PAPER_ROWS = {"animals": 546, "marks": 414, "flags": 240, "boards": 168}
"""How many rows of `main` the paper's tables rest on, topic by topic."""
PAPER_ORIGINALS = 322
"""How many rows of `original` are of its topics."""
OF_ITEM = {
    "split": "which part of the published set",
    "topic": "what sort of thing is shown",
    "sub_topic": "which of that sort, as the set has it",
    "question": "which wording of the set: Q1 how many, Q2 count, Q3 is this",
    "pixel": "the longer side of the picture",
}
_SHOWN = 8
LADDER: Ladder = (
    TOLD,
    Rung(
        "counterfactual",
        "the published picture with an unusual number of parts",
        (*PICTURES.demands, "habit"),
        (Put(("direct",)),),
    ),
)
NO_TWINS = (
    "published pictures have no exact words and no neutral counterpart: eyes and habit are told apart only by generated"
    " items"
)


def item_of(record: Published) -> Item:
    truth = {
        "prompt": record.prompt,
        "answer": record.answer,
        "usual": record.usual,
        "picture": dict(record.panel),
    }
    levels = {name: str(getattr(record, name)) for name in OF_ITEM}
    digest = content_digest(json.dumps(truth, sort_keys=True, default=str))
    cluster = f"bias/published/{record.picture}"
    return Item(f"bias/published/{record.id}", "bias", levels, truth, digest, cluster)


def asking(picture_of: Callable[[Panel], Picture]) -> Callable[[Item, Condition, Pack], Stimulus]:
    """How to put published rows: picture first, in the set's own words or with another word for what is counted."""

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        truth = item.truth
        text = _alias(item, condition, pack) if condition["prompt"] == "alias" else truth["prompt"]
        picture = picture_of(truth["picture"])
        shown_picture = flipped(picture) if condition["view"] == "flipped" else picture
        habit = {truth["usual"]: HABIT} if truth["usual"] != truth["answer"] else NOTHING
        form = Form("number", final="braces")
        if not truth["answer"].isdecimal():
            form = Form("choice", ("Yes", "No"), "braces")
        question = Question(text, form, truth["answer"], habit, habit=HABIT if habit else "")
        return Stimulus(item, condition, (shown_picture, text), question)

    return stimulus


def _alias(item: Item, condition: Condition, pack: Pack) -> str:
    """The question with another word for what is counted: an error where its words do not tell what that is."""
    found = counted(item.truth["prompt"], item.levels["topic"])
    if found is None:
        raise UserError(
            f"{item.id}: prompt=alias does not fit the question {shown(item.truth['prompt'])!r}, which counts nothing"
            " that can be renamed; ask with --set prompt=base"
        )
    return pack.say("item_alias", condition, {"units": found.units, "unit": found.unit, "where": found.where})


def published(task: Task, where: str) -> Task:
    """The task over the published set."""
    loaded = load_set(where)
    records = tuple(loaded.usable())
    fixed = Fixed(tuple(map(item_of, records)), where, "questions")
    factors = tuple(
        Factor(name, tuple(dict.fromkeys(item.levels[name] for item in fixed.everything)), about, True, True)
        for name, about in OF_ITEM.items()
    )
    every: Levels = {factor.name: factor.levels for factor in factors}
    n = len(records)
    return replace(
        task,
        factors=(*factors, VIEW, PROMPT),
        designs=(
            Design("quick", "every row as it is, and with the answer told", n, (every, {**every, PARADIGM: ("told",)})),
            Design("paper", "upright and flipped, base and alias", n, ({**every, **_CROSSED},)),
        ),
        items=fixed.items,
        counts=fixed.counts,
        item=None,
        stimulus=asking(loaded.picture),
        applies=lambda levels, condition: True,
        observe=observe,
        due=lambda shown: {},
        ladder=LADDER,
        notes=(*loaded.missing, *notes(records), NO_TWINS),
    )


_CROSSED: Levels = {"view": VIEW.levels, "prompt": PROMPT.levels}


def observe(stimulus: Stimulus) -> dict[str, str | int | float]:
    """What someone might go by who does not look at the picture."""
    levels = stimulus.item.levels
    return {"sub topic": levels["sub_topic"], "topic": levels["topic"], "usual number": stimulus.item.truth["usual"]}


def notes(records: Iterable[Published]) -> Iterator[str]:
    """What is irregular about the set, a line each."""
    known = list(records)
    where: dict[str, list[str]] = defaultdict(list)
    for record in known:
        for note in record.notes:
            where[note].append(record.id)
        if record.answer.isdecimal() and counted(record.prompt, record.topic) is None:
            where["its words do not tell what is counted: it cannot be asked with prompt=alias"].append(record.id)
    for note, ids in where.items():
        more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
        yield f"{', '.join(ids[:_SHOWN])}{more}: {note}"
    rows = Counter(record.topic for record in known if record.split == "main")
    for topic, name in ((topic, name) for name, topic in PAPER_TOPICS.items() if rows):
        if rows[topic] != PAPER_ROWS[topic]:
            yield f"{name}: {rows[topic]} rows; the paper's tables rest on {PAPER_ROWS[topic]}"
    originals = sum(record.split == "original" and record.topic in PAPER_ROWS for record in known)
    if originals not in (0, PAPER_ORIGINALS):
        yield f"original: {originals} rows of the paper's topics; the paper has {PAPER_ORIGINALS}"
