"""Work that is broken off in the middle, to be taken up again."""

from collections.abc import Callable
from typing import Any


def stops_at(count: int, really: Callable[..., Any]) -> Callable[..., Any]:
    """A function that fails when it is called for the so manieth time, as if the power had gone."""
    done = 0

    def do(*what: object) -> Any:
        nonlocal done
        done += 1
        if done == count:
            raise OSError("the power went")
        return really(*what)

    return do
