"""Animals with their usual legs and with one more, for a steering study."""

from collections.abc import Iterator
from functools import partial

from snellen.item import Stimulus
from snellen.tasks.bias.draw.things import KINDS
from snellen.tasks.bias.generate import NAME
from snellen.tasks.steering import SteeringFamily, shown, steering_design
from snellen.tasks.task import Task

DRAWINGS = ("ordinary", "counterfactual")


def _animals(legs: int, task: Task, n: int, seed: int) -> Iterator[Stimulus]:
    """An animal with its usual legs, and the same with one more: two rows a state."""
    kinds = tuple(k.name for k in KINDS.values() if k.topic == "animals" and k.parts == "legs" and k.usual == legs)
    design = steering_design({"topic": ("animals",), "kind": kinds, "drawing": DRAWINGS})
    # Of two things in a row one has a leg more and one a leg fewer; kinds take turns, so that all of them come in.
    items = list(task.items(task.item_levels(design), 2 * n + 2 * len(kinds), seed))
    more = sorted((item for item in items if item.truth["count"] == legs + 1), key=lambda i: i.truth["look"][1])
    return shown(task, design, more[:n])


def family() -> SteeringFamily:
    setups = {"birds": partial(_animals, 2), "quadrupeds": partial(_animals, 4)}
    return SteeringFamily(NAME, "drawing", DRAWINGS, ("usual", "changed"), setups)
