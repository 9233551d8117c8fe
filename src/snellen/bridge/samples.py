"""What an Inspect sample of ours carries besides its messages, and how it is read back.

The record in a sample's metadata is all that is needed to mark an answer again years later: the item, the levels and
the paradigm it was asked under, and the question with its key. Levels also stand beside it under their own names, where
Inspect's viewer and its data frames find them. Logs of older versions hold the question's form beside its text, and
nothing of paradigms: everything was asked directly.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from snellen.examine.plan import ExamPlan
from snellen.examine.trial import TrialJob
from snellen.faculties import NAMES as FACULTIES
from snellen.item import Item, Question
from snellen.ladder import from_json, to_json
from snellen.tasks.rows import question_of, question_values

RECORD = "snellen"
CLUSTER = "cluster"
CONTRAST = "contrast"
RUNG = "rung"
"""In a sample's metadata: whether it is a rung below the task itself, which the scores of the task leave out."""
KINDS = ("choice", "number", "text", "fields")
FINALS = ("plain", "boxed", "braces")
_OLD_FORM = ("kind", "labels", "final", "asked", "fields", "check")


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """A trial's identity and its question, as kept in a sample's metadata; `levels` are those of item and condition."""

    item: Item
    levels: Mapping[str, str]
    pack: str
    question: Question
    paradigm: str = "direct"


def sample_id(job: TrialJob) -> str:
    """The item and how it is asked: `lamps/7/0012/count=dark`, and `/paradigm=words` for all but the task's usual
    paradigm."""
    trial = job.trial
    paradigm, usual = trial.way.paradigm.name, trial.part.task.paradigms[0]
    asked = {**trial.condition, **({} if paradigm == usual else {"paradigm": paradigm})}
    return "/".join((trial.item.id, *(f"{factor}={level}" for factor, level in asked.items())))


def to_metadata(job: TrialJob, by: str) -> dict[str, Any]:
    """The metadata of a sample; `by` is the factor by whose levels scores are grouped. Rungs are a group each."""
    trial, item = job.trial, job.stimulus.item
    paradigm, part = trial.way.paradigm, trial.part
    levels = {**item.levels, **trial.condition}
    is_rung = paradigm.name not in part.chosen
    record = {
        "task": item.task,
        "item": item.id,
        "cluster": item.cluster,
        "digest": item.digest,
        "truth": dict(item.truth),
        "levels": levels,
        "pack": part.pack,
        "paradigm": paradigm.name,
        "question": question_values(job.stimulus.question),
    }
    return {
        **levels,
        "paradigm": paradigm.name,
        CLUSTER: item.cluster or item.id,
        CONTRAST: paradigm.name if is_rung else f"{by}={levels[by]}" if by else "all",
        RUNG: is_rung,
        RECORD: record,
    }


def to_header(plan: ExamPlan, in_steps: Iterable[TrialJob]) -> dict[str, Any]:
    """What the log as a whole keeps: what its results rest on, the roles of each paradigm, and which paradigms take
    several calls."""
    paradigms = {way.paradigm.name: way.paradigm for part in plan.parts for way in part.ways}
    return {
        **{name: value for name, value in plan.fingerprint().items() if name in ("seed", "tasks")},
        "roles": {name: list(paradigm.roles) for name, paradigm in paradigms.items()},
        "in_steps": list(dict.fromkeys(job.trial.way.paradigm.name for job in in_steps)),
    }


@dataclass(frozen=True, slots=True)
class Header:
    """What a log of ours says as a whole. `plan`: the part of an exam's fingerprint that its plan decides; empty in
    logs of older versions."""

    plan: Mapping[str, Any]
    roles: Mapping[str, tuple[str, ...]]
    in_steps: tuple[str, ...]


def from_header(metadata: Mapping[str, Any] | None) -> Header:
    """What a log's metadata say; nothing where they cannot be read."""
    header: Any = (metadata or {}).get(RECORD)
    try:
        tasks = {str(name): _task_plan(part) for name, part in dict(header["tasks"]).items()}
        roles = {str(name): tuple(map(str, members)) for name, members in dict(header["roles"]).items()}
        plan, steps = {"seed": int(header["seed"]), "tasks": tasks}, tuple(map(str, header["in_steps"]))
        return Header(plan, {name: members for name, members in roles.items() if members}, steps)
    except (KeyError, TypeError, ValueError, AttributeError):
        return Header({}, {}, ())


def _task_plan(part: Mapping[str, Any]) -> dict[str, Any]:
    """A task's part of a fingerprint, refused unless all of it has its shape: a log may be anybody's."""
    ladder = from_json(part["ladder"])
    if not all(faculty in FACULTIES for rung in ladder for faculty in rung.demands):
        raise ValueError("a rung demands an unknown faculty")
    return {
        **{name: str(part[name]) for name in ("design", "prompts")},
        "n": int(part["n"]),
        "levels": {str(name): [*map(str, levels)] for name, levels in dict(part["levels"]).items()},
        "paradigms": [*map(str, part["paradigms"])],
        "ladder": to_json(ladder),
        "plainest": {str(name): str(level) for name, level in dict(part["plainest"]).items()},
    }


def from_metadata(metadata: Mapping[str, Any]) -> SampleRecord | None:
    """The record in a sample's metadata; None if there is none that can be read."""
    record = metadata.get(RECORD)
    try:
        return _record(record) if isinstance(record, Mapping) else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _record(record: Mapping[str, Any]) -> SampleRecord:
    values = record["question"]
    if isinstance(values, str):
        form = {name: record[name] for name in _OLD_FORM if name in record}
        values = {**record, "text": values, "form": form}
    if values["form"]["kind"] not in KINDS or values["form"]["final"] not in FINALS:
        raise ValueError(values["form"]["kind"])
    levels = {str(factor): str(level) for factor, level in dict(record["levels"]).items()}
    task, item, cluster, digest, pack = (str(record[name]) for name in ("task", "item", "cluster", "digest", "pack"))
    whole_item = Item(item, task, levels, dict(record.get("truth", {})), digest, cluster)
    return SampleRecord(whole_item, levels, pack, _question(values), str(record.get("paradigm", "direct")))


def _question(values: Mapping[str, Any]) -> Question:
    mechanisms = {str(answer): str(name) for answer, name in dict(values["mechanisms"]).items()}
    also = tuple(map(str, values.get("also", ())))
    texts = {"text": str(values["text"]), "key": str(values["key"])}
    return question_of({**values, **texts, "mechanisms": mechanisms, "also": also})
