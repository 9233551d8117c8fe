"""Going on from changed activations: only the query token runs again, and only through the layers above the patch.

Many patched query tokens go through a layer together: they stand side by side at the same position, each sees what was
before the query token and itself, and none sees another. So the keys and values before it are not copied for them.
"""

from collections.abc import Sequence
from typing import Any

import torch

from snellen.lab.steer.decoder import Decoder, hidden_of
from snellen.lab.steer.labels import Readout
from snellen.lab.steer.prefix import Prefix

TOGETHER, READ = 256, 8
"""So many tokens go through a layer side by side, and so many become logits at once: those are as wide as the
vocabulary."""

Start = tuple[int, torch.Tensor]
"""A patched layer, and what its output at the query token is now: rows x width."""


class _Beside:
    """Stands in for a cache: puts the keys and values of the prefix before those of the tokens, and keeps nothing."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        self._kept = keys, values

    def update(self, keys: torch.Tensor, values: torch.Tensor, *_: Any, **__: Any) -> tuple[torch.Tensor, ...]:
        return torch.cat([self._kept[0], keys], dim=2), torch.cat([self._kept[1], values], dim=2)


def label_scores(logits: torch.Tensor, readout: Readout) -> torch.Tensor:
    """The log-probability of each label: all its ways of being written together."""
    logprobs = torch.log_softmax(logits.float(), dim=-1)
    return torch.stack([torch.logsumexp(logprobs[..., list(own)], dim=-1) for own in readout.choices], dim=-1)


def follow(of: Decoder, prefix: Prefix, starts: Sequence[Start], readout: Readout) -> torch.Tensor:
    """The labels' log-probabilities from each start on: starts x rows x labels."""
    with torch.inference_mode():
        order = sorted(range(len(starts)), key=lambda k: starts[k][0])
        tails: list[torch.Tensor] = [torch.empty(0)] * len(starts)
        for some in (order[k : k + TOGETHER] for k in range(0, len(order), TOGETHER)):
            ends = _ends(of, prefix, [starts[k] for k in some])
            scores = [label_scores(of.logits(few), readout) for few in torch.split(ends, READ, dim=1)]
            for k, own in zip(some, torch.cat(scores, dim=1).unbind(dim=1), strict=True):
                tails[k] = own
        return torch.stack(tails)


def work(of: Decoder, prefix: Prefix, starts: Sequence[Start]) -> float:
    """What following the starts costs, in whole passes over a row: tokens through layers, of all there are in a row."""
    layers = sum(len(of.layers) - 1 - layer for layer, _ in starts)
    return float((layers / (len(of.layers) * prefix.tokens.double())).sum())


def _ends(of: Decoder, prefix: Prefix, starts: Sequence[Start]) -> torch.Tensor:
    """What the last layer makes of the starts, given in the order of their layers: rows x starts x width."""
    rows, width = prefix.outputs[0].shape
    moving = prefix.outputs[0].new_empty((rows, 0, width))
    for place in range(starts[0][0], len(of.layers)):
        if moving.shape[1]:
            moving = _through(of, prefix, place, moving)
        if here := [point for layer, point in starts if layer == place]:
            moving = torch.cat([moving, torch.stack(here, dim=1).to(moving)], dim=1)
    return moving


def _through(of: Decoder, prefix: Prefix, place: int, moving: torch.Tensor) -> torch.Tensor:
    """All tokens through one layer."""
    many = moving.shape[1]
    named = dict(prefix.arguments[place])
    if (turns := named.get("position_embeddings")) is not None:
        named["position_embeddings"] = tuple(torch.cat([turn] * many, dim=-2) for turn in turns)
    if isinstance(where := named.get("position_ids"), torch.Tensor):
        named["position_ids"] = torch.cat([where] * many, dim=-1)
    seen = prefix.sees[place].expand(-1, -1, many, -1)
    own = torch.eye(many, dtype=torch.bool, device=seen.device).expand(len(seen), 1, -1, -1)
    hidden = torch.cat([seen, own], dim=-1).logical_not()
    mask = torch.zeros(hidden.shape, dtype=moving.dtype, device=moving.device)
    mask.masked_fill_(hidden, torch.finfo(moving.dtype).min)
    beside = _Beside(prefix.keys[place], prefix.values[place])
    return hidden_of(of.layers[place](moving, attention_mask=mask, past_key_values=beside, **named))
