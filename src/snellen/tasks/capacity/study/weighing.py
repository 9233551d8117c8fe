"""From kinds to categories to one number, as the paper does it: every kind of a category weighs the same, and so does
every category, however many items they have.

That is what its tables have: 23.80, the spatial score of its best model, is the mean of 28.3, 14.3 and 28.8, and 42.66
the mean of that, 29.56 and 74.63. Where kinds were left out, the others stand for their category.

The interval of a weighted mean of shares is Wilson's at the effective number of items: as many as, all of one kind,
would leave the mean as uncertain as it is. How uncertain each kind's share is follows from its own interval, which
rests on items (resampled within the kind where items repeat); one item right and one wrong are imagined in each kind,
so that a kind with all right is not taken for certain. (In simulations this keeps its 95 %; percentiles of a bootstrap
and adding up the sides of the kinds' intervals in squares both fall to 90 % and below near all right or all wrong.)
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from snellen.analysis.estimates import Floats, Z, wilson
from snellen.charts.blocks import Value

Weights = Mapping[str, float]


def weights(kinds: Mapping[str, str]) -> dict[str, float]:
    """What each kind (name to category) weighs in all."""
    categories = list(kinds.values())
    share = 1 / max(len(set(categories)), 1)
    return {kind: share / categories.count(category) for kind, category in kinds.items()}


def weighted(parts: Iterable[tuple[float, Value]]) -> Value:
    """The weighted mean of shares of different items, with its interval; without a value if a share has none."""
    known = [(weight, value) for weight, value in parts if weight > 0]
    if not known or any(value.value is None for _, value in known):
        return Value(None)
    total = sum(weight for weight, _ in known)
    mean = imagined = variance = 0.0
    for weight, value in known:
        share, point, items = weight / total, value.value or 0.0, effective(value)
        shrunk = (point * items + 1) / (items + 2)
        mean += share * point
        imagined += share * shrunk
        variance += share**2 * shrunk * (1 - shrunk) / items
    low, high = wilson(mean, imagined * (1 - imagined) / variance)
    return Value(mean, min(low, mean), max(high, mean), sum(value.n or 0 for _, value in known))


def effective(value: Value) -> float:
    """How many items a share's interval is worth: those with which Wilson's interval would be as wide."""
    if value.value is None or value.low is None or value.high is None:
        return float(value.n or 1)
    half, square = (value.high - value.low) / 2, Z**2
    spread = value.value * (1 - value.value)
    # half = z sqrt(n spread + z²/4) / (n + z²), squared and solved for n
    linear = 2 * half**2 * square - square * spread
    rest = half**2 * square**2 - square**2 / 4
    return max((-linear + sqrt(max(linear**2 - 4 * half**2 * rest, 0.0))) / (2 * half**2), 1.0)


def ratio(parts: Sequence[tuple[float, Floats, Floats, Floats]]) -> tuple[float, float]:
    """A ratio of two weighted means and its variance, linearised. Each part: its weight and, item by item, what is
    above the line, what is below it, and how many trials both are out of."""
    above, below = (sum(weight * part[k].sum() / part[2].sum() for weight, *part in parts) for k in (0, 1))
    whole, variance = above / below, 0.0
    for weight, top, bottom, trials in parts:
        off = top - whole * bottom
        off = off - trials * off.sum() / trials.sum()
        variance += (weight / trials.sum()) ** 2 * (off**2).sum() * len(off) / max(len(off) - 1, 1)
    return float(whole), float(variance / below**2)


def weighted_difference(parts: Iterable[tuple[float, Value]]) -> Value:
    """The weighted mean of differences on different items; the half-widths of their intervals add up in squares."""
    known = [(weight, value) for weight, value in parts if weight > 0]
    if not known:
        return Value(None)
    total = sum(weight for weight, _ in known)
    mean = sum(weight * (value.value or 0.0) for weight, value in known) / total
    middle = sum(weight * ((value.low or 0.0) + (value.high or 0.0)) / 2 for weight, value in known) / total
    half = sqrt(sum((weight * ((value.high or 0.0) - (value.low or 0.0)) / 2) ** 2 for weight, value in known)) / total
    return Value(mean, min(middle - half, mean), max(middle + half, mean), sum(value.n or 0 for _, value in known))


def difference(a: Value, b: Value) -> Value:
    """One share minus another of other items: the sides of their intervals add up in squares (Newcombe)."""
    if a.value is None or b.value is None or a.low is None or a.high is None or b.low is None or b.high is None:
        return Value(None)
    low = sqrt((a.value - a.low) ** 2 + (b.high - b.value) ** 2)
    high = sqrt((a.high - a.value) ** 2 + (b.value - b.low) ** 2)
    middle = a.value - b.value
    return Value(middle, middle - low, middle + high)


def levels(kinds: Mapping[str, str]) -> list[tuple[str, Sequence[str]]]:
    """What scores there are over these kinds: overall (''), then the categories, each with its kinds."""
    categories = dict.fromkeys(kinds.values())
    own = [(name, [kind for kind, category in kinds.items() if category == name]) for name in categories]
    return [("", list(kinds)), *own]
