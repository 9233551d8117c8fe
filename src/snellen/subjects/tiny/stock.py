"""The bundled model's file as a stock Hugging Face folder, to train, steer or serve: needs torch and transformers.

A file holds 8-bit weights, the vocabulary and the shape of the network. `recipes/tiny` trains networks of this shape.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import snellen.subjects.local  # noqa: F401  readies torchvision, which transformers imports
from snellen.errors import UserError
from snellen.subjects.tiny import FILE as BUNDLED
from snellen.subjects.tiny import weights
from snellen.subjects.tiny.tokens import (
    ANSWER,
    END,
    IMAGE,
    INNER,
    PAD,
    PATTERN,
    SPECIAL,
    UNKNOWN,
    USER,
    Vocabulary,
)
from snellen.subjects.trained_on import FILE as TRAINED_ON
from snellen.subjects.trained_on import read_trained_on, write_trained_on

_WORDS = "model.text_model.embed_tokens.weight"
TEMPLATE = (
    "{% for message in messages %}{% if message['role'] == 'assistant' %}"
    + ANSWER
    + "{% else %}"
    + USER
    + "{% endif %}"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "{% if message['role'] == 'assistant' %}" + END + "{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}" + ANSWER + "{% endif %}"
)


@dataclass(frozen=True, slots=True)
class Build:
    """A stock Idefics3 (the architecture of SmolVLM), scaled down. The vision and the text part are equally wide."""

    width: int = 256
    heads: int = 8
    vision_layers: int = 4
    text_layers: int = 6
    side: int = 96
    """Pixels along either side of a picture as the model sees it."""
    patch: int = 8
    shuffle: int = 2
    """So many patches in a row and in a column become one token."""

    @property
    def picture_tokens(self) -> int:
        return (self.side // self.patch // self.shuffle) ** 2


def config(build: Build, vocabulary: Vocabulary) -> Any:
    from transformers import Idefics3Config

    pad, end = vocabulary.numbers[PAD], vocabulary.numbers[END]
    return Idefics3Config(
        image_token_id=vocabulary.numbers[IMAGE],
        scale_factor=build.shuffle,
        pad_token_id=pad,
        tie_word_embeddings=True,
        vision_config={
            "hidden_size": build.width,
            "intermediate_size": 4 * build.width,
            "num_hidden_layers": build.vision_layers,
            "num_attention_heads": build.heads,
            "image_size": build.side,
            "patch_size": build.patch,
        },
        text_config={
            "model_type": "llama",
            "vocab_size": len(vocabulary),
            "hidden_size": build.width,
            "intermediate_size": 3 * build.width,
            "num_hidden_layers": build.text_layers,
            "num_attention_heads": build.heads,
            "num_key_value_heads": build.heads,
            "pad_token_id": pad,
            "bos_token_id": pad,
            "eos_token_id": end,
            "max_position_embeddings": 1024,
            "tie_word_embeddings": True,
        },
    )


def fresh_model(build: Build, vocabulary: Vocabulary, seed: int) -> Any:
    import torch
    from transformers import Idefics3ForConditionalGeneration

    torch.manual_seed(seed)
    return Idefics3ForConditionalGeneration._from_config(config(build, vocabulary), attn_implementation="sdpa")


def write_folder(model: Any, vocabulary: Vocabulary, build: Build, folder: Path) -> None:
    """Config, weights, tokenizer and processor: what `AutoModelForImageTextToText` and `AutoProcessor` read."""
    from transformers.models.idefics3.processing_idefics3 import Idefics3Processor

    model.generation_config.eos_token_id = vocabulary.numbers[END]
    model.generation_config.pad_token_id = vocabulary.numbers[PAD]
    model.save_pretrained(folder)
    looks, reads = picture_processor(build.side), tokenizer(vocabulary)
    Idefics3Processor(looks, reads, image_seq_len=build.picture_tokens, chat_template=TEMPLATE).save_pretrained(folder)


def picture_processor(side: int) -> Any:
    """The stock image processor, set to one square of `side` pixels a picture."""
    from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil

    pixels = {"longest_edge": side}
    return Idefics3ImageProcessorPil(
        size=pixels,
        max_image_size=pixels,
        do_image_splitting=False,
        resample=2,
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
    )


def tokenizer(vocabulary: Vocabulary) -> Any:
    """The vocabulary as a tokenizer of Hugging Face."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    own = Tokenizer(models.WordPiece(dict(vocabulary.numbers), unk_token=UNKNOWN, continuing_subword_prefix=INNER))
    own.pre_tokenizer = pre_tokenizers.Split(Regex(PATTERN), "removed", invert=True)
    own.decoder = decoders.WordPiece(prefix=INNER, cleanup=False)
    own.add_special_tokens([AddedToken(piece, normalized=False) for piece in SPECIAL])
    return PreTrainedTokenizerFast(
        tokenizer_object=own,
        pad_token=PAD,
        unk_token=UNKNOWN,
        eos_token=END,
        additional_special_tokens=list(SPECIAL[3:]),
        padding_side="left",
    )


def load_weights(model: Any, path: Path, vocabulary: Vocabulary, build: Build) -> None:
    """Put the weights of such a file into a model of the same build. Words that only one of them has are left as they
    are."""
    import torch

    kept = weights.read(path)
    if dict(kept.build) != asdict(build):
        raise UserError(f"{path}: made with another build; expected a file of this recipe")
    tensors = {name: torch.from_numpy(value) for name, value in kept.tensors.items()}
    own = model.state_dict()[_WORDS].clone()
    for word, row in zip(kept.words, tensors[_WORDS], strict=True):
        if word in vocabulary.numbers:
            own[vocabulary.numbers[word]] = row
    model.load_state_dict({**tensors, _WORDS: own}, strict=False)  # what speaks is the embedding, and kept once


def unpack(path: Path, folder: Path) -> None:
    """Write such a file as a folder that `AutoModelForImageTextToText` reads."""
    kept = weights.read(path)
    build, vocabulary = Build(**kept.build), Vocabulary(kept.words)
    model = fresh_model(build, vocabulary, seed=0)
    load_weights(model, path, vocabulary, build)
    write_folder(model.eval(), vocabulary, build, folder)
    beside = path.parent if path == BUNDLED else path.with_suffix("")
    write_trained_on(folder, read_trained_on(beside) if (beside / TRAINED_ON).is_file() else None)
