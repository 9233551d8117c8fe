"""Colours: the published conversions and differences, and plates whose digit only its hue shows."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from snellen.draw.letters import font
from snellen.draw.sheet import ChartPage
from snellen.tasks.acuity.draw import dotted
from snellen.tasks.acuity.draw.colour import away, difference, lab, shown, srgb
from snellen.tasks.acuity.draw.dotted import (
    DIGITS,
    LIGHTNESSES,
    ColourPlate,
    decoy,
    dots,
    inks,
    measured,
    painted,
    words,
)
from support.lengths import some_of

# Sharma, Wu & Dalal 2005, table 1: two colours in CIELAB and their CIEDE2000 difference.
SHARMA = """
50.0000 2.6772 -79.7751 50.0000 0.0000 -82.7485 2.0425
50.0000 3.1571 -77.2803 50.0000 0.0000 -82.7485 2.8615
50.0000 2.8361 -74.0200 50.0000 0.0000 -82.7485 3.4412
50.0000 -1.3802 -84.2814 50.0000 0.0000 -82.7485 1.0000
50.0000 -1.1848 -84.8006 50.0000 0.0000 -82.7485 1.0000
50.0000 -0.9009 -85.5211 50.0000 0.0000 -82.7485 1.0000
50.0000 0.0000 0.0000 50.0000 -1.0000 2.0000 2.3669
50.0000 -1.0000 2.0000 50.0000 0.0000 0.0000 2.3669
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0009 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0010 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0011 7.2195
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0012 7.2195
50.0000 -0.0010 2.4900 50.0000 0.0009 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0010 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0011 -2.4900 4.7461
50.0000 2.5000 0.0000 50.0000 0.0000 -2.5000 4.3065
50.0000 2.5000 0.0000 73.0000 25.0000 -18.0000 27.1492
50.0000 2.5000 0.0000 61.0000 -5.0000 29.0000 22.8977
50.0000 2.5000 0.0000 56.0000 -27.0000 -3.0000 31.9030
50.0000 2.5000 0.0000 58.0000 24.0000 15.0000 19.4535
50.0000 2.5000 0.0000 50.0000 3.1736 0.5854 1.0000
50.0000 2.5000 0.0000 50.0000 3.2972 0.0000 1.0000
50.0000 2.5000 0.0000 50.0000 1.8634 0.5757 1.0000
50.0000 2.5000 0.0000 50.0000 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""
PAIRS = [[float(number) for number in line.split()] for line in SHARMA.split("\n") if line]
LEVELS = st.integers(0, 255)


def test_there_are_the_34_published_pairs() -> None:
    assert len(PAIRS) == 34


@pytest.mark.parametrize("pair", PAIRS, ids=[str(number) for number in range(1, 35)])
def test_differences_are_the_published_ones(pair: list[float]) -> None:
    one, two, published = pair[:3], pair[3:6], pair[6]
    assert round(float(difference(one, two)), 4) == published
    assert round(float(difference(two, one)), 4) == published


@pytest.mark.parametrize(
    ("rgb", "published"),
    [
        ((255, 255, 255), (100, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
    ],
)
def test_known_colours_have_their_lab(rgb: tuple[int, int, int], published: tuple[float, float, float]) -> None:
    assert lab(rgb) == pytest.approx(np.array(published), abs=0.02)


@given(st.tuples(LEVELS, LEVELS, LEVELS))
def test_colours_come_back_from_lab(rgb: tuple[int, int, int]) -> None:
    assert shown(lab(rgb)) == rgb
    assert float(difference(lab(rgb), lab(rgb))) == pytest.approx(0, abs=1e-9)


@given(st.sampled_from(LIGHTNESSES), st.floats(0, 360), st.floats(0.01, 18))
def test_a_colour_lies_at_the_difference_and_in_the_direction_asked_for(
    light: float, hue: float, wanted: float
) -> None:
    found = away(light, hue, wanted)
    assert float(difference((light, 0, 0), found)) == pytest.approx(wanted, abs=1e-6)
    assert found[0] == light
    turned = np.degrees(np.arctan2(found[2], found[1])) - hue
    assert (turned + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)


def test_colours_that_no_screen_shows_are_refused() -> None:
    with pytest.raises(ValueError, match="a screen cannot show this colour"):
        shown((60, -120, 0))
    with pytest.raises(ValueError, match="not negative"):
        away(50, 0, -1)
    with pytest.raises(ValueError, match="no colour is 500 away"):
        away(50, 0, 500)
    with pytest.raises(ValueError, match="one digit"):
        ColourPlate("12", 0, 5, 1)
    assert (srgb((60.0, -120.0, 0.0)) < 0).any()


def test_dots_keep_apart_and_stay_on_the_plate() -> None:
    for page in (ChartPage(256, 256), ChartPage(512, 512), ChartPage(1024, 768)):
        found, _ = dots(ColourPlate("4", 0, 10, 3, page))
        x, y, radius = found.T
        apart = np.hypot(x[:, None] - x, y[:, None] - y) - radius[:, None] - radius
        np.fill_diagonal(apart, np.inf)
        assert apart.min() >= 1.5  # no pixel belongs to two
        assert len(found) > 700
        assert min((x - radius).min(), (y - radius).min()) > 0
        assert (x + radius).max() < page.width
        assert (y + radius).max() < page.height


@pytest.mark.soak
def test_drawn_colours_are_as_far_from_grey_as_asked_for() -> None:
    for hue in range(0, 360, 45):
        for wanted in (2.0, 5.0, 10.0, 15.0):
            plate = ColourPlate("7", hue, wanted, 1)
            assert measured(plate) == pytest.approx(wanted, abs=0.35)
            lights = lab(inks(plate))[:, 0].reshape(2, -1)
            assert np.abs(lights[0] - lights[1]).max() < 1 + wanted / 6
            assert painted(plate).palette.shape == (1 + 15 * 16, 3)


@some_of("digit", DIGITS, 5)
def test_a_reader_of_hue_reads_the_digit_and_a_reader_of_lightness_does_not(digit: str) -> None:
    plate = ColourPlate(digit, 45.0 * int(digit), 14, int(digit) + 5, ChartPage(256, 256))
    seen = lab(painted(plate).rgb)
    strong = np.hypot(seen[..., 1], seen[..., 2]) > 6
    assert best(strong.astype(float)) == digit
    levels = dots(plate)[1] % len(LIGHTNESSES)
    assert np.array_equal(levels, dots(replace(plate, digit=str((int(digit) + 1) % 10)))[1] % len(LIGHTNESSES))


def greys(colours: np.ndarray) -> dict[str, np.ndarray]:
    """Colours as greys, by all ways in use: those of `GREYS`, and luminance. (Single channels
    are not among them: red alone shows what is red.)"""
    linear = {name: colours @ np.array(weights) for name, weights in dotted.GREYS.items()}
    return {**linear, "luminance": lab(colours)[..., 0]}


def read(plate: ColourPlate) -> dict[str, str]:
    """The digit whose dots stand out most, lighter or darker, by each way to make greys: the best that can be done by
    someone who knows where every dot is and what digits look like."""
    found, ink = dots(plate)
    middle = np.array([plate.page.width // 2, plate.page.height // 2, 0])
    shapes = np.array([dotted._in_digit(digit, found - middle, plate.page.shorter) for digit in DIGITS], float)
    shapes -= shapes.mean(axis=1, keepdims=True)
    shapes /= np.linalg.norm(shapes, axis=1, keepdims=True)
    seen = greys(inks(plate)[ink].astype(float))
    return {name: DIGITS[int(np.abs(shapes @ (grey - grey.mean())).argmax())] for name, grey in seen.items()}


def right_by_grey(levels: tuple[float, ...], each: int) -> dict[str, float]:
    """How often each grey shows the digit, over all hues at these levels."""
    plates = [
        ColourPlate(DIGITS[seed % 10], hue, level, 7 * seed + hue)
        for seed in range(each)
        for hue in range(0, 360, 45)
        for level in levels
    ]
    said = [read(plate) for plate in plates]
    ways = said[0]
    return {way: float(np.mean([one[way] == p.digit for one, p in zip(said, plates, strict=True)])) for way in ways}


def test_no_grey_shows_the_digit() -> None:
    """Whoever sees no colour is right one time in ten, as by guessing: not even at 20, the strongest there is."""
    assert max(right_by_grey((20.0,), 10).values()) < 0.22  # 80 plates: more than 3 sds above a tenth


@pytest.mark.soak
@pytest.mark.parametrize("level", [1.0, 2.0, 3.16, 5.01, 7.94, 12.6, 15.8, 20.0])
def test_no_grey_shows_the_digit_at_any_level(level: float) -> None:
    assert max(right_by_grey((level,), 60).values()) < 0.145  # 480 plates: 3.3 sds


def test_who_goes_by_lightness_reads_the_decoy() -> None:
    plates = [ColourPlate(DIGITS[seed % 10], 180, 20, seed) for seed in range(20)]
    assert all(set(read(plate).values()) == {decoy(plate).digit} for plate in plates)
    assert len({decoy(plate).digit for plate in plates}) > 5


def best(seen: np.ndarray) -> str:
    """The digit of the font that agrees best, at the best of a few places and sizes."""
    scores = {}
    for name in DIGITS:
        for size in (200, 220, 240):
            image = Image.new("L", (256, 256))
            ImageDraw.Draw(image).text((128, 128), name, fill=255, font=font(size), anchor="mm")
            mask = np.asarray(image) > 127
            scores[name, size] = float(np.corrcoef(mask.ravel(), seen.ravel())[0, 1])
    return max(scores, key=lambda key: scores[key])[0]


@given(st.sampled_from(DIGITS), st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_only_the_hue_of_its_dots_tells_one_digit_from_another(digit: str, seed: int) -> None:
    one, other = ColourPlate(digit, 0, 8, seed), ColourPlate(str((int(digit) + 1) % 10), 0, 8, seed)
    assert np.array_equal(dots(one)[0], dots(other)[0])
    assert np.array_equal(dots(one)[1] % len(LIGHTNESSES), dots(other)[1] % len(LIGHTNESSES))
    assert np.array_equal(painted(one).numbers == 0, painted(other).numbers == 0)


def test_the_twin_names_the_digit() -> None:
    assert "CIEDE2000 difference 7.5) form the digit 3." in words(ColourPlate("3", 90, 7.5, 1))
    assert f"shape of a {decoy(ColourPlate('3', 90, 7.5, 1)).digit} " in words(ColourPlate("3", 90, 7.5, 1))
    assert tuple(painted(ColourPlate("3", 90, 7.5, 1)).rgb[0, 0].tolist()) == dotted.PAPER


def test_nothing_stands_out_on_an_empty_plate() -> None:
    """Neither a digit nor its decoy: whoever names one has made it up."""
    plates = [ColourPlate("0", 0.0, 0.0, seed) for seed in range(40)]
    named = [read(plate)["mean"] == decoy(plate).digit for plate in plates]
    assert sum(named) <= 10  # four are luck
    assert "form the digit" not in words(plates[0])
