"""A grid of patches is found with its size, and none where there is none. Whoever answers has thresholds that were
planted; real looking is in `tests/tasks/acuity/test_eyes_recovered.py`."""

from itertools import product
from math import log10

import numpy as np
import pytest

from snellen.psychometric import Psychometric
from snellen.tasks.acuity.asking import item
from snellen.tasks.acuity.battery import TESTS
from snellen.tasks.acuity.designs import FIELD
from snellen.tasks.acuity.study.patches import of_answers
from snellen.tasks.acuity.study.prescribing import prescription
from snellen.tasks.acuity.study.results import AcuityResults
from snellen.tasks.acuity.study.spots import offset
from snellen.tasks.acuity.study.words import resolution_lines
from snellen.tasks.adaptive import replay
from support.acuity_rows import Sitting, table

TRACKS = [graded for graded in FIELD.tracks if graded.turns]
THRESHOLD = 2.0
NEAR = ("1.58", "1.78", "2", "2.24", "2.51", "2.82", "3.16", "50.1")
SHARE = 0.35
"""So much of a patch lies near a seam."""


class Somebody:
    """Whose letters must be so much larger near a seam; `told`: offsets, sizes and answers so far."""

    def __init__(self, patch, worse=1.6, seed=0):
        self.patch, self.worse = patch, worse
        self.luck = np.random.default_rng([seed, patch or 0])
        self.shift = int(self.luck.integers(patch or 1))
        self.told = []

    def answers(self, place, level):
        at = offset(place)
        near = self.patch is not None and (at + self.shift) % self.patch < SHARE * self.patch
        eye = Psychometric(log10(THRESHOLD * (self.worse if near else 1.0)), 5.0, 0.1, 0.02, False)
        right = self.luck.random() < eye(log10(float(level)))
        self.told.append((at, level, right))
        return "right" if right else "wrong"


def asked(patch, worse=1.6, seed=0):
    """Asked at sizes about the threshold, as the design's tracks come to do after a while."""
    one = Somebody(patch, worse, seed)
    for graded in TRACKS:
        for number in range(graded.track.most // len(NEAR)):
            for level in NEAR:
                one.answers(graded.turn(level, number)["place"], level)
    return one.told


def tracked(patch, worse=1.6, seed=0):
    """Asked by the very tracks of the design."""
    one = Somebody(patch, worse, seed)
    for graded in TRACKS:
        replay(graded.track, lambda level, number, g=graded: one.answers(g.turn(level, number)["place"], level))
    return one.told


def found(*args, by=asked, **kwargs):
    at, sizes, right = zip(*by(*args, **kwargs), strict=True)
    return of_answers(np.array(at), np.array(sizes), np.array(right, float))


@pytest.mark.parametrize("patch", [14, 16, 28, 32])
def test_a_grid_is_found_with_its_size(patch):
    told = found(patch, seed=1)
    assert told.grid
    assert told.period == patch, told


def test_the_tracks_of_the_design_ask_what_it_takes():
    assert found(16, by=tracked).period == 16


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_found_where_places_are_all_the_same(seed):
    told = found(None, seed=seed)
    assert not told.grid
    assert (told.period, told.between) == (None, ())


def key(level, index, seed):
    return item({"test": "letters", "level": level}, index, seed).truth["answer"]


def lettered(seed, spread):
    """Asked by the tracks; no place is better than another, but every letter has a difficulty of its own (log10)."""
    luck = np.random.default_rng([seed, 7])
    harder = dict(zip(TESTS["letters"].answers, luck.normal(0, spread, 10), strict=True))
    told = []
    for graded in TRACKS:

        def answer(level, number, graded=graded):
            _, index = graded.place(level, number)
            letter = key(level, index, seed)
            eye = Psychometric(log10(THRESHOLD) + harder[letter], 5.0, 0.1, 0.02, False)
            right = luck.random() < eye(log10(float(level)))
            told.append((offset(graded.turn(level, number)["place"]), f"{level} {letter}", right))
            return "right" if right else "wrong"

        replay(graded.track, answer)
    at, alike, right = zip(*told, strict=True)
    return of_answers(np.array(at), np.array(alike), np.array(right, float))


@pytest.mark.soak
def test_letters_that_differ_are_no_grid():
    assert sum(lettered(seed, 0.15).grid for seed in range(40)) <= 2  # at most 1 in 20


def test_a_letter_stands_at_places_of_every_sort():
    """Or whoever finds an R harder than a C would seem to see in patches."""
    places = {letter: set() for letter in TESTS["letters"].answers}
    for graded in TRACKS:
        for level, number in product(("1", "1.12", "1.26", "1.41"), range(8)):
            _, index = graded.place(level, number)
            letter = key(level, index, 0)
            places[letter].add(offset(graded.turn(level, number)["place"]) % 8)
    assert all(len(own) >= 7 for own in places.values()), places


@pytest.mark.soak
def test_grids_are_found_and_hardly_ever_where_there_is_none():
    none = [found(None, seed=seed, by=tracked) for seed in range(100, 140)]
    assert sum(told.grid for told in none) <= 2  # at most 1 in 20
    assert sum(told.period is not None for told in none) <= 1
    for patch in (14, 16, 20, 28, 32, 56):
        strong = [found(patch, seed=seed, by=tracked) for seed in range(5)]
        weak = [found(patch, 1.25, seed=seed, by=tracked) for seed in range(5)]
        assert sum(told.period == patch for told in strong) >= 4, patch
        assert sum(told.period not in (patch, None) for told in (*strong, *weak)) <= 1, patch


def test_what_cannot_be_told_is_not():
    for seed in range(2):
        told = found(16, 1.05, seed=seed)
        assert (told.period, told.grid) == (None, False), "seams that cost a twentieth are lost in chance"
    few = asked(16)[:40]
    at, sizes, right = zip(*few, strict=True)
    assert of_answers(np.array(at), np.array(sizes), np.array(right, float)) is None


def sitting(patch, **kwargs):
    one = Sitting("x")
    for at, level, right in asked(patch, **kwargs):
        one.constant("letters", float(level), int(right), int(not right), place=f"+{at}")
    return AcuityResults(table(one)).sittings["x"]


def test_a_grid_is_told_and_prescribed_for():
    with_one, without = sitting(16), sitting(None)
    assert "a period of 16\u00a0px" in resolution_lines(with_one)[-1]
    assert "No effect of the position" in resolution_lines(without)[-1]
    assert any("patch grid" in line for line in prescription(with_one))
    assert not any("patch grid" in line for line in prescription(without))


def test_offsets_that_take_turns_have_no_thresholds_of_their_own():
    """Eight charts at a place are no threshold, and of letters in the middle they say nothing."""
    told = sitting(None)
    assert not told.measures
    assert told.reading("letters").kind == "not asked"
    assert told.period is not None


def test_every_offset_has_its_turn_and_all_in_about_as_many_calls_as_before():
    turns = [(graded.turn(level, number)["place"]) for graded in TRACKS for level in ("1", "2") for number in range(8)]
    assert len(set(turns)) >= 60
    assert sum(graded.track.most for graded in TRACKS) == 512
