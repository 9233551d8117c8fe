"""The places of tokens in models of the Qwen-VL family, counted off the GPU.

A picture's tokens have a place in height and width. transformers counts them row by row, in a dozen small steps a row,
each of which asks the GPU something: a fifth of a batch's time, and the GPU has nothing else to do. They are whole
numbers, so they come out the same anywhere.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

_NAME = "get_rope_index"


def count_elsewhere(model: Any) -> None:
    """Have a model that is on a GPU count places on the CPU."""
    inner = getattr(model, model.base_model_prefix, model)
    if hasattr(inner, _NAME) and model.device.type != "cpu":
        setattr(inner, _NAME, counting(getattr(inner, _NAME), "cpu", model.device))


def counting(count: Callable[..., Any], where: Any, home: Any) -> Callable[..., Any]:
    """The same count with whole numbers that are brought there, and what comes of it brought home."""

    @wraps(count)
    def counted(*told: Any, **named: Any) -> Any:
        found = count(*(_at(where, each) for each in told), **{name: _at(where, each) for name, each in named.items()})
        return tuple(_at(home, each) for each in found)

    return counted


def _at(place: Any, value: Any) -> Any:
    import torch

    whole = isinstance(value, torch.Tensor) and not value.is_floating_point()
    return value.to(place) if whole else value
