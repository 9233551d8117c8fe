"""Going on from changed activations: only the tail of each row runs again, and only through the layers above the patch.

Many tails go through a layer together: they stand side by side at the same position, each sees what was before the
query token and itself, and none sees another. So the keys and values of the prefix are not copied for them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from snellen.lab.steer.decoder import Decoder, hidden_of
from snellen.lab.steer.labels import Readout
from snellen.lab.steer.prefix import Prefix

TOGETHER, READ = 256, 8
"""So many tokens go through a layer side by side, and so many ends become logits at once: those are as wide as the
vocabulary."""

Start = tuple[int, torch.Tensor]
"""A patched layer, and what its output at the query token is now: rows x width."""


class _Beside:
    """Stands in for a cache: puts the keys and values of the prefix before those of the tails, and keeps nothing."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        self._kept = keys, values

    def update(self, keys: torch.Tensor, values: torch.Tensor, *_: Any, **__: Any) -> tuple[torch.Tensor, ...]:
        return torch.cat([self._kept[0], keys], dim=2), torch.cat([self._kept[1], values], dim=2)


def label_scores(logits: torch.Tensor, readout: Readout) -> torch.Tensor:
    """The log-probability of each label: all its ways of being written together."""
    known = torch.log_softmax(logits.float(), dim=-1)
    return torch.stack([torch.logsumexp(known[..., list(own)], dim=-1) for own in readout.choices], dim=-1)


def follow(of: Decoder, prefix: Prefix, starts: Sequence[Start], readout: Readout) -> torch.Tensor:
    """The labels' log-probabilities from each start on: starts x rows x labels."""
    with torch.inference_mode():
        order = sorted(range(len(starts)), key=lambda k: starts[k][0])
        found: list[torch.Tensor] = [torch.empty(0)] * len(starts)
        for some in _together(order, max(1, TOGETHER // prefix.tail)):
            ends = _ends(of, prefix, [starts[k] for k in some])
            scores = [label_scores(of.logits(few), readout) for few in ends.split(READ, dim=1)]
            for k, own in zip(some, torch.cat(scores, dim=1).unbind(dim=1), strict=True):
                found[k] = own
        return torch.stack(found)


def work(of: Decoder, prefix: Prefix, starts: Sequence[Start]) -> float:
    """What following the starts costs, in whole passes over a row: tokens through layers, of all there are in a row."""
    layers = sum(len(of.layers) - 1 - layer for layer, _ in starts)
    return float((prefix.tail * layers / (len(of.layers) * prefix.tokens.double())).sum())


def _together(order: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    return (order[k : k + most] for k in range(0, len(order), most))


def _ends(of: Decoder, prefix: Prefix, starts: Sequence[Start]) -> torch.Tensor:
    """Starts in the order of their layers; what the last layer makes of the ends of their tails: rows x starts x width."""
    rows, _, width = prefix.outputs[0].shape
    moving = prefix.outputs[0].new_empty((rows, 0, width))
    for place in range(starts[0][0], len(of.layers)):
        if moving.shape[1]:
            moving = _through(of, prefix, place, moving)
        if here := [point for layer, point in starts if layer == place]:
            moving = torch.cat([moving, _tails(prefix, place, here)], dim=1)
    return moving[:, prefix.tail - 1 :: prefix.tail]


def _tails(prefix: Prefix, place: int, points: Sequence[torch.Tensor]) -> torch.Tensor:
    """The layer's output at the tail with each point put in place of the query token: rows x (points x tail) x width."""
    kept = prefix.outputs[place]
    patched = torch.stack(list(points), dim=1).to(kept)
    after = kept[:, None, 1:].expand(-1, patched.shape[1], -1, -1)
    return torch.cat([patched[:, :, None], after], dim=2).flatten(1, 2)


def _through(of: Decoder, prefix: Prefix, place: int, moving: torch.Tensor) -> torch.Tensor:
    """All tails through one layer."""
    many = moving.shape[1] // prefix.tail
    named = dict(prefix.arguments[place])
    if (turns := named.get("position_embeddings")) is not None:
        named["position_embeddings"] = tuple(torch.cat([turn] * many, dim=-2) for turn in turns)
    for name in ("position_ids", "cache_position"):
        if isinstance(where := named.get(name), torch.Tensor):
            named[name] = torch.cat([where] * many, dim=-1)
    keys, values = prefix.keys[place], prefix.values[place]
    mask = _mask(prefix, place, many, moving.dtype)
    return hidden_of(
        of.layers[place](moving, attention_mask=mask, past_key_values=_Beside(keys, values), **named)
    )


def _mask(prefix: Prefix, place: int, many: int, dtype: torch.dtype) -> torch.Tensor:
    """What each token of the tails may attend to, as something to add: what its row saw, and its own tail so far."""
    seen = prefix.sees[place].repeat(1, 1, many, 1)
    causal = torch.ones((prefix.tail, prefix.tail), dtype=torch.bool, device=seen.device).tril()
    own = torch.block_diag(*[causal] * many).to(torch.bool).expand(len(seen), 1, -1, -1)
    allowed = torch.cat([seen, own], dim=-1)
    return torch.zeros(allowed.shape, dtype=dtype, device=seen.device).masked_fill(~allowed, torch.finfo(dtype).min)
