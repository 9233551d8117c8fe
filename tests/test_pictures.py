"""Pictures from outside are what their content says, or an error that names them."""

from io import BytesIO

import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.pictures import outside_picture


def encoded(kind: str, size: tuple[int, int] = (8, 8)) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, "red").save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "gif"])
def test_the_content_decides_and_the_bytes_stay(kind: str) -> None:
    data = encoded(kind)
    picture = outside_picture(data, "wrong.txt", "a red square")
    assert (picture.media_type, picture.data, picture.alt) == (f"image/{kind}", data, "a red square")


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"<svg/>", encoded("png")[:40], encoded("png")[:-30] + bytes(30)])
def test_what_is_no_picture_is_named(data: bytes) -> None:
    with pytest.raises(UserError, match=r"row 7: not a readable picture"):
        outside_picture(data, "items.parquet row 7")


def test_a_kind_no_subject_takes() -> None:
    with pytest.raises(UserError, match="BMP"):
        outside_picture(encoded("bmp"), "a.bmp")


def test_the_guard_against_bombs_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 50)
    with pytest.raises(UserError, match="bomb"):
        outside_picture(encoded("png"), "big.png")
