"""Eyes as a value: written, read, and looked through."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.subjects import settings
from snellen.tasks.acuity.eyes.sight import Eyesight, arriving, look, sight_of

steady = hypothesis_settings(deadline=None, derandomize=True)


def eyes(text):
    return sight_of(settings.split(f"sim/eyes:{text}")[1])


def test_the_written_limits_are_the_limits():
    assert eyes("cap=768,blur=1.5,contrast=0.05") == Eyesight(cap=768, blur=1.5, contrast=0.05)
    assert eyes("patch=28,cells=7,jitter=2,colour=deutan,loss=0.5,area=50000,tiles=4") == Eyesight(
        area=50_000, tiles=4, colour="deutan", loss=0.5, patch=28, cells=7, jitter=2
    )
    assert sight_of(()) == Eyesight()


@steady
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "cap": st.integers(1, 4096),
            "area": st.integers(1, 10**7),
            "tiles": st.integers(1, 16),
            "blur": st.floats(0, 100).map(lambda x: round(x, 3)),
            "contrast": st.floats(0, 1).map(lambda x: round(x, 3)),
            "colour": st.sampled_from(["protan", "deutan", "tritan"]),
            "patch": st.integers(8, 64),
        },
    ),
    st.integers(0, 4),
)
def test_eyes_are_found_again_by_their_name(chosen, jitter):
    if "patch" in chosen:
        chosen = {**chosen, "jitter": jitter, "cells": 4}
    sight = Eyesight(**chosen)
    assert sight_of(settings.split(f"sim/eyes{sight.name}")[1]) == sight


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cup=768", ["setting 'cup' of sim/eyes", "cap"]),
        ("cap=0", ["cap='0'", "pixels from 1", "longest side"]),
        ("cap=big", ["cap='big'", "whole number"]),
        ("cap=1,cap=2", ["cap is set twice"]),
        ("area=-1", ["area='-1'"]),
        ("tiles=1.5", ["tiles='1.5'", "512 px"]),
        ("blur=-1", ["blur='-1'", "from 0 to 100"]),
        ("blur=nan", ["blur='nan'"]),
        ("contrast=5", ["contrast='5'", "from 0 to 1"]),
        ("colour=purple", ["colour='purple'", "protan, deutan, tritan"]),
        ("loss=0.5", ["loss says nothing without colour"]),
        ("cells=3", ["cells says nothing without patch"]),
        ("jitter=3", ["jitter says nothing without patch"]),
        ("patch=8,cells=9", ["cells=9", "at most patch=8"]),
        ("patch=8,jitter=5", ["jitter=5", "half of patch=8"]),
    ],
)
def test_wrong_eyes_get_one_clear_line(text, words):
    with pytest.raises(UserError) as caught:
        eyes(text)
    assert "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def letter(side=64):
    pixels = np.full((side, side, 3), 255, np.uint8)
    pixels[20:44, 24:30] = 0
    pixels[20:26, 24:44] = 0
    return pixels


def test_perfect_eyes_see_the_picture():
    assert np.array_equal(look(letter(), Eyesight()), letter())


def test_looking_changes_no_picture_and_is_always_the_same():
    pixels = letter()
    sight = eyes("cap=48,blur=1,contrast=0.1,colour=protan,patch=8,cells=4,jitter=2")
    first = look(pixels, sight)
    assert np.array_equal(pixels, letter())
    assert np.array_equal(first, look(pixels, sight))
    assert first.shape == (48, 48, 3)


def test_of_several_caps_all_hold():
    assert arriving((3000, 1500), eyes("cap=2000,tiles=2")) == (1024, 512)
    assert arriving((3000, 1500), eyes("cap=800,area=1000000,tiles=100")) == (800, 400)
    assert look(letter(), eyes("cap=32,area=256")).shape == (16, 16, 3)


def test_a_server_shrinks_before_the_eye_blurs():
    """A stroke one pixel wide, on a canvas four times the cap, arrives at a quarter of its contrast; blur in pixels of
    what arrives spreads that further."""
    pixels = np.full((64, 64, 3), 255, np.uint8)
    pixels[:, 34] = 0
    assert look(pixels, eyes("cap=16"))[8].min() == pytest.approx(255 * 0.75)
    assert look(pixels, eyes("cap=16,blur=1"))[8].min() == pytest.approx(255 * (1 - 0.25 * 0.399), abs=1)


def test_what_shrinking_made_too_faint_is_not_seen():
    pixels = np.full((64, 64, 3), 255, np.uint8)
    pixels[:, 34] = 0
    assert np.ptp(look(pixels, eyes("cap=16,contrast=0.2"))) > 0
    assert np.ptp(look(pixels, eyes("cap=16,contrast=0.3"))) == 0
    assert np.ptp(look(pixels, eyes("contrast=0.3"))) == 255
