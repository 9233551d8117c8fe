"""Whole Hugging Face model folders of a few thousand random parameters, made on the spot for the tests.

Four stock architectures, each with its config, safetensors weights, a tokenizer of single characters and a few
whole words, a chat template, and the picture tokens and image processor that the architecture wants. Random weights
answer nonsense, but the same nonsense every time: enough to show that loading, batching, caching, training and
patching do what they should.

    folder = make("idefics3", tmp_path / "model")
    load(folder)
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

# Words a test may want as one token each: answers of boards and choices, and the roles of a chat.
WORDS = ("X", "O", "Yes", "No", "yes", "no", "user", "assistant", "system", "User", "Assistant", "System", "model")
PADDING, START, END = "<pad>", "<s>", "<end>"
# The picture tokens of each architecture; the first one stands for a picture in the chat template.
PICTURE = {
    "idefics3": ("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>"),
    "qwen2_5_vl": ("<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>"),
    "llava_onevision": ("<image>", "<video>"),
    "gemma3": ("<start_of_image>", "<end_of_image>", "<image_soft_token>"),
}
ARCHITECTURES: tuple[str, ...] = tuple(PICTURE)
# For tests of each: two whenever tests run, all with the long proofs
EACH: list[Any] = [*ARCHITECTURES[:2], *(pytest.param(name, marks=pytest.mark.soak) for name in ARCHITECTURES[2:])]
# Made as well, but not tried everywhere: its features go into several layers.
DEEP = "qwen3_vl"
PICTURE[DEEP] = PICTURE["qwen2_5_vl"]
WIDTH, LAYERS, HEADS = 16, 4, 2  # four layers, so that late and early ones differ in steering
PIXELS = 32  # side of the picture the models see
TEXT: dict[str, Any] = {
    "hidden_size": WIDTH,
    "intermediate_size": 2 * WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": 1,
    "max_position_embeddings": 4096,
    "tie_word_embeddings": False,
}
SIGLIP: dict[str, Any] = {
    "hidden_size": WIDTH,
    "intermediate_size": 2 * WIDTH,
    "num_hidden_layers": 2,
    "num_attention_heads": HEADS,
    "image_size": PIXELS,
    "patch_size": 8,
}


def make(architecture: str, folder: str | Path, seed: int = 0) -> Path:
    """A model folder of this architecture with random weights from this seed; the folder is made if need be."""
    import torch

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _tokenizer(architecture)
    config, build, processor = _MAKERS[architecture](tokenizer)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = build(config)
        # The usual start (std 0.02) leaves every output nearly the same: wider weights make pictures and words matter.
        with torch.no_grad():
            for weight in model.parameters():
                if weight.dim() > 1:
                    weight.normal_(0.0, 0.25)
    for setting in (model.generation_config,):
        setting.pad_token_id, setting.eos_token_id = tokenizer.pad_token_id, tokenizer.eos_token_id
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    _save_processor(folder, processor)
    return folder


def chat_template(architecture: str) -> str:
    """Every turn as `role: content`, pictures as the architecture's own token, then the turn of the model."""
    picture = PICTURE[architecture][0]
    if architecture in ("qwen2_5_vl", DEEP):
        picture = f"<|vision_start|>{picture}<|vision_end|>"
    return (
        "<s>{% for message in messages %}{{ message['role'] }}: "
        "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
        "{% for part in message['content'] %}"
        "{% if part['type'] == 'image' %}" + picture + "{% else %}{{ part['text'] }}{% endif %}"
        "{% endfor %}{% endif %}<end>\n{% endfor %}"
        "{% if add_generation_prompt %}assistant: {% endif %}"
    )


def _tokenizer(architecture: str) -> PreTrainedTokenizerFast:
    from tokenizers import Regex, Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    special = [PADDING, START, END, *PICTURE[architecture]]
    tokens = [*special, "<unk>", *string.printable[:95], "\n", *(word for word in WORDS if len(word) > 1)]
    tokenizer = Tokenizer(WordLevel({token: place for place, token in enumerate(tokens)}, unk_token="<unk>"))
    # A listed word that stands alone is one token, everything else goes character by character.
    words = "|".join(sorted((word for word in WORDS if len(word) > 1), key=len, reverse=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(rf"\b(?:{words})\b|[\s\S]"), "isolated")
    tokenizer.decoder = decoders.Fuse()
    names: dict[str, Any] = {}
    if architecture == "gemma3":
        opening, closing, soft = PICTURE[architecture]
        names["extra_special_tokens"] = {"boi_token": opening, "eoi_token": closing, "image_token": soft}
    else:
        names["additional_special_tokens"] = list(PICTURE[architecture])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PADDING,
        bos_token=START,
        eos_token=END,
        unk_token="<unk>",
        padding_side="left",
        chat_template=chat_template(architecture),
        **names,
    )


def _save_processor(folder: Path, processor: dict[str, Any]) -> None:
    """The two small files a processor is read from; written by hand, as building one needs torchvision for some."""
    picture = processor.pop("image_processor")
    (folder / "preprocessor_config.json").write_text(
        json.dumps({**picture, "processor_class": processor["processor_class"]}, indent=2)
    )
    (folder / "processor_config.json").write_text(json.dumps(processor, indent=2))


_Made = tuple[Any, Callable[[Any], Any], dict[str, Any]]
_HALVES = {"image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5]}


def _ids(tokenizer: PreTrainedTokenizerFast) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
    }


def _idefics3(tokenizer: PreTrainedTokenizerFast) -> _Made:
    from transformers import Idefics3Config, Idefics3ForConditionalGeneration

    config = Idefics3Config(
        vision_config=SIGLIP,
        text_config={"model_type": "llama", **TEXT, **_ids(tokenizer)},
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        pad_token_id=tokenizer.pad_token_id,
    )
    processor = {
        "processor_class": "Idefics3Processor",
        "image_seq_len": (PIXELS // 8) ** 2 // 4,
        "image_processor": {
            "image_processor_type": "Idefics3ImageProcessor",
            "do_image_splitting": False,
            "size": {"longest_edge": PIXELS},
            "max_image_size": {"longest_edge": PIXELS},
            **_HALVES,
        },
    }
    return config, Idefics3ForConditionalGeneration, processor


def _qwen2_5_vl(tokenizer: PreTrainedTokenizerFast) -> _Made:
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    token = tokenizer.convert_tokens_to_ids
    config = Qwen2_5_VLConfig(
        vision_config={
            "depth": 3,
            "hidden_size": WIDTH,
            "intermediate_size": 2 * WIDTH,
            "num_heads": HEADS,
            "patch_size": 4,
            "window_size": 16,
            "fullatt_block_indexes": [1],
            "out_hidden_size": WIDTH,
        },
        text_config={
            **TEXT,
            **_ids(tokenizer),
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [1, 1, 2]},
        },
        image_token_id=token("<|image_pad|>"),
        video_token_id=token("<|video_pad|>"),
        vision_start_token_id=token("<|vision_start|>"),
        vision_end_token_id=token("<|vision_end|>"),
    )
    processor = {
        "processor_class": "Qwen2_5_VLProcessor",
        "image_processor": {
            "image_processor_type": "Qwen2VLImageProcessor",
            "patch_size": 4,
            "merge_size": 2,
            "temporal_patch_size": 2,
            "min_pixels": 16 * 16,
            "max_pixels": (PIXELS + 8) ** 2,
            **_HALVES,
        },
    }
    return config, Qwen2_5_VLForConditionalGeneration, processor


def _qwen3_vl(tokenizer: PreTrainedTokenizerFast) -> _Made:
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    like, _, processor = _qwen2_5_vl(tokenizer)
    sizes = {"depth": 3, "hidden_size": WIDTH, "intermediate_size": 2 * WIDTH, "num_heads": HEADS, "patch_size": 4}
    config = Qwen3VLConfig(
        vision_config={
            **sizes,
            "out_hidden_size": WIDTH,
            "num_position_embeddings": 64,
            "deepstack_visual_indexes": [0, 1],
        },
        text_config={
            **TEXT,
            **_ids(tokenizer),
            "head_dim": WIDTH // HEADS,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1]},
        },
        image_token_id=like.image_token_id,
        video_token_id=like.video_token_id,
        vision_start_token_id=like.vision_start_token_id,
        vision_end_token_id=like.vision_end_token_id,
    )
    return config, Qwen3VLForConditionalGeneration, {**processor, "processor_class": "Qwen3VLProcessor"}


def _llava_onevision(tokenizer: PreTrainedTokenizerFast) -> _Made:
    from transformers import LlavaOnevisionConfig, LlavaOnevisionForConditionalGeneration

    config = LlavaOnevisionConfig(
        vision_config={"model_type": "siglip_vision_model", "vision_use_head": False, **SIGLIP},
        text_config={"model_type": "qwen2", **TEXT, **_ids(tokenizer)},
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        video_token_index=tokenizer.convert_tokens_to_ids("<video>"),
        image_grid_pinpoints=[[PIXELS, PIXELS], [2 * PIXELS, PIXELS], [PIXELS, 2 * PIXELS]],
        vision_feature_layer=-1,
        vision_feature_select_strategy="full",
    )
    processor = {
        "processor_class": "LlavaOnevisionProcessor",
        "num_image_tokens": (PIXELS // 8) ** 2,
        "vision_feature_select_strategy": "full",
        "image_processor": {
            "image_processor_type": "LlavaOnevisionImageProcessor",
            "image_grid_pinpoints": config.image_grid_pinpoints,
            "size": {"height": PIXELS, "width": PIXELS},
            **_HALVES,
        },
    }
    return config, LlavaOnevisionForConditionalGeneration, processor


def _gemma3(tokenizer: PreTrainedTokenizerFast) -> _Made:
    from transformers import Gemma3Config, Gemma3ForConditionalGeneration

    token = tokenizer.convert_tokens_to_ids
    config = Gemma3Config(
        vision_config={"vision_use_head": False, **SIGLIP},
        text_config={
            **TEXT,
            **_ids(tokenizer),
            "head_dim": WIDTH // HEADS,
            "sliding_window": 64,
            "layer_types": ["sliding_attention", "full_attention"] * (LAYERS // 2),
            "query_pre_attn_scalar": WIDTH // HEADS,
        },
        mm_tokens_per_image=4,
        image_token_index=token("<image_soft_token>"),
        boi_token_index=token("<start_of_image>"),
        eoi_token_index=token("<end_of_image>"),
        eos_token_id=tokenizer.eos_token_id,
    )
    processor = {
        "processor_class": "Gemma3Processor",
        "image_seq_length": 4,
        "image_processor": {
            "image_processor_type": "Gemma3ImageProcessor",
            "size": {"height": PIXELS, "width": PIXELS},
            **_HALVES,
        },
    }
    return config, Gemma3ForConditionalGeneration, processor


_MAKERS: dict[str, Callable[[Any], _Made]] = {
    "idefics3": _idefics3,
    "qwen2_5_vl": _qwen2_5_vl,
    "llava_onevision": _llava_onevision,
    "gemma3": _gemma3,
    DEEP: _qwen3_vl,
}
