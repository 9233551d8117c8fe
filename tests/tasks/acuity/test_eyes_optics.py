"""What eyes do to a picture."""

from math import erf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from snellen.draw.sheet import POLARITIES, tone
from snellen.subjects.ground import ground
from snellen.tasks.acuity.draw import gratings
from snellen.tasks.acuity.draw.gratings import Gabor
from snellen.tasks.acuity.draw.optotypes import OptotypePage, aligned, painted
from snellen.tasks.acuity.eyes import optics

steady = hypothesis_settings(deadline=None, derandomize=True)
kinds = pytest.mark.parametrize("kind", optics.DEFICIENCIES)


def plain(value, height=32, width=32):
    return np.full((height, width, 3), value, np.float32)


def noise(height=40, width=56, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.float32)


# Blur


@pytest.mark.parametrize("sigma", [1, 1.5, 4])
def test_a_blurred_edge_is_the_integral_of_a_gaussian(sigma):
    pixels = plain(0, 8, 81)
    pixels[:, 41:] = 255
    row = optics.blurred(pixels, sigma)[4, :, 0]
    expected = [255 * (1 + erf((x - 40.5) / (sigma * sqrt(2)))) / 2 for x in range(81)]
    assert np.allclose(row, expected, atol=3)


def test_blur_is_the_same_along_both_sides_and_in_all_channels():
    point = plain(0, 41, 41)
    point[20, 20] = 255
    spread = optics.blurred(point, 2)
    assert np.allclose(spread, spread.transpose(1, 0, 2), atol=1e-4)
    assert np.array_equal(spread[..., 0], spread[..., 2])
    assert spread.sum() == pytest.approx(3 * 255, rel=1e-3)


def test_no_blur_is_no_change_and_a_plain_picture_stays_plain():
    pixels = noise()
    assert optics.blurred(pixels, 0) is pixels
    assert np.array_equal(optics.blurred(pixels, 1e-300), pixels)
    assert not np.allclose(optics.blurred(pixels, 0.2), pixels)
    assert np.allclose(optics.blurred(plain(77), 9), 77, atol=1e-3)


# Contrast


@steady
@given(st.sampled_from([0, 64, 128, 255]), st.integers(0, 255), st.floats(0.01, 0.9))
def test_what_differs_by_less_than_the_least_vanishes_and_all_else_stays(below, ink, least):
    pixels = plain(below)
    pixels[10:20, 12:18] = ink
    contrast = (below - ink) / max(below, 1) if ink < below else (ink - below) / 255
    if abs(contrast - least) < 1e-5:
        return
    seen = optics.without_faint(pixels, least)
    assert np.array_equal(seen, pixels if contrast > least else plain(below))


@pytest.mark.parametrize("polarity", POLARITIES)
@pytest.mark.parametrize("contrast", [0.02, 0.05, 0.2, 0.5, 1])
def test_least_contrast_is_that_of_the_charts_and_just_enough_is_enough(contrast, polarity):
    chart = OptotypePage((aligned("H", 8, 256, 256),), tone=tone(contrast, polarity))
    pixels = painted(chart).rgb.astype(np.float32)
    drawn = chart.tone.contrast
    assert np.array_equal(optics.without_faint(pixels, drawn), pixels)
    if drawn < 1:
        assert np.ptp(optics.without_faint(pixels, drawn * 1.01)) == 0


@pytest.mark.parametrize("contrast", [0.04, 0.25, 0.9])
def test_stripes_are_seen_as_long_as_their_michelson_contrast_is_enough(contrast):
    pixels = gratings.painted(Gabor("upright", 1 / 16, contrast, phase=0.5)).rgb.astype(np.float32)
    drawn = (128 - pixels.min()) / 128
    assert drawn == pytest.approx(contrast, abs=1 / 256)
    assert np.ptp(optics.without_faint(pixels, drawn)) > 0
    assert np.ptp(optics.without_faint(pixels, drawn * 1.01)) == 0


def test_what_shows_in_one_channel_is_seen_in_all():
    pixels = plain(200)
    pixels[5, 5] = (100, 199, 200)
    assert np.array_equal(optics.without_faint(pixels, 0.3), pixels)


def test_the_ground_is_found_though_the_drawing_touches_the_edge():
    pixels = plain(255)
    pixels[:, :5] = 0
    assert list(ground(pixels)) == [255, 255, 255]


# Colour


@kinds
def test_confusion_is_a_projection_that_keeps_white(kind):
    matrix = optics.confusion(kind)
    assert np.allclose(matrix @ matrix, matrix)
    assert np.allclose(matrix @ np.ones(3), 1)
    assert np.linalg.matrix_rank(matrix) == 2


@kinds
def test_greys_stay_and_less_loss_is_less_change(kind):
    greys = np.repeat(np.arange(256, dtype=np.float32), 3).reshape(16, 16, 3)
    assert np.allclose(optics.confused(greys, kind), greys, atol=0.05)
    pixels = noise()
    assert optics.confused(pixels, kind, 0) is pixels
    half, whole = (np.abs(optics.confused(pixels, kind, loss) - pixels).mean() for loss in (0.5, 1))
    assert 0 < half < whole


@pytest.mark.parametrize(
    ("kind", "cone"),
    [("protan", 0), ("deutan", 1), ("tritan", 2)],
)
def test_colours_that_differ_in_the_missing_cone_alone_look_the_same(kind, cone):
    to_rgb = np.linalg.inv(
        np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
    )
    step = to_rgb[:, cone] / np.abs(to_rgb[:, cone]).max()
    light = np.array([[0.5 + 0.2 * step, 0.5 - 0.2 * step]])
    values = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055) * 255
    pixels = values.astype(np.float32)
    assert np.abs(pixels[0, 0] - pixels[0, 1]).max() > 30
    for other in optics.DEFICIENCIES:
        first, second = optics.confused(pixels, other)[0]
        assert (np.abs(first - second).max() < 0.1) == (other == kind)


def test_red_and_green_meet_for_some_and_blue_and_yellow_for_others():
    def apart(kind, first, second):
        pixels = np.array([[first, second]], np.float32)
        before, after = (np.ptp(p[0], axis=0) for p in (pixels, optics.confused(pixels, kind)))
        return np.linalg.norm(after) / np.linalg.norm(before)

    red, green, blue, yellow = (190, 100, 110), (90, 140, 110), (100, 110, 190), (140, 135, 60)
    assert apart("protan", red, green) < 0.5
    assert apart("deutan", red, green) < 0.5
    assert apart("tritan", red, green) > apart("deutan", red, green)
    assert apart("tritan", blue, yellow) < apart("protan", blue, yellow)


def test_seen_colours_are_colours():
    seen = optics.confused(noise(), "tritan")
    assert seen.min() >= 0
    assert seen.max() <= 255.01


# Patches


def test_each_patch_is_averaged_by_itself():
    pixels = noise(28, 42)
    seen = optics.in_patches(pixels, 14, 1, 0)
    for top in (0, 14):
        for left in (0, 14, 28):
            patch = np.s_[top : top + 14, left : left + 14]
            assert np.allclose(seen[patch], pixels[patch].mean(axis=(0, 1)), atol=1e-2)


def test_cells_within_a_patch_are_means_of_what_they_cover():
    pixels = noise(16, 16)
    blocks = pixels.reshape(4, 4, 4, 4, 3).mean(axis=(1, 3)).repeat(4, axis=0).repeat(4, axis=1)
    assert np.allclose(optics.in_patches(pixels, 16, 4, 0), blocks, atol=1e-2)


@steady
@given(st.integers(2, 20), st.integers(1, 60), st.integers(1, 60), st.data())
def test_patches_of_any_side_keep_size_mean_and_range(patch, height, width, data):
    cells, jitter = data.draw(st.integers(1, patch)), data.draw(st.integers(0, patch // 2))
    pixels = noise(height, width)
    seen = optics.in_patches(pixels, patch, cells, jitter)
    assert seen.shape == pixels.shape
    assert seen.min() >= pixels.min() - 1e-2
    assert seen.max() <= pixels.max() + 1e-2
    still = optics.in_patches(pixels, patch, cells, 0)
    assert still.mean() == pytest.approx(pixels.mean(), abs=1e-2)


def torn(row, column, patch=16, jitter=2):
    """How far a dot at that place is seen from where it is; None if it is not seen once."""
    pixels = plain(0, 64, 64)
    pixels[row, column] = 255
    places = np.argwhere(optics.in_patches(pixels, patch, patch, jitter)[..., 0])
    return tuple(int(k) for k in places[0] - (row, column)) if len(places) == 1 else None


def test_patches_are_seen_off_their_place_by_where_they_are_in_the_grid():
    assert [torn(8, column) for column in (8, 24, 40, 56)] == [(2, 2), (-2, 2), (2, 2), (-2, 2)]
    assert [torn(row, 8) for row in (8, 24, 40, 56)] == [(2, 2), (2, -2), (2, 2), (2, -2)]


def test_a_line_is_whole_within_a_patch_and_torn_at_a_seam():
    pixels = plain(0, 64, 64)
    pixels[24] = 255
    seen = optics.in_patches(pixels, 16, 16, 3)[..., 0]
    assert [int(np.flatnonzero(seen[:, column])[0]) for column in (15, 16, 31, 32)] == [27, 21, 21, 27]


def test_the_grid_repeats_after_two_patches():
    pixels = noise(96, 96)
    seen = optics.in_patches(pixels, 8, 3, 2)
    moved = optics.in_patches(np.roll(pixels, 16, axis=(0, 1)), 8, 3, 2)
    assert np.allclose(np.roll(seen, 16, axis=(0, 1))[24:72, 24:72], moved[24:72, 24:72], atol=1e-2)
