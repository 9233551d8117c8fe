"""The finished model as others take it: a stock Hugging Face folder, and the small file that the package ships."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.lab.pretrain.recipe import Build
from snellen.subjects.tiny import FILE as BUNDLED
from snellen.subjects.tiny import weights
from snellen.subjects.tiny.tokens import (
    ANSWER,
    END,
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


def write_folder(model: Any, known: Vocabulary, build: Build, folder: Path) -> None:
    """Config, weights, tokenizer and processor: what `AutoModelForImageTextToText` and `AutoProcessor` read."""
    from transformers.models.idefics3.processing_idefics3 import Idefics3Processor

    model.generation_config.eos_token_id = known.numbers[END]
    model.generation_config.pad_token_id = known.numbers[PAD]
    model.save_pretrained(folder)
    looks, reads = looking(build.side), tokenizer(known)
    Idefics3Processor(looks, reads, image_seq_len=build.picture_tokens, chat_template=TEMPLATE).save_pretrained(folder)


def looking(side: int) -> Any:
    """What makes of a picture the square of pixels that a model made here sees."""
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


def tokenizer(known: Vocabulary) -> Any:
    """The vocabulary as a tokenizer of Hugging Face."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    own = Tokenizer(models.WordPiece(dict(known.numbers), unk_token=UNKNOWN, continuing_subword_prefix=INNER))
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


def write_small(model: Any, known: Vocabulary, build: Build, path: Path) -> None:
    """The model in one file that needs no torch."""
    own = {name: value for name, value in model.state_dict().items() if not name.startswith(_SPEAKS)}
    tensors = {name: value.detach().float().cpu().numpy() for name, value in own.items()}
    weights.write(path, tensors, known.pieces, asdict(build))


def read_small(model: Any, path: Path, known: Vocabulary, build: Build) -> None:
    """Put the weights of such a file into a model of the same build and the same words."""
    import torch

    kept = weights.read(path)
    if kept.words != known.pieces or dict(kept.build) != asdict(build):
        raise UserError(f"{path}: made for other words or another build; expected a file of this recipe")
    tensors = {name: torch.from_numpy(value) for name, value in kept.tensors.items()}
    model.load_state_dict(tensors, strict=False)  # what speaks is the embedding, and kept once


_SPEAKS = "lm_head"  # the same tensor as the embedding


def unpack(path: Path, folder: Path) -> None:
    """A small file as a stock folder: to train on, to steer, to serve."""
    from snellen.lab.pretrain.network import fresh_model

    kept = weights.read(path)
    build, known = Build(**kept.build), Vocabulary(kept.words)
    model = fresh_model(build, known, seed=0)
    read_small(model, path, known, build)
    write_folder(model.eval(), known, build, folder)
    beside = path.parent if path == BUNDLED else path.with_suffix("")
    write_trained_on(folder, read_trained_on(beside) if (beside / TRAINED_ON).is_file() else None)
