"""A crowd on a lawn: people in rows, the back row first, nobody before anybody else.

    {"rows": 3, "people": [{"row": 0, "x": 80, "shirt": "red", ...}, ...]}

The rest of a person is as in `people.py`; where the feet are follows from the row.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.draw.canvas import Canvas
from snellen.item import Picture
from snellen.tasks.capacity.draw import people

WIDTH, HEIGHT = 800, 560
ROWS: Mapping[int, tuple[tuple[int, int], ...]] = {
    3: ((190, 80), (360, 90), (544, 100)),
    4: ((152, 66), (276, 73), (406, 80), (546, 88)),
}
"""Where the feet of each row are and its scale in per cent, by how many rows there are."""
_SKY, _LAWN, _HILLS, _WOODS = (196, 226, 244), (176, 210, 140), (158, 198, 152), (116, 164, 110)
_HORIZON = 84


def crowd(description: Mapping[str, Any]) -> Picture:
    canvas = Canvas(HEIGHT, WIDTH, _SKY)
    across = np.arange(WIDTH)
    for ink, top, length, high in ((_HILLS, 34, 400, 24), (_WOODS, 62, 160, 10)):
        canvas.ground(top + _waves(across, length, high), ink)
    canvas.fill(_HORIZON, 0, HEIGHT - _HORIZON, WIDTH, _LAWN)
    for person in description["people"]:
        people.draw(canvas, *placed(description, person))
    return Picture(canvas.png(), "image/png", f"Crowd of {len(description['people'])} people")


def placed(description: Mapping[str, Any], person: people.Person) -> tuple[people.Person, int]:
    """Somebody with the place of their feet, and their scale."""
    feet, percent = ROWS[description["rows"]][person["row"]]
    return {**person, "feet": feet}, percent


def _waves(
    across: np.ndarray[Any, np.dtype[np.int64]], length: int, high: int
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Even hills so long and so high, as parabolas: no sine, whose last digit differs between machines."""
    share = (across % length) / length
    return high * (1 - 4 * share * (1 - share))
