"""How well a model does on held-out boards, asked as an exam asks: accuracy by kind of question, before any exam."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from recipes.tiny.boards import HELD_OUT
from recipes.tiny.lessons import put
from recipes.tiny.network import Pupil
from snellen.item import Condition, Item, Parts, Picture
from snellen.prompts import Pack, load
from snellen.subjects.tiny.prompting import prompt, seen
from snellen.subjects.tiny.stock import Build
from snellen.subjects.tiny.tokens import PAD, Vocabulary
from snellen.tasks.fixation import TASK
from snellen.tasks.task import Design

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Question:
    kind: str
    game: str
    parts: Parts
    key: str


def questions(n: int) -> Iterator[Question]:
    """The quick exam of n held-out boards of each game."""
    pack = load(TASK.prompts, TASK.name)
    design = TASK.design("quick")
    for item in TASK.items(TASK.item_levels(design), n, HELD_OUT[1]):
        yield from _about(item, pack, design)


def _about(item: Item, pack: Pack, design: Design) -> Iterator[Question]:
    for paradigm in ("direct", "words", "told"):
        part = TASK.put_by(design, paradigm, chosen=paradigm == "direct")
        for condition in TASK.conditions(part, item):
            stimulus = TASK.stimulus(item, condition, pack)
            parts = stimulus.parts if paradigm == "direct" else put(paradigm, stimulus)
            yield Question(_kind(paradigm, condition), item.levels["game"], parts, stimulus.question.key)


def _kind(paradigm: str, condition: Condition) -> str:
    return f"{paradigm if paradigm != 'direct' else condition['prompt']} {condition['rule']}"


def marks(pupil: Pupil, asked: list[Question], known: Vocabulary, build: Build, device: str) -> dict[str, float]:
    """The share of first tokens that are right, by kind; answers here are one word each."""
    right: dict[str, list[bool]] = defaultdict(list)
    for shown in (True, False):
        lot = [q for q in asked if any(isinstance(part, Picture) for part in q.parts) == shown]
        for start in range(0, len(lot), _BATCH):
            batch = lot[start : start + _BATCH]
            for question, said in zip(batch, _said(pupil, batch, known, build, device), strict=True):
                for kind in (question.kind, f"{question.kind}, {question.game}"):
                    right[kind].append(said == known.read(question.key)[0])
    return {kind: round(100 * sum(marked) / len(marked), 1) for kind, marked in sorted(right.items())}


def _said(pupil: Pupil, batch: list[Question], known: Vocabulary, build: Build, device: str) -> list[int]:
    rows = [prompt(q.parts, known, build.picture_tokens) for q in batch]
    longest = max(map(len, rows))
    tokens = torch.full((len(rows), longest), known.numbers[PAD])
    for k, row in enumerate(rows):
        tokens[k, : len(row)] = torch.tensor(row)
    pictures = [seen(part, build.side) for q in batch for part in q.parts if isinstance(part, Picture)]
    last = torch.tensor([len(row) - 1 for row in rows])
    with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        features = None
        if pictures:
            features = pupil.features(torch.stack([torch.tensor(p) for p in pictures]).to(device))
        logits = pupil(tokens.to(device), features)
    said: list[int] = logits[torch.arange(len(rows)), last.to(device)].argmax(-1).tolist()
    return said
