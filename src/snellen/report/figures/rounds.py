"""Round numbers on log scales."""

from math import ceil, floor, log10

from snellen.analysis.acuity.sights import number


def round_numbers(low: float, high: float, room: int = 6) -> list[float]:
    """Round numbers on a log scale: powers of ten, with 2 and 5 between them where there is room."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [step * 10.0**power for power in powers for step in steps]
        inside = [x for x in found if low * 0.999 <= x <= high * 1.001]
        if len(inside) <= room:
            return inside
    return inside


def rounded(x: float) -> str:
    """A number of an axis."""
    return f"{x:,.0f}" if x >= 1 and x == round(x) else number(x)
