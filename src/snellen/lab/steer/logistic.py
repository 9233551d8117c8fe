"""Logistic regression for two classes: an L2 penalty (C = 1), classes weighted alike however many rows they have.

The very objective of scikit-learn's `LogisticRegression(class_weight="balanced")`, in the few lines that it takes.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS, CLOSE, TINY = 100, 1e-8, 1e-12


@dataclass(frozen=True, slots=True)
class Logistic:
    """A plane between two classes; beyond it (True) is the second."""

    weights: Floats
    intercept: float

    def scores(self, points: Floats) -> Floats:
        """The log-odds of the second class."""
        return np.asarray(points @ self.weights + self.intercept, np.float64)


def fit(points: Floats, second: NDArray[np.bool_], strength: float = 1.0) -> Logistic:
    """The plane for these points; where there is but one class, one that puts everything there."""
    n, ones = len(second), int(second.sum())
    if ones in (0, n):
        return Logistic(np.zeros(points.shape[1]), np.inf if ones else -np.inf)
    # The best weights are a mixture of the points, so with fewer points than dimensions it is enough to look in the
    # space that the points span: the same solution, for a fraction of the work.
    basis = np.linalg.qr(points.T)[0] if n < points.shape[1] else np.eye(points.shape[1])
    inner = points @ basis
    sign = np.where(second, 1.0, -1.0)
    weight = strength * n / (2.0 * np.where(second, ones, n - ones))

    def loss(at: Floats) -> float:
        return float(0.5 * at[:-1] @ at[:-1] - weight @ scipy.special.log_expit(sign * (inner @ at)))

    inner = np.column_stack([inner, np.ones(n)])
    penalty = np.append(np.ones(inner.shape[1] - 1), 0.0)
    at = np.zeros(inner.shape[1])
    for _ in range(STEPS):  # Newton's way, with shorter steps where a whole one overshoots
        doubt = scipy.special.expit(-sign * (inner @ at))
        downhill = (weight * sign * doubt) @ inner - penalty * at
        curved = (inner * (weight * doubt * (1 - doubt))[:, None]).T @ inner + np.diag(penalty + TINY)
        step = np.linalg.solve(curved, downhill)
        promise, before, length = float(downhill @ step), loss(at), 1.0
        while promise > CLOSE and loss(at + length * step) > before - 0.1 * length * promise:
            length /= 2
        at = at + length * step
        if promise <= CLOSE:  # the last step was worth the square of this
            break
    return Logistic(basis @ at[:-1], float(at[-1]))
