"""The network while it learns: plain functions over plain tensors, so that one compilation serves all layers.

What learns is a dictionary of tensors by the names that deltas have: the vision tower and the connector as the stock
class names them, `A.k` and `B.k` (the low-rank change of the k-th linear map of the language model is B x A), and
`extra`, the new words. Two more, `things` and `looks`, tell what is in a patch, and are only used on the way.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from recipes.small.eye import HELPERS, Eye
from recipes.small.language import PARTS, Language
from recipes.small.rows import SHARED, Rows
from recipes.small.sheets import PATCHES
from recipes.small.speech import ROOM

_EYE, _LAYER = "vision_model", "vision_model.encoder.layers"
_OF_LAYER = (
    "layer_norm1",
    "self_attn.q_proj",
    "self_attn.k_proj",
    "self_attn.v_proj",
    "self_attn.out_proj",
    "layer_norm2",
    "mlp.fc1",
    "mlp.fc2",
)
_CONNECTOR = "connector.modality_projection.proj.weight"


def fresh(eye: Eye, language: Language, known: Mapping[str, int], seed: int) -> dict[str, Tensor]:
    """What learns, before it does. `known`: how many things and looks there are."""
    dice = torch.Generator().manual_seed(seed)
    width, shape = eye.width, language.shape

    def random(*size: int, spread: float = 0.02) -> Tensor:
        return torch.randn(*size, generator=dice) * spread

    own = {
        f"{_EYE}.embeddings.patch_embedding.weight": random(width, 3, eye.patch, eye.patch),
        f"{_EYE}.embeddings.patch_embedding.bias": torch.zeros(width),
        f"{_EYE}.embeddings.position_embedding.weight": random(PATCHES**2, width),
    }
    calm = 1 / math.sqrt(2 * eye.layers)  # what is added layer by layer does not grow with their number
    for layer in range(eye.layers):
        for part in _OF_LAYER:
            wide = {"mlp.fc1": (4 * width, width), "mlp.fc2": (width, 4 * width)}.get(part, (width, width))
            weight = torch.ones(width) if "norm" in part else random(*wide)
            last = part in ("self_attn.out_proj", "mlp.fc2")
            own[f"{_LAYER}.{layer}.{part}.weight"] = weight * calm if last else weight
            own[f"{_LAYER}.{layer}.{part}.bias"] = torch.zeros(len(weight))
    own[f"{_EYE}.post_layernorm.weight"] = torch.ones(width)
    own[f"{_EYE}.post_layernorm.bias"] = torch.zeros(width)
    own[_CONNECTOR] = random(shape.width, width * eye.shuffle**2)
    for k, (layer, name) in enumerate((layer, name) for layer in range(shape.layers) for name in PARTS.values()):
        out, into = language.tensors[f"layers.{layer}.{name}.weight"].shape
        own[f"A.{k}"] = random(eye.rank, into, spread=1 / math.sqrt(into))
        own[f"B.{k}"] = torch.zeros(out, eye.rank)
    mean = torch.from_numpy(language.tensors["embed_tokens.weight"].mean(0))
    own["extra"] = mean + random(ROOM, shape.width)
    for name in HELPERS:
        own[f"{name}.weight"] = random(known[name], width)
        own[f"{name}.bias"] = torch.zeros(known[name])
    return own


class Network:
    """The language model as it was, what learns, and the passes through both."""

    def __init__(self, eye: Eye, language: Language, own: Mapping[str, Tensor], device: str) -> None:
        self.device = device
        self.dtype = torch.bfloat16 if device == "cuda" else torch.float32
        self.own = {name: value.to(device).clone().requires_grad_() for name, value in own.items()}
        self._eye, self._shape = eye, language.shape
        base = {name: torch.from_numpy(value).to(device, self.dtype) for name, value in language.tensors.items()}
        self._words, self._norm = base["embed_tokens.weight"], base["norm.weight"]
        self._maps = [
            [base[f"layers.{k}.{name}.weight"] for name in PARTS.values()] for k in range(language.shape.layers)
        ]
        self._norms = [
            [base[f"layers.{k}.{name}.weight"] for name in ("input_layernorm", "post_attention_layernorm")]
            for k in range(language.shape.layers)
        ]
        self._see: Callable[..., Tensor] = eye_layer
        self._speak: Callable[..., Tensor] = word_layer

    def hurry(self) -> None:
        """Compile the layers."""
        self._see = torch.compile(eye_layer, dynamic=False)
        self._speak = torch.compile(word_layer, dynamic=False)

    def patiently(self) -> "Network":
        """The same tensors through layers that are not compiled, for passes of other shapes."""
        other = object.__new__(Network)
        other.__dict__ = {**self.__dict__, "_see": eye_layer, "_speak": word_layer}
        return other

    def state_dict(self) -> dict[str, Tensor]:
        return {name: value.detach() for name, value in self.own.items()}

    def load_state_dict(self, kept: Mapping[str, Tensor], strict: bool = True) -> None:
        """Take these; what is not among them stays as it is unless that is against the law."""
        if strict and kept.keys() != self.own.keys():
            raise ValueError("other tensors than there are")
        with torch.no_grad():
            for name, value in kept.items():
                self.own[name].copy_(value)

    def see(self, pictures: Tensor) -> Tensor:
        """What is seen in each patch: pictures x patches x width."""
        own, dtype = self.own, self.dtype
        scaled = pictures.to(self.device, non_blocking=True).permute(0, 3, 1, 2).to(dtype) / 127.5 - 1
        weight, bias = (own[f"{_EYE}.embeddings.patch_embedding.{part}"].to(dtype) for part in ("weight", "bias"))
        patches = functional.conv2d(scaled, weight, bias, stride=self._eye.patch).flatten(2).transpose(1, 2)
        hidden = patches + own[f"{_EYE}.embeddings.position_embedding.weight"].to(dtype)
        for layer in range(self._eye.layers):
            parts = [own[f"{_LAYER}.{layer}.{part}.{kind}"] for part in _OF_LAYER for kind in ("weight", "bias")]
            hidden = self._see(hidden, parts, self._eye.heads)
        return layer_norm(hidden, own[f"{_EYE}.post_layernorm.weight"], own[f"{_EYE}.post_layernorm.bias"])

    def connect(self, seen: Tensor) -> Tensor:
        """What is seen as tokens for the language model, one below the other."""
        shuffled = pixel_shuffle(seen, self._eye.shuffle).to(self.dtype)
        return functional.linear(shuffled, self.own[_CONNECTOR].to(self.dtype)).flatten(0, 1)

    def helped(self, seen: Tensor, helper: str) -> Tensor:
        """Scores of what each patch could be."""
        return functional.linear(seen, self.own[f"{helper}.weight"], self.own[f"{helper}.bias"])

    def words(self) -> Tensor:
        """All words, the new ones last."""
        return torch.cat([self._words, self.own["extra"].to(self.dtype)])

    def speak(self, rows: Rows, connected: Tensor | None, words: Tensor) -> Tensor:
        """What is on its mind after every token that an answer goes on from."""
        tokens, segments, places = (_there(rows[k], self.device) for k in range(3))
        hidden = functional.embedding(tokens, words)
        if connected is not None:
            here, shown = _there(rows.shown_at, self.device), _there(rows.shown, self.device)
            hidden = hidden.flatten(0, 1).index_copy(0, here, connected[shown]).view_as(hidden)
        mask = visible(segments)
        cos, sin = (angle.to(self.dtype) for angle in turns(places, self._shape.head, self._shape.base))
        shape = self._shape
        sizes = (shape.heads, shape.shared, shape.head, shape.tiny)
        count = len(PARTS)
        for k in range(shape.layers):
            low = [[self.own[f"{side}.{count * k + part}"] for part in range(count)] for side in "AB"]
            hidden = self._speak(hidden, mask, (cos, sin), self._maps[k], low, self._norms[k], sizes)
        said = hidden.flatten(0, 1)[_there(rows.said_at, self.device)]
        return root_mean_square(said, self._norm, shape.tiny)


def _there(value: Tensor, device: str) -> Tensor:
    return value.to(device, non_blocking=True)


def visible(segments: Tensor) -> Tensor:
    """Which token sees which: those before it of its own segment, and the shared picture if it is one that leans."""
    one, other = segments[:, :, None], segments[:, None, :]
    length = segments.shape[1]
    before = torch.ones(length, length, dtype=torch.bool, device=segments.device).tril()
    return (((one == other) | ((other == SHARED) & (one > SHARED))) & before)[:, None]


def turns(places: Tensor, head: int, base: float) -> tuple[Tensor, Tensor]:
    """How far the halves of each head turn at a place."""
    paces = base ** (-torch.arange(0, head, 2, device=places.device).float() / head)
    angles = (places.float()[:, :, None] * paces).repeat(1, 1, 2)[:, None]
    return angles.cos(), angles.sin()


def root_mean_square(hidden: Tensor, weight: Tensor, tiny: float) -> Tensor:
    whole = hidden.float()
    return weight * (whole * torch.rsqrt(whole.pow(2).mean(-1, keepdim=True) + tiny)).to(hidden.dtype)


def turned(heads: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = heads.chunk(2, -1)
    return heads * cos + torch.cat((-second, first), -1) * sin


def word_layer(
    hidden: Tensor,
    mask: Tensor,
    turn: tuple[Tensor, Tensor],
    maps: Sequence[Tensor],
    low: Sequence[Sequence[Tensor]],
    norms: Sequence[Tensor],
    sizes: tuple[int, int, int, float],
) -> Tensor:
    """A layer of the language model with its low-rank changes added to the maps."""
    heads, shared, wide, tiny = sizes
    added = zip(maps, low[0], low[1], strict=True)
    query, key, value, out, gate, up, down = ((one.float() + b @ a).to(one.dtype) for one, a, b in added)
    rows, length, _ = hidden.shape
    normed = root_mean_square(hidden, norms[0], tiny)
    q = functional.linear(normed, query).view(rows, length, heads, wide).transpose(1, 2)
    k, v = (functional.linear(normed, one).view(rows, length, shared, wide).transpose(1, 2) for one in (key, value))
    q, k = turned(q, *turn), turned(k, *turn)
    k, v = (one.repeat_interleave(heads // shared, 1) for one in (k, v))
    mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(rows, length, -1)
    hidden = hidden + functional.linear(mixed, out)
    normed = root_mean_square(hidden, norms[1], tiny)
    inner = functional.silu(functional.linear(normed, gate)) * functional.linear(normed, up)
    return hidden + functional.linear(inner, down)


def layer_norm(hidden: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return functional.layer_norm(hidden.float(), (hidden.shape[-1],), weight, bias, 1e-6)


def eye_layer(hidden: Tensor, parts: Sequence[Tensor], heads: int) -> Tensor:
    """A layer of the vision tower; parts are weights and biases by turns."""
    dtype = hidden.dtype
    rows, length, width = hidden.shape

    def linear(into: Tensor, part: int) -> Tensor:
        return functional.linear(into, parts[2 * part].to(dtype), parts[2 * part + 1].to(dtype))

    normed = layer_norm(hidden, parts[0], parts[1]).to(dtype)
    q, k, v = (linear(normed, part).view(rows, length, heads, width // heads).transpose(1, 2) for part in (1, 2, 3))
    mixed = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(rows, length, width)
    hidden = hidden + linear(mixed, 4)
    normed = layer_norm(hidden, parts[10], parts[11]).to(dtype)
    return hidden + linear(functional.gelu(linear(normed, 6), approximate="tanh"), 7)


def pixel_shuffle(seen: Tensor, factor: int) -> Tensor:
    """Squares of patches as one token each, row by row, as the stock connector orders them."""
    rows, length, width = seen.shape
    side = math.isqrt(length)
    squares = seen.view(rows, side // factor, factor, side // factor, factor, width)
    return squares.permute(0, 1, 3, 2, 4, 5).reshape(rows, length // factor**2, width * factor**2)
