"""An item of any kind under a condition: its pictures with their captions, the task, and how to answer."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from snellen.item import Condition, Item, Parts, Picture, Question, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.rng import stream
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds import CATEGORY, kind_of

_ANSWER_ALONE = ("sandbagging",)
"""Kinds whose words ask for the answer and nothing else; all others say how a reply is to end."""


def item(levels: Mapping[str, str], index: int, seed: int) -> Item:
    """The index-th item of a kind and size, with everything its maker knows."""
    kind, size = kind_of(levels["kind"]), levels["size"]
    rng = stream(seed, "capacity", kind.name, size, index)
    truth = dict(kind.make(rng, size, _shuffled(index, kind.n, seed, f"{kind.name} {size}")))
    name = f"capacity/{kind.name}/{size}-{seed}/{index:04}"
    facts = {"kind": kind.name, "category": CATEGORY[kind.name], "size": size, "source": "generated"}
    facts |= {name: str(truth[name]) for name in ("difficulty", "views") if name in truth}
    return Item(name, "capacity", facts, truth, content_digest(json.dumps(truth, sort_keys=True)))


def _shuffled(index: int, n: int, seed: int, name: str) -> int:
    """Kinds go round with the index so that keys are balanced; in the set they come in random order, so that an item's
    place tells nothing. Each n items, the paper's number, are a whole round."""
    block = index // n
    order = list(range(n))
    stream(seed, "capacity order", name, block).shuffle(order)
    return block * n + order[index % n]


def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
    shown = _captioned(kind_of(item.levels["kind"]), item, condition.of(item), pack)
    bare = unpictured(item, condition, pack)
    return replace(bare, parts=(*shown, *bare.parts))


def unpictured(item: Item, condition: Condition, pack: Pack) -> Stimulus:
    """The stimulus without its pictures and their captions."""
    kind = kind_of(item.levels["kind"])
    asked = kind.ask(told(item, condition))
    levels = condition.of(item)
    text = words(kind, asked, levels, pack)
    form = replace(asked.form, reasoned=kind.name not in _ANSWER_ALONE)
    question = Question(text, form, asked.key, asked.mechanisms, asked.also, asked.habit)
    return Stimulus(item, condition, (text,), question, asked.twin)


def told(item: Item, condition: Condition) -> Truth:
    """What is asked about: the item's truth as it is, or as a plain instruction has it."""
    plain = kind_of(item.levels["kind"]).plain
    return plain(item.truth) if plain and _is_plain(condition) else item.truth


def _is_plain(condition: Condition) -> bool:
    return condition.get("instruction") == "plain"  # published questions have no such factor


def words(kind: CapacityKind, asked: KindQuestion, levels: Condition, pack: Pack) -> str:
    """The task, the request to describe first where it is made, and the form of the answer."""
    pieces = (f"{kind.name}_task", "describe_first", f"{kind.name}_reply")
    texts = (pack.say(piece, levels, asked.values) for piece in pieces)
    return "\n\n".join(text for text in texts if text)


def _captioned(kind: CapacityKind, item: Item, levels: Condition, pack: Pack) -> Parts:
    return tuple(_parts(kind, _pictures(kind.name, json.dumps(item.truth)), levels, pack))


def _parts(kind: CapacityKind, pictures: tuple[Picture, ...], levels: Condition, pack: Pack) -> Iterator[str | Picture]:
    for number, picture in enumerate(pictures):
        if kind.captions:
            piece = kind.captions[min(number, len(kind.captions) - 1)]
            yield pack.say(piece, levels, {"number": str(number + 1)})
        yield picture


@lru_cache(maxsize=64)
def _pictures(kind: str, truth: str) -> tuple[Picture, ...]:
    """Drawn once for all conditions of an item: a room in perspective takes its time."""
    return kind_of(kind).show(json.loads(truth))


def applies(levels: Mapping[str, str], condition: Condition) -> bool:
    """Describing first is no condition where it conflicts with the task's own instruction, and the plain instruction
    only where there is another, and by itself: it is what the stated one is held against."""
    kind = kind_of(levels["kind"])
    if _is_plain(condition):
        return kind.plain is not None and condition["describe"] == "no"
    return condition["describe"] == "no" or kind.describable
