"""What an exam could find, before it is asked: the plan's own trials, all answered right, go through the same analysis
as an exam's, so `--dry-run` and the verdict cannot state different powers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.rungs import ladder_results
from snellen.analysis.ladder.verdict import judge
from snellen.analysis.power import Power, smallest_difference
from snellen.analysis.rows import of_task
from snellen.engine import ItemRecord
from snellen.examine.plan import ExamPlan
from snellen.examine.task_plans import TaskPlan
from snellen.tasks.ladder_spec import spec_of_task
from snellen.tasks.making import ItemRequest, MadeItem

MOST = 400
"""Of more items than this, so many stand for all: beyond them the smallest fault that is named decides, not power."""


def power_of(plan: ExamPlan, part: TaskPlan, made: Sequence[MadeItem]) -> Power:
    """The power of a part of the plan; `made`: some of its items, for what their questions offer."""
    size, per_item = part.order.size, part.task.stimuli_of(part.order.counts, part.order.design) / part.order.size
    rows = of_task(pl.DataFrame(list(_rows(plan, part, made)), infer_schema_length=None), part.task.name)
    result = next(ladder_results(rows, spec_of_task(part.task)), None)
    fault = judge(case_of(result, 0)).power if result else None
    return Power(smallest_difference(size, per_item), fault, size)


def _rows(plan: ExamPlan, part: TaskPlan, made: Sequence[MadeItem]) -> Iterator[dict[str, Any]]:
    """The trials of whoever is examined first, as rows, all of them right."""
    offered = _offered(made)
    first = part.ways[0].answering
    for item in _items(part.order, made):
        for trial in plan.trials_of(part, item):
            way = trial.way
            if way.answering is not first or way.judge:
                continue
            labels = offered.get((*item.levels.values(), trial.condition), offered.get((trial.condition,), ()))
            key = labels[0] if labels else "right"
            yield {
                **{"trial": trial.key.hex(), "task": part.task.name, "item": item.id, "cluster": item.cluster},
                **{"subject": way.label, "paradigm": way.paradigm.name, "pack": "", "sample": trial.sample},
                **{"outcome": "right", "reason": "", "answer": key, "key": key, "labels": list(labels)},
                **item.levels,
                **trial.condition,
                **way.levels,
            }


def _items(order: ItemRequest, made: Sequence[MadeItem]) -> Iterator[ItemRecord]:
    """The items of an order as far as they are known without making them: their levels."""
    count = min(order.size, MOST)
    for k in range(count):
        place = k * order.size // count
        levels: Mapping[str, str] = order.places[place][0] if order.places else made[k % len(made)].item.levels
        yield ItemRecord(str(k), "", levels, str(k))


def _offered(made: Sequence[MadeItem]) -> dict[tuple[Any, ...], tuple[str, ...]]:
    """The labels of each condition: of items of the same levels, and of any."""
    offers: dict[tuple[Any, ...], tuple[str, ...]] = {}
    for made_item in made:
        for stimulus in made_item.stimuli:
            form = stimulus.question.form
            labels = tuple(form.labels) if form.kind == "choice" else ()
            offers.setdefault((*made_item.item.levels.values(), stimulus.condition), labels)
            offers.setdefault((stimulus.condition,), labels)
    return offers
