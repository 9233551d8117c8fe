"""A stimulus as one row of plain values, and back: what a data set on disk holds.

A row holds what is asked in one call: `prompt` is its words, with IMAGE where the pictures stand, which are in `image`
and `more_images` in that order, and `paradigm` the way of asking: `direct`, or a rung of the ladder such as `words`.
Levels have a column each under their factor's name, for filtering; `levels` and `condition` hold them all, told apart.
Columns whose content has no fixed shape (truth, probes, ...) are JSON text.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from snellen.item import NOTHING, Condition, Field, Form, Item, Parts, Picture, Question, Stimulus

Row = dict[str, Any]
Pictures = tuple[Picture, ...]

IMAGE = "<image>"
LISTS = ("more_images", "labels")
FIXED = (
    "image",
    "more_images",
    "item",
    "task",
    "paradigm",
    "prompt",
    "question",
    "key",
    "labels",
    "twin",
    "probes",
    "parts",
    "form",
    "mechanisms",
    "also",
    "demonstrations",
    "truth",
    "levels",
    "condition",
    "digest",
    "cluster",
)
"""The columns every data set has: the first picture and any others; then words, all text except `labels`."""


def factors_of(stimulus: Stimulus) -> tuple[str, ...]:
    """The factors that get a column of their own: all but those that are named like a fixed one."""
    return tuple(name for name in {**stimulus.item.levels, **stimulus.condition} if name not in FIXED)


def to_row(stimulus: Stimulus, factors: tuple[str, ...], stored: Callable[[Picture], Any]) -> Row:
    """The stimulus as a row, each picture as what `stored` makes of it."""
    item, question = stimulus.item, stimulus.question
    pictures = [stored(part) for part in stimulus.shown if isinstance(part, Picture)]
    levels = {**item.levels, **stimulus.condition}
    values = {
        "image": pictures[0] if pictures else None,
        "more_images": pictures[1:],
        "item": item.id,
        "task": item.task,
        "paradigm": stimulus.paradigm,
        "prompt": "\n\n".join(IMAGE if isinstance(part, Picture) else part for part in stimulus.shown),
        "question": question.text,
        "key": question.key,
        "labels": list(question.form.labels),
        "twin": stimulus.twin,
        "probes": _json([question_values(probe) for probe in stimulus.probes]),
        "parts": _json(_part_values(stimulus.parts)),
        "form": _json(_asked_values(question)),
        "mechanisms": _json(dict(question.mechanisms)),
        "also": _json(list(question.also)),
        "demonstrations": _json(_part_values(stimulus.demonstrations)),
        "truth": _json(dict(item.truth)),
        "levels": _json(dict(item.levels)),
        "condition": _json(dict(stimulus.condition)),
        "digest": item.digest,
        "cluster": item.cluster,
    }
    return {**values, **{factor: levels.get(factor) for factor in factors}}


def from_row(row: Mapping[str, Any], pictures: tuple[Picture, ...]) -> Stimulus:
    """The stimulus of a row. Raises KeyError, TypeError or ValueError if the row is none."""
    levels, truth = json.loads(row["levels"]), json.loads(row["truth"])
    item = Item(row["item"], row["task"], levels, truth, row["digest"], row["cluster"])
    form, asked = _asked(json.loads(row["form"]))
    mechanisms = json.loads(row["mechanisms"]) or NOTHING
    # Sets made before there were demonstrations, several right answers or paradigms lack those columns.
    parts, shown_first = json.loads(row["parts"]), json.loads(row.get("demonstrations") or "[]")
    first, own = _split(pictures, shown_first, "paradigm" in row)
    return Stimulus(
        item,
        Condition(json.loads(row["condition"])),
        _parts(parts, own),
        Question(row["question"], form, row["key"], mechanisms, tuple(json.loads(row.get("also") or "[]")), **asked),
        row["twin"],
        tuple(question_of(values) for values in json.loads(row["probes"])),
        demonstrations=_parts(shown_first, first),
        paradigm=row.get("paradigm") or "",
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _split(pictures: Pictures, demonstrations: list[Any], in_order: bool) -> tuple[Pictures, Pictures]:
    """The pictures of the demonstrations, and its own: they lie in the order shown, or, in old sets, its own first."""
    count = sum(not isinstance(part, str) for part in demonstrations)
    if in_order:
        return pictures[:count], pictures[count:]
    return pictures[len(pictures) - count :], pictures[: len(pictures) - count]


def _part_values(parts: Parts) -> list[str | dict[str, str]]:
    """The parts in the order shown; of pictures, which have columns of their own, the text that stands for them."""
    return [part if isinstance(part, str) else {"picture": part.alt, "twin": part.twin} for part in parts]


def _parts(parts: list[Any], pictures: tuple[Picture, ...]) -> Parts:
    shown = [part for part in parts if not isinstance(part, str)]
    if len(shown) != len(pictures):
        raise ValueError(f"{len(shown)} pictures are referenced, but {len(pictures)} are there")
    rest = iter(zip(shown, pictures, strict=True))
    return tuple(part if isinstance(part, str) else _described(*next(rest)) for part in parts)


def _described(part: Mapping[str, str], picture: Picture) -> Picture:
    return replace(picture, alt=part["picture"], twin=part["twin"])


def form_values(form: Form) -> dict[str, Any]:
    """The form; fields, a verifier, what lies beyond the labels, what emptiness is, what is compared and room to reason
    only where there are any, so that other sets stay as they were."""
    values: dict[str, Any] = {
        "kind": form.kind,
        "labels": list(form.labels),
        "final": form.final,
        "asked": form.asked,
    }
    if form.fields:
        values["fields"] = [{"name": f.name, "kind": f.kind, "labels": list(f.labels)} for f in form.fields]
    if form.beyond:
        values["beyond"] = list(form.beyond)
    if form.empty:
        values["empty"] = form.empty
    if form.about:
        values["about"] = list(form.about)
    if form.reasoned:
        values["reasoned"] = True
    return {**values, "check": form.check} if form.check else values


def question_values(question: Question) -> dict[str, Any]:
    """The question with its key and all it takes to mark an answer."""
    return {
        "text": question.text,
        "form": _asked_values(question),
        "key": question.key,
        "mechanisms": dict(question.mechanisms),
        "also": list(question.also),
    }


def question_of(values: Mapping[str, Any]) -> Question:
    """The question of such values. Raises KeyError, TypeError or ValueError if they are none."""
    form, asked = _asked(values["form"])
    also = tuple(values.get("also", ()))  # absent in sets made before questions could have several right answers
    return Question(values["text"], form, values["key"], values["mechanisms"] or NOTHING, also, **asked)


def _asked_values(question: Question) -> dict[str, Any]:
    """The form, and beside it a habit and an order of its own where the question has them."""
    values = form_values(question.form)
    if question.habit:
        values["habit"] = question.habit
    return {**values, "offered": list(question.offered)} if question.offered else values


def _asked(values: Mapping[str, Any]) -> tuple[Form, dict[str, Any]]:
    """The form, and what else such values say of a question."""
    form = form_of({name: value for name, value in values.items() if name not in ("habit", "offered")})
    return form, {"habit": values.get("habit", ""), "offered": tuple(values.get("offered", ()))}


def form_of(values: Mapping[str, Any]) -> Form:
    """The form of such values. Raises KeyError, TypeError or ValueError if they are none."""
    fields = tuple(Field(**{**field, "labels": tuple(field["labels"])}) for field in values.get("fields", ()))
    lists = {name: tuple(values.get(name, ())) for name in ("beyond", "about")} | {"labels": tuple(values["labels"])}
    return Form(**{**values, **lists, "fields": fields})
