"""The model's forward pass in plain numpy: an Idefics3, the architecture of SmolVLM, as transformers runs it.

Written for one short prompt at a time. What a picture looks like to the model, and what it keeps in mind after it, are
worked out once a picture: exams ask about the same board a dozen times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.subjects.tiny.weights import Array, TinyWeights

_VISION_EPS, _TEXT_EPS, _TURN = 1e-6, 1e-6, 10000.0


@dataclass(frozen=True, slots=True)
class KeyValueCache:
    """What each layer keeps of the tokens so far: keys and values, heads by tokens by size."""

    keys: tuple[Array, ...] = ()
    values: tuple[Array, ...] = ()

    @property
    def length(self) -> int:
        return self.keys[0].shape[1] if self.keys else 0


class Network:
    def __init__(self, weights: TinyWeights) -> None:
        self._of = weights.tensors
        self._heads = weights.build["heads"]
        self._patch = weights.build["patch"]
        self._shuffle = weights.build["shuffle"]
        self._vision_layers = range(weights.build["vision_layers"])
        self._text_layers = range(weights.build["text_layers"])

    def look(self, pixels: Sequence[Sequence[Sequence[int]]] | Array) -> Array:
        """A picture (rows, columns, colours from 0 to 255) as the embeddings of its tokens."""
        scaled = np.asarray(pixels, np.float32) / 127.5 - 1
        side, p = len(scaled) // self._patch, self._patch
        patches = scaled.reshape(side, p, side, p, 3).transpose(0, 2, 4, 1, 3).reshape(side * side, -1)
        eye = "model.vision_model.embeddings"
        kernel = self._of[f"{eye}.patch_embedding.weight"]
        x = patches @ kernel.reshape(len(kernel), -1).T + self._of[f"{eye}.patch_embedding.bias"]
        x = x + self._of[f"{eye}.position_embedding.weight"]
        for layer in self._vision_layers:
            x = self._vision_layer(x, f"model.vision_model.encoder.layers.{layer}")
        x = self._layer_norm(x, "model.vision_model.post_layernorm")
        return self._shuffled(x, side) @ self._of["model.connector.modality_projection.proj.weight"].T

    def words(self, tokens: Sequence[int]) -> Array:
        """The embeddings of tokens."""
        return self._embedding[np.asarray(tokens)]

    def read(self, embedded: Array, before: KeyValueCache) -> tuple[Array, KeyValueCache]:
        """Go on reading: how likely each token is next, not yet normed, and what is kept in mind."""
        x, keys, values = embedded, [], []
        turn = self._turns(before.length, len(embedded))
        for layer in self._text_layers:
            name = f"model.text_model.layers.{layer}"
            seen = self._root_norm(x, f"{name}.input_layernorm")
            query, key, value = (self._in_heads(seen @ self._of[f"{name}.self_attn.{w}_proj.weight"].T) for w in "qkv")
            query, key = _turned(query, turn), _turned(key, turn)
            if before.keys:
                key = np.concatenate([before.keys[layer], key], 1)
                value = np.concatenate([before.values[layer], value], 1)
            keys.append(key)
            values.append(value)
            x = x + _attended(query, key, value, causal=True) @ self._of[f"{name}.self_attn.o_proj.weight"].T
            seen = self._root_norm(x, f"{name}.post_attention_layernorm")
            gate = seen @ self._of[f"{name}.mlp.gate_proj.weight"].T
            wide = gate / (1 + np.exp(-gate)) * (seen @ self._of[f"{name}.mlp.up_proj.weight"].T)
            x = x + wide @ self._of[f"{name}.mlp.down_proj.weight"].T
        last = self._root_norm(x[-1], "model.text_model.norm")
        return self._embedding @ last, KeyValueCache(tuple(keys), tuple(values))

    @cached_property
    def _embedding(self) -> Array:
        return self._of["model.text_model.embed_tokens.weight"]

    def _vision_layer(self, x: Array, name: str) -> Array:
        seen = self._layer_norm(x, f"{name}.layer_norm1")
        query, key, value = (self._in_heads(self._linear(seen, f"{name}.self_attn.{w}_proj")) for w in "qkv")
        x = x + self._linear(_attended(query, key, value, causal=False), f"{name}.self_attn.out_proj")
        wide = self._linear(self._layer_norm(x, f"{name}.layer_norm2"), f"{name}.mlp.fc1")
        return x + self._linear(_gelu(wide), f"{name}.mlp.fc2")

    def _linear(self, x: Array, name: str) -> Array:
        return x @ self._of[f"{name}.weight"].T + self._of[f"{name}.bias"]

    def _layer_norm(self, x: Array, name: str) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        normed = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + _VISION_EPS)
        return normed * self._of[f"{name}.weight"] + self._of[f"{name}.bias"]

    def _root_norm(self, x: Array, name: str) -> Array:
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + _TEXT_EPS) * self._of[f"{name}.weight"]

    def _in_heads(self, x: Array) -> Array:
        return x.reshape(len(x), self._heads, -1).transpose(1, 0, 2)

    def _shuffled(self, x: Array, side: int) -> Array:
        """Squares of neighbouring patches, each as one long vector."""
        s = self._shuffle
        squares = x.reshape(side // s, s, side // s, s, -1).transpose(0, 2, 1, 3, 4)
        return squares.reshape((side // s) ** 2, -1)

    def _turns(self, start: int, count: int) -> tuple[Array, Array]:
        """Cosine and sine for each place and each pair of numbers in a head: rotary position embedding."""
        size = self._embedding.shape[1] // self._heads
        speeds = _TURN ** -(np.arange(0, size, 2, dtype=np.float32) / size)
        angles = np.outer(np.arange(start, start + count, dtype=np.float32), speeds)
        both = np.concatenate([angles, angles], 1)
        return np.cos(both).astype(np.float32), np.sin(both).astype(np.float32)


def _turned(x: Array, turn: tuple[Array, Array]) -> Array:
    half = x.shape[-1] // 2
    return x * turn[0] + np.concatenate([-x[..., half:], x[..., :half]], -1) * turn[1]


def _attended(query: Array, key: Array, value: Array, causal: bool) -> Array:
    """Each token's view of those it may see (itself and those before it, if causal), heads side by side again."""
    scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(query.shape[-1]))
    if causal and query.shape[1] > 1:
        later = np.triu(np.ones(scores.shape[1:], bool), 1 + key.shape[1] - query.shape[1])
        scores[:, later] = -np.inf
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    seen = (scores / scores.sum(-1, keepdims=True)) @ value
    together: Array = seen.transpose(1, 0, 2).reshape(seen.shape[1], -1)
    return together


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * (x * x * x))))
