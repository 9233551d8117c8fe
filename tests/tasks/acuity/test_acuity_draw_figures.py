"""Gratings, crowds, bars, dots, crossings and paths: each key found again in the pixels or by exact geometry."""

import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage

from snellen.draw import dots
from snellen.draw.dots import DotPage
from snellen.draw.sheet import ChartPage, picture
from snellen.errors import UserError
from snellen.rng import stream
from snellen.tasks.acuity.draw import crossings, crowding, gratings, optotypes, paths, vernier
from snellen.tasks.acuity.draw.crossings import Crossing
from snellen.tasks.acuity.draw.crowding import Crowd, flankers_of
from snellen.tasks.acuity.draw.gratings import MEAN, ORIENTATIONS, Gabor
from snellen.tasks.acuity.draw.optotypes import LETTERS, Optotype, OptotypePage
from snellen.tasks.acuity.draw.paths import LANES, Tangle
from snellen.tasks.acuity.draw.vernier import CORNERS, Vernier
from support.lengths import examples

Points = NDArray[np.float64]
SEEDS = st.integers(0, 10**6)
SMALL = ChartPage(256, 256)


# Gratings


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("frequency", [0.03, 0.08, 0.2, 0.4])
def test_a_grating_has_its_frequency_and_runs_as_it_should(orientation: str, frequency: float) -> None:
    pixels = gratings.painted(Gabor(orientation, frequency, 0.5)).numbers
    power = np.abs(np.fft.rfft2(pixels - float(MEAN)))
    down, right = np.unravel_index(int(power.argmax()), power.shape)
    y, x = np.fft.fftfreq(512)[down], np.fft.rfftfreq(512)[right]
    assert np.hypot(x, y) == pytest.approx(frequency, abs=1.5 / 512)
    # the direction across the stripes: up to its sign, and the axis y points down
    angles = {"upright": 0, "leaning right": 45, "level": 90, "leaning left": 135}
    assert (np.degrees(np.arctan2(y, x)) - angles[orientation] + 90) % 180 - 90 == pytest.approx(0, abs=4)


@given(st.floats(gratings.LEAST, gratings.MOST))
@examples(15, 30)
def test_a_grating_has_its_contrast_to_half_a_grey_level(contrast: float) -> None:
    pixels = gratings.painted(Gabor("level", 0.02, contrast, 40, page=SMALL)).numbers.astype(int)
    assert abs(int(pixels.max()) - MEAN - MEAN * contrast) <= 0.501
    assert pixels[0].tolist() == [MEAN] * 256
    assert pixels.min() < MEAN


def test_gratings_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(UserError, match="unknown orientation"):
        Gabor("askew", 0.1, 0.5)
    with pytest.raises(ValueError, match=r"up to 0\.5 cycles"):
        Gabor("level", 0.6, 0.5)
    with pytest.raises(ValueError, match="one grey level"):
        Gabor("level", 0.1, 0.005)
    with pytest.raises(ValueError, match="leaves the page"):
        Gabor("level", 0.1, 0.5, 50, page=SMALL)
    assert "The stripes are leaning left, one every 10 px" in gratings.words(Gabor("leaning left", 0.1, 0.5))


# Crowding


@given(st.sampled_from(LETTERS), SEEDS, st.floats(1, 3), st.integers(1, 5))
@examples(15, 30)
def test_the_target_and_its_flankers_stand_where_they_should(
    target: str, seed: int, spacing: float, width: int
) -> None:
    crowd = Crowd(target, flankers_of(target, stream(seed, "crowd")), width, spacing, SMALL)
    assert len({target, *crowd.flankers}) == 5
    drawn = crowding.painted(crowd).numbers
    alone = optotypes.painted(OptotypePage((Optotype(target, width, 128, 128),), SMALL)).numbers
    half = width * 5 // 2
    middle = slice(128 - half, 128 + half)
    assert np.array_equal(drawn[middle, middle], alone[middle, middle])
    below = Optotype(crowd.flankers[2], width, 128, 128 + spacing * width * 5)
    foot = optotypes.painted(OptotypePage((below,), SMALL)).numbers
    assert np.array_equal(drawn[129 + half + 1 :, middle], foot[129 + half + 1 :, middle])
    assert f"{target} in the middle, {crowd.flankers[0]} above" in crowding.words(crowd)


def test_crowds_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="other than its target"):
        Crowd("K", "KNSZ", 4, 2)
    with pytest.raises(ValueError, match="would overlap"):
        Crowd("K", "HNSZ", 4, 0.9)
    with pytest.raises(ValueError, match="leaves the page"):
        Crowd("K", "HNSZ", 40, 2)


# Alignment


@given(st.sampled_from(CORNERS), st.floats(0.125, 12), st.booleans(), SEEDS)
@examples(15, 30)
def test_the_odd_pair_and_its_offset_are_found_in_the_pixels(odd: str, offset: float, left: bool, seed: int) -> None:
    made = Vernier(odd, -offset if left else offset, vernier.scattered(ChartPage(), stream(seed, "bars")))
    ink = 255.0 - vernier.painted(made).numbers
    found = {}
    for number, corner in enumerate(CORNERS):
        quarter = ink[number // 2 * 256 :, number % 2 * 256 :][:256, :256]
        middle = round(made.middles[number][1]) - number // 2 * 256
        at = np.arange(256)
        above, below = quarter[:middle].sum(axis=0), quarter[middle:].sum(axis=0)
        found[corner] = float((below * at).sum() / below.sum() - (above * at).sum() / above.sum())
    assert max(found, key=lambda corner: abs(found[corner])) == odd
    assert found[odd] == pytest.approx(made.offset, abs=0.02)


def test_bars_in_words() -> None:
    made = Vernier("upper right", 2.5, ((100, 100), (300, 100), (100, 300), (300, 300)))
    assert "upper right: upper bar at x = 300, lower bar at x = 302.5;" in vernier.words(made)
    assert "Upper left: upper bar at x = 100, lower bar at x = 100;" in vernier.words(made)
    with pytest.raises(UserError, match="unknown corner"):
        Vernier("middle", 1, made.middles)
    with pytest.raises(ValueError, match="offset other than 0"):
        Vernier("upper left", 0, made.middles)
    with pytest.raises(ValueError, match=r"a bar of 48 px at .* leaves the page"):
        Vernier("upper left", 1, ((100, 40), *made.middles[1:]))


# Number


@given(st.integers(0, 60), SEEDS, st.floats(2, 6))
@examples(15, 30)
def test_as_many_dots_are_seen_as_were_asked_for(count: int, seed: int, gap: float) -> None:
    made = dots.scattered(count, (6, 12), gap, ChartPage(), stream(seed, "dots"))
    mostly = dots.painted(made).numbers < 128  # neighbours' middles are nearer than the smallest gap
    _, seen = ndimage.label(mostly, np.ones((3, 3)))
    assert seen == count == len(made.discs)
    assert len(re.findall(r"\([\d.]+, [\d.]+\)", dots.words(made))) == count


def test_ink_does_not_tell_the_number() -> None:
    inks = []
    for count in (2, 9, 30):
        radius = dots.radius_for(count, 0.06, ChartPage())
        made = dots.scattered(count, (radius, radius), 4, ChartPage(), stream(count, "dots"))
        inks.append(float((255 - dots.painted(made).numbers).mean()) / 255)
    assert inks == pytest.approx([0.06] * 3, rel=0.005)


def test_dots_that_do_not_fit_are_refused_and_none_is_a_blank_page() -> None:
    with pytest.raises(ValueError, match="40 dots of 50 px"):
        dots.scattered(40, (40, 50), 10, SMALL, stream(1, "dots"))
    with pytest.raises(ValueError, match="leaves the page"):
        DotPage(((5, 100, 6),))
    with pytest.raises(ValueError, match=r"the dots at \(100, 100\) and \(110, 100\) touch"):
        DotPage(((100, 100, 6), (110, 100, 5)))
    assert (dots.painted(DotPage(())).numbers == 255).all()
    assert dots.words(DotPage(())).endswith("showing nothing at all.")


# Crossings


def cross(one: Points, other: Points) -> int:
    """How often two lines of straight pieces cross, counted with fractions."""

    def exact(line: Points) -> list[tuple[Fraction, Fraction]]:
        return [(Fraction(x), Fraction(y)) for x, y in line.tolist()]

    def side(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], c: tuple[Fraction, Fraction]) -> Fraction:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return sum(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for a, b in pairwise(exact(one))
        for c, d in pairwise(exact(other))
        if c[0] < b[0] and a[0] < d[0]  # all go from left to right
    )


@given(st.integers(0, 4), st.floats(1, 40), SEEDS)
@examples(20, 40)
def test_lines_cross_as_often_as_asked_for(count: int, gap: float, seed: int) -> None:
    made = crossings.crossing(count, gap, stream(seed, "lines"))
    assert made.count == count == cross(*made.lines)
    rgb = crossings.painted(made).rgb.astype(int)
    red, blue = rgb[..., 0] - rgb[..., 2] > 60, rgb[..., 2] - rgb[..., 0] > 60
    knots = [round(float(x)) for x in made.lines[0][:, 0]]
    columns = [min(max(x, knots[0] + 1), knots[-1] - 2) for x in knots]
    above = [np.nonzero(red[:, x])[0].mean() < np.nonzero(blue[:, x])[0].mean() for x in columns]
    assert sum(a != b for a, b in pairwise(above)) == count
    said = re.findall(r"above|below", crossings.words(made).split("the red line is")[1])
    assert sum(a != b for a, b in pairwise(said)) == count


@given(st.floats(1, 40), SEEDS)
@examples(15, 30)
def test_lines_side_by_side_keep_their_gap(gap: float, seed: int) -> None:
    made = crossings.crossing(0, gap, stream(seed, "lines"))
    red, blue = made.lines
    for (ax, ay), (bx, by), (cx, cy) in zip(red, red[1:], blue, strict=False):
        apart = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / np.hypot(bx - ax, by - ay)
        assert gap + made.width - 1e-9 <= apart <= (gap + made.width) * 1.12
    if gap > 2:
        assert ndimage.label(crossings.painted(made).numbers > 0, np.ones((3, 3)))[1] == 2


def test_crossings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="0 to 4 times"):
        crossings.crossing(5, 10, stream(1, "lines"))
    with pytest.raises(ValueError, match="does not fit"):
        crossings.crossing(2, 90, stream(1, "lines"))
    with pytest.raises(ValueError, match="too steep"):
        Crossing((True,) * 5, (100, 300, 100, 300, 100), 10)
    with pytest.raises(ValueError, match="5 knots"):
        Crossing((True,) * 4, (100,) * 5, 10)


# Paths


def followed(pixels: NDArray[np.uint8], made: Tangle) -> int:
    """The end that is reached from the spot by following the ink with a finger that keeps its direction."""
    ink = (255.0 - pixels) / 255
    size = made.page.width
    starts = [(made.line(lane)[0, 1], lane) for lane in range(LANES)]
    x = size // 10 + 2
    heights = {lane: ink[round(y) - 6 : round(y) + 7, x].sum() for y, lane in starts}
    y = next(y for y, lane in starts if heights[lane] == max(heights.values()))  # the spot is the thickest
    x, trail = size // 10 + 20, [float(y)] * 9
    while x < size * 9 // 10 - 2:
        slope = (trail[-1] - trail[-9]) / 8
        options = []
        for run in np.split(rows := np.nonzero(ink[:, x] > 0.3)[0], np.nonzero(np.diff(rows) > 1)[0] + 1):
            weight = ink[run, x]
            options.append((len(run), float((weight * (run + 0.5)).sum() / weight.sum())))
        length, middle = min(options, key=lambda option: abs(option[1] - trail[-1] - slope))
        merged = length > made.width * 2.2  # two lines in one: go straight on
        trail.append(trail[-1] + slope if merged else middle)
        x += 1
    ports = [made.page.height / 2 + (lane - 2.5) * made.port for lane in range(LANES)]
    return int(np.argmin([abs(port - trail[-1]) for port in ports])) + 1


@pytest.mark.soak
@given(SEEDS, st.sampled_from([24.0, 30.0, 36.0]))
@settings(deadline=None, max_examples=12)
def test_a_finger_on_the_pixels_comes_to_the_right_end(seed: int, gap: float) -> None:
    made = paths.tangle(gap, stream(seed, "tangle"), ChartPage(1024, 1024), 1.5)
    assert followed(paths.painted(made).numbers, made) == made.end


@given(SEEDS, st.floats(1, 19))
@examples(8, 15)
def test_lines_geometry_and_words_lead_to_the_same_end(seed: int, gap: float) -> None:
    made = paths.tangle(gap, stream(seed, "tangle"))
    ends = [made.line(lane)[-1, 1] for lane in range(LANES)]
    assert sorted(ends).index(ends[made.start]) + 1 == made.end
    assert sum(cross(made.line(a), made.line(b)) for a in range(LANES) for b in range(a)) == sum(map(len, made.swaps))
    said = paths.words(made)
    place = int(re.search(r"starts in lane (\d)", said)[1])  # type: ignore[index]
    for column in said.split("change places: ")[1].split(", then "):
        for low, high in re.findall(r"(\d) and (\d)", column):
            place = {int(low): int(high), int(high): int(low)}.get(place, place)
    assert place == made.end


@pytest.mark.soak
def test_every_end_is_as_likely_from_every_start() -> None:
    counts = np.zeros((LANES, LANES))
    for seed in range(1800):
        made = paths.tangle(6, stream(seed, "tangle"))
        counts[made.start, made.end - 1] += 1
    assert ((counts - 50) ** 2 / 50).sum() < 66  # chi square, 35 degrees of freedom, one in a thousand


@given(SEEDS, st.floats(2, 19))
@settings(deadline=None, max_examples=6)
def test_lines_that_do_not_cross_keep_their_gap(seed: int, gap: float) -> None:
    made = Tangle(((),) * 6, seed % LANES, gap)
    for lane in range(LANES - 1):
        upper, lower = dense(made.line(lane)), dense(made.line(lane + 1))
        apart = np.hypot(upper[:, None, 0] - lower[None, :, 0], upper[:, None, 1] - lower[None, :, 1]).min()
        assert apart >= made.lane - 0.05


def dense(line: Points) -> Points:
    """Points half a pixel apart or less along a line that goes from left to right."""
    x = np.linspace(line[0, 0], line[-1, 0], 1200)
    return np.stack((x, np.interp(x, line[:, 0], line[:, 1])), axis=1)


def test_tangles_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="pairs of neighbours"):
        Tangle(((0, 1),), 0, 8)
    with pytest.raises(ValueError, match="pairs of neighbours"):
        Tangle(((5,),), 0, 8)
    with pytest.raises(ValueError, match="starts in lane"):
        Tangle(((0,),), 6, 8)
    with pytest.raises(ValueError, match="does not fit"):
        paths.tangle(30, stream(1, "tangle"))


# All of them


def test_pictures_keep_their_bytes() -> None:
    """Pinned: a picture's digest is its identity, on every machine (cosines end as steps of 1/4096 px)."""
    letters = OptotypePage(tuple(Optotype(name, 3.7, 60 + 40 * i, 99.3) for i, name in enumerate(LETTERS)))
    rings = OptotypePage(tuple(Optotype(name, 2.9, 60 + 40 * i, 99.3) for i, name in enumerate(optotypes.DIRECTIONS)))
    lines = crossings.crossing(3, 9, stream(7, "lines"))
    scattered = dots.scattered(17, (6, 12), 4, ChartPage(), stream(7, "dots"))
    tangle = paths.tangle(7, stream(7, "tangle"))
    found = {
        "letters": picture(optotypes.painted(letters), "", ""),
        "rings": picture(optotypes.painted(rings), "", ""),
        "crossings": picture(crossings.painted(lines), "", ""),
        "dots": picture(dots.painted(scattered), "", ""),
        "paths": picture(paths.painted(tangle), "", ""),
    }
    assert {name: one.digest[:16] for name, one in found.items()} == PINNED


PINNED = {
    "crossings": "be371474da20c01d",
    "dots": "048b870f3ae69ce1",
    "letters": "6cbc753b881a42e4",
    "paths": "165ca0c50983e1a2",
    "rings": "8761bebcb9d66fb8",
}
