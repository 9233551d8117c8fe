"""What a call becomes for the model: tokens, and pictures as it sees them."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from snellen.item import Parts, Picture
from snellen.subjects.tiny.tokens import ANSWER, AROUND, IMAGE, USER, WHOLE, Vocabulary


def prompt(parts: Parts, vocabulary: Vocabulary, picture_tokens: int) -> list[int]:
    """The tokens of a question, up to where the answer begins."""
    number = vocabulary.numbers
    picture = [number[AROUND], number[WHOLE], *[number[IMAGE]] * picture_tokens, number[AROUND]]
    asked = (picture if isinstance(part, Picture) else vocabulary.read(part) for part in parts)
    return [number[USER], *(token for tokens in asked for token in tokens), number[ANSWER]]


def seen(picture: Picture, side: int) -> NDArray[np.uint8]:
    """A picture in so many pixels a side; one that is not square is stretched."""
    from PIL import Image  # slow to load

    with Image.open(BytesIO(picture.data)) as image:
        small = image.convert("RGB")
    for size in ((_scaled(small.width, small.height, side)), (side, side)):  # in two steps, as transformers does it
        if small.size != size:
            small = small.resize(size, Image.Resampling.BILINEAR)
    return np.asarray(small)


def _scaled(width: int, height: int, side: int) -> tuple[int, int]:
    """The size with the longer edge at `side`; the other is an even number."""
    short = max(1, min(width, height) * side // max(width, height))
    other = side if width == height else short + short % 2
    return (side, other) if width >= height else (other, side)
