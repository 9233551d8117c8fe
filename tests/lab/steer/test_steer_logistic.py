"""Logistic regression: the very optimum of the objective that it is said to have."""

import numpy as np
import pytest
from scipy import optimize

from snellen.lab.steer.logistic import Floats, Logistic, fit


def made(n: int, width: int, seed: int = 0) -> tuple[Floats, np.ndarray]:
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, width)) * np.exp(random.normal(size=width)) + 1
    return points, points[:, 0] + 0.5 * random.normal(size=n) > 1.6


def objective(points: Floats, second: np.ndarray, at: Floats) -> float:
    """As scikit-learn states it: half the squared weights, and the losses, each class with half the say."""
    sign, n = np.where(second, 1, -1), len(second)
    weight = np.where(second, n / (2 * second.sum()), n / (2 * (n - second.sum())))
    return float(0.5 * at[:-1] @ at[:-1] + weight @ np.logaddexp(0, -sign * (points @ at[:-1] + at[-1])))


@pytest.mark.parametrize(("n", "width"), [(60, 3), (200, 10), (30, 80)])
def test_nothing_near_it_is_better(n: int, width: int) -> None:
    points, second = made(n, width)
    found = fit(points, second)
    at = np.append(found.weights, found.intercept)
    slope = optimize.approx_fprime(at, lambda x: objective(points, second, x), 1e-7)
    assert np.abs(slope).max() < 1e-4
    other = optimize.minimize(lambda x: objective(points, second, x), np.zeros(width + 1), method="BFGS").x
    assert objective(points, second, at) <= objective(points, second, other) + 1e-8
    assert at == pytest.approx(other, abs=1e-3)


def test_a_case_that_can_be_solved_by_hand() -> None:
    """Points -1 and 1: no bias, and a weight w with w = 2 / (1 + exp(w))."""
    found = fit(np.array([[-1.0], [1.0]]), np.array([False, True]))
    weight = optimize.brentq(lambda w: w - 2 / (1 + np.exp(w)), 0, 2)
    assert found.intercept == pytest.approx(0, abs=1e-8)
    assert found.weights[0] == pytest.approx(weight, abs=1e-8)


def test_classes_have_the_same_say_however_many_rows_they_have() -> None:
    points = np.array([[-1.0]] * 9 + [[1.0]])
    found = fit(points, np.arange(10) == 9)
    assert found.scores(np.array([[0.0]]))[0] == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("which", [True, False])
def test_one_class_takes_everything(which: bool) -> None:
    found = fit(np.ones((3, 2)), np.full(3, which))
    assert isinstance(found, Logistic)
    assert ((found.scores(np.array([[5.0, -5.0]])) > 0) == which).all()
