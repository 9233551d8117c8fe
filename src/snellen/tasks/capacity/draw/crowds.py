"""A crowd on a lawn: people anywhere, the nearer the larger and the lower, each partly before those behind.

    {"people": [{"x": 80, "feet": 300, "shirt": "red", ...}, ...]}

From the back to the front; the rest of a person is as in `people.py`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from snellen.draw.canvas import Canvas
from snellen.item import Picture
from snellen.tasks.capacity.draw import people
from snellen.tasks.capacity.draw.owners import OwnerMap

WIDTH, HEIGHT = 880, 640
BACK, FRONT = 206, 626
"""Where the feet of people are, those farthest away and the nearest."""
_SKY, _LAWN, _HILLS, _WOODS = (196, 226, 244), (176, 210, 140), (158, 198, 152), (116, 164, 110)
_PATCHES = (168, 203, 132), (184, 216, 149)
_HORIZON = 84


def crowd(description: Mapping[str, Any]) -> Picture:
    canvas = Canvas(HEIGHT, WIDTH, _SKY)
    across = np.arange(WIDTH)
    for ink, top, length, high in ((_HILLS, 34, 400, 24), (_WOODS, 62, 160, 10)):
        canvas.ground(top + _waves(across, length, high), ink)
    canvas.fill(_HORIZON, 0, HEIGHT - _HORIZON, WIDTH, _LAWN)
    for number in range(28):  # lighter and darker grass
        x, y = number * 397 % WIDTH, _HORIZON + 16 + number * 211 % (HEIGHT - _HORIZON)
        canvas.ellipse((x, y), 40 + y // 8, 6 + y // 50, _PATCHES[number % 2])
    for person in description["people"]:
        people.draw(canvas, person, scale(person["feet"]))
    return Picture(canvas.png(), "image/png", f"Crowd of {len(description['people'])} people")


def owners(description: Mapping[str, Any]) -> OwnerMap:
    """Which part of whom each pixel shows."""
    found = OwnerMap(HEIGHT, WIDTH)
    for number, person in enumerate(description["people"]):
        people.draw(found, person, scale(person["feet"]), partial(found.tell_of, number))
        found.finish(number)
    return found


def scale(feet: int) -> int:
    """How large somebody is, in per cent, by where their feet are."""
    return 54 + (feet - BACK) * 44 // (FRONT - BACK)


def _waves(
    across: np.ndarray[Any, np.dtype[np.int64]], length: int, high: int
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Even hills so long and so high, as parabolas: no sine, whose last digit differs between machines."""
    share = (across % length) / length
    return high * (1 - 4 * share * (1 - share))
