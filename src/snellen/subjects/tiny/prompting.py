"""What a call becomes for the model: tokens, and pictures as it sees them."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from snellen.call import CallFailed
from snellen.item import Parts, Picture
from snellen.subjects.tiny.tokens import ANSWER, AROUND, IMAGE, USER, WHOLE, Vocabulary


def prompt(parts: Parts, vocabulary: Vocabulary, picture_tokens: int) -> list[int]:
    """The tokens of a question, up to where the answer begins."""
    number = vocabulary.numbers
    picture = [number[AROUND], number[WHOLE], *[number[IMAGE]] * picture_tokens, number[AROUND]]
    asked = (picture if isinstance(part, Picture) else vocabulary.read(part) for part in parts)
    return [number[USER], *(token for tokens in asked for token in tokens), number[ANSWER]]


def seen(picture: Picture, side: int) -> NDArray[np.uint8]:
    """A picture in so many pixels a side."""
    from PIL import Image  # slow to load

    with Image.open(BytesIO(picture.data)) as image:
        if image.width != image.height:
            size = f"{image.width} x {image.height}"
            raise CallFailed("rejected", f"a picture of {size} pixels; it was trained on square boards only")
        small = image.convert("RGB").resize((side, side), Image.Resampling.BILINEAR)
    return np.asarray(small)
