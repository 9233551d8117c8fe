"""Round numbers on log scales."""

from math import ceil, floor, log10


def round_numbers(low: float, high: float, room: int = 6) -> list[float]:
    """Round numbers on a log scale: powers of ten, with 2 and 5 between them where there is room."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        candidates = [step * 10.0**power for power in powers for step in steps]
        inside = [x for x in candidates if low * 0.999 <= x <= high * 1.001]
        if len(inside) <= room:
            return inside
    return inside


def rounded(x: float) -> str:
    """A number of an axis."""
    return f"{x:,.0f}" if x >= 1 and x == round(x) else number(x)


def number(x: float) -> str:
    """A number with two figures that count, never in powers of ten: 0.52, 2.1, 12, 140."""
    if x >= 99.5:
        return f"{x:,.0f}"
    if x >= 9.95:
        return f"{x:.0f}"
    return f"{x:.1f}" if x >= 0.995 else f"{x:.2f}" if x >= 0.0995 else f"{x:.2g}"
