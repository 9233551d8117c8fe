"""What the vision tower of Qwen2.5-VL has to know of its pictures' sizes, worked out once for each size.

Where every patch stands, which window it belongs to, where windows and pictures end: transformers works this out anew
for each picture, in some thirty small steps. Several threads that do so at once wait for one another at every step, and
the GPU waits for them. Here its own functions are asked about one picture of each size, off the GPU, and what they say
is put together for all pictures of a batch. A tower takes it for what its caller has worked out beforehand.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from snellen.subjects.local.windows import NAME

Size = tuple[int, ...]
"""How many patches a picture has: in time, in height, in width."""


class Laid(NamedTuple):
    """One picture. `places`: of its patches; `order`: of its tokens, window by window; where its frames and windows
    begin and end."""

    places: Any
    order: Any
    frames: Any
    windows: Any


def lay_out_beforehand(model: Any) -> bool:
    """Have the towers of a model told what comes of sizes; whether it has any that can be."""
    towers = [part for part in model.modules() if _can_be_told(part)]
    for tower in towers:
        if _tell not in tower._forward_pre_hooks.values():
            tower.register_forward_pre_hook(_tell, with_kwargs=True)
    return bool(towers)


def _can_be_told(part: Any) -> bool:
    try:
        import transformers.vision_utils  # noqa: F401  not in every release
        from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VisionTransformerPretrainedModel
    except ImportError:
        return False
    return isinstance(part, Qwen2_5_VisionTransformerPretrainedModel)


def _tell(tower: Any, told: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any] | None:
    """What a tower is told beside its pixels and sizes, as a hook that is called before it looks."""
    if tower.config._attn_implementation != NAME:  # others want the bounds on their device
        return None
    sizes = named["grid_thw"] if "grid_thw" in named else told[1]
    return told, {**layout(tower, [tuple(size) for size in sizes.tolist()], sizes.device), **named}


def layout(tower: Any, sizes: Sequence[Size], device: Any) -> dict[str, Any]:
    """What a tower works out of the sizes of its pictures, by the names it gives it."""
    from torch import from_numpy

    alone = [_alone(size, tower.spatial_merge_size, tower.window_size, tower.patch_size) for size in sizes]
    frames, windows = _joined([picture.frames for picture in alone]), _joined([picture.windows for picture in alone])
    before = accumulate((len(picture.order) for picture in alone[:-1]), initial=0)
    order = np.concatenate([picture.order + start for picture, start in zip(alone, before, strict=True)])
    return {
        "position_ids": from_numpy(np.concatenate([picture.places for picture in alone])).to(device),
        "window_index": from_numpy(order).to(device),
        "cu_seqlens": from_numpy(frames),
        "cu_window_seqlens": from_numpy(windows),
        "max_seqlen": int(np.diff(frames).max()),
        "max_window_seqlen": int(np.diff(windows).max()),
    }


@lru_cache(maxsize=1024)
def _alone(size: Size, merge: int, window: int, patch: int) -> Laid:
    from torch import tensor
    from transformers.vision_utils import get_vision_cu_seqlens, get_vision_position_ids, get_vision_window_index

    grid = tensor([size])
    order, windows = get_vision_window_index(grid, merge, window, patch)
    places, frames = get_vision_position_ids(grid, merge), get_vision_cu_seqlens(grid)
    return Laid(*(laid.numpy() for laid in (places, order, frames, windows)))


def _joined(bounds: Sequence[Any]) -> Any:
    """The bounds of pictures that lie one after another."""
    before = accumulate((int(bound[-1]) for bound in bounds[:-1]), initial=0)
    ends = [bound[1:] + start for bound, start in zip(bounds, before, strict=True)]
    return np.concatenate([bounds[0][:1], *ends]).astype(bounds[0].dtype)
