"""Whether every part can be seen: from the number of the part that each pixel of the drawing belongs to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.draw.soft import STEPS
from snellen.tasks.bias.draw.things.forms import disc
from snellen.tasks.bias.draw.things.kind import ThingLook, ThingScene
from snellen.tasks.bias.draw.things.marks import mark_outlines, rim
from snellen.tasks.bias.draw.things.raster import cover, widened

SIZE = 640
_PAGE = (SIZE, SIZE)
"""The size of picture that the proof is about."""
LEAST_PIXELS = 60
LEAST_SHARE = 0.3
"""Of every part so many pixels are seen, and so much of what it would take up alone."""
LEAST_END = 0.5
"""So much is seen of the far end of a part (a foot, a tip), where it may be told from its neighbours."""


@dataclass(frozen=True, slots=True)
class SeenPart:
    """How much is seen of a part: in pixels, and as a share of all of it and of its far end."""

    pixels: int
    share: float
    end: float


def part_numbers(scene: ThingScene, look: ThingLook) -> NDArray[np.int16]:
    """For each pixel the part that is seen there, from 1; 0 where it is none."""
    numbers, placed = np.zeros(_PAGE, np.int16), look.placing(SIZE)
    for group in scene.groups:
        for piece in group.pieces:
            area = cover(placed(piece.outlines), _PAGE)
            if area:
                height, width = area.amount.shape
                own = numbers[area.top : area.top + height, area.left : area.left + width]
                own[area.amount * 2 > STEPS] = 0 if piece.part is None else piece.part + 1
    return numbers


def seen_parts(scene: ThingScene, look: ThingLook) -> list[SeenPart]:
    """How much is seen of each part."""
    numbers, placed = part_numbers(scene, look), look.placing(SIZE)
    outlines: dict[int, list[NDArray[np.float64]]] = {}
    for group in scene.groups:
        for piece in group.pieces:
            if piece.part is not None:
                outlines.setdefault(piece.part, []).extend(piece.outlines)
    seen = []
    for part, mark in enumerate(scene.marks):
        alone = cover(placed(outlines[part]), _PAGE)
        if alone is None:
            return []
        height, width = alone.amount.shape
        window = np.s_[alone.top : alone.top + height, alone.left : alone.left + width]
        own, whole = numbers[window] == part + 1, alone.amount * 2 > STEPS
        end = cover(placed([disc(mark.end, max(mark.width, 12) * 0.75)]), _PAGE)
        tip = np.zeros_like(numbers, dtype=bool)
        if end:
            high, wide = end.amount.shape
            tip[end.top : end.top + high, end.left : end.left + wide] = end.amount * 2 > STEPS
        tip, pixels = tip[window] & whole, int(own.sum())
        shown = int((own & tip).sum()) / int(tip.sum()) if tip.any() else 1.0
        seen.append(SeenPart(pixels, pixels / max(1, int(whole.sum())), shown))
    return seen


def seen_marks(scene: ThingScene, look: ThingLook) -> list[float]:
    """Which share is seen of each plain mark, when each has an edge that covers those before it."""
    numbers, placed, whole = np.zeros(_PAGE, np.int16), look.placing(SIZE), []
    for number, mark in enumerate(scene.marks, start=1):
        area = cover(placed(mark_outlines(mark)), _PAGE)
        if area:
            for own, value in ((widened(area, rim(SIZE), _PAGE), 0), (area, number)):
                height, width = own.amount.shape
                patch = numbers[own.top : own.top + height, own.left : own.left + width]
                patch[own.amount * 2 > STEPS] = value
        whole.append(int((area.amount * 2 > STEPS).sum()) if area else 0)
    seen = np.bincount(numbers.ravel(), minlength=len(whole) + 1)[1:]
    return [int(own) / max(1, alone) for own, alone in zip(seen, whole, strict=True)]


def is_countable(scene: ThingScene, look: ThingLook) -> bool:
    """True if enough of every part is seen, and of every plain mark in its place."""
    seen = seen_parts(scene, look)
    patterned = any(group.role == "clutter" for group in scene.groups)  # then an end may be of another colour
    if len(seen) != len(scene.marks) or min(seen_marks(scene, look)) < LEAST_SHARE:
        return False
    return all(
        part.pixels >= LEAST_PIXELS and part.share >= LEAST_SHARE and (patterned or part.end >= LEAST_END)
        for part in seen
    )
