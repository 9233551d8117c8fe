"""The four games under both rules, for a steering study."""

from collections.abc import Iterator
from functools import partial

from snellen.item import Stimulus
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.fixation.states import TASK_NAME
from snellen.tasks.steering import SteeringFamily, shown, steering_design
from snellen.tasks.task import Task

RULES = ("standard", "inverse")


def _game(name: str, task: Task, n: int, seed: int) -> Iterator[Stimulus]:
    """Both rules, both targets, both orders: eight rows a state."""
    orders = ("image_first", "text_first")
    design = steering_design({"game": (name,), "rule": RULES, "target": ("winner", "loser"), "order": orders})
    return shown(task, design, task.items(task.item_levels(design), n, seed))


def family() -> SteeringFamily:
    return SteeringFamily(TASK_NAME, "rule", RULES, RULES, {game: partial(_game, game) for game in GAMES})
