"""Choices that stand alike, and abstract shapes that are clearly seen."""

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.rng import stream
from snellen.tasks.marvel.patterns.choices import (
    counts,
    four,
    in_words,
    off_by,
    offer,
    slips,
)
from snellen.tasks.marvel.patterns.doodles import GLYPHS, blob, glyph, lattice

seeds = st.integers(0, 10**6)


@given(seeds)
@settings(max_examples=40)
def test_a_square_has_no_majority(seed: int) -> None:
    choices, right = offer(stream(seed, "square"), range(5), "abcd")
    assert len(set(choices)) == 4
    assert 0 <= right < 4
    for attribute in zip(*choices, strict=True):
        assert sorted(Counter(attribute).values()) == [2, 2]


@given(seeds)
@settings(max_examples=40)
def test_any_two_of_a_tetrad_differ_in_two_attributes(seed: int) -> None:
    choices, _ = offer(stream(seed, "tetrad"), range(5), "abcd", "xyz")
    for first, second in combinations(choices, 2):
        assert sum(a != b for a, b in zip(first, second, strict=True)) == 2


def test_every_place_is_right_equally_often() -> None:
    turn = stream(1, "places")
    squares = Counter(offer(turn, "abc", "xyz")[1] for _ in range(2000))
    fours = Counter(offer(turn, "abcdef")[1] for _ in range(2000))
    for often in (squares, fours):
        assert len(often) == 4
        assert min(often.values()) > 420


def test_every_rank_of_a_number_is_right_equally_often() -> None:
    turn = stream(2, "ranks")
    for near in (True, False):
        often: Counter[int] = Counter()
        for _ in range(2000):
            numbers, right = four(turn, counts(turn, 4, 1, 9, near=near))
            often[sorted(numbers).index(numbers[right])] += 1
        assert min(often.values()) > 420


@given(seeds, st.integers(2, 4), st.integers(0, 3), st.integers(0, 9), st.booleans())
def test_counts_are_neighbours_or_apart(seed: int, number: int, low: int, room: int, near: bool) -> None:
    high = low + number - 1 + room
    found = counts(stream(seed, "counts"), number, low, high, near=near)
    gaps = {b - a for a, b in pairwise(found)}
    assert len(found) == number
    assert low <= found[0]
    assert found[-1] <= high
    if near:
        assert gaps == {1}
    else:
        assert min(gaps) >= (2 if high - low >= 2 * (number - 1) else 1)


def test_far_counts_reach_both_ends() -> None:
    turn = stream(3, "ends")
    seen = [counts(turn, 4, 1, 9, near=False) for _ in range(300)]
    assert min(min(one) for one in seen) == 1
    assert max(max(one) for one in seen) == 9


def test_mechanisms_of_a_square() -> None:
    choices: list[tuple[Any, Any]] = [(1, "a"), (1, "b"), (3, "a"), (3, "b")]
    assert slips(choices, 0, off_by, lambda fill, wanted: "wrong fill") == [
        "",
        "wrong fill",
        "two too many",
        "two too many and wrong fill",
    ]


@pytest.mark.parametrize(("value", "wanted", "words"), [(3, 3, ""), (2, 3, "one too few"), (9, 2, "seven too many")])
def test_off_by(value: int, wanted: int, words: str) -> None:
    assert off_by(value, wanted) == words


def test_numbers_in_words() -> None:
    assert (in_words(0), in_words(12), in_words(13)) == ("no", "twelve", "13")


@given(seeds, st.integers(5, 9), st.integers(12, 70))
def test_a_blob_stays_within_its_size_and_is_irregular(seed: int, points: int, size: int) -> None:
    mark = blob(stream(seed, "blob"), 90, 90, size, points, "shape A")
    far = [((x - 90) ** 2 + (y - 90) ** 2) ** 0.5 for x, y in mark["points"]]
    assert max(far) <= size
    assert max(far) - min(far) >= size * 0.1
    assert mark["name"] == "shape A"
    assert blob(stream(seed, "blob"), 90, 90, size, points, "shape A") == mark


def test_small_signs_are_all_different_and_fit() -> None:
    drawn = [glyph(name, 90, 90, 15) for name in GLYPHS]
    assert len({str(mark["points"]) for mark in drawn}) == len(GLYPHS)
    assert all(75 <= x <= 105 and 75 <= y <= 105 for mark in drawn for x, y in mark["points"])


@given(seeds, st.integers(2, 4), st.integers(2, 4))
def test_neighbours_in_a_lattice_never_touch(seed: int, columns: int, rows: int) -> None:
    spots, size = lattice(stream(seed, "lattice"), (20, 20, 160, 160), columns, rows)
    assert len(spots) == columns * rows
    for (x, y), (x2, y2) in combinations(spots, 2):
        assert max(abs(x - x2), abs(y - y2)) >= 2 * size + 5
