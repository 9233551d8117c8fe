"""Planted limits are found: tracks of the battery, put to eyes whose limits are known."""

from math import exp, log10, pi

import pytest

import snellen
from snellen.psychometric import difference
from snellen.tasks.acuity.view import ALONG
from support.sittings import right, stimulus, threshold


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


@pytest.mark.soak
def test_the_room_that_letters_need_is_found():
    assert holds(threshold("sim/eyes:crowd=1.8", "crowding", 40), 1.8, slack=0.04)


def test_without_limits_letters_are_better_seen_than_drawn():
    assert threshold("sim/eyes", "letters", 24).kind == "better than drawn"


@pytest.mark.soak
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
    """Blurred by sigma, letters are lost at a stroke of about half of sigma."""
    found = [threshold(f"sim/eyes:blur={sigma}", "letters", seed=1).threshold for sigma in (2, 4, 8)]
    for sigma, one in zip((2, 4, 8), found, strict=True):
        assert 0.3 * sigma < 10**one.value < 0.7 * sigma
    assert found[0].high < found[1].low
    assert found[1].high < found[2].low


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
    for fineness in (2, 8, 16):
        kept = exp(-2 * (pi * 1.2 * fineness / 100) ** 2)
        found = threshold("sim/eyes:contrast=0.05,blur=1.2", f"gratings-{fineness}")
        assert holds(found, 0.05 / kept, slack=0.06)


@pytest.mark.soak
@pytest.mark.parametrize(("cone", "weak", "strong"), [("deutan", "red", "yellow"), ("tritan", "purple", "orange")])
def test_who_lacks_a_cone_needs_more_colour_where_it_tells_colours_apart(cone, weak, strong):
    """From grey, what deutans confuse lies towards red and green, what tritans do towards purple and lime."""
    less, more = (threshold(f"sim/eyes:colour={cone}", f"colour-{hue}", 40) for hue in (weak, strong))
    assert more.kind == "better than drawn" or more.threshold.high < less.threshold.low


@pytest.mark.soak
@pytest.mark.parametrize("patch", [14, 16])
def test_sight_comes_and_goes_with_the_place_within_a_patch(patch):
    """Letters of 5 px, put at every place over two patches: those across a seam are torn, those between are not."""
    places = range(2 * patch)
    shown = [[stimulus("letters", "1", number, place=f"+{place}") for number in range(10)] for place in places]
    seen = [right(f"sim/eyes:patch={patch},jitter=2", *charts) for charts in shown]
    torn = [(256 + place) % patch < 2 or (256 + place) % patch > patch - 2 for place in places]
    across = [share for share, at_seam in zip(seen, torn, strict=True) if at_seam]
    within = [share for place, share in enumerate(seen) if 5 <= (256 + place) % patch <= patch - 5]
    assert max(across) < min(within) == 1


@pytest.mark.soak
def test_lapses_are_found():
    found = threshold("sim/eyes:blur=2,lapse=0.1", "letters")
    assert found.lapse.low <= 0.09 <= found.lapse.high


@pytest.mark.soak
@pytest.mark.parametrize(
    ("eyes", "period"),
    [
        ("patch=14,jitter=2", 14),
        ("patch=16,jitter=2", 16),
        ("patch=28,jitter=2", 28),
        ("patch=32,jitter=3", 32),
        ("blur=1", None),
    ],
)
def test_the_size_of_patches_is_found_in_a_whole_exam(eyes, period, tmp_path):
    found = snellen.exam(
        f"sim/eyes:{eyes}", tasks="acuity", design="field", levels={"place": ALONG}, seed=1, store=tmp_path / "s.db"
    )
    assert found.cards()[0].period.period == period  # type: ignore[attr-defined]
