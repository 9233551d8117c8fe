"""Which layers are trained: the linear ones of the parts that were chosen, by the names that models give them."""

from collections.abc import Iterable
from typing import Any

from snellen.errors import UserError
from snellen.lab.train.recipes import PARTS

_CONNECTING = ("connector", "projector", "merger", "aligner", "modality_projection", "perceiver")
_SEEING = ("vision", "visual", "image_encoder", "vit")


def part_of(name: str) -> str:
    """The part of a model that a layer of this name belongs to. What connects may be inside what sees."""
    pieces = name.split(".")
    for part, words in (("connector", _CONNECTING), ("vision", _SEEING)):
        if any(word in piece for piece in pieces for word in words):
            return part
    return "language"


def linear_layers(model: Any) -> dict[str, list[str]]:
    """The names of all linear layers, part by part; without the one that gives out words, as is usual."""
    from torch.nn import Linear

    last = model.get_output_embeddings()
    by_part: dict[str, list[str]] = {part: [] for part in PARTS}
    for name, module in model.named_modules():
        if isinstance(module, Linear) and module is not last:
            by_part[part_of(name)].append(name)
    return by_part


def chosen_layers(model: Any, parts: Iterable[str]) -> list[str]:
    """The linear layers of these parts. A part without any is refused, unless all parts are meant anyway: not every
    connector is a linear layer."""
    layers, parts = linear_layers(model), tuple(parts)
    for part in parts:
        if not layers[part] and parts != PARTS:
            parts_there = ", ".join(name for name, own in layers.items() if own)
            raise UserError(f"--part {part}: this model has no linear layers there; it has some in {parts_there}")
    return [name for part in parts for name in layers[part]]


def picture_tokens(model: Any, tokenizer: Any) -> list[int]:
    """The tokens that stand for pictures or frame them: never to be said."""
    config = model.config
    named = [getattr(config, name, None) for name in _TOKENS]
    numbers = {number for number in named if isinstance(number, int)}
    ends = {tokenizer.eos_token_id, tokenizer.pad_token_id, tokenizer.bos_token_id}
    for number, token in tokenizer.added_tokens_decoder.items():
        if any(word in str(token).lower() for word in ("image", "img", "vision", "video", "<row_")):
            numbers.add(number)
    return sorted(numbers - ends)


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """The tokens that end a reply, by the model's settings and by its tokenizer."""
    ends = model.generation_config.eos_token_id
    several = ends if isinstance(ends, list | tuple) else [ends]
    return frozenset(number for number in (*several, tokenizer.eos_token_id) if number is not None)


_TOKENS = tuple(
    f"{kind}_{ending}"
    for kind in ("image_token", "video_token", "vision_start_token", "vision_end_token", "boi_token", "eoi_token")
    for ending in ("id", "index")
)
