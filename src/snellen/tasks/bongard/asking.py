"""A problem under a condition: the words around its thirteen pictures."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from snellen.item import Condition, Form, Item, Parts, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.tasks.bongard.problem import Panel, Problem

SIDES = ("positive", "negative")

PictureOf = Callable[[str, Panel], Picture]
"""From a source and what a picture is made from to the picture."""


ACTION = ("deed", "one", "other")
"""What a picture of a deed is made from: the deed, who does it and who has it done."""


def item_of(problem: Problem) -> Item:
    truth = {
        "concept": problem.concept,
        "category": problem.category,
        "positive": [dict(panel) for panel in problem.positives],
        "negative": [dict(panel) for panel in problem.negatives],
    }
    levels = {"source": problem.source, "category": problem.category}
    digest = content_digest(json.dumps(truth, sort_keys=True, default=str))
    return Item(f"bongard/{problem.id}", "bongard", levels, truth, digest, f"bongard/{problem.cluster}")


def asking(picture_of: PictureOf) -> Callable[[Item, Condition, Pack], Stimulus]:
    """How to put a problem whose pictures come from `picture_of`."""

    @lru_cache(maxsize=512)
    def remembered(source: str, panel: str) -> Picture:
        return picture_of(source, json.loads(panel))

    def pictures(item: Item, side: str) -> list[Picture]:
        return [remembered(item.levels["source"], json.dumps(panel)) for panel in item.truth[side]]

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        return _put(item, condition, pack, {side: pictures(item, side) for side in SIDES})

    return stimulus


def _put(item: Item, condition: Condition, pack: Pack, pictures: Mapping[str, Sequence[Picture]]) -> Stimulus:
    count = len(pictures["positive"]) - 1
    values: dict[str, str] = {"count": str(count), "rule": "{rule}"}
    levels = condition.of(item)

    def say(*pieces: str) -> str:
        return " ".join(words for piece in pieces if (words := pack.say(piece, levels, values)))

    query = pictures[condition["query"]][-1]
    form = Form("choice", SIDES, asked="query", reasoned=condition["prompt"] != "minimal")
    question = Question(say("question", "ending"), form, condition["query"])
    examples = tuple(_examples(condition, {side: shown[:-1] for side, shown in pictures.items()}, say))
    applying = ("apply_task",) if "apply_task" in pack.pieces else ()  # packs of earlier versions have none
    closing = say("task", "question", "ending")
    scripts: dict[str, Parts] = {
        "induce": (say("opening"), *examples, say("induce")),
        "apply": (say("apply"), say("query"), query, say(*applying, "question", "ending")),
    }
    parts: Parts = (say("opening"), *examples, say("query"), query, closing)
    return Stimulus(item, condition, parts, question, _twin(parts), scripts=scripts)


def _examples(
    condition: Condition, pictures: Mapping[str, Sequence[Picture]], say: Callable[[str], str]
) -> Iterator[str | Picture]:
    """Each example after its name: Positive 1, ..."""
    for side in SIDES if condition["examples"] == "both" else SIDES[:1]:
        for number, picture in enumerate(pictures[side], 1):
            yield f"{say(side)} {number}:"
            yield picture


def _twin(parts: Parts) -> str:
    """All pictures in exact words, in their order; nothing if some have none."""
    twins = [part.twin for part in parts if isinstance(part, Picture)]
    return "\n\n".join(twins) if all(twins) else ""


def observe(shown: Stimulus) -> dict[str, Any]:
    """What someone might go by who finds no concept: the query's looks, alone and against the examples, and who does
    what to whom in it."""
    *examples, query = shown.pictures
    half = len(examples) // 2
    sides = (examples[:half], examples[half:]) if shown.condition["examples"] == "both" else (examples, examples)
    panel = shown.item.truth[shown.condition["query"]][-1]
    features: dict[str, Any] = {f"query: {name}": panel[name] for name in ACTION if name in panel}
    for name, measure in MEASURES.items():
        value = measure(query)
        positive, negative = (sum(map(measure, side)) / len(side) for side in sides)
        features[f"query: {name}"] = value
        features[f"query: {name}, nearer to"] = (
            "positive" if abs(value - positive) < abs(value - negative) else "negative"
        )
    return features


@lru_cache(maxsize=4096)
def _colours(picture: Picture) -> tuple[float, float, float, float]:
    """Mean red, green, blue and saturation, each from 0 to 255."""
    from io import BytesIO

    from PIL import Image, ImageStat

    with Image.open(BytesIO(picture.data)) as image:
        red, green, blue = ImageStat.Stat(image.convert("RGB")).mean
        saturation = ImageStat.Stat(image.convert("RGB").convert("HSV")).mean[1]
    return red, green, blue, saturation


def words_in_twin(picture: Picture) -> float:
    return float(len(picture.twin.split()))


def ink(picture: Picture) -> float:
    """How dark it is on the whole, by the usual weights of the colours."""
    red, green, blue, _ = _colours(picture)
    return 255 - 0.299 * red - 0.587 * green - 0.114 * blue


MEASURES: Mapping[str, Callable[[Picture], float]] = {
    "file size": lambda picture: float(len(picture.data)),
    "words in its twin": words_in_twin,
    "ink": ink,
    "red": lambda picture: _colours(picture)[0],
    "green": lambda picture: _colours(picture)[1],
    "blue": lambda picture: _colours(picture)[2],
    "saturation": lambda picture: _colours(picture)[3],
}
