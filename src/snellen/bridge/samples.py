"""What an Inspect sample of ours carries besides its messages, and how it is read back.

The record in a sample's metadata is all that is needed to mark an answer again years later: the item, the
levels it was asked under, and the question with its key. Levels also stand beside it under their own names,
where Inspect's viewer and its data frames find them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.item import Question, Stimulus
from snellen.tasks.rows import form_of, form_values

RECORD = "snellen"
CLUSTER = "cluster"
CONTRAST = "contrast"
KINDS = ("choice", "number", "text", "fields")
FINALS = ("plain", "boxed", "braces")
FORM = ("kind", "labels", "final", "asked", "fields", "check")


@dataclass(frozen=True, slots=True)
class Record:
    """A trial's identity and its question, as kept in a sample's metadata."""

    task: str
    item: str
    cluster: str
    digest: str
    levels: Mapping[str, str]
    pack: str
    question: Question


def sample_id(stimulus: Stimulus) -> str:
    """The item and its condition: `fixation/.../0012/rule=inverse/target=winner`."""
    return "/".join((stimulus.item.id, *(f"{factor}={level}" for factor, level in stimulus.condition.items())))


def to_metadata(stimulus: Stimulus, pack: str, by: str) -> dict[str, Any]:
    """The metadata of a sample; `by` is the factor by whose levels scores are grouped."""
    item, question = stimulus.item, stimulus.question
    levels = {**item.levels, **stimulus.condition}
    record = {
        "task": item.task,
        "item": item.id,
        "cluster": item.cluster,
        "digest": item.digest,
        "levels": levels,
        "pack": pack,
        "question": question.text,
        **form_values(question.form),
        "key": question.key,
        "mechanisms": dict(question.mechanisms),
        "also": list(question.also),
    }
    return {**levels, CLUSTER: item.cluster or item.id, CONTRAST: f"{by}={levels[by]}" if by else "all", RECORD: record}


def from_metadata(metadata: Mapping[str, Any]) -> Record | None:
    """The record in a sample's metadata; None if there is none that can be read."""
    record = metadata.get(RECORD)
    try:
        return _record(record) if isinstance(record, Mapping) else None
    except (KeyError, TypeError, ValueError):
        return None


def _record(record: Mapping[str, Any]) -> Record:
    if record["kind"] not in KINDS or record["final"] not in FINALS:
        raise ValueError(record["kind"])
    form = form_of({name: record[name] for name in FORM if name in record})
    mechanisms = {str(answer): str(name) for answer, name in dict(record["mechanisms"]).items()}
    also = tuple(map(str, record.get("also", ())))
    question = Question(str(record["question"]), form, str(record["key"]), mechanisms, also)
    levels = {str(factor): str(level) for factor, level in dict(record["levels"]).items()}
    names = {name: str(record[name]) for name in ("task", "item", "cluster", "digest", "pack")}
    return Record(levels=levels, question=question, **names)
