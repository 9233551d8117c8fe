"""The published puzzles as items, and how they are shown (`--data marvel=...`)."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from snellen.item import Condition, Item, Picture, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.rng import stream
from snellen.tasks.fixed import Fixed, over
from snellen.tasks.marvel.asking import AUTHORS, QUESTIONS
from snellen.tasks.marvel.load import load as load_set
from snellen.tasks.marvel.load.pictures import Pictures
from snellen.tasks.marvel.load.record import PublishedPuzzle
from snellen.tasks.marvel.look import PuzzleLook
from snellen.tasks.task import Levels, Task

OF_GENERATED = ("shapes", "rules", "closeness", "clutter", "ink")
"""Factors that published puzzles do not have: they are as they are."""
COUNTED = ("quantities", "mathematical")
"""Patterns whose rules go by a number. The fine question does not tell: it may ask for one in any puzzle."""
FOLDED = "Folding the net along its lines gives this solid."
"""What explains a solid: the published explanations of these puzzles are a single word."""
Asking = Callable[[Item, Condition, Pack], Stimulus]
_CHOICE = re.compile(r"\bchoice [1-4]\b", re.IGNORECASE)


def item_of(record: PublishedPuzzle) -> Item:
    fine = record.fine and {
        "type": record.fine.type,
        "text": _CHOICE.sub("choice {choice}", record.fine.text),
        "right": record.fine.right,
        "wrong": record.fine.wrong,
        "place": record.fine_about,
    }
    truth: dict[str, Any] = {
        "concept": FOLDED if _of_a_solid(record) else record.explained(),
        "rows": record.rows,
        "columns": record.columns,
        "coarse": list(record.coarse),
        "answer": record.answer,
        "also": [place for place in record.accepted if place != record.answer],
        "fine": fine,
        "counted": record.pattern in COUNTED,
        "picture": dict(record.panel),
    }
    levels = {
        "pattern": record.pattern,
        "configuration": record.configuration,
        "fine_type": record.fine_type or "none",
        "described": "yes" if record.words() else "no",
        "source": "published",
        **({} if {*QUESTIONS} <= {*record.asked} else {"authored": "no"}),  # not all words of its authors are known
    }
    # The content alone, wherever and in whatever form the set was found; the cluster is that of the choices' pixels.
    content = {name: value for name, value in truth.items() if name not in ("picture", "counted")}
    digest = content_digest(record.id, record.cluster, json.dumps(content, sort_keys=True))
    return Item(f"marvel/{record.id}", "marvel", levels, truth, digest, f"marvel/{record.cluster}")


def _of_a_solid(record: PublishedPuzzle) -> bool:
    """Whether the explanation is missing because that of solids is a single word."""
    return record.configuration == "reassembling" and not record.demo_ok


class PublishedSource:
    """Where published puzzles come from: pictures as they are or edited, words only where a file brings them."""

    def __init__(self, records: Mapping[str, PublishedPuzzle], pictures: Pictures) -> None:
        self._records = records
        self._pictures = pictures
        self._worked = [r for r in records.values() if r.demo_ok or r.configuration == "reassembling"]
        self._drawn = lru_cache(maxsize=4)(self._draw)  # several questions are asked on one picture

    def _record(self, item: Item) -> PublishedPuzzle:
        return self._records[item.id]

    def _draw(self, name: str, look: PuzzleLook) -> Picture:
        return self._pictures.shown(self._records[name], look)

    def whole(self, item: Item, look: PuzzleLook) -> Picture:
        return self._drawn(item.id, look)

    def panels(self, item: Item, look: PuzzleLook) -> Sequence[Picture]:
        context, choices = self._pictures.panels(self._record(item))
        return (*context, *choices)

    def words(self, item: Item, look: PuzzleLook) -> str:
        return self._record(item).words(look.names)

    def authored(self, item: Item, question: str) -> str:
        return self._record(item).asked[question]

    def reason(self, item: Item, names: Sequence[str]) -> str:
        record = self._record(item)
        return FOLDED if _of_a_solid(record) else record.explained(names)

    def examples(self, item: Item, count: int, demos: str) -> Sequence[Item]:
        """Puzzles with a usable explanation, never from the group of duplicates that the puzzle itself belongs to."""
        rng = stream(0, "marvel examples", item.id, demos)
        pattern = item.levels["pattern"]
        others = sorted({record.pattern for record in self._worked} - {pattern, "3d"})
        wanted = rng.choice(others) if demos == "other-pattern" and others else pattern
        layouts = ("sequence", "two-row") if demos == "mixed" else ("sequence",)
        chosen: list[PublishedPuzzle] = []
        for number in range(count):
            layout = layouts[number % len(layouts)]
            taken = {self._record(item).cluster, *(record.cluster for record in chosen)}
            fitting = [r for r in self._worked if r.pattern == wanted and r.cluster not in taken]
            in_layout = [r for r in fitting if r.configuration == layout] or fitting
            if in_layout:
                chosen.append(rng.choice(in_layout))
        return [item_of(record) for record in chosen]


def published(task: Task, where: str, asking: Callable[[PublishedSource], Asking]) -> Task:
    """The task over the published set."""
    loaded = load_set(where)
    records = {f"marvel/{record.id}": record for record in loaded.puzzles()}
    fixed = Fixed(tuple(item_of(record) for record in records.values()), where, "puzzles")
    return replace(
        _with_authors(over(task, fixed, OF_GENERATED)),
        stimulus=asking(PublishedSource(records, Pictures(loaded))),
        probe=None,
        notes=(
            *loaded.missing,
            f"{len(loaded.notes)} irregularities of the set are handled: see docs/reproducing-marvel.md",
        ),
    )


def _with_authors(task: Task) -> Task:
    """The task with its authors' own words as one more wording, wherever wordings are compared."""
    factors = (replace(f, levels=(*f.levels, AUTHORS)) if f.name == "wording" else f for f in task.factors)
    designs = (
        replace(design, blocks=tuple({**block, **_authored(block)} for block in design.blocks))
        for design in task.designs
    )
    return replace(task, factors=tuple(factors), designs=tuple(designs))


def _authored(block: Levels) -> dict[str, tuple[str, ...]]:
    return {"wording": (*block["wording"], AUTHORS)} if "wording" in block else {}
