"""The eleven kinds, a module each, in the order of the paper."""

from functools import cache
from importlib import import_module

from snellen.tasks.capacity.kind import CapacityKind

BY_CATEGORY = {
    "spatial": ("satellite", "direction", "counting"),
    "geometric": ("gomoku", "unblock", "maze", "jigsaw", "chart"),
    "knowledge": ("sandbagging", "counterfactual", "wrong_answer"),
}
CATEGORY = {kind: category for category, kinds in BY_CATEGORY.items() for kind in kinds}
KINDS = tuple(CATEGORY)


@cache
def kind_of(name: str) -> CapacityKind:
    """The kind of that name; its module is imported only now."""
    kind: CapacityKind = import_module(f"snellen.tasks.capacity.kinds.{name}").KIND
    return kind
