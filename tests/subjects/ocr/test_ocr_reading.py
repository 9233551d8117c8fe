"""What a reader is shown of a picture, and what it says of what it read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from snellen.subjects.ocr.ink import cropped
from snellen.subjects.ocr.saying import NOTHING, said

steady = hypothesis_settings(deadline=None, derandomize=True)


def sheet(height=60, width=80, colour=(255, 255, 255)):
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = colour
    return pixels


@steady
@given(st.integers(0, 50), st.integers(0, 70), st.integers(1, 10), st.integers(1, 10), st.floats(0, 4))
def test_the_crop_is_the_ink_with_ground_around_it_wherever_it_lies(top, left, tall, wide, margin):
    pixels = sheet()
    ink = np.random.default_rng(top).integers(0, 250, (tall, wide, 3))
    pixels[top : top + tall, left : left + wide] = ink
    line = cropped(pixels, margin)
    around = (line.shape[0] - tall) // 2
    assert line.shape == (tall + 2 * around, wide + 2 * around, 3)
    assert around == max(1, round(margin * tall))
    assert np.array_equal(line[around:-around, around:-around], ink)
    line[around:-around, around:-around] = 255
    assert line.min() == 255


def test_one_grey_level_is_ink_and_none_is_none():
    pixels = sheet(colour=(90, 100, 110))
    assert cropped(pixels, 1) is None
    pixels[30, 40, 2] = 111
    assert cropped(pixels, 1).tolist()[1][1] == [90, 100, 111]


def test_light_ink_on_dark_ground_is_ink():
    pixels = sheet(colour=(0, 0, 0))
    pixels[20:30, 20:24] = 255
    assert cropped(pixels, 0.5).shape == (20, 14, 3)
    assert cropped(pixels, 0.5)[0].max() == 0


@pytest.mark.parametrize(
    ("line", "words", "answer"),
    [
        ("R", "Which letter is this?", "R"),
        (" k\n", "Which letter is this?", "K"),
        ("0", "Which letter is this?", "O"),
        ("5 2", "Name the letters.", "SZ"),
        ("O", "Which digit is this?", "0"),
        ("s", "Name the digits.", "5"),
        ("0", "What stands there?", "0"),
        ("0", "Is it a letter or a digit?", "0"),
        ("0", "A letterbox. What stands there?", "0"),
        ("·C.", "Which letter is this?", "C"),
        ("曲", "Which letter is this?", "曲"),
        ("", "Which letter is this?", NOTHING),
        (" \n\f", "Which letter is this?", NOTHING),
    ],
)
def test_what_was_read_is_said_as_the_kind_that_is_asked_for(line, words, answer):
    assert said(line, words) == answer


@steady
@given(st.text(max_size=20), st.text(max_size=40))
def test_anything_read_is_said_as_something(line, words):
    assert said(line, words).strip()
