"""Thresholds: from right and wrong answers at graded levels to where somebody's sight ends, and how sure that is.

    function   the psychometric function: how often right at an intensity
    marginal   what is held likely of one quantity: mean, interval, difference of two
    posterior  what counts per level say of threshold, slope and lapse; the curve with its band; whether it fits
    quest      which intensities to ask next so that the answers say most (QUEST+), and when to stop
    reaching   where a share of right answers is reached, and how many will be right there
    pairing    two observers on the same pictures: how far their thresholds go together
    track      a test with named levels: what to ask next, and what was found, never a number that was not measured

Intensities are log10 of whatever is varied (pixels a stroke, contrast, number of dots). Nothing here draws, asks or
keeps anything: what to ask next is a function of the answers so far, so that resuming is replaying.
"""

from snellen.psychometric.function import Psychometric
from snellen.psychometric.marginal import Estimate, Marginal
from snellen.psychometric.pairing import correlation, paired_difference
from snellen.psychometric.posterior import Counts, Grid, Posterior, count, fit_test, posterior
from snellen.psychometric.reaching import Prediction, Reach, predicted, reach
from snellen.psychometric.track import Finding, Track, difference, finding, next_levels

__all__ = [
    "Counts",
    "Estimate",
    "Finding",
    "Grid",
    "Marginal",
    "Posterior",
    "Prediction",
    "Psychometric",
    "Reach",
    "Track",
    "correlation",
    "count",
    "difference",
    "finding",
    "fit_test",
    "next_levels",
    "paired_difference",
    "posterior",
    "predicted",
    "reach",
]
