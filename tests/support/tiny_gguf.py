"""A language model and an image encoder of random weights for llama.cpp: bytes are tokens, pictures have 56 px."""

from pathlib import Path

import gguf
import numpy as np

WIDTH, FEED_FORWARD, HEADS, LAYERS = 64, 128, 4, 2
EYES_WIDTH, SIDE, PATCH = 32, 56, 14
SPECIAL = [b"<unk>", b"<s>", b"</s>"]
CHAT = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: "


class _Weights:
    def __init__(self, file: Path, architecture: str, seed: int) -> None:
        self.writer = gguf.GGUFWriter(str(file), architecture)
        self._rng = np.random.default_rng(seed)

    def random(self, name: str, *shape: int) -> None:
        self.writer.add_tensor(name, (self._rng.standard_normal(shape) * 0.05).astype(np.float32))

    def linear(self, name: str, out: int, *into: int) -> None:
        self.random(f"{name}.weight", out, *into)
        self.random(f"{name}.bias", out)

    def close(self) -> None:
        self.writer.write_header_to_file()
        self.writer.write_kv_data_to_file()
        self.writer.write_tensors_to_file()
        self.writer.close()


def make_language_model(file: Path) -> Path:
    weights = _Weights(file, "llama", 0)
    about = weights.writer
    tokens = [*SPECIAL, *(b"<0x%02X>" % byte for byte in range(256))]
    about.add_context_length(8192)
    about.add_embedding_length(WIDTH)
    about.add_block_count(LAYERS)
    about.add_feed_forward_length(FEED_FORWARD)
    about.add_head_count(HEADS)
    about.add_head_count_kv(HEADS)
    about.add_layer_norm_rms_eps(1e-5)
    about.add_rope_dimension_count(WIDTH // HEADS)
    about.add_vocab_size(len(tokens))
    about.add_tokenizer_model("llama")
    about.add_token_list(tokens)
    about.add_token_scores([0.0] * len(tokens))
    about.add_token_types([gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2, *[gguf.TokenType.BYTE] * 256])
    about.add_bos_token_id(1)
    about.add_eos_token_id(2)
    about.add_unk_token_id(0)
    about.add_chat_template(CHAT)
    for name in ("token_embd", "output"):
        weights.random(f"{name}.weight", len(tokens), WIDTH)
    norms = ["output_norm"]
    for k in range(LAYERS):
        norms += [f"blk.{k}.attn_norm", f"blk.{k}.ffn_norm"]
        for name in ("q", "k", "v", "output"):
            weights.random(f"blk.{k}.attn_{name}.weight", WIDTH, WIDTH)
        for name in ("gate", "up"):
            weights.random(f"blk.{k}.ffn_{name}.weight", FEED_FORWARD, WIDTH)
        weights.random(f"blk.{k}.ffn_down.weight", WIDTH, FEED_FORWARD)
    for name in norms:
        about.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
    weights.close()
    return file


def make_image_encoder(file: Path) -> Path:
    """With LLaVA's projector of two layers."""
    weights = _Weights(file, "clip", 1)
    about = weights.writer
    about.add_bool("clip.has_vision_encoder", True)
    about.add_bool("clip.use_gelu", True)
    about.add_string("clip.projector_type", "mlp")
    sizes = {"image_size": SIDE, "patch_size": PATCH, "embedding_length": EYES_WIDTH, "block_count": LAYERS}
    sizes |= {"feed_forward_length": 2 * EYES_WIDTH, "projection_dim": WIDTH, "attention.head_count": 2}
    for name, size in sizes.items():
        about.add_uint32(f"clip.vision.{name}", size)
    about.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
    for name in ("mean", "std"):
        about.add_array(f"clip.vision.image_{name}", [0.5] * 3)
    weights.random("v.class_embd", EYES_WIDTH)
    weights.random("v.patch_embd.weight", EYES_WIDTH, 3, PATCH, PATCH)
    weights.random("v.position_embd.weight", (SIDE // PATCH) ** 2 + 1, EYES_WIDTH)
    for name in ("v.pre_ln", "v.post_ln", *(f"v.blk.{k}.ln{n}" for k in range(LAYERS) for n in (1, 2))):
        weights.linear(name, EYES_WIDTH)
    for k in range(LAYERS):
        for name in ("q", "k", "v", "out"):
            weights.linear(f"v.blk.{k}.attn_{name}", EYES_WIDTH, EYES_WIDTH)
        weights.linear(f"v.blk.{k}.ffn_up", 2 * EYES_WIDTH, EYES_WIDTH)
        weights.linear(f"v.blk.{k}.ffn_down", EYES_WIDTH, 2 * EYES_WIDTH)
    weights.linear("mm.0", WIDTH, EYES_WIDTH)
    weights.linear("mm.2", WIDTH, WIDTH)
    weights.close()
    return file
