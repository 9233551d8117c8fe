"""Simulated eyes of limited resolution, which look at pixels and know no task.

An eye is shown a picture as a server would show it: no side longer than `side` px, by averaging, and with noise of
`NOISE` grey levels in every pixel. It holds what it sees against candidates, the picture that was shown and some that
differ from it in one thing, each shrunk in the same way but without noise, and takes the nearest. Nobody who looks at
pixels and knows the candidates does better.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.item import Picture

NOISE = 64.0
Seen = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Eye:
    side: int

    @property
    def name(self) -> str:
        return f"eye of {self.side} px"

    def view(self, picture: Picture) -> Seen:
        image = Image.open(io.BytesIO(picture.data)).convert("RGB")
        times = self.side / max(image.size)
        if times < 1:
            size = max(1, round(times * image.width)), max(1, round(times * image.height))
            image = image.resize(size, Image.Resampling.BOX)
        return np.asarray(image, float)

    def tells(self, candidates: Sequence[Sequence[Picture]], dice: np.random.Generator) -> bool:
        """True if the first of the candidates, which is what is shown, is also the nearest to what is seen. All
        candidates have equally many pictures; a candidate whose pictures have another size is told by that."""
        away = np.zeros(len(candidates))
        for pictures in zip(*candidates, strict=True):
            views = [self.view(picture) for picture in pictures]
            seen = views[0] + dice.normal(0.0, NOISE, views[0].shape)
            away += [((seen - view) ** 2).sum() if view.shape == seen.shape else np.inf for view in views]
        return bool((away[1:] > away[0]).all())


EYES = (Eye(16), Eye(32), Eye(64), Eye(128), Eye(256))
