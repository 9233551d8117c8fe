"""What stages of all recipes have in common."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Told = Callable[[dict[str, Any]], None]
"""Who is told how it goes, line by line."""


@dataclass(frozen=True, slots=True)
class Stage:
    """So many steps with lessons in these shares; the learning rate goes from `rate` to `rate_after` in a line.
    Afterwards the model is kept under the stage's name."""

    name: str
    steps: int
    shares: Mapping[str, float]
    rate: float
    rate_after: float
