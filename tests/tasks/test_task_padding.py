"""Pictures brought to one length are still the same pictures."""

from io import BytesIO

import pytest
from PIL import Image

from snellen.item import Picture
from snellen.tasks.padding import padded


def picture(side: int) -> Picture:
    file = BytesIO()
    Image.effect_mandelbrot((side, side), (-2, -1, 1, 1), 20).save(file, "png")
    return Picture(file.getvalue(), alt="fractal")


@pytest.mark.parametrize("side", [8, 24, 40])
def test_padded_pictures_are_equally_long_and_look_the_same(side: int) -> None:
    plain = picture(side)
    longer = padded(plain, 4000)
    assert len(longer.data) == 4000
    assert longer.alt == "fractal"
    assert longer.digest != plain.digest
    with Image.open(BytesIO(plain.data)) as before, Image.open(BytesIO(longer.data)) as after:
        after.load()
        assert before.tobytes() == after.tobytes()


def test_one_that_is_too_long_goes_to_the_next_multiple() -> None:
    plain = picture(40)
    room = len(plain.data) // 2
    assert len(padded(plain, room).data) == 3 * room
