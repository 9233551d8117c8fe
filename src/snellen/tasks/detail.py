"""The finest thing that must be seen in a task's pictures, so that it can be held against what a subject can see."""

from collections.abc import Mapping
from dataclasses import dataclass

from snellen.draw.looks import Colour


@dataclass(frozen=True, slots=True)
class Detail:
    """What it is ("strokes of letters"), how many pixels wide, how far it stands out from what is around it (Weber
    contrast of pixel values, as on the eye chart), and the longer side of its picture."""

    what: str
    px: float
    contrast: float
    side: int


def weber(one: Colour, other: Colour) -> float:
    """How far two colours stand apart, from 0 to 1: the difference of their pixel values, weighed as eyes weigh red,
    green and blue, over the lighter one."""
    first, second = (0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other))
    lighter = max(first, second)
    return abs(first - second) / lighter if lighter else 0.0


def unknown_detail(levels: Mapping[str, str]) -> Detail | None:
    """Where a task cannot say, it says nothing."""
    return None
