"""The published VLMBias as items (`--data bias=...`).

An item is a row. A row about a modified picture can also be asked about an unmodified one of the same sort
(`drawing=ordinary`, where the set's split `original` is there) and about as many dots, which are drawn here
(`drawing=plain`): these are rungs of the ladder.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from snellen.draw import dots
from snellen.draw.sheet import USUAL, picture
from snellen.errors import UserError
from snellen.item import NOTHING, Condition, Form, Item, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.rng import stream
from snellen.tasks.bias.asking import HABIT, NUMBER, OTHER_WAY, flipped
from snellen.tasks.bias.counterparts import clusters, counterparts
from snellen.tasks.bias.designs import RUNGS, VIEW
from snellen.tasks.bias.load import ORIGINAL, PAPER_TOPICS, PublishedCount, is_number
from snellen.tasks.bias.load import load as load_set
from snellen.tasks.bias.words import counted
from snellen.tasks.fixed import Fixed
from snellen.tasks.padding import padded
from snellen.tasks.panels import Panel, shown
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task

PAPER_ROWS = {"animals": 546, "marks": 414, "flags": 240, "boards": 168}
"""How many rows of `main` the paper's tables rest on, topic by topic."""
PAPER_ORIGINALS = 322
"""How many rows of `original` are of its topics."""
OF_ITEM = {
    "split": "which part of the published set",
    "topic": "the kind of thing shown",
    "sub_topic": "the subtopic, as named in the set",
    "question": "which wording of the set: Q1 how many, Q2 count, Q3 is this",
    "pixel": "the longer side of the picture",
    "beside": "what can be shown besides the row's own picture: an unmodified one and dots, dots alone, or nothing",
}
ORDINARY, DOTS, NOTHING_ELSE = "ordinary", "dots", "nothing"
"""The levels of `beside`: a number up to a hundred is asked for, and an unmodified picture is there; such a number;
neither."""
DRAWING = Factor(
    "drawing",
    ("counterfactual", "ordinary", "plain"),
    "the modified picture, an unmodified one of the same kind, or the same number of dots",
)
PROMPT = Factor(
    "prompt",
    ("base", "alias", "reworded"),
    "the set's own wording; with another word for what is counted; or equally long, with the original word",
)
_SHOWN = 8
_BYTES = 24 << 10
_INK, _LARGEST, _APART, _MOST = 0.05, 16.0, 6.0, 100
"""Dots: their share of the page, their largest radius and least distance in pixels, and how many there may be."""


def item_of(record: PublishedCount, ordinary: PublishedCount | None, cluster: str) -> Item:
    truth = _truth(record)
    digest = content_digest(json.dumps(truth, sort_keys=True, default=str))
    few = is_number(record.answer) and int(record.answer) <= _MOST
    has = NOTHING_ELSE if not few else ORDINARY if ordinary or record.split == ORIGINAL else DOTS
    levels = {name: str(getattr(record, name)) for name in OF_ITEM if name != "beside"} | {"beside": has}
    beside = {"ordinary": _truth(ordinary)} if ordinary else {}
    return Item(f"bias/published/{record.id}", "bias", levels, {**truth, **beside}, digest, f"bias/published/{cluster}")


def _truth(record: PublishedCount) -> dict[str, Any]:
    return {
        "prompt": record.prompt,
        "answer": record.answer,
        "usual": record.usual,
        "picture": dict(record.panel),
    }


def asking(picture_of: Callable[[Panel], Picture]) -> Callable[[Item, Condition, Pack], Stimulus]:
    """How to put published rows: picture first, in the set's own words or in others."""

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        row = item.truth.get("ordinary", item.truth) if condition["drawing"] == "ordinary" else item.truth
        text = _text(item, row["prompt"], condition, pack)
        if condition["drawing"] == "plain":
            asked = Question(text, NUMBER, row["answer"])
            drawn = _dots(int(row["answer"]), item.cluster)
        else:
            asked = _question(text, row["answer"], row["usual"])
            drawn = picture_of(row["picture"])
        parts = (flipped(drawn) if condition["view"] == "flipped" else drawn, text)
        return Stimulus(item, condition, parts, asked, drawn.twin)

    return stimulus


def _question(text: str, answer: str, usual: str) -> Question:
    if not is_number(answer):
        habit = {usual: HABIT} if usual != answer else NOTHING
        return Question(text, Form("choice", ("Yes", "No"), "braces"), answer, habit, habit=HABIT if habit else "")
    if usual == answer or not is_number(usual):
        return Question(text, NUMBER, answer)
    off = 2 * int(answer) - int(usual)
    betrayed = {usual: HABIT, **({str(off): OTHER_WAY} if off >= 0 else {})}
    return Question(text, NUMBER, answer, betrayed, habit=HABIT)


def _text(item: Item, prompt: str, condition: Condition, pack: Pack) -> str:
    """The question in the pack's words: an error where they name what is counted and the set's words do not tell it."""
    levels = condition.of(item).but(asked=prompt)
    parts = counted(prompt)
    values = {"as_published": prompt, "units": "", "unit": "", "where": ""}
    if parts:
        values |= {"units": parts.units, "unit": parts.unit, "where": parts.where}
    elif pack.uses("published", levels, values) & {"units", "unit", "where"}:
        raise UserError(
            f"{item.id}: prompt={condition['prompt']} does not fit the question {shown(prompt)!r}, which counts nothing"
            " that can be renamed; ask with --set prompt=base"
        )
    return pack.say("published", levels, values)


@lru_cache(maxsize=256)
def _dots(count: int, name: str) -> Picture:
    """So many dots, scattered for each picture anew. Their words say where, too: the same words would be one call."""
    radius = min(_LARGEST, dots.radius_for(count, _INK, USUAL))
    page = dots.scattered(count, (0.9 * radius, 1.1 * radius), _APART, USUAL, stream(0, "bias dots", name, count))
    there = "is exactly 1 dot" if count == 1 else f"are exactly {count} dots"
    first = "".join(f", the leftmost at ({x:.0f}, {y:.0f})" for x, y, _ in sorted(page.discs)[:1])
    return padded(picture(dots.painted(page), "dots", f"There {there}{first}."), _BYTES)


def applies(levels: Mapping[str, str], condition: Condition) -> bool:
    """A row of `original` has no modified picture; others have what stands beside them. Dots are plainly asked for."""
    if condition["drawing"] == "counterfactual":
        return levels["split"] != ORIGINAL
    if condition["drawing"] == "ordinary":
        return levels["beside"] == ORDINARY
    plainly = condition["view"] == "upright" and condition["prompt"] == "base"
    return plainly and levels["beside"] != NOTHING_ELSE


def published(task: Task, where: str) -> Task:
    """The task over the published set."""
    loaded = load_set(where)
    records = tuple(loaded.usable())
    pairs = counterparts(records)
    cluster = clusters(records, pairs)
    items = tuple(item_of(record, pairs.get(record.id), cluster[record.picture]) for record in records)
    fixed = Fixed(items, where, "questions")
    factors = tuple(
        Factor(name, tuple(dict.fromkeys(item.levels[name] for item in items)), about, True, True)
        for name, about in OF_ITEM.items()
    )
    return replace(
        task,
        factors=(*factors, DRAWING, VIEW, PROMPT),
        designs=tuple(_designs({factor.name: factor.levels for factor in factors}, len(records))),
        items=fixed.items,
        counts=fixed.counts,
        item=None,
        stimulus=asking(loaded.picture),
        applies=applies,
        observe=observe,
        due=lambda shown: {},
        ladder=RUNGS,
        notes=(*loaded.missing, *notes(records), *_without_counterpart(records, pairs)),
        worded={"asked": tuple(dict.fromkeys(record.prompt for record in records))},
    )


def _designs(every: Levels, n: int) -> Iterator[Design]:
    """Over `original` alone its pictures are what is asked about; else they stand beside the modified ones, and the
    paper's designs ask them, too."""
    modified = tuple(split for split in every["split"] if split != ORIGINAL)
    rows: Levels = {**every, "split": modified or every["split"]}
    drawn = ("counterfactual", "ordinary", "plain") if modified else ("ordinary", "plain")
    plain: Levels = {**rows, "drawing": ("plain",)}
    ladder = ({**rows, "drawing": drawn}, {**plain, PARADIGM: ("words",)}, {**plain, PARADIGM: ("told",)})
    yield Design("quick", "modified and unmodified pictures, dots, and the ladder", n, ladder)
    unmodified: Levels = {**every, "split": (ORIGINAL,), "drawing": ("ordinary",)}
    others = (unmodified,) if ORIGINAL in every["split"] else ()
    rows = {**rows, "drawing": drawn[:1]}
    for name, about, varied in (
        ("paper", "upright and flipped, base and alias; unmodified pictures as they are", ("base", "alias")),
        ("naming", "base, alias and its control, upright", PROMPT.levels),
    ):
        views = VIEW.levels if name == "paper" else VIEW.levels[:1]
        blocks = ({**rows, "view": views, "prompt": varied}, *(others if modified else ()))
        yield Design(name, about, n, blocks)


def observe(stimulus: Stimulus) -> dict[str, str | int | float]:
    """What someone might go by who does not look at the picture."""
    levels = stimulus.item.levels
    return {"sub topic": levels["sub_topic"], "topic": levels["topic"], "usual number": stimulus.item.truth["usual"]}


def _without_counterpart(records: Iterable[PublishedCount], pairs: Mapping[str, PublishedCount]) -> Iterator[str]:
    """What cannot be told for want of unmodified pictures."""
    modified = [record for record in records if record.split != ORIGINAL and is_number(record.answer)]
    without = len(modified) - len(pairs)
    if without:
        yield (
            f"{without} of {len(modified)} counting rows have no unmodified picture of the same sort (split"
            f" {ORIGINAL}): for these, habit and eyes cannot be separated"
        )


def notes(records: Iterable[PublishedCount]) -> Iterator[str]:
    """What is irregular about the set, a line each."""
    records = list(records)
    where: dict[str, list[str]] = defaultdict(list)
    for record in records:
        for note in record.notes:
            where[note].append(record.id)
        if is_number(record.answer) and counted(record.prompt) is None:
            where["its wording does not name what is counted, so it cannot be asked with prompt=alias"].append(
                record.id
            )
    for note, ids in where.items():
        more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
        yield f"{', '.join(ids[:_SHOWN])}{more}: {note}"
    rows = Counter(record.topic for record in records if record.split == "main")
    for topic, name in ((topic, name) for name, topic in PAPER_TOPICS.items() if rows):
        if rows[topic] != PAPER_ROWS[topic]:
            yield f"{name}: {rows[topic]} rows; the paper's tables rest on {PAPER_ROWS[topic]}"
    originals = sum(record.split == ORIGINAL and record.topic in PAPER_ROWS for record in records)
    if originals not in (0, PAPER_ORIGINALS):
        yield f"original: {originals} rows of the paper's topics; the paper has {PAPER_ORIGINALS}"
