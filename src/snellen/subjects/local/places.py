"""The places of tokens in models of the Qwen-VL family, counted once for each row of a kind, off the GPU.

A picture's tokens have a place in height and width. transformers counts them row by row, in a dozen small steps a row,
each of which asks the GPU something: a fifth of a batch's time, and the GPU has nothing else to do. They are whole
numbers, so they come out the same anywhere; and all that matters of a row is where in it pictures are, and their sizes.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np

from snellen.subjects.local.memory import TensorCache

_NAME = "get_rope_index"
_KINDS = "mm_token_type_ids"
_KNOWN = ("qwen2_vl", "qwen2_5_vl", "qwen3_vl")
"""Models that count a row by the kinds of its tokens, whatever the tokens are."""
_REMEMBERED = 2**26
"""How many bytes of places a model keeps."""
_PICTURE = 1
"""The kind of a token that is of a picture; 0: of words."""
Row = tuple[Any, Any]
"""The places of a row's tokens, in three dimensions, and how far the next one is from where it would be in words."""


def count_elsewhere(model: Any) -> None:
    """Have a model count places on the CPU, and remember them if it is known how it counts."""
    inner = getattr(model, model.base_model_prefix, model)
    if not hasattr(inner, _NAME) or _NAME in vars(inner):
        return
    count = getattr(inner, _NAME)
    elsewhere = counting(count, "cpu", model.device)
    is_countable = model.config.model_type in _KNOWN and _KINDS in signature(count).parameters  # not in every release
    setattr(inner, _NAME, by_rows(count, elsewhere) if is_countable else elsewhere)


def counting(count: Callable[..., Any], where: Any, home: Any) -> Callable[..., Any]:
    """The same count with whole numbers that are brought there, and what comes of it brought home."""

    @wraps(count)
    def counted(*told: Any, **named: Any) -> Any:
        counts = count(
            *(_at(where, tensor) for tensor in told), **{name: _at(where, tensor) for name, tensor in named.items()}
        )
        return tuple(_at(home, tensor) for tensor in counts)

    return counted


def by_rows(count: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """The same count, of every row by itself, and once for rows alike; `otherwise` if there is more to the rows."""
    cache: TensorCache[tuple[bytes, bytes], Row] = TensorCache(_REMEMBERED)

    @wraps(count)
    def counted(input_ids: Any, *rest: Any, **named: Any) -> Any:
        from torch import from_numpy

        rows = None if rest else _rows(input_ids, named)
        if rows is None:
            return otherwise(input_ids, *rest, **named)
        shape = tuple(input_ids.shape)
        places, shifts = np.zeros((3, *shape), dtype=np.int64), np.zeros((shape[0], 1), dtype=np.int64)
        for number, (here, kinds, sizes) in enumerate(rows):
            key = kinds.tobytes(), sizes.tobytes()
            places[:, number, here], shifts[number] = cache.made(key, lambda: _alone(count, kinds, sizes))  # noqa: B023
        return tuple(from_numpy(array).to(input_ids.device) for array in (places, shifts))

    return counted


def _rows(input_ids: Any, named: Mapping[str, Any]) -> list[tuple[Any, Any, Any]] | None:
    """Of each row where its tokens are, what kinds they are of, and the sizes of its pictures; None if there is
    anything else to it."""
    kinds, mask, sizes = (named.get(name) for name in (_KINDS, "attention_mask", "image_grid_thw"))
    if kinds is None or mask is None or sizes is None or named.get("video_grid_thw") is not None:
        return None
    if input_ids.dim() != 2 or not input_ids.shape == kinds.shape == mask.shape:
        return None
    # As numbers of one width: rows are told apart by their bytes
    every, here, left = kinds.cpu().long().numpy(), mask.cpu().numpy() != 0, sizes.cpu().long().numpy()
    rows = []
    for kind, shown in zip(every, here, strict=True):
        own = kind[shown]
        many = int(np.count_nonzero(np.diff(own == _PICTURE, prepend=False) & (own == _PICTURE)))
        rows.append((shown, own, left[:many]))
        left = left[many:]
    return None if len(left) or every.max() > _PICTURE else rows


def _alone(count: Callable[..., Any], kinds: Any, sizes: Any) -> Row:
    """One row without padding."""
    from torch import from_numpy, ones, zeros

    row = (1, len(kinds))
    seen = from_numpy(sizes) if len(sizes) else None
    places, shift = count(
        zeros(row, dtype=int),
        image_grid_thw=seen,
        attention_mask=ones(row, dtype=int),
        **{_KINDS: from_numpy(kinds)[None]},
    )
    return places[:, 0].numpy(), shift[0].numpy()


def _at(place: Any, value: Any) -> Any:
    import torch

    whole = isinstance(value, torch.Tensor) and not value.is_floating_point()
    return value.to(place) if whole else value
