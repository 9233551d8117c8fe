"""What the model sees of a picture, the way the processor of its folder does it."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recipes.small.sheets import SIDE
from snellen.item import Picture

Seen = NDArray[np.uint8]


def seen(picture: Picture) -> Seen:
    with Image.open(BytesIO(picture.data)) as image:
        return squeezed(image.convert("RGB"))


def squeezed(image: Image.Image) -> Seen:
    """The picture with its longest edge at 256 pixels, and then all of it as a square."""
    if image.width != image.height:
        image = image.resize(_longest_first(*image.size), Image.Resampling.BILINEAR)
    return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BILINEAR))


def _longest_first(width: int, height: int) -> tuple[int, int]:
    """The shorter edge is rounded down, and up again to an even number."""
    if width >= height:
        return SIDE, max(_even(SIDE / (width / height)), 1)
    return max(_even(SIDE * (width / height)), 1), SIDE


def _even(length: float) -> int:
    whole = int(length)
    return whole + whole % 2


def coloured(pixels: NDArray[np.uint8], colours: NDArray[np.uint8]) -> Seen:
    """As the model sees it, straight from pixels that are numbers of colours."""
    image = Image.fromarray(pixels)
    image.putpalette(colours.tobytes())
    return squeezed(image.convert("RGB"))
