"""Digits and a few letters as strokes, for what is written on things."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from snellen.tasks.bias.draw.things.forms import Place, limb
from snellen.tasks.bias.draw.things.raster import Points

_SIGNS: Mapping[str, tuple[tuple[Place, ...], ...]] = MappingProxyType(
    {
        "1": (((-18, -34), (4, -50)), ((4, -50), (4, 50))),
        "2": (((-28, -26), (-14, -48), (14, -48), (26, -24), (8, 6), (-28, 50)), ((-28, 50), (30, 50))),
        "3": (((-26, -36), (0, -50), (24, -28), (0, -4)), ((0, -4), (28, 22), (0, 50), (-28, 34))),
        "4": (((10, -50), (-32, 20)), ((-32, 20), (32, 20)), ((12, -8), (12, 50))),
        "5": (((24, -50), (-20, -50)), ((-20, -50), (-24, -8)), ((-24, -8), (4, -14), (28, 16), (4, 50), (-28, 36))),
        "6": (((16, -50), (-16, -20), (-26, 18), (0, 50), (26, 20), (2, -8), (-22, 14)),),
        "7": (((-28, -50), (28, -50)), ((28, -50), (-8, 50))),
        "8": (((0, -4), (-24, -26), (0, -50), (24, -26), (0, -4), (-28, 24), (0, 50), (28, 24), (0, -4)),),
        "9": (((22, -14), (-2, 8), (-26, -20), (0, -50), (26, -18), (16, 20), (-14, 50)),),
        "S": (((26, -36), (0, -50), (-26, -28), (0, -2), (28, 24), (0, 50), (-28, 36)),),
        "T": (((-30, -50), (30, -50)), ((0, -50), (0, 50))),
        "O": (((0, -50), (-30, -20), (-30, 20), (0, 50), (30, 20), (30, -20), (0, -50)),),
        "P": (((-24, 50), (-24, -50)), ((-24, -50), (14, -48), (28, -24), (14, 0), (-24, 4))),
    }
)
"""Each sign as lines in a box from -50 to 50."""


def written(sign: str, at: Place, height: float, weight: float = 13) -> list[Points]:
    """The outlines of a sign around a place. `weight` is the width of its lines if it were 100 high."""
    scale = height / 100
    return [limb(line, (weight, weight)) * scale + np.array(at) for line in _SIGNS[sign]]
