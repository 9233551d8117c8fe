"""Where to send a row: a router predicts its rule and then its answer; a centroid is the mean of donors of that kind.

Both are learnt from the activations of one layer at the query token. The router is told the right answers of the rows
it learns from. So a patch that goes where the router says brings those answers along: see the probe control.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.lab.steer.logistic import Floats, Logistic, fit
from snellen.lab.steer.rows import Ints


@dataclass(frozen=True)
class Router:
    """Two stages: which rule, then, by the predicted rule, which answer."""

    rule: Logistic
    answers: tuple[Logistic, ...]

    def route(self, points: Floats) -> tuple[Ints, Ints]:
        """The predicted rule and the predicted answer of each point."""
        rules = (self.rule.scores(points) > 0).astype(np.int64)
        by_rule = np.stack([answer.scores(points) > 0 for answer in self.answers]).astype(np.int64)
        return rules, by_rule[rules, np.arange(len(points))]


def learn(points: Floats, rule: Ints, answer: Ints) -> Router:
    """The router of these points."""
    answers = tuple(fit(points[rule == which], answer[rule == which] == 1) for which in (0, 1))
    return Router(fit(points, rule == 1), answers)


def centroids(points: Floats, rule: Ints, answer: Ints, right: NDArray[np.bool_]) -> Floats:
    """For every rule and answer the mean of the donors: rules x answers x width.

    Donors are rows that were answered right; where there are none of a kind, all of the kind; where the kind does not
    occur at all, all of the rule.
    """
    made = np.empty((2, 2, points.shape[1]))
    for r in (0, 1):
        for a in (0, 1):
            kind = (rule == r) & (answer == a)
            chosen = next((rows for rows in (kind & right, kind, rule == r) if rows.any()), np.ones_like(kind))
            made[r, a] = points[chosen].mean(axis=0)
    return made
