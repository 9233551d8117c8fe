"""Thresholds compared on the same pictures: intervals that cover, narrower only where pictures are hard for both."""

import numpy as np
import pytest

from snellen.psychometric import (
    Counts,
    Posterior,
    PosteriorGrid,
    Psychometric,
    correlation,
    paired_difference,
    posterior,
)

LEVELS = np.linspace(-0.3, 1.7, 17)
ASKED = LEVELS[2:12]
EYE = Psychometric(0.3, 5.0, 0.1, 0.02)


def seen(xs: np.ndarray, right: np.ndarray) -> Posterior:
    tally: dict[float, Counts] = {}
    for x, each in zip(xs.tolist(), right, strict=True):
        tally[x] = tally.get(x, Counts()).plus("right" if each else "wrong")
    return posterior(PosteriorGrid(float(LEVELS[0]), float(LEVELS[-1]), 0.1), tally)


def pair(seed: int, spread: float, each: int = 8, *, alike: bool = True, apart: float = 0.0):
    """Two observers, `apart` in log10, on pictures whose own difficulty spreads; `alike`: on the very same ones."""
    rng = np.random.default_rng([seed, round(100 * spread), each])
    xs = np.repeat(ASKED, each)
    own = rng.normal(0, spread, len(xs))
    answers = []
    for k in range(2):
        hard = own if alike else rng.normal(0, spread, len(xs))
        eye = Psychometric(EYE.threshold + k * apart, EYE.slope, EYE.chance, EYE.lapse)
        answers.append(rng.random(len(xs)) < eye(xs + hard))
    posts = [seen(xs, right) for right in answers]
    shared = [(float(x), bool(a), bool(b)) for x, a, b in zip(xs, *answers, strict=True)]
    return posts, shared


def width(interval: tuple[float, float]) -> float:
    return interval[1] - interval[0]


def test_answers_that_are_the_same_leave_little_doubt_of_the_difference():
    (first, second), shared = pair(1, 0.3)
    same = [(x, a, a) for x, a, _ in shared]
    found = correlation(first, first, same)
    assert found > 0.6
    apart = paired_difference(first, first, found)
    assert abs(apart.median) < 1e-6
    assert width(apart.interval()) < 0.7 * width((first.threshold - first.threshold).interval())
    assert abs(correlation(first, second, [])) == 0


def test_few_shared_pictures_say_nothing_and_the_difference_is_that_of_independent_answers():
    (first, second), shared = pair(2, 0.3)
    assert correlation(first, second, shared[:7]) == 0
    apart, plain = paired_difference(first, second, 0.0), second.threshold - first.threshold
    assert apart.interval() == pytest.approx(plain.interval())


def test_a_correlation_is_taken_at_the_end_that_leaves_more_doubt():
    """Of answers that have nothing to do with one another hardly any is above 0, but chance leaves some below it."""
    found = [correlation(first, second, shared) for (first, second), shared in (pair(seed, 0.0) for seed in range(12))]
    assert max(found) < 0.2
    assert sum(each < 0 for each in found) >= 4


def test_the_middle_of_the_difference_stays_where_it_is():
    (first, second), _ = pair(3, 0.3, apart=0.2)
    plain = second.threshold - first.threshold
    for so_far in (-0.5, 0.5, 0.9):
        assert paired_difference(first, second, so_far).median == pytest.approx(plain.median, abs=1e-9)
    assert width(paired_difference(first, second, -0.5).interval()) > width(plain.interval())


@pytest.mark.soak
@pytest.mark.parametrize("apart", [0.0, 0.15])
@pytest.mark.parametrize(("spread", "each", "alike"), [(0.0, 8, True), (0.15, 8, True), (0.3, 8, True),
                                                       (0.3, 4, True), (0.3, 8, False), (0.6, 8, True)])  # fmt: skip
def test_intervals_of_differences_cover(spread, each, alike, apart):
    """95 % intervals cover what was planted; on shared pictures that spread they are narrower for it. Where pictures
    say nothing of both, caution costs some width."""
    covered, narrower, times = 0, [], 300
    for seed in range(times):
        (first, second), shared = pair(seed, spread, each, alike=alike, apart=apart)
        interval = paired_difference(first, second, correlation(first, second, shared)).interval()
        covered += interval[0] <= apart <= interval[1]
        narrower.append(width(interval) / width((second.threshold - first.threshold).interval()))
    assert covered / times >= 0.925
    assert np.mean(narrower) < (0.97 if alike and spread >= 0.3 else 1.12)
