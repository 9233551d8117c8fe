"""A language model of a few thousand random parameters in a GGUF, with a tokenizer learnt from a few sentences."""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

Array = NDArray[np.float32]
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
WIDTH, INNER, LAYERS, HEADS, SHARED, HEAD = 64, 96, 2, 4, 2, 16
PLAIN, FOUR, EIGHT = 0, 3, 8


def write_dwarf(path: Path, sentences: list[str], words: int = 600) -> None:
    tokens, merges = _learnt(sentences, words)
    settings = {
        "llama.embedding_length": WIDTH,
        "llama.feed_forward_length": INNER,
        "llama.block_count": LAYERS,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": SHARED,
        "llama.rope.dimension_count": HEAD,
        "llama.rope.freq_base": 10000.0,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if token in SPECIAL else 1 for token in tokens],
        "tokenizer.ggml.merges": merges,
    }
    path.write_bytes(gguf(settings, _weights(len(tokens))))


def _learnt(sentences: list[str], words: int) -> tuple[list[str], list[str]]:
    own = Tokenizer(models.BPE())
    own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    own.train_from_iterator(
        sentences,
        trainers.BpeTrainer(
            vocab_size=words, special_tokens=[*SPECIAL], initial_alphabet=alphabet, show_progress=False
        ),
    )
    model = json.loads(own.to_str())["model"]
    return sorted(model["vocab"], key=model["vocab"].get), [" ".join(merge) for merge in model["merges"]]


def _weights(words: int) -> dict[str, tuple[int, Array]]:
    dice = np.random.default_rng(7)

    def random(*shape: int) -> Array:
        return (dice.standard_normal(shape) * 0.1).astype(np.float32)

    tensors = {"token_embd.weight": (EIGHT, random(words, WIDTH)), "output_norm.weight": (PLAIN, 1 + random(WIDTH))}
    for k in range(LAYERS):
        shapes = {
            "attn_q": (HEADS * HEAD, WIDTH),
            "attn_k": (SHARED * HEAD, WIDTH),
            "attn_v": (SHARED * HEAD, WIDTH),
            "attn_output": (WIDTH, HEADS * HEAD),
            "ffn_gate": (INNER, WIDTH),
            "ffn_up": (INNER, WIDTH),
            "ffn_down": (WIDTH, INNER),
        }
        tensors |= {f"blk.{k}.{name}.weight": (FOUR, random(*shape)) for name, shape in shapes.items()}
        tensors |= {f"blk.{k}.{name}.weight": (PLAIN, 1 + random(WIDTH)) for name in ("attn_norm", "ffn_norm")}
    return tensors


def gguf(settings: Mapping[str, Any], tensors: Mapping[str, tuple[int, Array]]) -> bytes:
    """A whole file, packed as llama.cpp does."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(settings))
    for key, value in settings.items():
        head += _string(key) + _value(value)
    body = b""
    for name, (kind, array) in tensors.items():
        sizes = array.shape[::-1]
        head += _string(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, len(body))
        packed = {PLAIN: _plain, FOUR: four_bits, EIGHT: eight_bits}[kind](array)
        body += packed + b"\0" * (-len(packed) % 32)
    return head + b"\0" * (-len(head) % 32) + body


def _plain(array: Array) -> bytes:
    return array.astype("<f4").tobytes()


def eight_bits(array: Array) -> bytes:
    blocks = array.reshape(-1, 32)
    scale = (np.abs(blocks).max(1, keepdims=True) / 127).astype("<f2")
    whole = np.round(blocks / scale.astype(np.float32)).clip(-127, 127).astype(np.int8)
    return b"".join(one.tobytes() + many.tobytes() for one, many in zip(scale, whole, strict=True))


def four_bits(array: Array) -> bytes:
    blocks = array.reshape(-1, 32)
    least = blocks.min(1, keepdims=True).astype("<f2")
    scale = ((blocks.max(1, keepdims=True) - least) / 15).astype("<f2")
    whole = np.round((blocks - least) / scale.astype(np.float32)).clip(0, 15).astype(np.uint8)
    halves = whole[:, :16] | whole[:, 16:] << 4
    return b"".join(a.tobytes() + b.tobytes() + c.tobytes() for a, b, c in zip(scale, least, halves, strict=True))


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    kind, each = (8, _string) if isinstance(value[0], str) else (5, lambda one: struct.pack("<i", one))
    return struct.pack("<IIQ", 9, kind, len(value)) + b"".join(each(one) for one in value)
