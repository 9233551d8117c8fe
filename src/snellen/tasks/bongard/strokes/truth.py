"""Yes, no, or hard to say.

A drawing that a careful person could judge either way must not decide a problem. So every judgement about geometry
has a zone between yes and no, and gives None there.
"""

from collections.abc import Iterable

Truth = bool | None


def near(value: float, target: float, tight: float, loose: float) -> Truth:
    """Is the value the target? Yes up to `tight` away from it, no from `loose` on."""
    away = abs(value - target)
    return True if away <= tight else False if away >= loose else None


def above(value: float, low: float, high: float) -> Truth:
    """Is the value large? No up to `low`, yes from `high` on."""
    return True if value >= high else False if value <= low else None


def every(truths: Iterable[Truth]) -> Truth:
    """All of them; one no settles it."""
    doubt = False
    for truth in truths:
        if truth is False:
            return False
        doubt |= truth is None
    return None if doubt else True


def some(truths: Iterable[Truth]) -> Truth:
    """At least one of them; one yes settles it."""
    doubt = False
    for truth in truths:
        if truth:
            return True
        doubt |= truth is None
    return None if doubt else False


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth
