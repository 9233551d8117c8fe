"""Randomness keyed by identity."""

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

import snellen
from snellen.rng import Stream, stream

seeds = st.integers(-(2**70), 2**70)


def drawn(source: Stream) -> list[object]:
    values = list("abcdefgh")
    source.shuffle(values)
    return [
        source.below(1000),
        source.chance(0.3),
        source.between(-1, 1),
        source.choice("xyz"),
        values,
        source.sample(values, 3),
    ]


def test_the_same_identity_gives_the_same_stream_for_ever() -> None:
    """Golden values: if these change, every fresh item of every published seed changes."""
    source = stream(7, "fixation", 3, "labels")
    assert [source.below(1000) for _ in range(6)] == [86, 243, 801, 903, 674, 120]
    assert "".join(stream(7, "fixation", 3).sample("abcdef", 6)) == "fecdba"


@given(seeds, st.text(max_size=5), st.integers())
def test_a_stream_depends_on_its_identity_only(seed: int, name: str, index: int) -> None:
    first = drawn(stream(seed, name.encode("utf-8", "replace").decode(), index))
    assert first == drawn(stream(seed, name.encode("utf-8", "replace").decode(), index))


def test_different_identities_differ() -> None:
    names = [
        (7,),
        (8,),
        (7, "a"),
        (7, "b"),
        (7, "a", "b"),
        (7, "ab"),
        (7, "a", 1),
        (7, "a", 11),
        (7, "a", 1, 1),
        (71, "a"),
    ]
    assert len({tuple(stream(*cast(Any, name)).below(10**9) for _ in range(2)) for name in names}) == len(names)


def test_no_hash_salt_reaches_a_stream() -> None:
    code = "from snellen.rng import stream; print(stream(7, 'x', 2).sample(range(50), 9))"
    source = str(Path(snellen.__file__).parents[1])
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": source, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for salt in ("1", "2")
    }
    assert len(said) == 1


@given(seeds, st.integers(1, 10**6))
def test_below_stays_below(seed: int, n: int) -> None:
    source = stream(seed)
    assert all(0 <= source.below(n) < n for _ in range(20))


@given(seeds, st.lists(st.integers(), max_size=30), st.data())
def test_shuffle_and_sample_keep_the_values(seed: int, values: list[int], data: st.DataObject) -> None:
    source = stream(seed)
    shuffled = list(values)
    source.shuffle(shuffled)
    assert Counter(shuffled) == Counter(values)
    k = data.draw(st.integers(0, len(values)))
    sample = source.sample(values, k)
    assert len(sample) == k
    assert not Counter(sample) - Counter(values)


def test_draws_are_fair() -> None:
    source = stream(1, "fair")
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        values = [1, 2, 3]
        source.shuffle(values)
        orders[tuple(values)] += 1
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())
    assert 2800 < sum(source.chance(0.3) for _ in range(10_000)) < 3200
    assert 4.9 < sum(source.between(4, 6) for _ in range(10_000)) / 10_000 < 5.1


def test_neighbouring_streams_are_unrelated() -> None:
    firsts = [stream(7, "item", i).below(2) for i in range(4000)]
    pairs = Counter(pairwise(firsts))
    assert all(900 < count < 1100 for count in pairs.values())
