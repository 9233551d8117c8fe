"""A glimpse is what looking at the whole picture shows, where something is."""

import numpy as np
import pytest

from snellen.draw.sheet import ChartPage, tone
from snellen.tasks.acuity.draw.optotypes import OptotypePage, aligned, painted
from snellen.tasks.acuity.eyes.glimpse import glimpse
from snellen.tasks.acuity.eyes.sight import Eyesight, look

SIGHTS = [
    Eyesight(),
    Eyesight(cap=300),
    Eyesight(area=70_001, blur=1.3),
    Eyesight(cap=200, blur=2, contrast=0.1),
    Eyesight(cap=311, patch=14, cells=5, jitter=3, blur=0.7, contrast=0.05),
    Eyesight(tiles=1, colour="deutan", patch=28),
]


PAGE = ChartPage(700, 450)


def chart(x, y, page=PAGE, contrast=0.8, polarity="light", stroke=3):
    return painted(OptotypePage((aligned("R", stroke, x, y),), page, tone(contrast, polarity))).rgb


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("place", [(350, 225), (12, 9), (690, 441), (123, 300)])
def test_a_glimpse_is_a_window_of_the_whole_that_holds_all_there_is(sight, place):
    pixels = chart(*place)
    whole = look(pixels, sight)
    got = glimpse(pixels, sight)
    assert got.size == (whole.shape[1], whole.shape[0])
    window = np.s_[got.down.start : got.down.stop, got.across.start : got.across.stop]
    assert np.allclose(got.seen, whole[window], atol=1e-2)
    whole[window] = got.below
    assert np.allclose(whole, got.below, atol=1e-2)
    assert got.seen.size < whole.size / 4


def test_where_nothing_is_or_nothing_is_left_nothing_is_seen():
    assert glimpse(np.full((300, 300, 3), 200, np.uint8), Eyesight()) is None
    assert glimpse(chart(350, 225, contrast=0.05), Eyesight(contrast=0.06)) is None
    assert glimpse(chart(350, 225, contrast=0.05), Eyesight(contrast=0.05)) is not None


def test_one_grey_level_is_seen_through_blur():
    assert glimpse(chart(350, 225, contrast=1 / 255, stroke=1), Eyesight(blur=3)) is not None
