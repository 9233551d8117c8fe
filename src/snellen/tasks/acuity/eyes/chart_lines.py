"""Reading a chart of many lines: where letters stand is found on the picture as it was sent, what they are is seen."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from snellen.subjects.ground import ground
from snellen.tasks.acuity.draw.optotypes import LETTERS
from snellen.tasks.acuity.eyes.gaze import Gaze
from snellen.tasks.acuity.eyes.glimpse import Glimpse, Pixels
from snellen.tasks.acuity.eyes.masks import optotype
from snellen.tasks.acuity.eyes.matching import nearest

_AROUND = 0.75
"""How far around its middle a letter is looked at, in its size: neighbours stand a letter apart."""
_FAINTEST = 0.01


def chart_lines(pixels: Pixels, gaze: Gaze) -> str | None:
    """Every line, each after its place from the top."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    masks, noise = [optotype(name) for name in LETTERS], gaze.source("noise")

    def read(x: float, y: float, size: float) -> str:
        letter: Glimpse = seen.near(x, y, _AROUND * size)
        if not letter.grey.size or np.abs(letter.grey).max() < _FAINTEST:
            return LETTERS[int(noise.integers(len(LETTERS)))]
        return nearest(letter, masks, gaze.mind.noise, noise).mask.name

    lines = ([read(*place) for place in line] for line in _places(pixels))
    return "\n".join(f"{k}: {' '.join(line)}" for k, line in enumerate(lines, 1))


def _places(pixels: Pixels) -> Iterator[list[tuple[float, float, float]]]:
    """The middles and heights of letters, line by line."""
    inked = (pixels != ground(pixels)).any(axis=2)
    for top, bottom in _runs(inked.any(axis=1)):
        columns = _runs(inked[top:bottom].any(axis=0))
        yield [((left + right) / 2, (top + bottom) / 2, bottom - top) for left, right in columns]


def _runs(there: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where stretches begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], there.astype(np.int8), [0]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
