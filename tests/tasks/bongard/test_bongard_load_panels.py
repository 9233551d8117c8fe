"""Pictures from strangers: found inside the folder only, told by content, sent as they are or made again on record."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from published_samples import picture, put

from snellen.errors import UserError
from snellen.tasks import panels
from snellen.tasks.panels import Unfit, file_panel, find, open_panel, safe_name, shown


@pytest.mark.parametrize(
    "name",
    ["", "/etc/passwd", "../x.png", "a/../../x.png", "a/..", "\\\\host\\x", "..\\x.png", "C:/x.png", "c:x.png", "a\0b"],
)
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    put(tmp_path.parent / "x.png", picture())
    with pytest.raises(Unfit, match="points outside"):
        file_panel((tmp_path,), name)
    with pytest.raises(UserError, match="points outside"):
        open_panel({"file": name, "crop": None}, [tmp_path], "a picture")


@given(st.text(max_size=40))
def test_what_is_safe_stays_below(name: str) -> None:
    try:
        safe = safe_name(name)
    except Unfit:
        return
    root = Path("/data/set")
    assert not Path(safe).is_absolute()
    assert ".." not in Path(safe).parts
    assert root in (root / safe / "x").parents


@given(st.text(max_size=300), st.integers(20, 80))
def test_what_is_shown_fits_a_line(text: str, most: int) -> None:
    assert shown(text, most).isprintable()
    assert len(shown(text, most)) <= most


def test_the_longest_names_are_found_and_longer_ones_are_missing(tmp_path: Path) -> None:
    long = ("pos__0__https:__x.org__[a]*?" + "é" * 300).encode()[:250].decode(errors="ignore") + ".jpg"
    assert 250 < len(long.encode()) <= 255
    put(tmp_path / long, picture("jpeg"))
    assert file_panel((tmp_path,), long)["file"] == long
    for name in ("x" * 5000, "a\ud800b", "x/" * 3000):
        with pytest.raises(Unfit, match="is missing"):
            file_panel((tmp_path,), name)


def test_names_as_windows_has_to_spell_them(tmp_path: Path) -> None:
    put(tmp_path / "pos__https___x_b=1.jpg", picture("jpeg"))
    assert find("pos__https:__x?b=1.jpg", [tmp_path]) == tmp_path / "pos__https___x_b=1.jpg"


@pytest.mark.parametrize(("kind", "media"), [("png", "png"), ("jpeg", "jpeg"), ("webp", "webp"), ("gif", "gif")])
def test_the_content_decides_and_the_bytes_stay(kind: str, media: str, tmp_path: Path) -> None:
    data = picture(kind)
    put(tmp_path / "a.jpg.webp.jpg", data)
    panel = file_panel((tmp_path,), "./a.jpg.webp.jpg")
    assert panel == {"file": "a.jpg.webp.jpg", "bytes": len(data), "crop": None, "remade": ""}
    opened = open_panel(panel, [tmp_path], "a photograph", "its twin")
    assert (opened.data, opened.media_type) == (data, f"image/{media}")
    assert (opened.alt, opened.twin) == ("a photograph", "its twin")


def two_frames(kind: str) -> bytes:
    file = BytesIO()
    red, blue = (Image.new("RGB", (8, 6), colour) for colour in ("red", "blue"))
    red.save(file, kind, save_all=True, append_images=[blue])
    return file.getvalue()


def test_the_jpegs_of_some_cameras_hold_two_pictures_and_stay(tmp_path: Path) -> None:
    put(tmp_path / "a.jpg", two_frames("mpo"))
    panel = file_panel((tmp_path,), "a.jpg")
    assert panel["remade"] == ""
    assert open_panel(panel, [tmp_path], "").media_type == "image/jpeg"


@pytest.mark.parametrize(
    ("data", "why", "pixel"),
    [
        (picture("png", mode="RGBA", colour=(0, 0, 0, 0)), "was transparent", (255, 255, 255)),
        (picture("png", mode="LA", colour=(0, 255)), "was transparent", (0, 0, 0)),
        (picture("bmp", colour=(10, 20, 30)), "was BMP", (10, 20, 30)),
        (picture("tiff", mode="CMYK", colour=(0, 0, 0, 255)), "was TIFF", (0, 0, 0)),
        (picture("jpeg", mode="CMYK", colour=(0, 0, 0, 0)), "was CMYK", (255, 255, 255)),
        (picture("png", mode="I;16", colour=65535), "was I;16", (255, 255, 255)),
        (picture("png", mode="I;16", colour=257 * 40), "was I;16", (40, 40, 40)),
        (two_frames("gif"), "was animated", (255, 0, 0)),
    ],
)
def test_what_no_provider_takes_is_made_again_on_record(
    data: bytes, why: str, pixel: tuple[int, ...], tmp_path: Path
) -> None:
    put(tmp_path / "a.jpg", data)
    panel = file_panel((tmp_path,), "a.jpg")
    assert panel["remade"] == why
    opened = open_panel(panel, [tmp_path], "")
    assert opened.data == open_panel(panel, [tmp_path], "").data
    with Image.open(BytesIO(opened.data)) as image:
        assert (opened.media_type, image.format, image.mode, image.size) == ("image/png", "PNG", "RGB", (8, 6))
        assert image.getpixel((3, 3)) == pixel


def photograph() -> bytes:
    noise = np.random.default_rng(7).integers(0, 255, (64, 96, 3), dtype=np.uint8)
    file = BytesIO()
    Image.fromarray(noise).save(file, "jpeg")
    return file.getvalue()


def test_a_crop_is_exactly_its_part(tmp_path: Path) -> None:
    data = photograph()
    put(tmp_path / "a.jpg", data)
    opened = open_panel({"file": "a.jpg", "crop": [10, 5, 50, 60]}, [tmp_path], "")
    with Image.open(BytesIO(data)) as whole, Image.open(BytesIO(opened.data)) as part:
        assert part.tobytes() == whole.crop((10, 5, 50, 60)).tobytes()


def test_truncated_files_are_allowed_where_crops_are(tmp_path: Path) -> None:
    put(tmp_path / "a.jpg", photograph()[:1500])
    opened = open_panel({"file": "a.jpg", "crop": [0, 0, 90, 60]}, [tmp_path], "")
    with Image.open(BytesIO(opened.data)) as part:
        assert part.size == (90, 60)
    put(tmp_path / "b.png", picture(size=(200, 200))[:-40])
    with pytest.raises(Unfit, match="not a readable picture"):
        file_panel((tmp_path,), "b.png")
    with pytest.raises(UserError, match=r"b\.png"):
        open_panel({"file": "b.png", "crop": None}, [tmp_path], "")


@pytest.mark.parametrize("data", [b"", b"<html>404</html>", b"\x89PNG\r\n\x1a\n", picture("jpeg")[:10]])
def test_what_is_no_picture(data: bytes, tmp_path: Path) -> None:
    put(tmp_path / "a.jpg", data)
    with pytest.raises(Unfit, match=r"a\.jpg is not a readable picture"):
        file_panel((tmp_path,), "a.jpg")
    with pytest.raises(UserError, match=r"a\.jpg"):
        open_panel({"file": "a.jpg", "crop": [0, 0, 1, 1]}, [tmp_path], "")


def test_bombs_and_giants_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "a.png", picture())
    panel = file_panel((tmp_path,), "a.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 30)
    with pytest.raises(Unfit, match="bomb"):
        file_panel((tmp_path,), "a.png")
    with pytest.raises(UserError, match="bomb"):
        open_panel({**panel, "crop": [0, 0, 2, 2]}, [tmp_path], "")
    monkeypatch.undo()
    monkeypatch.setattr(panels, "LARGEST", 20)
    with pytest.raises(UserError, match="larger"):
        open_panel(panel, [tmp_path], "")


def test_a_picture_that_has_gone_since(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"a\.png is missing"):
        open_panel({"file": "a.png", "crop": None}, [tmp_path], "")
