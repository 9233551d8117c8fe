"""Planted limits are found: tracks of the battery, put to eyes whose limits are known."""

from math import log10

import pytest

from snellen.psychometric import difference
from support.sittings import threshold


def holds(found, planted, slack=0.02):
    """Whether the interval of a threshold has what was planted in it."""
    estimate = found.threshold
    assert estimate is not None, found.why
    low = estimate.low if estimate.low is not None else -9.0
    high = estimate.high if estimate.high is not None else 9.0
    return low - slack <= log10(planted) <= high + slack


def test_the_least_contrast_is_found():
    assert holds(threshold("sim/eyes:contrast=0.05", "contrast", 48), 0.05)


def test_the_most_that_is_counted_is_found():
    assert holds(threshold("sim/eyes:count=7", "number", 40), 7.5)


def test_the_room_that_letters_need_is_found():
    assert holds(threshold("sim/eyes:crowd=1.8", "crowding", 40), 1.8, slack=0.04)


def test_without_limits_letters_are_better_seen_than_drawn():
    assert threshold("sim/eyes", "letters", 24).kind == "better than drawn"


def test_a_cap_of_half_the_canvas_doubles_the_threshold():
    small, large = (
        threshold("sim/eyes:cap=512,blur=2", "letters", 32, condition={"canvas": c}) for c in ("512", "1024")
    )
    apart = difference(large, small)
    assert apart.low < log10(2) < apart.high
    assert apart.low > 0


@pytest.mark.soak
@pytest.mark.parametrize("planted", [0.012, 0.03, 0.1, 0.3])
def test_any_least_contrast_is_found_in_either_polarity(planted):
    for polarity in ("dark", "light"):
        found = threshold(f"sim/eyes:contrast={planted}", "contrast", condition={"polarity": polarity})
        assert holds(found, planted, slack=0.04)


@pytest.mark.soak
def test_the_threshold_of_letters_grows_as_blur_does():
    """Blurred by sigma, letters are lost at a stroke of half of sigma: it is the same picture, only larger. Noise of
    single pixels counts for less there, so it grows a little less."""
    found = {sigma: threshold(f"sim/eyes:blur={sigma}", "letters") for sigma in (1.5, 3, 6)}
    for sigma, one in found.items():
        assert 0.3 * sigma < 10**one.threshold.median < 0.7 * sigma
    for less, more in ((1.5, 3), (3, 6)):
        assert 0.15 < found[more].threshold.median - found[less].threshold.median < 0.35


@pytest.mark.soak
@pytest.mark.parametrize("cap", [256, 768])
def test_any_cap_is_found_from_the_thresholds_above_and_below_it(cap):
    name = f"sim/eyes:cap={cap},blur=2"
    below = threshold(name, "letters", condition={"canvas": str(cap)})
    above = threshold(name, "letters", condition={"canvas": "2048"})
    apart = difference(above, below)
    assert apart.low - 0.02 < log10(2048 / cap) < apart.high + 0.02


@pytest.mark.soak
def test_stripes_are_lost_at_the_least_contrast_and_finer_ones_by_what_blur_takes():
    from math import exp, pi

    for fineness in (2, 8, 16):
        kept = exp(-2 * (pi * 1.2 * fineness / 100) ** 2)
        found = threshold("sim/eyes:contrast=0.05,blur=1.2", f"gratings-{fineness}")
        assert holds(found, 0.05 / kept, slack=0.06)


@pytest.mark.soak
def test_who_lacks_a_cone_needs_more_colour_where_it_tells_colours_apart():
    red, yellow = (threshold("sim/eyes:colour=deutan", f"colour-{hue}", 40) for hue in ("red", "yellow"))
    assert difference(red, yellow).low > 0.3
    blue, green = (threshold("sim/eyes:colour=tritan", f"colour-{hue}", 40) for hue in ("yellow", "red"))
    assert difference(blue, green).low > 0


@pytest.mark.soak
def test_lapses_are_found():
    found = threshold("sim/eyes:blur=2,lapse=0.1", "letters")
    assert found.lapse.low <= 0.09 <= found.lapse.high
