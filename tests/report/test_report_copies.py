"""Copies of pictures for the page: smaller, and true where every pixel counts."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from snellen.item import Picture
from snellen.report.copies import LONGEST_SIDE, PictureCopy, copies, copy_ahead, copy_of
from snellen.report.pictures import LARGE, choose


def drawing(mode: str = "P", size: tuple[int, int] = (96, 64)) -> Image.Image:
    image = Image.new("RGBA", size, (250, 250, 240, 255))
    pen = ImageDraw.Draw(image)
    pen.ellipse([10, 10, 40, 40], fill=(200, 20, 20, 255))
    pen.line([(0, 0), size], fill=(0, 0, 90, 255))
    if mode.endswith("A"):
        pen.rectangle([50, 10, 80, 30], fill=(10, 200, 10, 90))
    return image.convert(mode)


def scene(width: int = 320, height: int = 240) -> Image.Image:
    """More colours than a drawing has, and smooth."""
    y, x = np.mgrid[0:height, 0:width]
    noise = np.random.default_rng(7).integers(0, 4, (height, width))
    return Image.fromarray(np.stack([x % 256, y % 256, (x + y) // 3 % 250 + noise], axis=-1).astype(np.uint8))


def saved(image: Image.Image, kind: str = "PNG", **settings: Any) -> Picture:
    out = BytesIO()
    image.save(out, kind, **settings)
    return Picture(out.getvalue(), f"image/{kind.lower()}", "what it is")


def pixels(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(picture.data)).convert("RGBA")


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "LA", "RGBA"])
def test_a_drawing_keeps_every_pixel(mode: str) -> None:
    picture = saved(drawing(mode), compress_level=0)
    copy = copy_of(picture, keep_pixels=False)
    assert copy.kind == "lossless"
    assert copy.size < len(picture.data)
    assert copy.picture.alt == "what it is"
    assert pixels(copy.picture).tobytes() == pixels(picture).tobytes()


def test_transparency_of_a_palette_is_kept() -> None:
    image = drawing("P")
    image.info["transparency"] = 0
    picture = saved(image, compress_level=0, transparency=0)
    copy = copy_of(picture, keep_pixels=False)
    assert copy.kind == "lossless"
    assert pixels(copy.picture).tobytes() == pixels(picture).tobytes()


def test_a_scene_is_compressed_unless_every_pixel_counts() -> None:
    picture = saved(scene())
    lossy, lossless = copy_of(picture, keep_pixels=False), copy_of(picture, keep_pixels=True)
    assert (lossy.kind, lossless.kind) == ("lossy", "lossless")
    assert lossy.size < lossless.size
    assert pixels(lossless.picture).tobytes() == pixels(picture).tobytes()


def test_a_large_scene_is_made_smaller_and_a_large_drawing_is_not() -> None:
    shown = pixels(copy_of(saved(scene(1600, 200)), keep_pixels=False).picture)
    assert shown.size == (LONGEST_SIDE, 128)
    assert pixels(copy_of(saved(drawing(size=(1600, 200))), keep_pixels=False).picture).size == (1600, 200)


def moving() -> Picture:
    return saved(drawing("P"), "GIF", save_all=True, append_images=[drawing("1")])


@pytest.mark.parametrize(
    "picture",
    [
        Picture(b"no picture at all"),
        Picture(saved(drawing("P")).data[:60]),
        saved(Image.new("I;16", (40, 40), 40_000)),
        saved(drawing("RGB"), icc_profile=b"a profile"),
        moving(),
    ],
    ids=["no picture", "cut off", "16 bits", "colour profile", "moves"],
)
def test_what_cannot_be_copied_faithfully_stays_as_it_is(picture: Picture) -> None:
    assert copy_of(picture, keep_pixels=False) == PictureCopy(picture, "exact")


def test_a_turned_photograph_stays_as_it_is() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    picture = saved(scene(), "JPEG", exif=turned)
    assert copy_of(picture, keep_pixels=False) == PictureCopy(picture, "exact")


def test_copies_are_the_same_every_time_and_in_order() -> None:
    pictures = [(p.digest, p) for p in (saved(drawing("RGB", (40 + i, 40)), compress_level=0) for i in range(70))]
    once, again = list(copies(pictures, ())), list(copies(pictures, ()))
    assert once == again
    assert [digest for digest, _ in once] == [digest for digest, _ in pictures]


def test_a_copy_made_ahead_is_the_one_the_page_takes_unless_every_pixel_counts() -> None:
    picture = saved(scene(310, 250))
    apart = dict(copies([("a", picture), (picture.digest, picture)], [picture.digest]))
    copy_ahead(picture)
    plain, kept = (dict(copies([(picture.digest, picture)], keep))[picture.digest] for keep in ([], [picture.digest]))
    again = dict(copies([(picture.digest, picture)], []))[picture.digest]
    assert plain is again, "it is not made twice"
    assert (plain, kept) == (apart["a"], apart[picture.digest])
    assert (plain.kind, kept.kind) == ("lossy", "lossless")


def test_large_pictures_wait_until_the_others_are_in() -> None:
    large, small = Picture(b"a" * (LARGE + 1)), [Picture(bytes([i]) * 9000) for i in range(3)]
    known = {p.digest: p for p in (large, *small)}
    assert list(choose(known, known.get, cap=LARGE + 9001).pictures) == [p.digest for p in small]
    assert list(choose(known, known.get, cap=LARGE + 27_001).pictures) == [*(p.digest for p in small), large.digest]
