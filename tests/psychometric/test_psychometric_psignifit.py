"""Fits agree with those of psignifit, which shares none of this code."""

import numpy as np
import pytest

from snellen.psychometric import Counts, PosteriorGrid, Psychometric, posterior
from support.later import later
from support.lengths import some_of

psignifit = later("psignifit")


LEVELS = [round(0.1 * k, 1) for k in range(11)]
WAY = 1 - 1 / np.e
WIDTH = np.log10(np.log(20)) - np.log10(-np.log(0.95))
"""From 5 % to 95 % of the way, for a slope of 1: psignifit tells widths where this project tells slopes."""


@pytest.mark.filterwarnings("ignore:The `thresh_PC` parameter")
@some_of(("choices", "seed"), [(4, 0), (10, 1), (10, 2)], 3)
def test_thresholds_agree_with_psignifit(choices: int, seed: int) -> None:
    truth = Psychometric(0.45 + 0.05 * seed, 4.0, 1 / choices, 0.02)
    right = np.random.default_rng(seed).binomial(30, truth(LEVELS))
    data = np.column_stack([LEVELS, right, np.full(len(LEVELS), 30)])
    # A Weibull function of the intensity is a Gumbel function of its logarithm
    kind = {"experiment_type": "nAFC", "experiment_choices": choices, "sigmoid": "gumbel", "thresh_PC": WAY}
    theirs = psignifit.psignifit(data, fixed_parameters={"eta": 0.0}, verbose=False, **kind)
    tally = {x: Counts(int(n), 30 - int(n)) for x, n in zip(LEVELS, right, strict=True)}
    ours = posterior(PosteriorGrid(0.0, 1.0, 1 / choices), tally)
    mean = theirs.parameter_estimate_mean
    assert ours.threshold.mean == pytest.approx(mean["threshold"], abs=0.02)
    assert ours.slope.mean == pytest.approx(WIDTH / mean["width"], rel=0.25)
    assert ours.lapse.mean == pytest.approx(mean["lambda"], abs=0.03)
    assert ours.threshold.interval() == pytest.approx(theirs.confidence_intervals["threshold"]["0.95"], abs=0.03)
