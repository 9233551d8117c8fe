"""Numbers as people read them, as on the report page."""

from collections.abc import Callable, Sequence
from math import ceil, floor, isfinite, log10
from typing import Literal

from snellen.charts.blocks import Value
from snellen.charts.marks import NumberTable
from snellen.charts.measure import plain

Unit = Literal["percent", "points", "probability"]
Rows = Sequence[tuple[str, Sequence[Value | None]]]

MISSING = "–"
STEPS = (1, 2, 2.5, 5, 10)
SURE = 9
"""Numbers are rounded to so many decimals before anything else is decided by them. The same sum may differ in its last
bits between machines, and must not round up on one and down on the other."""


def number(value: Value | None) -> float | None:
    """The value's number, None if there is none."""
    return finite(value.value) if value else None


def interval(value: Value | None) -> tuple[float, float] | None:
    """Both ends of the value's interval, None unless both are known."""
    low, high = (finite(value.low), finite(value.high)) if value else (None, None)
    return None if low is None or high is None else (low, high)


def finite(x: float | None) -> float | None:
    """The number, None if it is missing, NaN or infinite."""
    return x if x is not None and isfinite(x) else None


def fixed(x: float, digits: int) -> str:
    """The number with so many decimals and a real minus; what rounds to nothing has no sign."""
    text = f"{abs(x):,.{digits}f}"
    return f"−{text}" if x < 0 and text.strip("0.,") else text


def value_text(value: Value | None, unit: Unit) -> str:
    """A value with its interval."""
    x = number(value)
    if x is None:
        return MISSING
    digits = 2 if unit == "probability" else 1
    text = f"{'+' if unit == 'points' and x > 0 else ''}{fixed(x, digits)}"
    ends = interval(value)
    return f"{text} [{fixed(ends[0], digits)}, {fixed(ends[1], digits)}]" if ends else text


def remark(value: Value) -> str:
    """What else is known of a value: its note, and how many observations it rests on."""
    counted = "" if value.n is None else f"n = {value.n:,}"
    return ", ".join(filter(None, (plain(value.note), counted)))


def share_text(value: Value | None) -> str:
    """A share of 1 in percent."""
    x, ends = number(value), interval(value)
    if x is None:
        return MISSING
    low, high = (100 * ends[0], 100 * ends[1]) if ends else (None, None)
    return f"{value_text(Value(100 * x, low, high), 'percent')} %"


def whole_text(value: Value | None) -> str:
    """The value in whole numbers, with its interval: 12 (8–17)."""
    middle, low, high = whole_numbers(value) if value else (None, None, None)
    if middle is None:
        return MISSING
    if low is None or high is None:
        return _signed(middle)
    between = "–" if low >= 0 else " to "
    return f"{_signed(middle)} ({_signed(low)}{between}{_signed(high)})"


def whole(x: float) -> int:
    """The nearest whole number; a half is rounded up."""
    return floor(round(x, SURE) + 0.5)


def whole_numbers(value: Value) -> tuple[int | None, int | None, int | None]:
    """The value and its ends, rounded; ends that would fall together though they are apart are rounded outwards."""
    known = [finite(x) for x in (value.value, value.low, value.high)]
    middle, low, high = (None if x is None else whole(x) for x in known)
    _, least, most = known
    if low is not None and low == high and least is not None and most is not None and least < most:
        low, high = floor(round(least, SURE)), ceil(round(most, SURE))
    return middle, low, high


def _signed(number: int) -> str:
    """With a real minus."""
    return str(number).replace("-", "−")


def tip_unit(value: Value | None, unit: str) -> str:
    """What follows a number where no axis names its unit; nothing follows a number that is missing."""
    named = {"percent": " %", "points": " points", "nats": " nats"}
    return "" if number(value) is None else named.get(unit, "")


def axis_title(quantity: str, unit: Unit) -> str:
    """What an axis shows, and in which unit."""
    plainest = {"percent": "share", "points": "difference", "probability": "probability"}[unit]
    units = {"percent": " (%)", "points": " (percentage points)", "probability": ""}[unit]
    return f"{plain(quantity) or plainest}{units}"


def share_title(of: str) -> str:
    return f"share of {plain(of)} (%)" if of else "share (%)"


def ticks(low: float, high: float, wanted: float) -> list[float]:
    """Round numbers from low to high, about as many as wanted."""
    raw = (high - low) / max(1.0, wanted)
    power = 10.0 ** floor(log10(raw))
    step = next((m * power for m in STEPS if m * power >= raw * (1 - 1e-9)), raw)
    first, last = floor(low / step + 1 - 1e-9), floor(high / step + 1e-9)
    return [round(k * step, 10) for k in range(first, last + 1)]


def tick_texts(marks: Sequence[float]) -> list[str]:
    """The ticks with as many decimals as the finest of them needs."""
    digits = max((next((d for d in range(3) if abs(x - round(x, d)) < 1e-9), 2) for x in marks), default=0)
    return [fixed(x, digits) for x in marks]


def number_table(corner: str, names: Sequence[str], rows: Rows, text: Callable[[Value | None], str]) -> NumberTable:
    """A chart's numbers in words."""
    texts = tuple((plain(label), tuple(map(text, values))) for label, values in rows)
    return NumberTable(corner, tuple(map(plain, names)), texts)
