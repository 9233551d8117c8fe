"""Folders with random weights of every architecture in the table of stock models (`docs/make_models.py`).

A model's config is that of transformers with small sizes; beside it lie a tokenizer of single characters with the
tokens that the architecture's processor wants, a chat template, and the processor as transformers saves it.

    folder = make_stock(STOCK["mllama"], tmp_path)
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from snellen.subjects.local.processors import import_torchvision

WIDTH, HEADS, LAYERS, PIXELS, PATCH = 16, 2, 2, 32, 8
WORDS = ("X", "O", "yes", "no", "user", "assistant", "system")
PADDING, START, END, UNKNOWN = "<pad>", "<s>", "</s>", "<unk>"
SMALL: dict[str, Any] = {
    **dict.fromkeys(("hidden_size", "embed_dim", "d_model", "out_hidden_size", "projection_dim"), WIDTH),
    **dict.fromkeys(("encoder_hidden_size", "text_hidden_size", "word_embed_proj_dim", "output_hidden_size"), WIDTH),
    **dict.fromkeys(("projector_hidden_size", "projection_hidden_size", "alignment_intermediate_size"), 2 * WIDTH),
    **dict.fromkeys(("intermediate_size", "ffn_dim", "encoder_ffn_dim", "decoder_ffn_dim", "mlp_dim"), 2 * WIDTH),
    **dict.fromkeys(("num_hidden_layers", "depth", "encoder_layers", "decoder_layers", "num_layers"), LAYERS),
    **dict.fromkeys(("num_attention_heads", "num_heads", "encoder_attention_heads", "decoder_attention_heads"), HEADS),
    "num_key_value_heads": 1,
    "head_dim": WIDTH // HEADS,
    "max_position_embeddings": 4096,
    "image_size": PIXELS,
    "patch_size": PATCH,
}
"""Sizes by their names in transformers' configs."""
SQUARE = {"height": PIXELS, "width": PIXELS}
MROPE = {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1]}}
QWEN = {"min_pixels": 16 * 16, "max_pixels": 40 * 40, "patch_size": 4, "merge_size": 2, "temporal_patch_size": 2}
QWEN_TOKENS = {
    "image_token": "<|image_pad|>",
    "video_token": "<|video_pad|>",
    "vision_start_token": "<|vision_start|>",
    "vision_end_token": "<|vision_end|>",
}
IMAGE = {"image_token": "<image>"}
LIKE_LLAVA = {"patch_size": PATCH, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1}
CLIP = {"size": {"shortest_edge": PIXELS}, "crop_size": SQUARE}
_GRIDS = [[PIXELS, 2 * PIXELS], [2 * PIXELS, PIXELS]]


@dataclass(frozen=True)
class Stock:
    """An architecture. `picture`: a picture in the chat template; `tokens`: the tokenizer's special tokens by the names
    they have there; `config`: what its config has beside small sizes, in the config itself or a part of it; `image`
    and `processor`: settings of the image processor and of the processor around it."""

    name: str
    model_type: str
    picture: str
    tokens: Mapping[str, str]
    config: Mapping[str, Any] = field(default_factory=dict)
    image: Mapping[str, Any] = field(default_factory=lambda: {"size": SQUARE})
    processor: Mapping[str, Any] = field(default_factory=dict)
    more_tokens: tuple[str, ...] = ()
    processor_type: str = ""


_QWEN_PICTURE = "<|vision_start|><|image_pad|><|vision_end|>"
_QWEN_VISION = {"patch_size": 4, "temporal_patch_size": 2, "spatial_merge_size": 2}
_ALL = (
    Stock("Aria", "aria", "<image>", IMAGE, {"projector_patch_to_query_dict": {196: 4}, "vision_config": {"image_size": 980, "patch_size": 70}, "text_config": {"moe_num_experts": 4}},
        {"max_image_size": 980, "min_image_size": 336}, {"size_conversion": {980: 4}}),
    Stock("Aya Vision", "aya_vision", "<image>", IMAGE, {"image_token_index": "<|IMG_PATCH|>", "text_config": {"sliding_window": 64}}, {"size": SQUARE, "crop_to_patches": True, "max_patches": 4},
        {"patch_size": PATCH, "img_size": PIXELS, "downsample_factor": 2},
        ("<|START_OF_IMG|>", "<|END_OF_IMG|>", "<|IMG_PATCH|>", "<|IMG_LINE_BREAK|>", "TILE", "TILE_GLOBAL", *(f"TILE_{n}" for n in range(1, 5)))),
    Stock("BLIP-2", "blip-2", "", {}, {"num_query_tokens": 4, "image_text_hidden_size": WIDTH, "image_token_index": "<image>"}, processor={"num_query_tokens": 4}),
    Stock("Cohere2 Vision (Command A Vision)", "cohere2_vision", "<image>",
        {**IMAGE, "boi_token": "<|START_OF_IMG|>", "eoi_token": "<|END_OF_IMG|>", "img_line_break_token": "<|IMG_LINE_BREAK|>"},
        {"text_config": {"sliding_window": 64}, "vision_config": {"image_size": 16 * PATCH}}, {"size": {"height": 16 * PATCH, "width": 16 * PATCH}, "patch_size": PATCH, "max_patches": 4}),
    Stock("DeepSeek-VL", "deepseek_vl", "<image_placeholder>", {"image_token": "<image_placeholder>"}, {}, {"size": SQUARE, "min_size": 14}, {"num_image_tokens": 16}),
    Stock("Florence-2", "florence2", "", IMAGE,
        {"vision_config": {"depths": (1, 1), "embed_dim": (8, WIDTH), "num_heads": (1, 2), "num_groups": (1, 2), "patch_size": (7, 3), "patch_stride": (4, 2), "patch_padding": (3, 1), "patch_prenorm": (False, True), "window_size": 4}, "text_config": {"forced_eos_token_id": None}},
        {"size": SQUARE, "crop_size": SQUARE, "image_seq_length": 17}),
    Stock("Gemma 3", "gemma3", "<start_of_image>", {"boi_token": "<start_of_image>", "eoi_token": "<end_of_image>", "image_token": "<image_soft_token>"},
        {"mm_tokens_per_image": 4, "image_token_index": "<image_soft_token>", "text_config": {"sliding_window": 64, "query_pre_attn_scalar": 8}, "vision_config": {"vision_use_head": False}}, processor={"image_seq_length": 4}),
    Stock("Gemma 4", "gemma4", "<|image|>",
        {"boi_token": "<|image>", "eoi_token": "<image|>", "image_token": "<|image|>", "audio_token": "<|audio|>", "boa_token": "<|audio>", "eoa_token": "<audio|>"},
        {"text_config": {"sliding_window": 64, "global_head_dim": 8, "layer_types": ["sliding_attention", "full_attention"], "hidden_size_per_layer_input": 8},
            "vision_config": {"model_type": "gemma4_vision", "num_key_value_heads": 2, "pooling_kernel_size": 2, "position_embedding_size": 64}},
        {"patch_size": PATCH, "max_soft_tokens": 70, "pooling_kernel_size": 2}, more_tokens=("<|video|>",)),
    Stock("GLM-4.1V", "glm4v", "<|begin_of_image|><|image|><|end_of_image|>", {"image_token": "<|image|>", "video_token": "<|video|>"},
        {"vision_config": {**_QWEN_VISION}, "text_config": MROPE}, {"patch_size": 4, "size": {"shortest_edge": 16 * 16, "longest_edge": 40 * 40}}, more_tokens=("<|begin_of_image|>", "<|end_of_image|>")),

    Stock("Idefics2", "idefics2", "<image>", {**IMAGE, "image_boundary_token": "<fake_token_around_image>", "end_of_utterance_token": "<end_of_utterance>"},
        {"perceiver_config": {"resampler_n_latents": 4, "resampler_depth": 1, "resampler_n_heads": 2, "resampler_head_dim": 8}},
        {"do_image_splitting": False, "size": {"shortest_edge": 24, "longest_edge": PIXELS}}, {"image_seq_len": 4}),
    Stock("Idefics3", "idefics3", "<image>", IMAGE, {"scale_factor": 2},
        {"do_image_splitting": False, "size": {"longest_edge": PIXELS}, "max_image_size": {"longest_edge": PIXELS}}, {"image_seq_len": 4}),
    Stock("InstructBLIP", "instructblip", "", {}, {"num_query_tokens": 4, "image_token_index": "<image>"}, processor={"num_query_tokens": 4}),
    Stock("InternVL", "internvl", "<IMG_CONTEXT>",
        {"start_image_token": "<img>", "end_image_token": "</img>", "context_image_token": "<IMG_CONTEXT>", "video_token": "<video>"},
        {"vision_config": {"image_size": [PIXELS] * 2, "patch_size": [PATCH] * 2}}, processor={"image_seq_length": 4}),
    Stock("Janus", "janus", "<image_placeholder>", {"image_token": "<image_placeholder>", "boi_token": "<begin_of_image>", "eoi_token": "<end_of_image>"}, processor={"num_image_tokens": 16}),
    Stock("Kimi K2.5", "kimi_k25", "<|media_pad|>", {"image_token": "<|media_pad|>", "video_token": "<|video|>"},
        {"text_config": {"num_key_value_heads": 2, "n_routed_experts": 4, "n_group": 1, "topk_group": 1, "num_experts_per_tok": 2, "moe_intermediate_size": 16, "kv_lora_rank": 8, "q_lora_rank": 8,
            "qk_rope_head_dim": 4, "qk_nope_head_dim": 4, "v_head_dim": 8, "first_k_dense_replace": 1}, "projection_hidden_size": WIDTH, "vision_config": {"pos_emb_height": 8, "pos_emb_width": 8}},
        {"size": {"max_height": 8, "max_width": 8}, "patch_size": PATCH, "max_patches": 64}),
    Stock("Kosmos-2.5", "kosmos-2.5", "", {**IMAGE, "boi_token": "<boi>", "eoi_token": "<eoi>"},
        {"latent_query_num": 4, "text_config": {"layers": 2, "attention_heads": 2}, "vision_config": {"patch_embed_hidden_size": 768, "max_num_patches": 4096}},
        {}, {"num_image_tokens": 4}, processor_type="Kosmos2_5Processor"),
    Stock("LFM2-VL", "lfm2_vl", "<image>", {**IMAGE, "image_start_token": "<|image_start|>", "image_end_token": "<|image_end|>", "image_thumbnail_token": "<|img_thumbnail|>"},
        {"text_config": {"layer_types": ["conv", "full_attention"], "full_attn_idxs": None, "block_multiple_of": 16}, "vision_config": {"num_patches": 16}},
        {"encoder_patch_size": PATCH, "tile_size": PIXELS, "min_image_tokens": 1, "max_image_tokens": 4, "max_num_patches": 16, "do_image_splitting": False}),
    Stock("Llama 4", "llama4", "<|image|>", {},
        {"image_token_index": "<|patch|>", "text_config": {"intermediate_size_mlp": 32, "num_local_experts": 2, "attention_chunk_size": 64, "no_rope_layer_interval": 2},
            "vision_config": {"intermediate_size": 4 * WIDTH, "vision_output_dim": 32, "projector_input_dim": 32, "projector_output_dim": 32}},
        {"size": SQUARE, "max_patches": 4}, {"patch_size": PATCH},
        ("<|image|>", "<|image_start|>", "<|image_end|>", "<|patch|>", "<|tile_x_separator|>", "<|tile_y_separator|>")),
    Stock("LLaVA", "llava", "<image>", IMAGE, {"vision_feature_select_strategy": "default", "vision_feature_layer": -1}, CLIP, LIKE_LLAVA),
    Stock("LLaVA-NeXT", "llava_next", "<image>", IMAGE, {"vision_feature_select_strategy": "default", "vision_feature_layer": -1, "image_grid_pinpoints": _GRIDS},
        {**CLIP, "image_grid_pinpoints": _GRIDS}, LIKE_LLAVA),
    Stock("LLaVA-OneVision", "llava_onevision", "<image>", {**IMAGE, "video_token": "<video>"},
        {"vision_feature_select_strategy": "full", "vision_feature_layer": -1, "image_grid_pinpoints": [[PIXELS, PIXELS], [PIXELS, 2 * PIXELS], [2 * PIXELS, PIXELS]]},
        {"size": SQUARE, "image_grid_pinpoints": [[PIXELS, PIXELS], [PIXELS, 2 * PIXELS], [2 * PIXELS, PIXELS]]}, {"num_image_tokens": 16, "vision_feature_select_strategy": "full"}),
    Stock("Mistral 3", "mistral3", "[IMG]", {"image_token": "[IMG]"}, {"spatial_merge_size": 2, "vision_feature_layer": -1},
        {"size": {"longest_edge": 2 * PIXELS}, "patch_size": PATCH}, {"patch_size": PATCH, "spatial_merge_size": 2}, more_tokens=("[IMG_BREAK]", "[IMG_END]")),
    Stock("Llama 3.2 Vision", "mllama", "<|image|>", {"image_token": "<|image|>"},
        {"text_config": {"cross_attention_layers": [1]}, "vision_config": {"attention_heads": 2, "num_global_layers": 1, "vision_output_dim": 2 * WIDTH, "intermediate_layers_indices": [0], "max_num_tiles": 2, "supported_aspect_ratios": [[1, 1], [1, 2], [2, 1]]}},
        {"size": SQUARE, "max_image_tiles": 2}),
    Stock("Molmo2", "molmo2", "<|image|>", {"image_token": "<|image|>", "video_token": "<|video|>"},
        {"image_patch_id": "<im_patch>", "image_start_token_id": "<im_start>", "low_res_image_start_token_id": "<low_res_im_start>", "image_end_token_id": "<im_end>", "vision_config": {"image_size": [PIXELS, PIXELS], "num_key_value_heads": 2}, "adapter_config": {"vision_feature_layer": [-1, 0], "num_key_value_heads": 2}, "text_config": {"additional_vocab_size": 16}},
        {"size": SQUARE, "patch_size": PATCH, "max_crops": 2, "overlap_margins": [1, 1]},
        more_tokens=("<im_patch>", "<im_col>", "<im_start>", "<low_res_im_start>", "<frame_start>", "<im_end>", "<frame_end>", "<im_low>")),
    Stock("Ovis2", "ovis2", "<image>", IMAGE, {"image_token_id": "<IMG_ATOM>", "visual_indicator_token_ids": ("<IMG_START>", "<IMG_GRID>", "<IMG_COL>", "<IMG_ROW>", "<IMG_END>"), "vision_config": {"vocab_size": 32, "hidden_stride": 2, "num_visual_indicator_tokens": 5}}, {"size": SQUARE, "max_patches": 4}, {"image_seq_length": 4},
        ("<IMG_START>", "<IMG_ATOM>", "<IMG_GRID>", "<IMG_COL>", "<IMG_ROW>", "<IMG_END>")),
    Stock("PaliGemma 2", "paligemma", "<image>", IMAGE, {"text_config": {"model_type": "gemma2", "sliding_window": 64, "query_pre_attn_scalar": 8}, "vision_config": {"vision_use_head": False}},
        {"size": SQUARE, "image_seq_length": 16}),
    Stock("Perception LM", "perception_lm", "<|image|>", {"image_token": "<|image|>", "video_token": "<|video|>"},
        {"vision_use_cls_token": True, "projector_pooling_ratio": 2, "vision_config": {"architecture": "vit_pe_core_large_patch14_336", "model_args": {"embed_dim": WIDTH, "img_size": [28, 28], "depth": 1, "num_heads": 2, "global_pool": "", "use_post_transformer_norm": False, "init_values": 0.1, "ref_feat_shape": [2, 2]}}},
        {"tile_size": 28, "max_num_tiles": 4, "size": {"height": 28, "width": 28}}, {"patch_size": 14, "pooling_ratio": 2}),
    Stock("Phi-4 multimodal", "phi4_multimodal", "<|image|>", {"image_token": "<|image|>", "audio_token": "<|audio|>"},
        {"vision_config": {"image_size": 448, "patch_size": 14, "crop_size": 448, "feature_layer": -1}}, {"dynamic_hd": 2}),
    Stock("Pixtral", "llava", "[IMG]", {"image_token": "[IMG]"},
        {"vision_config": {"model_type": "pixtral"}, "text_config": {"model_type": "mistral"}, "vision_feature_layer": -1, "vision_feature_select_strategy": "full"},
        {"size": {"longest_edge": 2 * PIXELS}, "patch_size": PATCH}, {"patch_size": PATCH}, ("[IMG_BREAK]", "[IMG_END]"), processor_type="pixtral"),
    Stock("Qwen2-VL", "qwen2_vl", _QWEN_PICTURE, QWEN_TOKENS, {"vision_config": {**_QWEN_VISION, "mlp_ratio": 2}, "text_config": MROPE}, QWEN),
    Stock("Qwen2.5-VL", "qwen2_5_vl", _QWEN_PICTURE, QWEN_TOKENS, {"vision_config": {**_QWEN_VISION, "window_size": 16, "fullatt_block_indexes": [1]}, "text_config": MROPE}, QWEN),
    Stock("Qwen3-VL", "qwen3_vl", _QWEN_PICTURE, QWEN_TOKENS, {"vision_config": {**_QWEN_VISION, "num_position_embeddings": 64, "deepstack_visual_indexes": [0, 1]}, "text_config": MROPE}, QWEN),
    Stock("Qwen3.5", "qwen3_5", _QWEN_PICTURE, QWEN_TOKENS,
        {"vision_config": {**_QWEN_VISION, "num_position_embeddings": 64}, "text_config": {"layer_types": ["linear_attention", "full_attention"], "linear_key_head_dim": 8, "linear_value_head_dim": 8, "linear_num_key_heads": 2, "linear_num_value_heads": 2, **MROPE}}, QWEN),
    Stock("SmolVLM2", "smolvlm", "<image>", {**IMAGE, "fake_image_token": "<fake_token_around_image>", "global_image_token": "<global-img>", "end_of_utterance_token": "<end_of_utterance>", "video_token": "<video>"}, {"scale_factor": 2},
        {"do_image_splitting": False, "size": {"longest_edge": PIXELS}, "max_image_size": {"longest_edge": PIXELS}}, {"image_seq_len": 4}),
    Stock("ViP-LLaVA", "vipllava", "<image>", IMAGE, {"vision_feature_layer": [-1, -2]}, CLIP, LIKE_LLAVA),
)  # fmt: skip
STOCK: dict[str, Stock] = {stock.name: stock for stock in _ALL}


def make_stock(stock: Stock, folder: Path, seed: int = 0) -> Path:
    """The folder, with a model of this architecture whose random weights come from this seed."""
    import torch
    from transformers import CONFIG_MAPPING

    import_torchvision()
    tokenizer = _tokenizer(stock)
    processor = _processor(stock, tokenizer)
    config = _small(CONFIG_MAPPING[stock.model_type], stock.config, processor)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _model_class(stock)(config)
        # The usual start (std 0.02) leaves every output nearly the same: wider weights make pictures and words matter.
        with torch.no_grad():
            for weight in model.parameters():
                if weight.dim() > 1 or not weight.any():  # gates begin at zero
                    weight.normal_(0.0, 0.25)
    own = model.generation_config
    own.pad_token_id, own.bos_token_id, own.eos_token_id = (
        tokenizer.pad_token_id,
        tokenizer.bos_token_id,
        tokenizer.eos_token_id,
    )
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def _model_class(stock: Stock) -> Any:
    import transformers
    from transformers.models.auto import modeling_auto

    for table in ("MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES", "MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES"):
        if name := getattr(modeling_auto, table, {}).get(stock.model_type):
            return getattr(transformers, name)
    raise KeyError(stock.model_type)


def _small(kind: Any, given: Mapping[str, Any], processor: Any) -> Any:
    """A config of this kind with small sizes, with what is `given` instead of them, and its tokens' ids."""
    from transformers import CONFIG_MAPPING

    tokenizer = processor.tokenizer
    usual = kind()
    usual.allow_global_per_layer_attribute_access = True
    settings: dict[str, Any] = {}
    for name in (entry.name for entry in fields(kind)):
        if name in SMALL and getattr(usual, name, None) is not None:
            settings[name] = SMALL[name]
        elif name == "vocab_size":
            settings[name] = len(tokenizer)
        elif name.endswith(("_token_id", "_token_index")):
            if (number := _token_id(name, processor)) is not None:
                settings[name] = number
    for name in kind.sub_configs or {}:
        own = dict(given.get(name, {}))
        if (part := getattr(usual, name, None)) is None and "model_type" not in own:
            continue
        part_kind = CONFIG_MAPPING[own.pop("model_type")] if "model_type" in own else type(part)
        settings[name] = _small(part_kind, own, processor)
    parts = set(kind.sub_configs or {})
    own_settings = {name: _numbered(value, tokenizer) for name, value in given.items() if name not in parts}
    return kind(**{**settings, **own_settings})


def _numbered(value: Any, tokenizer: Any) -> Any:
    """Tokens that are named in a config, as their ids."""
    if isinstance(value, tuple) and isinstance(value[0], str):
        return tokenizer.convert_tokens_to_ids(list(value))
    return tokenizer.convert_tokens_to_ids(value) if isinstance(value, str) and value.startswith("<") else value


def _token_id(name: str, processor: Any) -> int | None:
    tokenizer = processor.tokenizer
    short = name.removesuffix("_id").removesuffix("_index")
    for holder in (processor, tokenizer):
        if isinstance(number := getattr(holder, f"{short}_id", None), int):
            return number
        if isinstance(token := getattr(holder, short, None), str):
            return int(tokenizer.convert_tokens_to_ids(token))
    return None


def _processor(stock: Stock, tokenizer: Any) -> Any:
    from transformers.models.auto.image_processing_auto import IMAGE_PROCESSOR_MAPPING_NAMES
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING_NAMES
    import transformers

    model_type = stock.processor_type or stock.model_type
    kind = getattr(transformers, PROCESSOR_MAPPING_NAMES.get(model_type) or stock.processor_type)
    names = IMAGE_PROCESSOR_MAPPING_NAMES.get(model_type) or IMAGE_PROCESSOR_MAPPING_NAMES[stock.model_type]
    image = getattr(transformers, names["torchvision"] if "torchvision" in names else names["pil"])(**stock.image)
    parts = {"image_processor": image, "tokenizer": tokenizer}
    for name in kind.get_attributes():
        if name not in parts:
            parts[name] = _other_part(stock, name, tokenizer)
    return kind(**parts, **stock.processor)


def _other_part(stock: Stock, name: str, tokenizer: Any) -> Any:
    """A part for videos or sounds, as it is by itself."""
    if name.endswith("tokenizer"):
        return tokenizer
    import transformers
    from transformers.models.auto.feature_extraction_auto import FEATURE_EXTRACTOR_MAPPING_NAMES
    from transformers.models.auto.video_processing_auto import VIDEO_PROCESSOR_MAPPING_NAMES

    table = VIDEO_PROCESSOR_MAPPING_NAMES if name == "video_processor" else FEATURE_EXTRACTOR_MAPPING_NAMES
    named = table[stock.model_type]
    return getattr(transformers, named["torchvision"] if isinstance(named, dict) else named)()


def chat_template(stock: Stock) -> str:
    """Every turn as `role: content`, then the turn of the model."""
    return (
        "{{ bos_token }}{% for message in messages %}{{ message['role'] }}: "
        "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
        "{% for part in message['content'] %}"
        "{% if part['type'] == 'image' %}" + stock.picture + "{% else %}{{ part['text'] }}{% endif %}"
        "{% endfor %}{% endif %}\n{% endfor %}"
        "{% if add_generation_prompt %}assistant: {% endif %}"
    )


def _tokenizer(stock: Stock) -> Any:
    from tokenizers import Regex, Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    special = list(dict.fromkeys([PADDING, START, END, UNKNOWN, *stock.tokens.values(), *stock.more_tokens]))
    tokens = [*special, *string.printable, *(word for word in WORDS if len(word) > 1)]
    tokenizer = Tokenizer(WordLevel({token: place for place, token in enumerate(tokens)}, unk_token=UNKNOWN))
    words = "|".join(sorted((word for word in WORDS if len(word) > 1), key=len, reverse=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(rf"\b(?:{words})\b|[\s\S]"), "isolated")
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens(special)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PADDING,
        bos_token=START,
        eos_token=END,
        unk_token=UNKNOWN,
        padding_side="left",
        chat_template=chat_template(stock),
        extra_special_tokens=dict(stock.tokens),
    )
