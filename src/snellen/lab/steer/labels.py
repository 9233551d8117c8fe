"""Telling an answer by the first token in which the labels differ: one pass, no generation.

Where labels begin alike ("{2}", "{3}"), what they share is put at the end of the prompt, as the beginning of the reply:
so the last token is always the one that decides, and the one that is patched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.errors import UserError

Tokens = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Readout:
    """`lead`: tokens that all labels begin with, put after the prompt. `choices`: for each label the tokens (one for
    every way of writing it) that tell it from the others there."""

    lead: Tokens
    choices: tuple[Tokens, ...]


def readout(labels: Sequence[str], forms: Sequence[Sequence[Tokens]], end: Tokens) -> Readout:
    """How to read the labels, each given in the ways it may be written, the likeliest first.

    `end` closes a reply: it tells a label from one that goes on ("1" from "12").
    """
    first = tuple(tuple(dict.fromkeys(form[0] for form in ways)) for ways in forms)
    if _apart(first):
        return Readout((), first)
    whole = [(*ways[0], *end) for ways in forms]
    same = next((k for k in range(min(map(len, whole))) if len({form[k] for form in whole}) > 1), None)
    if same is not None and _apart(next_ := tuple((form[same],) for form in whole)):
        return Readout(whole[0][:same], next_)
    raise UserError(f"labels {', '.join(labels)}: this model's tokens for them do not differ at a single position")


def _apart(choices: Sequence[Tokens]) -> bool:
    tokens = [token for own in choices for token in own]
    return len(set(tokens)) == len(tokens)


def forms(tokenizer: Any, prompt: str, reply: str, label: str) -> list[Tokens]:
    """The tokens of a label as it would stand after the prompt: as the chat template writes it, and bare.

    `reply` is the prompt with the label as the model's turn, as the template writes it.
    """
    written = []
    if reply.startswith(prompt) and label in (rest := reply[len(prompt) :]):
        written.append(rest[: rest.index(label) + len(label)])
    before = _tokens(tokenizer, prompt)
    tokenised = []
    for form in dict.fromkeys([*written, label, f" {label}"]):
        after = _tokens(tokenizer, prompt + form)
        if after[: len(before)] == before and len(after) > len(before):
            tokenised.append(after[len(before) :])
    return tokenised or [_tokens(tokenizer, label)]


def _tokens(tokenizer: Any, text: str) -> Tokens:
    return tuple(tokenizer(text, add_special_tokens=False)["input_ids"])
