"""Semantic fixation: does a subject go by the rule it was told, or by the one it has always known?

Four finished games for two, never named; the usual rule or its inverse; plain, made-up or no words for winning. A
subject that sees the board and thinks is as good under either rule. One that is fixated answers by the usual rule.
"""

from pathlib import Path

from snellen.tasks.fixation.asking import stimulus
from snellen.tasks.fixation.designs import DESIGNS, FACTORS, LADDER
from snellen.tasks.fixation.detail import detail
from snellen.tasks.fixation.features import due, observe
from snellen.tasks.fixation.states import TASK_NAME, counts, item, items
from snellen.tasks.task import Task, lazy

TASK = Task(
    name=TASK_NAME,
    title="Semantic fixation",
    about="who won a finished board game, under the usual rule or its inverse",
    factors=FACTORS,
    designs=DESIGNS,
    prompts=Path(__file__).with_name("wording.toml"),
    items=items,
    counts=counts,
    item=item,
    stimulus=stimulus,
    observe=observe,
    due=due,
    audits_items=True,
    ladder=LADDER,
    study=lazy("snellen.tasks.fixation.study:FixationStudy"),
    steering=lazy("snellen.tasks.fixation.steering:family"),
    trainsets=lazy("snellen.tasks.fixation.trainsets:trainsets"),
    repeats="other pictures may show the same boards; use d1, d2 or d3, which keep boards apart",
    detail=detail,
)
