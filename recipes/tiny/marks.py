"""How well a model does on held-out items, asked as an exam asks: accuracy by kind of question, before any exam."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from recipes.tiny.boards import HELD_OUT
from recipes.tiny.lessons import answer, put
from recipes.tiny.network import Pupil
from snellen.item import Condition, Item, Parts, Picture
from snellen.prompts import Pack, load
from snellen.subjects.tiny.prompting import prompt, seen
from snellen.subjects.tiny.stock import Build
from snellen.subjects.tiny.tokens import PAD, Vocabulary
from snellen.tasks.bias import TASK as THINGS
from snellen.tasks.fixation import TASK as BOARDS
from snellen.tasks.task import Design, Task
from snellen.tasks.winoground import TASK as SCENES

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Question:
    """`sort`: the game, or whatever else tells items of a task apart."""

    kind: str
    sort: str
    parts: Parts
    answer: str


_SORTS = {BOARDS.name: "game", THINGS.name: "topic", SCENES.name: "tag"}


def questions(n: int) -> Iterator[Question]:
    """The quick exams of held-out items: n boards of each game, 2 n things and 2 n samples."""
    for task, items in ((BOARDS, n), (THINGS, 2 * n), (SCENES, 2 * n)):
        pack, design = load(task.prompts, task.name), task.design("quick")
        for item in task.items(task.item_levels(design), items, HELD_OUT[1]):
            yield from _about(task, item, pack, design)


def _about(task: Task, item: Item, pack: Pack, design: Design) -> Iterator[Question]:
    for paradigm in ("direct", "words", "told"):
        part = task.put_by(design, paradigm, chosen=paradigm == "direct")
        for condition in task.conditions(part, item):
            stimulus = task.stimulus(item, condition, pack)
            parts = stimulus.parts if paradigm == "direct" else put(paradigm, stimulus)
            sort = item.levels[_SORTS[task.name]]
            yield Question(_kind(task, paradigm, condition), sort, parts, answer(stimulus.question))


def _kind(task: Task, paradigm: str, condition: Condition) -> str:
    if task is BOARDS:
        return f"{paradigm if paradigm != 'direct' else condition['prompt']} {condition['rule']}"
    if task is THINGS:
        asked = condition["drawing"] if condition["ask"] == "count" else condition["ask"]
        return f"{task.name} {paradigm} {asked}"
    return f"{task.name} {paradigm} {condition['given'].split('_')[0]}"


def marks(pupil: Pupil, asked: list[Question], known: Vocabulary, build: Build, device: str) -> dict[str, float]:
    """The share of answers that are right, word for word, by kind."""
    right: dict[str, list[bool]] = defaultdict(list)
    rows = [(q, prompt(q.parts, known, build.picture_tokens), known.read(q.answer)) for q in asked]
    for shown in (True, False):
        own = [row for row in rows if any(isinstance(part, Picture) for part in row[0].parts) == shown]
        own.sort(key=lambda row: len(row[1]))
        for batch in (own[start : start + _BATCH] for start in range(0, len(own), _BATCH)):
            for (question, *_), good in zip(batch, _said(pupil, batch, known, build, device), strict=True):
                for kind in (question.kind, f"{question.kind}, {question.sort}"):
                    right[kind].append(good)
    return {kind: round(100 * sum(marked) / len(marked), 1) for kind, marked in sorted(right.items())}


def _said(
    pupil: Pupil, batch: list[tuple[Question, list[int], list[int]]], known: Vocabulary, build: Build, device: str
) -> list[bool]:
    """Whether each answer is the one that the model would give: every word of it the likeliest after those before."""
    tokens = torch.full((len(batch), max(len(asked) + len(said) for _, asked, said in batch)), known.numbers[PAD])
    for k, (_, asked, said) in enumerate(batch):
        tokens[k, : len(asked) + len(said)] = torch.tensor(asked + said)
    pictures = [seen(part, build.side) for q, *_ in batch for part in q.parts if isinstance(part, Picture)]
    with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        features = None
        if pictures:
            features = pupil.features(torch.stack([torch.tensor(p) for p in pictures]).to(device))
        likeliest = pupil(tokens.to(device), features).argmax(-1).cpu()
    return [
        likeliest[k, len(asked) - 1 : len(asked) + len(said) - 1].tolist() == said
        for k, (_, asked, said) in enumerate(batch)
    ]
