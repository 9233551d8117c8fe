"""Feed-forward layers of awkward widths, padded with zeros for a GPU.

A GPU multiplies matrices of 16-bit numbers at full speed only if their rows begin at multiples of 16 bytes. The vision
towers of Qwen2.5-VL have gated layers of width 3,420, whose rows do not. Zero rows and columns change no product: a
padded unit is act(0) * 0 = 0, and its weight in the sum is 0, too.
"""

from typing import Any

MULTIPLE = 64
"""Widths that kernels divide into equal tiles."""
_ALIGNED = 8
"""So many 16-bit numbers are 16 bytes."""


def widen(model: Any) -> int:
    """Pad the gated layers of a model whose width is not a multiple of 16 bytes; returns how many. Before copies share
    the weights: each would pad its own."""
    return sum(map(_widened, list(model.modules())))


def _widened(part: Any) -> bool:
    from torch.nn import Linear

    layers: list[Any] = [getattr(part, f"{name}_proj", None) for name in ("gate", "up", "down")]
    if not all(type(layer) is Linear for layer in layers):  # another class has another layout
        return False
    gate, up, down = layers
    width = gate.out_features
    if width % _ALIGNED == 0 or not width == up.out_features == down.in_features:
        return False
    missing = -width % MULTIPLE
    for layer in (gate, up):
        _pad(layer, rows=missing)
    _pad(down, columns=missing)
    return True


def _pad(layer: Any, rows: int = 0, columns: int = 0) -> None:
    from torch.nn import Parameter
    from torch.nn.functional import pad

    layer.weight = Parameter(pad(layer.weight.data, (0, columns, 0, rows)), requires_grad=False)
    if layer.bias is not None and rows:
        layer.bias = Parameter(pad(layer.bias.data, (0, rows)), requires_grad=False)
    layer.out_features, layer.in_features = layer.weight.shape
