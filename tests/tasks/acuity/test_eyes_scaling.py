"""Fewer pixels: caps on sizes, and averages of exactly what is covered."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from snellen.tasks.acuity.eyes import scaling

steady = hypothesis_settings(deadline=None, derandomize=True)
sides = st.integers(1, 5000)
sizes = st.tuples(sides, sides)


def count(size):
    return -(-size[0] // 512) * -(-size[1] // 512)


RULES = {
    scaling.long_edge: max,
    scaling.area: lambda size: size[0] * size[1],
    scaling.tiles: count,
}


@steady
@given(st.sampled_from(list(RULES)), sizes, st.integers(1, 3000))
def test_a_cap_is_kept_and_nothing_grows(rule, size, cap):
    new = rule(size, cap)
    assert RULES[rule](new) <= cap
    assert all(1 <= now <= before for now, before in zip(new, size, strict=True))
    assert RULES[rule](size) > cap or new == size


@steady
@given(st.sampled_from(list(RULES)), sizes, st.integers(1, 3000))
def test_proportions_stay_to_the_pixel(rule, size, cap):
    new = rule(size, cap)
    if min(new) == 1:
        return
    low = max(now / before for now, before in zip(new, size, strict=True))
    high = min((now + 1) / before for now, before in zip(new, size, strict=True))
    assert low <= high + 1e-12, "one scale gives both sides, rounded down"


@steady
@given(st.sampled_from(list(RULES)), sizes, st.integers(1, 3000))
def test_no_more_is_lost_than_must_be(rule, size, cap):
    """One pixel more on each side, at the same proportions, would break the cap."""
    new = rule(size, cap)
    if new == size or min(new) == 1:
        return
    scale = max((now + 1) / before for now, before in zip(new, size, strict=True)) + 1e-9
    larger = tuple(min(before, int(before * scale)) for before in size)
    assert RULES[rule](larger) > cap


@pytest.mark.parametrize(
    ("rule", "size", "cap", "new"),
    [
        (scaling.long_edge, (1024, 512), 768, (768, 384)),
        (scaling.long_edge, (512, 1024), 768, (384, 768)),
        (scaling.area, (2000, 500), 250_000, (1000, 250)),
        (scaling.area, (5000, 1), 10, (10, 1)),
        (scaling.area, (1, 4), 1, (1, 1)),
        (scaling.tiles, (1024, 1024), 1, (512, 512)),
        (scaling.tiles, (2048, 512), 2, (1024, 256)),
        (scaling.tiles, (2048, 512), 4, (2048, 512)),
        (scaling.tiles, (1024, 1024), 3, (512, 512)),
        (scaling.tiles, (900, 1800), 3, (512, 1024)),
    ],
)
def test_caps_by_hand(rule, size, cap, new):
    assert rule(size, cap) == new


def picture(height, width, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.float32)


def by_repetition(pixels, size):
    """Area averaging without fractions: every pixel as often as the new size says, then means of whole blocks."""
    height, width = pixels.shape[:2]
    fine = pixels.astype(np.float64).repeat(size[1], axis=0).repeat(size[0], axis=1)
    return fine.reshape(size[1], height, size[0], width, 3).mean(axis=(1, 3))


@steady
@given(st.integers(1, 24), st.integers(1, 24), st.data())
def test_every_pixel_is_the_mean_of_what_it_covers(height, width, data):
    size = data.draw(st.tuples(st.integers(1, width), st.integers(1, height)))
    pixels = picture(height, width)
    assert np.allclose(scaling.shrunk(pixels, size), by_repetition(pixels, size), atol=1e-3)


def test_the_same_size_is_the_same_picture():
    pixels = picture(7, 5)
    assert scaling.shrunk(pixels, (5, 7)) is pixels


@pytest.mark.parametrize(
    ("size", "arrives"),
    [
        ((1024, 1024), (768, 768)),
        ((2048, 512), (2048, 512)),
        ((4096, 1024), (2048, 512)),
        ((4096, 2048), (1536, 768)),
        ((600, 700), (600, 700)),
    ],
)
def test_the_shorter_side_is_capped_after_fitting_the_longer(size, arrives):
    assert scaling.short_edge(size, 768) == arrives
