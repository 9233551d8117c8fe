"""Faster eyes for models of the Qwen2-VL family: all windows of a layer at once.

Their vision towers attend within windows and pictures that lie one after another in one long sequence. Without
flash-attn, transformers goes through the windows in a Python loop: at 384 pixels some 450 small calls a picture, about
27 ms however many pictures come at once. Here windows of one length are stacked and attended in one call. It is
registered as an attention function of its own (`AttentionInterface`); "flash" in its name has the towers hand over
whole sequences with their bounds, as they would to flash-attn. Where a tower does not, it is plain attention.
"""

from inspect import signature
from itertools import pairwise
from threading import local
from typing import Any

NAME = "snellen_windows_like_flash"

_last = local()


def mend(model: Any) -> bool:
    """Have the vision towers of a model attend to all windows at once; whether it has any that can."""
    from transformers import AttentionInterface, PreTrainedModel

    towers = [part for part in model.modules() if isinstance(part, PreTrainedModel) and _goes_by_windows(part)]
    for tower in towers:
        if tower.config._attn_implementation in ("sdpa", "eager"):
            AttentionInterface.register(NAME, attend)
            tower.config._attn_implementation = NAME
    return bool(towers)


def _goes_by_windows(part: Any) -> bool:
    """Whether this is a vision tower whose layers are told the bounds of windows, and nothing but such a tower."""
    blocks = getattr(part, "blocks", ())
    return len(blocks) > 0 and all("cu_seqlens" in signature(block.forward).parameters for block in blocks)


def attend(
    module: Any,
    query: Any,
    key: Any,
    value: Any,
    attention_mask: Any,
    scaling: float | None = None,
    dropout: float = 0.0,
    cu_seq_lens_q: Any = None,
    **more: Any,
) -> tuple[Any, None]:
    """Attention within each stretch that the bounds mark out: (1, heads, length, width) in, heads and length swapped
    out."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    if cu_seq_lens_q is None:
        out = scaled_dot_product_attention(query, key, value, attention_mask, dropout, scale=scaling)
        return out.transpose(1, 2).contiguous(), None
    out = torch.empty_like(query[0].transpose(0, 1))
    for places in _stretches(cu_seq_lens_q, query.device):
        q, k, v = (part[0].transpose(0, 1)[places].transpose(1, 2) for part in (query, key, value))
        within = scaled_dot_product_attention(q, k, v, dropout_p=dropout, scale=scaling)
        out[places] = within.transpose(1, 2)
    return out.unsqueeze(0), None


def _stretches(bounds: Any, device: Any) -> list[Any]:
    """For each length of a stretch the places of all stretches of that length: (stretches, length).

    All layers of a tower are given the same bounds, so what they mean is worked out once."""
    import torch

    kept: list[tuple[Any, list[Any]]] = getattr(_last, "known", [])
    for told, places in kept:
        if told is bounds:
            return places
    ends = bounds.tolist()
    starts: dict[int, list[int]] = {}
    for start, end in pairwise(ends):
        if end > start:
            starts.setdefault(end - start, []).append(start)
    places = [(torch.tensor(begun)[:, None] + torch.arange(length)).to(device) for length, begun in starts.items()]
    _last.known = [*kept[-1:], (bounds, places)]
    return places
