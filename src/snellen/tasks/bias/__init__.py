"""Habits of seeing: does a subject count what is drawn, or say the number that everybody knows?

A dog with five legs, a clock with thirteen hours: things with one part more or one fewer than usual. Every item can
also be shown as it usually is, and as its bare parts: bars, dots, rings. A subject that cannot count those is
short-sighted; one that can, and still says that the dog has four legs, answers by habit. Items are generated, or loaded
from the published VLMBias (`--data bias=...`).
"""

from pathlib import Path

from snellen.tasks.bias.asking import applies, stimulus
from snellen.tasks.bias.designs import DESIGNS, FACTORS, LADDER
from snellen.tasks.bias.features import due, observe
from snellen.tasks.bias.generate import NAME, item, items
from snellen.tasks.bias.kinds import counts
from snellen.tasks.bias.load import PAPER_TOPICS, QUESTIONS, SPLITS
from snellen.tasks.task import Task, lazy


def load(where: str) -> Task:
    """The task over the published set."""
    from snellen.tasks.bias.published import published

    return published(TASK, where)


TASK = Task(
    name=NAME,
    title="Habits of seeing",
    about="counting the parts of a thing that has one more or one fewer than usual",
    factors=FACTORS,
    designs=DESIGNS,
    prompts=Path(__file__).with_name("wording.toml"),
    items=items,
    counts=counts,
    item=item,
    stimulus=stimulus,
    applies=applies,
    observe=observe,
    due=due,
    load=load,
    ladder=LADDER,
    study=lazy("snellen.tasks.bias.study:BiasStudy"),
    steering=lazy("snellen.tasks.bias.steering:family"),
    trainsets=lazy("snellen.tasks.bias.trainsets:trainsets"),
    worded={
        "split": SPLITS,
        "topic": (*PAPER_TOPICS.values(), "game pieces", "optical illusion", "patterned grid"),
        "question": QUESTIONS,
        "prompt": ("alias",),
        **dict.fromkeys(("sub_topic", "pixel", "beside", "asked"), ()),
    },
)
