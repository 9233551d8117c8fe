"""The same proof at two lengths: a short one whenever the tests run, a long one with `make soak`."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

LONG = [True]
"""Whether the long proofs are among those asked for (`tests/conftest.py`): if not, their values are not collected."""


def few_and_more(names: str | tuple[str, ...], few: Iterable[Any], more: Iterable[Any]) -> pytest.MarkDecorator:
    """Gives a test these few values, and with the long proofs more of them."""
    return pytest.mark.parametrize(names, [*few, *(_long(names, value) for value in more if LONG[0])])


def some_of(
    names: str | tuple[str, ...], values: Iterable[Any], every: int, ids: Iterable[str] | None = None
) -> pytest.MarkDecorator:
    """Gives a test one value in so many, and with the long proofs the others, too."""
    step = 1 if LONG[0] else every
    marked = [_long(names, value) if place % every else value for place, value in enumerate(values)]
    return pytest.mark.parametrize(names, marked[::step], ids=None if ids is None else list(ids)[::step])


def examples(few: int, more: int) -> settings:
    """Tries a property on few examples, and with the long proofs on more."""
    return settings(max_examples=more if LONG[0] else few, deadline=None)


def _long(names: str | tuple[str, ...], value: Any) -> Any:
    several = isinstance(names, tuple) or "," in names
    return pytest.param(*(value if several else (value,)), marks=pytest.mark.soak)
