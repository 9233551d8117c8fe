"""Folders with random weights of every architecture in the table of stock models (`docs/make_models.py`).

A model's config is that of transformers with small sizes; beside it lie a tokenizer of single characters with the
tokens that the architecture's processor wants, a chat template, and the processor as transformers saves it.

    folder = make_stock(STOCK["LLaVA"], tmp_path)
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True)
class Stock:
    """An architecture. `picture`: a picture in the chat template; `tokens`: the tokenizer's special tokens by the names
    they have there; `config`: what its config has beside small sizes, in the config itself or a part of it; `image`
    and `processor`: settings of the image processor and of the processor around it. `refused`: kinds of calls that it
    does not take, and why; `batch`: why transformers' own batch differs from single calls; `needs`: a package that the
    extra `local` does not bring."""

    name: str
    model_type: str
    picture: str
    tokens: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    image: Mapping[str, Any] = field(default_factory=lambda: {"size": {"height": PIXELS, "width": PIXELS}})
    processor: Mapping[str, Any] = field(default_factory=dict)
    more_tokens: Sequence[str] = ()
    processor_type: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)
    batch: str = ""
    needs: str = ""


def _entry(content: Mapping[str, Any]) -> Stock:
    """An entry of the TOML file, in which a key is never a number."""
    return Stock(**{name: _with_numbers(value) for name, value in content.items()})


def _with_numbers(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {int(key) if key.isdecimal() else key: _with_numbers(inner) for key, inner in value.items()}


_FILE = Path(__file__).with_suffix(".toml")
STOCK: dict[str, Stock] = {
    entry["name"]: _entry(entry) for entry in tomllib.loads(_FILE.read_text(encoding="utf-8"))["model"]
}


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
    own.forced_eos_token_id = None  # of Bart, which is Florence's: it would end every reply
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
        elif name.endswith(("_token_id", "_token_index")) and (number := _token_id(name, processor)) is not None:
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
    if isinstance(value, list):
        return [_numbered(each, tokenizer) for each in value]
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
    import transformers
    from transformers.models.auto.image_processing_auto import IMAGE_PROCESSOR_MAPPING_NAMES
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING_NAMES

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
