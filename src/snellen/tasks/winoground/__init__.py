"""Winoground: two captions with the same words, two pictures, and each caption is true of one.

Each sample is asked four times: which caption fits this picture (twice), which picture fits this caption (twice).
Samples are generated, or loaded from the published set (`--data winoground=...`).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from snellen.draw import deeds, scenes
from snellen.errors import UserError
from snellen.item import Condition, Form, Item, Parts, Picture, Question, Stimulus, content_digest
from snellen.ladder import PICTURES, SELF, TOLD, WORDS, Ladder, Rung, RungQuery, at_levels, chains
from snellen.prompts import Pack
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task, lazy
from snellen.tasks.winoground.generated import sample_at, samples
from snellen.tasks.winoground.load import load as load_set
from snellen.tasks.winoground.roles import facing
from snellen.tasks.winoground.sample import Sample

GIVEN = ("image_0", "image_1", "caption_0", "caption_1")


def item_of(sample: Sample, source: str) -> Item:
    truth = {
        "captions": list(sample.captions),
        "panels": [dict(panel) for panel in sample.panels],
        "tags": {name: list(words) for name, words in sample.tags.items()},
    }
    digest = content_digest(json.dumps(truth, sort_keys=True, default=str))
    levels = {"source": source, "tag": "", **{name: ", ".join(words) for name, words in sample.tags.items() if words}}
    return Item(f"winoground/{sample.id}", "winoground", levels, truth, digest, _cluster(sample, source))


def _cluster(sample: Sample, source: str) -> str:
    """The same for generated samples with the same two captions, in whatever order: few words make few captions."""
    if source != "generated":
        return ""
    return f"winoground/captions-{content_digest(*sorted(sample.captions))[:16]}"


def asking(picture_of: Callable[[Mapping[str, Any]], Picture]) -> Callable[[Item, Condition, Pack], Stimulus]:
    """How to put a sample whose pictures come from `picture_of`."""

    @lru_cache(maxsize=256)
    def remembered(panel: str) -> Picture:
        return picture_of(json.loads(panel))

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        pictures = [remembered(json.dumps(panel)) for panel in item.truth["panels"]]
        kind, number = condition["given"].split("_")
        put = _which_caption if kind == "image" else _which_picture
        return put(item, condition, pack, pictures, int(number))

    return stimulus


def _which_caption(item: Item, condition: Condition, pack: Pack, pictures: list[Picture], given: int) -> Stimulus:
    order = _order(item)
    captions = [item.truth["captions"][k].rstrip(".") for k in order]
    words = pack.say("choose_caption", condition.of(item), {"a": captions[0], "b": captions[1]})
    text = f"{words} {pack.say('reply_caption', condition.of(item), {})}"
    question = _question(text, ("A", "B"), order.index(given))
    parts: Parts = (pack.say("picture", condition.of(item), {}), pictures[given], text)
    return Stimulus(item, condition, parts, question, pictures[given].twin, _probes(item, condition, pack, given))


def _probes(item: Item, condition: Condition, pack: Pack, given: int) -> tuple[Question, ...]:
    """What is asked about a deed, its roles apart; nothing in the words of a pack that has none for it."""
    panel = item.truth["panels"][given]
    asked = "deed" in panel and "faces" in pack.pieces
    return facing(panel, pack.say("faces", condition.of(item), {"name": "{name}"})) if asked else ()


def _question(text: str, labels: tuple[str, str], key: int) -> Question:
    """A choice of two. The wrong one has no mechanism: there is one only, so it tells nothing of how one came by it."""
    return Question(text, Form("choice", labels), labels[key])


def _which_picture(item: Item, condition: Condition, pack: Pack, pictures: list[Picture], given: int) -> Stimulus:
    order = _order(item)
    words = pack.say("choose_picture", condition.of(item), {"caption": item.truth["captions"][given].rstrip(".")})
    text = f"{words} {pack.say('reply_picture', condition.of(item), {})}"
    labels = ("first", "second")
    question = _question(text, labels, order.index(given))
    parts: list[str | Picture] = []
    for label, k in zip(labels, order, strict=True):
        parts += [pack.say(label, condition.of(item), {}), pictures[k]]
    twins = [pictures[k].twin for k in order]
    return Stimulus(item, condition, (*parts, text), question, "\n\n".join(twins) if all(twins) else "")


def _order(item: Item) -> tuple[int, int]:
    """The order in which captions and pictures are offered: one way or the other, as the content has it."""
    return (0, 1) if int(item.digest, 16) % 2 == 0 else (1, 0)


def drawn(panel: Mapping[str, Any]) -> Picture:
    """The picture of a generated sample: a deed, or a scene."""
    return deeds.draw(panel["deed"]) if "deed" in panel else scenes.draw(panel["scene"])


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    return (item_of(sample, "generated") for sample in samples(n, seed))


def item(kind: Mapping[str, str], index: int, seed: int) -> Item:
    return item_of(sample_at(index, seed), "generated")


def load(where: str) -> Task:
    """The task over the published set. `--n` takes the first n samples of it."""
    loaded = load_set(where)
    usable = tuple(loaded.usable())

    def published(levels: Levels, n: int, seed: int) -> Iterator[Item]:
        if n > len(usable):
            raise UserError(f"--n {n}: {where} has {len(usable)} samples that are usable")
        return (item_of(sample, "published") for sample in islice(usable, n))

    return replace(
        TASK,
        designs=tuple(replace(design, n=len(usable)) for design in TASK.designs),
        items=published,
        item=None,
        stimulus=asking(loaded.picture),
        notes=loaded.missing,
    )


def observe(shown: Stimulus) -> Mapping[str, str | int | float]:
    """What someone might go by who does not look at what goes with what."""
    sizes = [len(picture.data) for picture in shown.pictures]
    return {
        "first picture's file size": sizes[0],
        "larger file": sizes.index(max(sizes)),
        "given": shown.condition["given"],
    }


_ALL = {"given": GIVEN}
_BY_TWIN = {"describer": "twin", "reasoner": SELF}
LADDER: Ladder = (
    at_levels(TOLD, **_ALL),
    Rung(
        "words",
        "exact words in place of the pictures",
        WORDS.demands,
        tuple(
            RungQuery((name,), _ALL, cast) for name, cast in (("words", {}), ("ca", _BY_TWIN), ("describe", _BY_TWIN))
        ),
    ),
    at_levels(PICTURES, **_ALL),
    *chains(PICTURES.demands, **_ALL),
    Rung(
        "own words",
        "every picture as described by the subject",
        (*PICTURES.demands, "saying"),
        tuple(RungQuery((name,), _ALL, {"describer": SELF, "reasoner": SELF}) for name in ("ca", "describe")),
        on_line=False,
    ),
)


TASK = Task(
    name="winoground",
    title="Winoground",
    about="two captions with the same words, two pictures: which caption fits which picture?",
    factors=(Factor("given", GIVEN, "what is given: a picture, or a caption", pooled=True),),
    designs=(
        Design(
            "quick",
            "all four choices of each sample, and the ladder below them",
            60,
            (_ALL, {**_ALL, PARADIGM: ("words",)}, {"given": ("image_0", "caption_1"), PARADIGM: ("told",)}),
        ),
        Design("paper", "all four choices of each sample", 400, (_ALL,)),
    ),
    prompts=Path(__file__).parent / "wording.toml",
    items=items,
    item=item,
    stimulus=asking(drawn),
    observe=observe,
    paradigms=("direct", "describe", "ca", "ddcot", "ccot", "cocot"),
    load=load,
    ladder=LADDER,
    study=lazy("snellen.tasks.winoground.study:WinogroundStudy"),
)
