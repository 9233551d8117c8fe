"""Looking at every kind of chart: perfect eyes see what is there, planted limits take away what they are about."""

from functools import cache

import numpy as np
import pytest

from snellen.draw import dots
from snellen.draw.sheet import ChartPage, tone
from snellen.rng import stream
from snellen.tasks.acuity.draw import crossings, crowding, dotted, gratings, paths, vernier
from snellen.tasks.acuity.draw.optotypes import LETTERS
from snellen.tasks.acuity.eyes import letters, lines, plates, stripes, things
from snellen.tasks.acuity.eyes.gaze import Gaze, Mind
from snellen.tasks.acuity.eyes.sight import Eyesight
from support.lengths import some_of

PAGE = ChartPage()


def right(look, charts, sight=None, **mind):
    """The share of charts (answer, pixels) that are seen as they are."""
    seen = [look(pixels, Gaze(sight or Eyesight(), Mind(**mind), seed)) for seed, (_, pixels) in enumerate(charts)]
    return np.mean([one == answer for one, (answer, _) in zip(seen, charts, strict=True)])


# Crowding


@cache
def crowds(spacing, n=10, polarity="dark", stroke=8.0, page=PAGE):
    def one(target, source):
        around = crowding.flankers_of(target, source)
        return target, crowding.painted(crowding.Crowd(target, around, stroke, spacing, page, tone(1, polarity))).rgb

    return [one(LETTERS[k % 10], stream(k, "crowd")) for k in range(n)]


@some_of("spacing", [1.06, 1.5, 4], 4)
@pytest.mark.parametrize("sight", [Eyesight(), Eyesight(blur=2), Eyesight(cap=300)])
def test_the_letter_in_the_middle_is_found_however_far_the_others_are(spacing, sight):
    assert right(letters.middle, crowds(spacing, 4, polarity="light"), sight) == 1


def test_letters_too_near_are_mixed_up_with_their_neighbours_alone():
    near = crowds(1.2, 12)
    assert right(letters.middle, near, crowd=1.6) < 0.6
    assert right(letters.middle, crowds(2.2, 8), crowd=1.6) == 1
    wrong = 0
    for seed in range(12):
        source = stream(seed, "crowd")
        target = LETTERS[seed % 10]
        around = crowding.flankers_of(target, source)
        said = letters.middle(near[seed][1], Gaze(Eyesight(), Mind(crowd=1.6), seed))
        assert said in {target, *around}
        wrong += said != target
    assert wrong > 4


# Stripes


@cache
def gabors(contrast, frequency, spread=48.0):
    ways = list(gratings.ORIENTATIONS)
    phases = [(way, k / 8) for way in ways for k in (1, 6)]
    return [(w, gratings.painted(gratings.Gabor(w, frequency, contrast, spread, phase)).rgb) for w, phase in phases]


@some_of("frequency", [0.02, 0.08, 0.32], 3)
def test_stripes_are_seen_to_run_as_they_do(frequency):
    assert right(stripes.stripes, gabors(0.02, frequency)) == 1


@pytest.mark.soak
def test_stripes_are_lost_where_they_are_too_faint_and_the_sooner_the_finer_and_the_more_blurred():
    assert right(stripes.stripes, gabors(0.2, 0.04), Eyesight(contrast=0.1)) == 1
    assert right(stripes.stripes, gabors(0.05, 0.04), Eyesight(contrast=0.1)) == 0
    assert right(stripes.stripes, gabors(0.2, 0.16), Eyesight(contrast=0.1, blur=1.5)) == 0
    assert right(stripes.stripes, gabors(0.2, 0.16), Eyesight(contrast=0.1)) == 1


@pytest.mark.soak
def test_stripes_too_fine_for_a_cap_are_not_seen_as_they_are():
    assert right(stripes.stripes, gabors(0.9, 0.08), Eyesight(cap=256)) == 1
    assert right(stripes.stripes, gabors(0.9, 0.32), Eyesight(contrast=0.3)) == 1
    assert right(stripes.stripes, gabors(0.9, 0.32), Eyesight(cap=128, contrast=0.3)) == 0


# Plates


@cache
def digits(hue, difference, n=5):
    made = [(str(k), dotted.ColourPlate(str(k), hue, difference, 10 + k)) for k in range(n)]
    return [(digit, dotted.painted(plate).rgb) for digit, plate in made]


@pytest.mark.parametrize("sight", [Eyesight(), Eyesight(cap=300, blur=1)])
def test_digits_in_dots_are_read_by_their_hue(sight):
    assert right(plates.digit, digits(180, 8), sight) == 1


@pytest.mark.soak
def test_who_lacks_a_cone_misses_the_hues_that_it_tells_apart():
    assert right(plates.digit, digits(0, 4), Eyesight(colour="deutan")) < 0.5
    assert right(plates.digit, digits(90, 4), Eyesight(colour="deutan")) == 1
    assert right(plates.digit, digits(0, 4), Eyesight(colour="deutan", loss=0.1)) == 1
    assert right(plates.digit, digits(90, 2), Eyesight(colour="tritan")) < right(plates.digit, digits(90, 2)) - 0.3


def test_where_no_dots_differ_nothing_is_seen():
    blank = [(None, dotted.painted(dotted.ColourPlate("3", 0, 0, seed)).rgb) for seed in range(8)]
    assert right(plates.digit, blank) > 0.8


# Bars and dots


@cache
def verniers(offset, n=8):
    def one(odd, source):
        by = offset if source.chance() else -offset
        return odd, vernier.painted(vernier.Vernier(odd, by, vernier.scattered(PAGE, source))).rgb

    return [one(vernier.CORNERS[k % 4], stream(k, "bars")) for k in range(n)]


def test_the_pair_out_of_line_is_found_below_a_pixel_and_missed_through_torn_patches():
    assert right(things.out_of_line, verniers(0.3)) == 1
    assert right(things.out_of_line, verniers(0.3), Eyesight(blur=2)) == 1
    assert right(things.out_of_line, verniers(0.3), Eyesight(patch=16, jitter=2)) < 0.8
    assert right(things.out_of_line, verniers(0.3), noise=120) < 0.8


@cache
def dotted_pages(count, n=12):
    return [
        (str(count), dots.painted(dots.scattered(count, (7, 11), 6, PAGE, stream(k, "dots"))).rgb) for k in range(n)
    ]


@pytest.mark.parametrize("count", [1, 5, 26])
def test_dots_are_counted(count):
    assert right(things.number, dotted_pages(count, 3)) == 1
    assert right(things.number, dotted_pages(count, 3), Eyesight(cap=256, blur=1)) == 1


@pytest.mark.soak
def test_beyond_what_it_counts_it_is_off_but_not_far():
    assert right(things.number, dotted_pages(4), count=7) == 1
    assert right(things.number, dotted_pages(13), count=7) == 0
    said = [
        int(things.number(page, Gaze(Eyesight(), Mind(count=7), k))) for k, (_, page) in enumerate(dotted_pages(26))
    ]
    assert all(0 < abs(number - 26) <= 20 for number in said)
    assert len(set(said)) > 3


def test_dots_that_blur_makes_one_are_counted_as_one():
    pixels = dots.painted(dots.DotPage(((100, 100, 9), (122, 100, 9), (300, 300, 9)))).rgb
    assert things.number(pixels, Gaze(Eyesight(), Mind(), 0)) == "3"
    assert things.number(pixels, Gaze(Eyesight(blur=8), Mind(), 0)) == "2"


# Lines


@cache
def crossing_pages(gap, n=5):
    return [(str(k), crossings.painted(crossings.crossing(k % 5, gap, stream(k, "x"))).rgb) for k in range(n)]


@cache
def tangles(gap, n=6):
    made = [paths.tangle(gap, stream(k, "t")) for k in range(n)]
    return [(str(one.end), paths.painted(one).rgb) for one in made]


@some_of("gap", [0.5, 30], 4)
@pytest.mark.parametrize("sight", [Eyesight(), Eyesight(cap=200, blur=1)])
def test_crossings_are_counted(gap, sight):
    assert right(lines.crossed, crossing_pages(gap), sight) == 1


@some_of("gap", [0.5, 4, 15], 3)
def test_paths_are_followed(gap):
    assert right(lines.led_to, tangles(gap)) == 1


@pytest.mark.soak
def test_paths_run_into_one_another_where_their_gap_is_blurred_away():
    assert right(lines.led_to, tangles(0.5, 5), Eyesight(blur=4)) < 0.7
    assert right(lines.led_to, tangles(8, 3), Eyesight(blur=4)) == 1


def test_lines_confused_by_noise_alone_are_confused():
    assert right(lines.crossed, crossing_pages(0.5), Eyesight(cap=64, blur=4), noise=255) < 0.8
