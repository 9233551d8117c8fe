"""What the fakes of the proof know: for every call of an exam, which item it is about and what is right.

A `Lesson` draws the items of an exam once, puts each to the paradigms of the design and keeps what the generator knows
under the digest of the exact words and picture bytes that a model is sent. A fake then gets those words and bytes and
nothing else, and looks up what they show. The exam is held on the items of the lesson, so that nothing is drawn twice.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Any

from fakes.server import Part, lot
from snellen.call import CallFailed, Message, Reply
from snellen.item import Condition, Item, Picture, Stimulus
from snellen.paradigms import WORDING, Paradigm, paradigm
from snellen.prompts import Pack, load
from snellen.subjects.answers import in_plain_words
from snellen.tasks import task as find_task
from snellen.tasks.making import ItemRequest
from snellen.tasks.making.order import ItemMaker, MadeItem
from snellen.tasks.sequential import sequential_design
from snellen.tasks.task import PARADIGM, Design, Task

Levels = Mapping[str, tuple[str, ...]]
_BY_HABIT = {
    "fixation": {"rule": "standard"},
    "bias": {"drawing": "ordinary"},
    "capacity": {"instruction": "plain"},
}
"""The condition under which what habit says is right."""
_OFFERS = (
    re.compile(r"Reply with (\w+) or (\w+) and nothing else"),
    re.compile(r"Is the query (positive) or (negative)\?|Answer: (positive) or Answer: (negative)"),
    re.compile(r"choices are called (\w+), (\w+), (\w+) or (\w+)"),
    re.compile(r"Choose between: ([^\n]+) / ([^\n]+)\. Reply with one of the two"),
)


@dataclass(frozen=True)
class Fact:
    """What the generator knows about one call. `habit`: the answer by habit, where the call goes against one."""

    item: str
    levels: Mapping[str, str]
    paradigm: str
    key: str
    habit: str = ""


@dataclass(frozen=True)
class Asked:
    """One call as a fake understands it. `who`: the fake's name, so that each has luck of its own; `so_far`: how much
    of its exam it has behind it, from 0 to 1."""

    who: str
    parts: Sequence[Part]
    fact: Fact
    digest: str
    so_far: float = 0.0

    @property
    def words(self) -> str:
        return "\n\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def pictures(self) -> tuple[bytes, ...]:
        return tuple(part for part in self.parts if isinstance(part, bytes))

    @property
    def told(self) -> bool:
        return self.fact.paradigm == "told"

    @property
    def options(self) -> tuple[str, ...]:
        """The answers on offer, in the order in which the words offer them."""
        matches = (form.search(self.words) for form in _OFFERS)
        return next((tuple(filter(None, match.groups())) for match in matches if match), ())

    def call_lot(self, what: str) -> float:
        """A number from 0 to 1 of this very call."""
        return lot(self.who, what, self.digest)

    def item_lot(self, what: str) -> float:
        """One that is the same in all calls about an item."""
        return lot(self.who, what, self.fact.item)

    def picture_lot(self, what: str) -> float:
        """One that is the same whenever these pictures are shown."""
        return lot(self.who, what, *self.pictures)

    def toss(self) -> str:
        return self.options[int(self.call_lot("toss") * len(self.options))]


@dataclass(frozen=True)
class Lesson:
    """The items of an exam, and what is known of every call about them."""

    task: Task
    facts: Mapping[str, Fact]
    parts: Mapping[str, tuple[Part, ...]] = field(repr=False)

    def asked(self, who: str, parts: Sequence[Part], so_far: float = 0.0) -> Asked:
        digest = digest_of(parts)
        return Asked(who, parts, self.facts[digest], digest, so_far)

    def all_asked(self, who: str) -> Iterator[Asked]:
        return (Asked(who, self.parts[digest], fact, digest) for digest, fact in self.facts.items())


def digest_of(parts: Sequence[Part]) -> str:
    sha = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        sha.update(b"%d %d\n" % (isinstance(part, bytes), len(data)) + data)
    return sha.hexdigest()


def lesson(task: str | Task, seed: int, levels: Levels, n: int | None = None, *, until_sure: bool = False) -> Lesson:
    """The items that an exam of this task and seed asks, drawn, and what is right in each of its calls. `until_sure`:
    the first n items of an exam that stops when it knows, on every rung."""
    known = find_task(task) if isinstance(task, str) else task
    design = sequential_design(known, levels, None, None, seed).whole if until_sure else known.design()
    design = known.changed(design, levels)
    order = ItemRequest(known, design, n or design.n, seed, load(known.prompts, known.name))
    made = ItemMaker(order).make(0, order.size)
    facts, parts = asyncio.run(_learned(order, made))
    stimuli = {(item.id, shown.condition): shown for item, all_shown in made for shown in all_shown}
    return Lesson(_drawn_once(order, [item for item, _ in made], stimuli), facts, parts)


async def _learned(order: ItemRequest, made: Sequence[MadeItem]) -> tuple[dict[str, Fact], dict[str, tuple[Part, ...]]]:
    facts: dict[str, Fact] = {}
    parts: dict[str, tuple[Part, ...]] = {}
    wording = load(WORDING, "paradigms")
    for name, part_of_design in _by_paradigm(order.task, order.design):
        for item, stimuli in made:
            right = {shown.condition: in_plain_words(shown.question) for shown in stimuli}
            wanted = set(order.task.conditions(part_of_design, item))
            for shown in stimuli:
                if shown.condition in wanted and (sent := await _sent(paradigm(name), shown, wording)):
                    digest = digest_of(sent)
                    facts[digest] = _fact(order.task.name, shown, name, right)
                    parts[digest] = sent
    return facts, parts


def _by_paradigm(task: Task, design: Design) -> Iterator[tuple[str, Design]]:
    usual = task.paradigms[0]
    named = (name for block in design.blocks for name in block.get(PARADIGM, ()))
    for name in dict.fromkeys((usual, *named)):
        yield name, task.put_by(design, name, chosen=name == usual)


def _fact(task: str, shown: Stimulus, name: str, right: Mapping[Condition, str]) -> Fact:
    key = right[shown.condition]
    usual = right.get(shown.condition.but(**_BY_HABIT.get(task, {})), "")
    if usual == key and shown.question.habit:
        # What is asked for is the same by habit, only in the wrong sense: whichever of the others comes to mind.
        others = sorted(shown.question.mechanisms)
        usual = others[int(lot("habit", shown.item.digest) * len(others))]
    levels = {**shown.item.levels, **shown.condition}
    return Fact(shown.item.digest, levels, name, key, usual if usual != key else "")


async def _sent(procedure: Paradigm, shown: Stimulus, wording: Pack) -> tuple[Part, ...]:
    """What a model is sent when the stimulus is put so; empty where it cannot be."""
    sent: list[Part] = []

    async def ask(role: str, *parts: str | Picture, after: Sequence[Message] = (), **_: Any) -> Reply:
        sent.extend(part if isinstance(part, str) else part.data for part in parts)
        return Reply("", finish="stop")

    def say(piece: str, **values: str) -> str:
        return wording.say(piece, Condition(), values)

    try:
        await procedure.run(shown, ask, say)
    except CallFailed:  # no exact words for this one
        return ()
    return tuple(sent)


def _drawn_once(order: ItemRequest, items: list[Item], stimuli: Mapping[tuple[str, Condition], Stimulus]) -> Task:
    """The task with these items instead of new ones that would be the same."""
    known = order.task

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        return stimuli.get((item.id, condition)) or known.stimulus(item, condition, pack)

    if known.item is None:
        return replace(known, stimulus=stimulus, items=partial(_items, order, items))
    places = order.places or []
    by_place = {(frozenset(kind.items()), k): item for (kind, k), item in zip(places, items, strict=True)}
    return replace(known, stimulus=stimulus, item=partial(_item, known.item, order.seed, by_place))


def _items(order: ItemRequest, items: list[Item], levels: Levels, n: int, seed: int) -> Iterator[Item]:
    same = (n, seed) == (order.n, order.seed) and levels == order.task.item_levels(order.design)
    return iter(items) if same else order.task.items(levels, n, seed)


def _item(
    make: Callable[[Mapping[str, str], int, int], Item],
    known_seed: int,
    by_place: Mapping[tuple[frozenset[tuple[str, str]], int], Item],
    kind: Mapping[str, str],
    index: int,
    seed: int,
) -> Item:
    item = by_place.get((frozenset(kind.items()), index)) if seed == known_seed else None
    return item or make(kind, index, seed)
