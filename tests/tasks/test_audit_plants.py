"""Shortcuts planted into a made set are named, and nothing is named in a set without."""

import numpy as np
import pytest
from audit_clean import CLEAN
from audit_plants import NAMED, SIDE, planted, png

from snellen.tasks.audit import Observation, audit_rows
from support.lengths import few_and_more, some_of


@some_of("shortcut", NAMED, 3)
@few_and_more("strength", [0.75], [1.0])
def test_a_planted_shortcut_is_named(shortcut: str, strength: float) -> None:
    leaks = [row.observer for row in audit_rows(planted(shortcut, strength)).leaks]
    assert any(name.startswith(NAMED[shortcut]) for name in leaks), leaks


def test_a_clean_set_passes_and_says_what_it_rules_out() -> None:
    report = audit_rows(planted("none", 0.5))
    assert report.leaks == ()
    assert "; 90 % power to detect a leak of" in str(report).splitlines()[-1]


def test_the_same_rows_give_the_same_report() -> None:
    assert audit_rows(planted("pixel", 0.75, 60)) == audit_rows(planted("pixel", 0.75, 60))


def test_which_of_two_pictures_is_the_brighter() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for number in range(100):
        key = int(rng.integers(2))
        light = int(rng.integers(0, 180))
        pair = [png(np.full((SIDE, SIDE, 3), light + 30 * (place == key), np.uint8)) for place in range(2)]
        rows.append(Observation("g", f"row-{number}", str(key), {}, 2, pictures=tuple(pair)))
    assert "brightest picture" in {row.observer for row in audit_rows(rows).leaks}


def test_options_that_tell_by_what_they_say() -> None:
    """The right one is white more often than not; where it stands is a matter of chance."""
    rng = np.random.default_rng(5)
    rows = []
    for number in range(200):
        right, wrong = ("white", "black") if rng.random() < 0.8 else ("black", "white")
        key = int(rng.integers(2))
        rows.append(Observation("g", f"row-{number}", str(key), {}, 2, options=(right, wrong)[:: 1 - 2 * key]))
    assert "options (bag of words)" in {row.observer for row in audit_rows(rows).leaks}


def test_runs_of_one_key_are_a_leak_and_taking_turns_in_pairs_is_none() -> None:
    rng = np.random.default_rng(4)
    runs = np.repeat(rng.integers(2, size=20), 10)
    pairs = np.array([[first, 1 - first] for first in rng.integers(2, size=100)]).ravel()
    told, untold = (
        {row.observer for row in audit_rows(Observation("g", str(i), str(k), {}, 2) for i, k in enumerate(keys)).leaks}
        for keys in (runs, pairs)
    )
    assert "order: same key as the row before" in told
    assert not untold


@some_of("kind", CLEAN, 3)
@few_and_more("seeds", [range(2)], [range(2, 5)])
def test_clean_sets_pass(kind: str, seeds: range) -> None:
    assert not [seed for seed in seeds if audit_rows(CLEAN[kind](seed)).leaks]


@pytest.mark.soak
@pytest.mark.parametrize("kind", CLEAN)
def test_at_most_one_clean_set_in_a_hundred_is_called_leaky(kind: str) -> None:
    """Whatever the set looks like: pictures or none, letters, options, free answers, clusters, groups, few rows."""
    assert sum(bool(audit_rows(CLEAN[kind](seed)).leaks) for seed in range(100)) <= 1


@pytest.mark.soak
@pytest.mark.parametrize("shortcut", NAMED)
def test_a_leak_as_strong_as_stated_is_found(shortcut: str) -> None:
    """At 75 % in 200 rows, whichever rows they are; who must choose among many words or pixels may miss some."""
    hits = sum(
        any(row.observer.startswith(NAMED[shortcut]) for row in audit_rows(planted(shortcut, 0.75, 200, seed)).leaks)
        for seed in range(20)
    )
    assert hits >= 16


def test_trials_of_one_cluster_that_share_a_key_are_no_run() -> None:
    rng = np.random.default_rng(6)
    rows = [
        Observation("g", f"{cluster}-{trial}", str(key), {}, 2, cluster=str(cluster))
        for cluster, key in enumerate(rng.integers(2, size=60))
        for trial in range(4)
    ]
    assert audit_rows(rows).leaks == ()
    assert "order: same key as the row before" in {row.observer for row in audit_rows(rows).rows}
