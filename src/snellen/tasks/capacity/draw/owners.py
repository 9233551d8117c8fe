"""Whose each pixel of a picture is, drawn by the very functions that draw the picture.

`whole` counts the pixels of a part when its thing had just been drawn, `seen` those left when all was drawn: nearer
things hide the rest.
"""

from collections import Counter

import numpy as np

from snellen.draw.canvas import WHOLE, Canvas, Cover, Ink, Pixels

Part = tuple[int, str]
"""The number of a thing in its picture, and a part of it."""


class OwnerMap(Canvas):
    """A canvas that keeps owners instead of colours."""

    def __init__(self, height: int, width: int) -> None:
        self.rgb = np.empty((height, width, 0), np.uint8)
        self.owner = np.zeros((height, width), np.int32)
        self._numbers: dict[Part, int] = {}
        self._now = 0
        self.whole: Counter[Part] = Counter()

    def tell_of(self, thing: int, part: str) -> None:
        """What is drawn from now on is this part of a thing."""
        self._now = self._numbers.setdefault((thing, part), len(self._numbers) + 1)

    def fill(self, top: int, left: int, height: int, width: int, ink: Ink) -> None:
        self.owner[max(0, top) : top + height, max(0, left) : left + width] = self._now

    def lay(self, cover: Cover, ink: Ink | Pixels, strength: int = WHOLE) -> None:
        """Half a pixel or more is taken wholly, shadows take nothing."""
        height, width = cover.amount.shape
        top, left = max(0, -cover.top), max(0, -cover.left)
        bottom, right = min(height, self.height - cover.top), min(width, self.width - cover.left)
        if strength < WHOLE // 2 or top >= bottom or left >= right:
            return
        patch = self.owner[cover.top + top : cover.top + bottom, cover.left + left : cover.left + right]
        patch[cover.amount[top:bottom, left:right] >= WHOLE // 2] = self._now

    def finish(self, thing: int) -> None:
        """Count what has just been drawn of a thing."""
        self.whole.update({part: many for part, many in self.seen().items() if part[0] == thing})

    def seen(self) -> Counter[Part]:
        counts = np.bincount(self.owner.ravel(), minlength=len(self._numbers) + 1)
        return Counter({part: int(counts[number]) for part, number in self._numbers.items()})
