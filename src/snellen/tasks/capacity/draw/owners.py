"""Whose each pixel of a picture is, drawn by the very functions that draw the picture.

`whole` counts the pixels of a part when its thing had just been drawn, `seen` those left when all was drawn: nearer
things hide the rest.
"""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from snellen.draw.canvas import WHOLE, Canvas, Cover, Ink, Pixels

Owners = NDArray[np.int32]
Part = tuple[int, str]
"""The number of a thing in its picture, and a part of it."""


class OwnerMap(Canvas):
    """A canvas that keeps owners instead of colours."""

    def __init__(self, height: int, width: int) -> None:
        self.rgb = np.empty((height, width, 0), np.uint8)
        self.owner = np.zeros((height, width), np.int32)
        self.numbers: dict[Part, int] = {}
        self._now = 0
        self.whole: Counter[Part] = Counter()
        self._window = [height, width, 0, 0]  # what was drawn on since a thing was finished

    def tell_of(self, thing: int, part: str) -> None:
        """What is drawn from now on is this part of a thing."""
        self._now = self.numbers.setdefault((thing, part), len(self.numbers) + 1)

    def fill(self, top: int, left: int, height: int, width: int, ink: Ink) -> None:
        self.owner[max(0, top) : top + height, max(0, left) : left + width] = self._now
        self._touch(top, left, top + height, left + width)

    def lay(self, cover: Cover, ink: Ink | Pixels, strength: int = WHOLE) -> None:
        """Half a pixel or more is taken wholly, shadows take nothing."""
        height, width = cover.amount.shape
        top, left = max(0, -cover.top), max(0, -cover.left)
        bottom, right = min(height, self.height - cover.top), min(width, self.width - cover.left)
        if strength < WHOLE // 2 or top >= bottom or left >= right:
            return
        patch = self.owner[cover.top + top : cover.top + bottom, cover.left + left : cover.left + right]
        patch[cover.amount[top:bottom, left:right] >= WHOLE // 2] = self._now
        self._touch(cover.top + top, cover.left + left, cover.top + bottom, cover.left + right)

    def _touch(self, top: int, left: int, bottom: int, right: int) -> None:
        first, before, last, behind = self._window
        self._window = [min(first, max(0, top)), min(before, max(0, left)), max(last, bottom), max(behind, right)]

    def finish(self, thing: int) -> None:
        """Count what has just been drawn of a thing."""
        top, left, bottom, right = self._window
        counts = self._counts(self.owner[top:bottom, left:right])
        self.whole.update({part: many for part, many in counts.items() if part[0] == thing})
        self._window = [self.height, self.width, 0, 0]

    def seen(self) -> Counter[Part]:
        return self._counts(self.owner)

    def _counts(self, owner: Owners) -> Counter[Part]:
        counts = np.bincount(owner.ravel(), minlength=len(self.numbers) + 1)
        return Counter({part: int(counts[number]) for part, number in self.numbers.items()})
