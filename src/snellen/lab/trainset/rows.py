"""A stimulus as a row to train on: the conversation, the answer, and what the reward reads answers by.

TRL's rows: `prompt` and `completion` as messages of parts, `images` in the order in which the parts show them.
Unsloth's: the same as one conversation, `messages`. verl's (and EasyR1's): `<image>` stands in the words where a
picture is, with the fields that their data sets and reward functions take. In these, pictures are inside, as the bytes
that were drawn. LLaMA-Factory's and ms-swift's: messages with `<image>`, and the names of the pictures' files.
"""

import json
from collections.abc import Iterator
from typing import Any

import polars as pl

from snellen.answer import mark
from snellen.answer.fields import values_of
from snellen.answer.verifiers import verifier
from snellen.errors import UserError
from snellen.item import NOTHING, Parts, Picture, Question, Stimulus
from snellen.tasks.export import IMAGE, file_name, inside
from snellen.tasks.rows import form_of, form_values

Row = dict[str, Any]

PLACE = "<image>"
"""What stands for a picture in words."""
_TEXT = pl.String()
_PART = pl.Struct({"type": _TEXT, "text": _TEXT})
_MESSAGES = pl.List(pl.Struct({"role": _TEXT, "content": pl.List(_PART)}))
TRL: dict[str, pl.DataType] = {
    "prompt": _MESSAGES,
    "completion": _MESSAGES,
    "images": pl.List(IMAGE),
    **dict.fromkeys(("answer", "question", "item", "task", "levels"), _TEXT),
}
UNSLOTH: dict[str, pl.DataType] = {
    "messages": _MESSAGES,
    "images": pl.List(IMAGE),
    **dict.fromkeys(("answer", "question", "item", "task", "levels"), _TEXT),
}
_INFO = dict.fromkeys(("split", "item", "question", "levels"), _TEXT)
VERL: dict[str, pl.DataType] = {
    "data_source": _TEXT,
    "prompt": pl.List(pl.Struct({"role": _TEXT, "content": _TEXT})),
    "images": pl.List(IMAGE),
    "problem": _TEXT,
    "answer": _TEXT,
    "ability": _TEXT,
    "reward_model": pl.Struct({"style": _TEXT, "ground_truth": _TEXT}),
    "extra_info": pl.Struct({"index": pl.Int64(), **_INFO}),
}


def trl_row(stimulus: Stimulus, split: str, index: int) -> Row:
    """As TRL's trainers take it."""
    parts = _shown(stimulus)
    content = [{"type": "text", "text": p} if isinstance(p, str) else {"type": "image", "text": None} for p in parts]
    reply = [{"type": "text", "text": in_words(stimulus.question)}]
    return {
        "prompt": [{"role": "user", "content": content}],
        "completion": [{"role": "assistant", "content": reply}],
        "images": [inside(part) for part in parts if isinstance(part, Picture)],
        **_about(stimulus),
        "task": stimulus.item.task,
    }


def verl_row(stimulus: Stimulus, split: str, index: int) -> Row:
    """As verl and EasyR1 take it."""
    parts, about = _shown(stimulus), _about(stimulus)
    text = _with_places(stimulus, "verl")
    return {
        "data_source": f"snellen/{stimulus.item.task}",
        "prompt": [{"role": "user", "content": text}],
        "images": [inside(part) for part in parts if isinstance(part, Picture)],
        "problem": text,
        "answer": about["answer"],
        "ability": stimulus.item.task,
        "reward_model": {"style": "rule", "ground_truth": about["answer"]},
        "extra_info": {"index": index, "split": split, **{name: v for name, v in about.items() if name != "answer"}},
    }


def unsloth_row(stimulus: Stimulus, split: str, index: int) -> Row:
    """As Unsloth's vision trainer takes it: a conversation, its pictures beside it."""
    row = trl_row(stimulus, split, index)
    return {"messages": [*row.pop("prompt"), *row.pop("completion")], **row}


def lines_row(stimulus: Stimulus, form: str) -> Row:
    """As LLaMA-Factory and ms-swift take it; `form`: which of them is named where a text cannot be put so."""
    return {
        "messages": [
            {"role": "user", "content": _with_places(stimulus, form)},
            {"role": "assistant", "content": in_words(stimulus.question)},
        ],
        "images": [file_name(part) for part in _shown(stimulus) if isinstance(part, Picture)],
        **_about(stimulus),
        "task": stimulus.item.task,
    }


def _with_places(stimulus: Stimulus, form: str) -> str:
    """The words of a stimulus, with `<image>` where its pictures stand."""
    parts = _shown(stimulus)
    if any(isinstance(part, str) and PLACE in part for part in parts):
        raise UserError(
            f"{stimulus.item.id}: its text contains {PLACE}, which {form} reads as a picture; use --format trl"
        )
    return "".join(part if isinstance(part, str) else PLACE for part in parts)


def _shown(stimulus: Stimulus) -> Parts:
    return (*stimulus.demonstrations, *stimulus.parts)


def _about(stimulus: Stimulus) -> dict[str, str]:
    levels = {**stimulus.item.levels, **stimulus.condition}
    return {
        "answer": stimulus.question.key,
        "question": packed(stimulus.question),
        "item": stimulus.item.id,
        "levels": json.dumps(levels, ensure_ascii=False, separators=(",", ":")),
    }


def packed(question: Question) -> str:
    """What is needed to read and judge a reply, as text that travels with the row."""
    values = {"form": form_values(question.form), "key": question.key, "also": list(question.also)}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def unpacked(text: str) -> Question:
    """The question of such text. Raises KeyError, TypeError or ValueError if it is none."""
    values = json.loads(text)
    return Question("", form_of(values["form"]), values["key"], NOTHING, tuple(values["also"]))


def in_words(question: Question) -> str:
    """The right answer as the prompt wants it put, which the reader then reads as right."""
    form = question.form
    answer = verifier(form.check).answer(question, "") if form.check else question.key
    if form.kind == "fields" and (values := values_of(answer, form)):
        reply = "\n".join(f"{name}: {value}" for name, value in values.items())
    else:
        reply = {"boxed": f"\\boxed{{{answer}}}", "braces": f"{{{answer}}}"}.get(form.final, answer)
    if mark(reply, question).outcome != "right":
        raise UserError(f"the answer {reply[:60]!r} is not read as right, so this question cannot be used for training")
    return reply


def checked(stimuli: Iterator[Stimulus], without: frozenset[str], dropped: list[str]) -> Iterator[Stimulus]:
    """The stimuli whose pictures are none of these; of the others, whose they are is noted."""
    for stimulus in stimuli:
        if any(picture.digest in without for picture in stimulus.pictures):
            dropped.append(stimulus.item.id)
        else:
            yield stimulus
