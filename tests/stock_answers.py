"""Eight kinds of calls, and whether a model folder answers them as transformers' own `generate` does.

The reference is what a user of transformers writes: the processor's chat template, then `model.generate`, one call at a
time. Every token of a reply has to be the same, and as likely up to rounding; one by one, and all calls in one batch.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from snellen.call import Call, Message, Reply
from snellen.item import Picture
from snellen.subjects.local.loading import load
from snellen.subjects.local.processing import ProcessingHere
from snellen.subjects.local.prompts import PromptMaker
from snellen.subjects.local.running import side_by_side
from snellen.subjects.local.selfcheck import answers_alike
from stock_models import Stock, make_stock

TOKENS = 8
LABELS = ("X", "O")
ROUNDING = 2e-3


def picture(colour: str, size: tuple[int, int]) -> Picture:
    """A patch of colour with a blue corner."""
    data = BytesIO()
    image = Image.new("RGB", size, colour)
    image.paste((0, 0, 255), (3, 5, 20, 20))
    image.save(data, "PNG")
    return Picture(data.getvalue())


RED, GREEN, WIDE = picture("red", (40, 40)), picture("green", (40, 60)), picture("yellow", (160, 40))


def _call(*parts: str | Picture, before: tuple[Message, ...] = (), **settings: Any) -> Call:
    return Call("local/m", {"max_tokens": TOKENS, "logprobs": 0, **settings}, (*before, Message("user", parts)))


SHAPES: dict[str, Call] = {
    "text only": _call("Who won, X or O?"),
    "one picture": _call(RED, "Who won?"),
    "two pictures": _call(RED, GREEN, "Which one?"),
    "picture between words": _call("Look at this: ", GREEN, " Is it X? Say yes or no."),
    "system message": _call(RED, "Who won?", before=(Message("system", ("Be brief.",)),)),
    "several turns": _call("And now?", before=(Message("user", (GREEN, "Who?")), Message("assistant", ("X",)))),
    "wide picture": _call(WIDE, "Who won, and why?"),
    "labels scored": _call(RED, "X or O?", labels=LABELS),
}
Told = list[tuple[str, float]]
"""What was said token by token, each with its log-probability; or labels with theirs."""


class Ours:
    """The model as an exam asks it. `batches`: whether it is asked several calls at once."""

    def __init__(self, folder: Path) -> None:
        loaded = load(folder, dtype="float32", device="cpu")
        self._prompts = PromptMaker(ProcessingHere(loaded))
        (self._runner,) = side_by_side(loaded, 1)
        self.batches = answers_alike(self._runner, self._prompts, str(loaded.model.dtype))

    def told(self, calls: Sequence[Call]) -> list[Told]:
        replies = self._runner.answer([self._prompts.of(call) for call in calls])
        return [_told(reply, call) for reply, call in zip(replies, calls, strict=True)]


def _told(reply: Reply, call: Call) -> Told:
    if "labels" in call.settings:
        return sorted(reply.tokens[0].others)
    return [(token.text, token.logprob) for token in reply.tokens]


class Plain:
    """The model as transformers runs it, one call at a time."""

    def __init__(self, folder: Path) -> None:
        import transformers

        self._processor = transformers.AutoProcessor.from_pretrained(folder)
        kind = getattr(transformers, json.loads((folder / "config.json").read_text())["architectures"][0])
        self._model = kind.from_pretrained(folder, dtype="float32").eval()

    def told(self, call: Call) -> Told:
        import torch

        processor = self._processor
        inputs = processor.apply_chat_template(
            [_written(message) for message in call.messages],
            chat_template=getattr(processor, "chat_template", None) or processor.tokenizer.chat_template,
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
        ).to(self._model.dtype)
        labels = call.settings.get("labels")
        with torch.inference_mode():
            out = self._model.generate(
                **inputs,
                max_new_tokens=1 if labels else TOKENS,
                do_sample=False,
                output_logits=True,
                return_dict_in_generate=True,
            )
        chances = [step[0].float().log_softmax(-1) for step in out.logits]
        tokenizer = processor.tokenizer
        if labels:
            return sorted((label, float(chances[0][tokenizer.convert_tokens_to_ids(label)])) for label in labels)
        said = out.sequences[0, -len(chances) :].tolist()
        ends = self._model.generation_config.eos_token_id
        said = said[: said.index(ends)] if ends in said else said
        return [(tokenizer.decode([t]), float(chance[t])) for t, chance in zip(said, chances, strict=False)]


def _written(message: Message) -> dict[str, Any]:
    parts = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image", "image": Image.open(BytesIO(part.data)).convert("RGB")}
        for part in message.parts
    ]
    return {"role": message.role, "content": parts}


def compared(stock: Stock, folder: Path) -> tuple[dict[str, str], bool]:
    """For each kind of call how the model's answer differs from the reference, alone or in a batch: "" if it does not,
    "refused: ..." if it is refused. And whether the model is asked several calls at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of features that are not cached
        make_stock(stock, folder)
        plain, ours = Plain(folder), Ours(folder)
        taken = {shape: call for shape, call in SHAPES.items() if shape not in stock.refused}
        known = {shape: plain.told(call) for shape, call in taken.items()}
        found = {shape: difference(ours.told([call])[0], known[shape]) for shape, call in taken.items()}
        together = [shape for shape in taken if "labels" not in SHAPES[shape].settings]
        if ours.batches:
            for shape, told in zip(together, ours.told([SHAPES[shape] for shape in together]), strict=True):
                found[shape] = found[shape] or difference(told, known[shape])
        answers = {shape: found[shape] if shape in found else _refusal(ours, call) for shape, call in SHAPES.items()}
        return answers, ours.batches


def _refusal(ours: Ours, call: Call) -> str:
    try:
        ours.told([call])
    except Exception as error:
        return f"refused: {error}"
    return "answered, though it does not take such calls"


def difference(ours: Told, plain: Told) -> str:
    """Where two answers differ; empty if they do not."""
    if len(ours) != len(plain):
        return f"{len(ours)} tokens instead of {len(plain)}"
    places = (
        place
        for place, ((_, one), (_, other)) in enumerate(zip(ours, plain, strict=True), start=1)
        if not abs(one - other) < ROUNDING
    )
    place = next(places, None)
    return "" if place is None else f"token {place} differs"
