"""What the language model says to plain prompts before it learns anything else: said again now and then, it keeps it.

The file is `replay.json`: pairs of prompt and answer, to learn from and to be tested with.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import torch

from recipes.small.language import Language
from recipes.small.rows import Row, Rows, spoken, stacked
from recipes.small.sheets import Said
from recipes.small.speech import ROOM, Speech

FILE = "replay.json"
_AT_ONCE = 2048
_LONGEST = 72
_TESTED = 200

Pairs = Sequence[Sequence[str]]


def speak_freely(language: Language, speech: Speech, prompts: Sequence[str], seed: int, device: str) -> list[list[str]]:
    """Its answers, as it would give them: drawn, not the likeliest."""
    from transformers import LlamaConfig, LlamaForCausalLM

    settings = language.shape.config(ROOM)
    del settings["model_type"]  # the class says it
    model = LlamaForCausalLM(LlamaConfig(**settings))
    tensors = {f"model.{name}": torch.from_numpy(value) for name, value in language.tensors.items()}
    words = tensors["model.embed_tokens.weight"]
    tensors["model.embed_tokens.weight"] = torch.cat([words, words.new_zeros(ROOM, language.shape.width)])
    model.load_state_dict(tensors, strict=False)  # what speaks is the embedding
    model = model.to(device, torch.bfloat16 if device == "cuda" else torch.float32).eval()
    torch.manual_seed(seed)
    said = []
    for start in range(0, len(prompts), _AT_ONCE):
        lot = prompts[start : start + _AT_ONCE]
        said += [[prompt, answer] for prompt, answer in zip(lot, _said(model, speech, lot), strict=True) if answer]
    return said


def _said(model: torch.nn.Module, speech: Speech, prompts: Sequence[str]) -> list[str]:
    end = speech.end[0]
    asked = [speech.question([prompt])[0] for prompt in prompts]
    longest = max(map(len, asked))
    there = {"device": next(model.parameters()).device}
    tokens = torch.tensor([[end] * (longest - len(each)) + each for each in asked], **there)
    mask = torch.tensor([[0] * (longest - len(each)) + [1] * len(each) for each in asked], **there)
    with torch.no_grad():
        made = model.generate(
            input_ids=tokens,
            attention_mask=mask,
            max_new_tokens=_LONGEST,
            do_sample=True,
            temperature=0.9,
            top_p=0.95,
            top_k=0,
            pad_token_id=end,
            eos_token_id=end,
        )
    return [_whole(speech, each, end) for each in made[:, longest:].tolist()]


def _whole(speech: Speech, tokens: list[int], end: int) -> str:
    """Up to its end, or to the end of its last whole sentence; if there is none, as far as it got."""
    if end in tokens:
        return speech.write(tokens[: tokens.index(end)]).strip()
    text = speech.write(tokens).strip()
    return text.rsplit(". ", 1)[0] + "." if ". " in text else text


def keep(folder: Path, pairs: Pairs) -> None:
    few = min(_TESTED, len(pairs) // 5)
    fresh = folder / f"{FILE}.new"
    fresh.write_text(json.dumps({"train": pairs[few:], "test": pairs[:few]}, indent=0), encoding="utf-8")
    fresh.replace(folder / FILE)


def tested(folder: Path, speech: Speech, length: int) -> Rows:
    """Pairs that are never learnt from, packed."""
    pairs = json.loads((folder / FILE).read_text(encoding="utf-8"))["test"]
    rows = [Row(speech, length)]
    for prompt, answer in pairs:
        said = spoken(Said("english", (prompt,), answer), speech, 0)
        if not rows[-1].takes(said):
            rows.append(Row(speech, length))
            rows[-1].takes(said)
    return stacked(rows, speech)
