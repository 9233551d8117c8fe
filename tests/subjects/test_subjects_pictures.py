"""Pictures on their way out: kept in bounds, made once, smaller only as told."""

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from snellen.item import Picture
from snellen.subjects.pictures import PictureCache, shrink


def drawn(width, height, mode="RGB", kind="PNG"):
    out = BytesIO()
    Image.new(mode, (width, height), 5).save(out, kind)
    return Picture(out.getvalue(), f"image/{kind.lower()}")


async def test_each_picture_is_encoded_once_while_there_is_room():
    made = []

    def frame(media_type, base64):
        made.append(base64)
        return base64

    cache = PictureCache(frame, budget=100)
    a, b, c = (Picture(bytes([n]) * 30) for n in range(3))  # 40 bytes each in base64
    for picture in (a, b, a, b):
        await cache.fragment(picture)
    assert len(made) == 2
    await cache.fragment(a)
    await cache.fragment(c)  # b was used least recently
    await cache.fragment(a)
    assert len(made) == 3
    await cache.fragment(b)
    assert len(made) == 4
    assert cache._held <= 100
    for _ in range(2):
        await cache.fragment(Picture(bytes(300)))  # larger than all room there is: never kept
    assert len(made) == 6
    assert cache._held <= 100


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.integers(1, 400), st.integers(64, 50_000))
def test_a_smaller_picture_keeps_to_the_limit_and_to_its_shape(width, height, limit):
    picture = drawn(width, height)
    out = shrink(picture, limit)
    with Image.open(BytesIO(out.data)) as image:
        across, down = image.size
    if width * height <= limit:
        assert out is picture
    else:
        assert 1 <= across * down <= limit
        scale = (limit / (width * height)) ** 0.5
        if min(width, height) * scale >= 1:  # thinner than a pixel it cannot get
            assert abs(across - width * scale) <= 1
            assert abs(down - height * scale) <= 1


@pytest.mark.parametrize(("mode", "kind"), [("P", "PNG"), ("L", "PNG"), ("1", "PNG"), ("CMYK", "JPEG"), ("RGB", "GIF")])
def test_pictures_of_all_kinds_become_smaller_png(mode, kind):
    out = shrink(drawn(100, 100, mode, kind), 400)
    with Image.open(BytesIO(out.data)) as image:
        assert (image.format, image.size, image.mode) == ("PNG", (20, 20), "RGB")
    assert out.media_type == "image/png"


def test_what_shines_through_still_does():
    with Image.open(BytesIO(shrink(drawn(100, 100, "LA"), 400).data)) as image:
        assert image.mode == "RGBA"


def test_making_smaller_gives_the_same_bytes_each_time():
    assert shrink(drawn(90, 70), 1000).data == shrink(drawn(90, 70), 1000).data
