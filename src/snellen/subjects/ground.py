"""What a picture is drawn on."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.uint8, np.float32)


def ground(pixels: NDArray[Number]) -> NDArray[Number]:
    """The colour that a picture (height x width x RGB) is drawn on: the middle one of its edge, channel by channel. A
    drawing may touch the edge, or even go over it, as long as most of the edge is bare."""
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    middle: NDArray[Number] = np.sort(edge, axis=0)[len(edge) // 2]
    return middle
