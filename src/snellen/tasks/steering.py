"""What a task gives to a steering study (`Task.steering`): setups, each asked under two rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from snellen.item import Item, Stimulus
from snellen.prompts import load
from snellen.tasks.task import Design, Levels, Task


@dataclass(frozen=True)
class SteeringFamily:
    """How a task's stimuli become rows: its setups by name, and the factor whose levels are the two rules.

    A setup gives the stimuli of n states from the task, n and a seed; `rules` are what `levels` are called."""

    task: str
    rule: str
    levels: tuple[str, str]
    rules: tuple[str, str]
    setups: Mapping[str, Callable[[Task, int, int], Iterator[Stimulus]]]


def steering_design(block: Levels) -> Design:
    return Design("steer", "", 0, (block,))


def shown(task: Task, design: Design, items: Iterable[Item]) -> Iterator[Stimulus]:
    """Every item under every condition of the design."""
    pack = load(task.prompts, task.name)
    return (task.stimulus(item, condition, pack) for item in items for condition in task.conditions(design, item))
