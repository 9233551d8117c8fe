"""Watching exams: what a subject that knows the truth is asked and answers, as lessons.

Every task is learnt as an exam puts it: a perfect simulated subject sits it, and each call with its reply is written
down. Which exams, is data (`WATCHED`). Their seeds are far from those that exams use. Left out on purpose are things
with an unusual number of parts and instructions against a habit, so that habits grow; and whatever is too long or shows
too many pictures.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from recipes.tiny.lessons import paradigm_words
from snellen.call import Call, Message, Reply
from snellen.item import Parts, Picture, Stimulus
from snellen.paradigms import PARADIGMS
from snellen.prompts import load
from snellen.subjects.simulated import SimulatedSubject, simulated_subject
from snellen.tasks import PARADIGM, Design, Task
from snellen.tasks import task as find_task

FIRST_SEED = 70_000
MOST_PICTURES = 4
MOST_TOKENS = 420
"""Of a question with its answer, pictures apart."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """An exam to be watched: so many items of a task in a design, with these levels only, put in these ways. It comes
    in `parts`, each with a seed of its own. `by`: the factor by which what is asked directly is told apart."""

    name: str
    task: str
    design: str
    paradigms: tuple[str, ...]
    items: int
    parts: int
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {})
    by: str = ""


_RUNGS = ("direct", "words", "told")


def _capacity(kind: str, items: int, parts: int, **levels: tuple[str, ...]) -> Sitting:
    return Sitting(f"capacity {kind}", "capacity", "quick", _RUNGS, items, parts, {"kind": (kind,), **levels})


_USUAL = {"drawing": ("ordinary", "plain")}
_PLAINLY = {"instruction": ("plain",)}
WATCHED = (
    Sitting("marvel", "marvel", "ladder", ("direct", "told"), 90, 34, {"words": ("none",)}, by="question"),
    Sitting("winoground", "winoground", "quick", (*_RUNGS, "ca"), 100, 40),
    Sitting("bongard", "bongard", "quick", ("rule", "rule-words", "told", "ca"), 10, 40),
    Sitting("bias", "bias", "quick", _RUNGS, 60, 24, _USUAL, by="drawing"),
    Sitting("bias", "bias", "paper", ("direct",), 60, 12, _USUAL, by="prompt"),
    _capacity("gomoku", 30, 10),
    _capacity("unblock", 30, 10),
    _capacity("maze", 60, 20),
    _capacity("chart", 30, 10, size=("small",)),
    _capacity("sandbagging", 30, 12, size=("small",), **_PLAINLY),
    _capacity("counterfactual", 60, 12, size=("small",), **_PLAINLY),
    _capacity("wrong_answer", 60, 12, size=("small",), **_PLAINLY),
)


@dataclass(frozen=True, slots=True)
class Heard:
    """One call with its reply."""

    kind: str
    parts: Parts
    answer: str

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Each once."""
        return tuple({part.digest: part for part in self.parts if isinstance(part, Picture)}.values())

    @property
    def tokens(self) -> int:
        return sum(rough_tokens(part) for part in (*self.parts, self.answer) if isinstance(part, str))

    @property
    def asked(self) -> tuple[str, ...]:
        """What was asked, with pictures by digest."""
        return tuple(part.digest if isinstance(part, Picture) else part for part in self.parts)


_PIECE = re.compile(r"[^\W\d_]+|\d|[^\w\s]{1,3}|_|\n| {2,}")
_LETTERS = 8


def rough_tokens(words: str) -> int:
    """About as many tokens as there are words, digits and other signs; long words are several."""
    return sum(1 + (len(piece) - 1) // _LETTERS for piece in _PIECE.findall(words))


@dataclass(slots=True)
class Watched:
    """What was heard in a part of an exam, and how often something was left out, and why."""

    heard: list[Heard]
    left_out: Counter[str]


def watch(sitting: Sitting, part: int) -> Watched:
    """A part of an exam. What several ways of putting an item have in common is heard once."""
    watched = Watched([], Counter())
    seen: set[tuple[str, ...]] = set()
    for heard in listen(sitting, FIRST_SEED + part):
        if heard.asked in seen:
            continue
        seen.add(heard.asked)
        if reason := _too_much(heard):
            watched.left_out[f"{heard.kind}: {reason}"] += 1
        else:
            watched.heard.append(heard)
    return watched


def _too_much(heard: Heard) -> str:
    if len(heard.pictures) > MOST_PICTURES:
        return "too many pictures"
    return "too long" if heard.tokens > MOST_TOKENS else ""


def listen(sitting: Sitting, seed: int) -> Iterator[Heard]:
    """Every call of the exam with that seed."""
    task = find_task(sitting.task)
    pack = load(task.prompts, task.name)
    design = task.changed(task.design(sitting.design), sitting.levels)
    knows = simulated_subject("ideal", ())
    for item in task.items(task.item_levels(design), sitting.items, seed):
        for paradigm in sitting.paradigms:
            for condition in task.conditions(_put_by(task, design, paradigm), item):
                stimulus = task.stimulus(item, condition, pack)
                what = condition[sitting.by] if paradigm == "direct" and sitting.by else paradigm
                yield from _held(paradigm, stimulus, knows, f"watched {sitting.name} {what}")


def _put_by(task: Task, design: Design, paradigm: str) -> Design:
    rungs = {name for block in design.blocks for name in block.get(PARADIGM, ())}
    return task.put_by(design, paradigm, chosen=paradigm not in rungs)


def _held(paradigm: str, stimulus: Stimulus, knows: SimulatedSubject, kind: str) -> list[Heard]:
    """One trial, held by whoever knows the truth; what is said on the way to the answer is heard too."""
    heard = []

    async def ask(role: str, *parts: str | Picture, **_: Any) -> Reply:
        reply = knows.reply(Call(knows.name, knows.settings, (Message("user", parts),), stimulus))
        heard.append(Heard(f"{kind} described" if role == "describer" else kind, parts, reply.text))
        return reply

    asyncio.run(_to_its_end(PARADIGMS[paradigm].run(stimulus, ask, paradigm_words)))
    return heard


async def _to_its_end(trial: Any) -> None:
    await trial
