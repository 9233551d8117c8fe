"""The cheapest mixture of ways that brings every goal to its end: a small linear program, solved by hand.

Only sums, products and quotients of floats occur, in a fixed order, so the answer is the same on every machine. (A
library's solver may choose another of several equally cheap answers in its next version, and what an interrupted exam
asks next must not depend on that.)
"""

from collections.abc import Sequence

_STEPS = 500
_TINY = 1e-12


def cheapest(costs: Sequence[float], progress: Sequence[Sequence[float]]) -> list[float]:
    """How often to use each way so that the progress adds up to 1 for every goal, at the lowest total cost.

    costs: of using each way once, all positive. progress: by way and goal; every goal needs a way that advances it.

    >>> cheapest([1.0, 2.0], [[0.5, 0.0], [0.5, 0.25]])
    [0.0, 4.0]
    """
    # The dual (maximise the sum of y with progress . y <= cost) has a feasible start; its shadow prices are the answer.
    ways, goals = len(costs), len(progress[0])
    rows = [
        [*map(float, progress[way]), *(1.0 if other == way else 0.0 for other in range(ways)), float(costs[way])]
        for way in range(ways)
    ]
    prices = [-1.0] * goals + [0.0] * (ways + 1)
    basis = list(range(goals, goals + ways))
    for _ in range(_STEPS):
        column = next((j for j in range(goals + ways) if prices[j] < -_TINY), None)  # Bland's rule: no cycles
        if column is None:
            break
        ratios = [(row[-1] / row[column], basis[k], k) for k, row in enumerate(rows) if row[column] > _TINY]
        if not ratios:
            raise ValueError("a goal that no way advances")
        _, _, pivot = min(ratios)
        scale = rows[pivot][column]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for k, row in enumerate(rows):
            if k != pivot and row[column]:
                rows[k] = _less(row, row[column], rows[pivot])
        prices = _less(prices, prices[column], rows[pivot])
        basis[pivot] = column
    return prices[goals : goals + ways]


def _less(row: Sequence[float], factor: float, other: Sequence[float]) -> list[float]:
    return [value - factor * taken for value, taken in zip(row, other, strict=True)]
