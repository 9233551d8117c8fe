"""The PNG writer: whatever the pixels, Pillow and zlib read back the same."""

import io
import zlib

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from snellen.draw import png
from snellen.draw.png import encode
from support.lengths import examples


def decoded(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        assert (image.format, image.mode) == ("PNG", "P")
        return np.asarray(image), np.array(image.getpalette(), np.uint8).reshape(-1, 3)


shapes = st.tuples(st.integers(1, 40), st.integers(1, 700))
flat = shapes.flatmap(lambda shape: hnp.arrays(np.uint8, shape, elements=st.integers(0, 255), fill=st.just(3)))


@given(flat)
@examples(40, 150)
@example(np.zeros((1, 1), np.uint8))
@example(np.full((3, 2000), 2, np.uint8))
@example(np.full((3000, 1), 255, np.uint8))
def test_pixels_and_palette_survive(pixels: np.ndarray) -> None:
    palette = np.random.default_rng(0).integers(0, 256, (256, 3), np.uint8)
    back, colours = decoded(encode(pixels, palette))
    assert np.array_equal(back, pixels)
    assert np.array_equal(colours, palette)


@given(st.integers(0, 2**32), st.integers(1, 256), st.floats(1.0, 9.0))
@examples(20, 40)
def test_noise_of_any_skew_survives(seed: int, colours: int, skew: float) -> None:
    """Noise uses many symbols at very different rates: the code's hardest case."""
    pixels = (np.random.default_rng(seed).random((90, 130)) ** skew * colours).astype(np.uint8)
    palette = np.zeros((256, 3), np.uint8)
    assert np.array_equal(decoded(encode(pixels, palette))[0], pixels)


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=286).filter(lambda counts: sum(map(bool, counts)) > 1))
@settings(deadline=None)
def test_codes_are_complete_and_short_enough(counts: list[int]) -> None:
    lengths = png._code_lengths(np.array(counts))
    used = lengths[lengths > 0]
    assert used.max() <= 15
    assert sum(2.0 ** -int(n) for n in used) == 1
    assert np.array_equal(lengths > 0, np.array(counts) > 0)


def test_codes_are_near_the_best_possible() -> None:
    counts = np.array([2**k for k in range(12)] + [100] * 40)
    share = counts / counts.sum()
    entropy = -(share * np.log2(share)).sum()
    assert (share * png._code_lengths(counts)).sum() < entropy * 1.05


def test_runs_of_every_length() -> None:
    for length in (*range(1, 12), 257, 258, 259, 260, 261, 262, 516, 517, 518, 519, 520, 1000):
        data = np.array([7, *[9] * length, 7], np.uint8)
        assert zlib.decompress(png._deflate(data), -15) == data.tobytes()


@given(hnp.arrays(np.uint8, (3, 4, 9), elements=st.sampled_from((0, 1, 4, 128, 251, 255))))
def test_paeth_is_chosen_as_the_format_says(pixels: np.ndarray) -> None:
    chosen = png._paeth(*pixels)
    for a, b, c, found in zip(*(one.ravel().tolist() for one in (*pixels, chosen)), strict=True):
        assert found == min((a, b, c), key=lambda one: abs(a + b - c - one))
