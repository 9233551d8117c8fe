"""The same proof at two lengths: a short one whenever the tests run, a long one with `make soak`."""

from collections.abc import Iterable
from typing import Any

import pytest


def few_and_more(names: str, few: Iterable[Any], more: Iterable[Any]) -> pytest.MarkDecorator:
    """Gives a test these few values, and with the long proofs more of them."""
    return pytest.mark.parametrize(names, [*few, *(pytest.param(each, marks=pytest.mark.soak) for each in more)])
