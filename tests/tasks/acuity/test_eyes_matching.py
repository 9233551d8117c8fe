"""Shapes laid on what is seen, and the nearest of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from snellen.draw.sheet import POLARITIES, ChartPage, tone
from snellen.tasks.acuity.draw import printed
from snellen.tasks.acuity.draw.optotypes import DIRECTIONS, LETTERS, Optotype, OptotypePage, painted
from snellen.tasks.acuity.draw.printed import PrintedLetter
from snellen.tasks.acuity.eyes import masks, matching
from snellen.tasks.acuity.eyes.glimpse import glimpse
from snellen.tasks.acuity.eyes.sight import Eyesight

steady = hypothesis_settings(deadline=None, derandomize=True, max_examples=10)
PAGE = ChartPage(300, 260)
SLOAN = [masks.optotype(name) for name in LETTERS]
letters = st.sampled_from(LETTERS)


def chart(name, stroke, x=150.0, y=130.0, contrast=1.0, polarity="dark"):
    return painted(OptotypePage((Optotype(name, stroke, x, y),), PAGE, tone(contrast, polarity))).rgb


def noise(seed=0):
    return np.random.Generator(np.random.PCG64(seed))


@steady
@given(letters, st.floats(0.5, 12), st.floats(60, 240), st.floats(60, 200))
def test_a_shape_laid_down_is_the_shape_drawn_there(name, stroke, x, y):
    drawn = (255 - chart(name, stroke, x, y)[:, :, 0].astype(float)) / 255
    laid = masks.optotype(name).laid(x, y, stroke * 5, (PAGE.height, PAGE.width))
    assert laid.sum() == pytest.approx(drawn.sum(), rel=0.02)
    assert np.abs(laid - drawn).max() < 0.15
    assert np.abs(laid - drawn).sum() < 0.06 * drawn.sum()


@steady
@given(letters, st.floats(1, 20), st.sampled_from(POLARITIES), st.floats(0.1, 1), st.floats(0, 3))
def test_the_best_fit_is_where_and_as_large_and_as_dark_as_the_letter_is(name, stroke, polarity, contrast, blur):
    pixels = chart(name, stroke, 148.3, 131.6, contrast, polarity)
    seen = glimpse(pixels, Eyesight(blur=blur))
    best = min(matching.fits(seen, SLOAN), key=lambda fit: fit.rest)
    if stroke > blur / 2:
        assert best.mask.name == name
        at = best.x + seen.across.start, best.y + seen.down.start
        assert at == pytest.approx((148.3, 131.6), abs=0.1 + 0.02 * stroke)
        assert best.height == pytest.approx(5 * stroke, rel=0.08)
        drawn = tone(contrast, polarity)
        assert best.ink == pytest.approx(drawn.ink - drawn.ground, rel=0.15)


@pytest.mark.parametrize("noisiness", [0, 8])
def test_clear_letters_and_rings_are_never_confused_large_or_small(noisiness):
    rings = [masks.optotype(name) for name in DIRECTIONS]
    for stroke in (1.0, 25.0):
        for known in (SLOAN, rings):
            for mask in known:
                seen = glimpse(chart(mask.name, stroke), Eyesight())
                assert matching.nearest(seen, known, noisiness, noise()).mask.name == mask.name


def test_letters_of_print_are_read_among_both_fonts():
    known = [*SLOAN, *(masks.printed(name) for name in LETTERS)]
    for name in LETTERS:
        pixels = printed.painted(PrintedLetter(name, 4, 150, 130, PAGE)).rgb
        assert matching.nearest(glimpse(pixels, Eyesight(blur=1)), known, 8, noise()).mask.name == name


@pytest.mark.soak
def test_more_noise_and_more_blur_confuse_more():
    def share(blur, noisiness):
        seen = [(name, glimpse(chart(name, 1.0), Eyesight(blur=blur))) for name in LETTERS[2:8]]
        found = [matching.nearest(one, SLOAN, noisiness, noise(k)).mask.name for k, (_, one) in enumerate(seen)]
        return np.mean([name == said for said, (name, _) in zip(found, seen, strict=True)])

    assert share(1, 4) == 1
    assert 0.2 < share(2, 8) < 0.9
    assert share(6, 8) < share(2, 8)
    assert share(2, 60) < share(2, 8)


def test_the_same_noise_finds_the_same_and_other_noise_may_not():
    seen = glimpse(chart("N", 1.0), Eyesight(blur=2.5))
    found = [matching.nearest(seen, SLOAN, 8, noise(seed)).mask.name for seed in (*range(12), *range(12))]
    assert found[:12] == found[12:]
    assert len(set(found)) > 1
