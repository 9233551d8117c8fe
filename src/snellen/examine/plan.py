"""What an exam will ask: the trials, in order, each with a key that says exactly what it is.

A plan is made from names, the way they are written on the command line, and fails early with one clear line when a name
is wrong. Trials come as a stream: a plan of a million trials takes no more memory than one of ten.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypedDict, Unpack

from snellen import __version__
from snellen.answer import READER
from snellen.call import Subject
from snellen.defaults import DEFAULT_TASK
from snellen.errors import UserError, unknown
from snellen.examine.cast import Way, cannot, choosy, judges, knows, make_ways, with_judges
from snellen.examine.judging import JUDGE_ROLE, JUDGE_TABLE
from snellen.item import Condition, Item
from snellen.paradigms import WORDING, Paradigm
from snellen.prompts import Pack, load
from snellen.subjects import subject as find_subject
from snellen.tasks import Design, Levels, Task
from snellen.tasks import task as find_task

PARADIGM_TABLE = "paradigms"
NOT_APPLICABLE = "not applicable"
READING_ROLE = "reader"
"""Not a role of any paradigm: whoever has it reads what the rules cannot."""


class Choices(TypedDict, total=False):
    """What may be chosen about an exam; everything has a default."""

    tasks: Sequence[str]
    design: str | None
    n: int | None
    seed: int
    levels: Levels
    paradigms: Sequence[str]
    roles: Mapping[str, str]
    data: Mapping[str, str]
    prompts: str | Path | None


@dataclass(frozen=True)
class Part:
    """One task's share of an exam."""

    task: Task
    design: Design
    n: int
    pack: Pack
    ways: tuple[Way, ...]
    own_words: bool
    """Whether the wording is the built-in one."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One item under one condition, put one way."""

    part: Part
    item: Item
    condition: Condition
    way: Way
    key: bytes


@dataclass(frozen=True)
class Plan:
    """An exam, ready to run."""

    subject: str
    parts: tuple[Part, ...]
    paradigm_pack: Pack
    seed: int
    reader: Subject | None = None
    """Who reads answers that the rules cannot make out."""
    judge_pack: Pack | None = None
    """What judges are told, if there are any."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Whom the results are about, as they are called there."""
        return tuple(dict.fromkeys(way.label for part in self.parts for way in part.ways))

    @property
    def players(self) -> tuple[Subject, ...]:
        """Everyone who takes part, each once."""
        playing = [who for part in self.parts for way in part.ways for who in way.players.values()]
        beside = [*self.judges, *((self.reader,) if self.reader else ())]
        return tuple({id(who): who for who in (*playing, *beside)}.values())

    @property
    def judges(self) -> tuple[Subject, ...]:
        """Whoever scores answers beside the rules, each once."""
        found = (way.judge for part in self.parts for way in part.ways if way.judge)
        return tuple({id(who): who for who in found}.values())

    @cached_property
    def size(self) -> int:
        """The number of trials planned."""
        return self._full_size - self.left_out

    @property
    def _full_size(self) -> int:
        return sum(p.task.size(_fitting(p.design, way.paradigm), p.n) for p in self.parts for way in p.ways)

    @cached_property
    def left_out(self) -> int:
        """How many trials are not applicable because an oracle knows nothing of their item."""
        if not any(choosy(way) for part in self.parts for way in part.ways):
            return 0
        return self._full_size - sum(1 for _ in self.trials())

    def trials(self) -> Iterator[Trial]:
        for part in self.parts:
            ways = [(way, self._identity(part, way)) for way in part.ways]
            for item in part.task.items(part.task.item_levels(part.design), part.n, self.seed):
                for condition in part.task.conditions(part.design, item):
                    for way, identity in ways:
                        wordless = way.paradigm.needs_pictures and condition.get("modality") == "text"
                        if not wordless and knows(way, item):
                            yield Trial(part, item, condition, way, _key(identity, item, condition))

    def _identity(self, part: Part, way: Way) -> bytes:
        """Everything a trial's key holds besides its item and condition."""
        players = {role: [who.name, dict(who.settings)] for role, who in way.players.items()}
        words = [part.pack.digest] + ([self.paradigm_pack.digest] if way.paradigm.words or self.reader else [])
        reader = [READER, *([self.reader.name, dict(self.reader.settings)] if self.reader else [])]
        identity = [part.task.name, way.paradigm.name, players, words, *reader]
        if way.judge and self.judge_pack:
            identity.append({JUDGE_ROLE: [way.judge.name, dict(way.judge.settings), self.judge_pack.digest]})
        return json.dumps(identity, sort_keys=True).encode()

    def spec(self) -> dict[str, Any]:
        """What was asked for, in the words of the command line."""
        return {
            "subject": self.subject,
            "tasks": [part.task.name for part in self.parts],
            "ways": [_said(way) for part in self.parts for way in part.ways],
            "trials": self.size,
        }

    def fingerprint(self) -> dict[str, Any]:
        """What the results rest on, apart from the items themselves."""
        return {
            "snellen": __version__,
            "subjects": list(self.labels),
            "settings": {who.name: dict(who.settings) for who in self.players},
            "seed": self.seed,
            "reader": f"{READER}, then {self.reader.name}" if self.reader else READER,
            **({"judges": [who.name for who in self.judges]} if self.judges else {}),
            "tasks": {part.task.name: _part_fingerprint(part) for part in self.parts},
        }


def _said(way: Way) -> str:
    return f"{way.paradigm.name}: {way.label}" + (f", judged by {way.judge.name}" if way.judge else "")


def _part_fingerprint(part: Part) -> dict[str, Any]:
    return {
        "design": part.design.name,
        "n": part.n,
        "levels": {name: _levels_of(part.design, name) for block in part.design.blocks for name in block},
        "paradigms": list(dict.fromkeys(way.paradigm.name for way in part.ways)),
        "prompts": f"{part.pack.origin} {part.pack.digest[:12]}",
    }


def _levels_of(design: Design, factor: str) -> list[str]:
    """All levels of a factor that the design's blocks name."""
    return list(dict.fromkeys(level for block in design.blocks for level in block.get(factor, ())))


def _fitting(design: Design, paradigm: Paradigm) -> Design:
    """The design without what the paradigm cannot do: describing needs pictures. Not applicable is not zero."""
    if not paradigm.needs_pictures:
        return design
    blocks = (
        {**block, "modality": tuple(level for level in block["modality"] if level != "text")}
        if "modality" in block
        else block
        for block in design.blocks
    )
    return replace(design, blocks=tuple(b for b in blocks if b.get("modality", True)))


def _key(identity: bytes, item: Item, condition: Condition) -> bytes:
    asked = "\x1f".join((item.id, item.digest, *(f"{k}={condition[k]}" for k in sorted(condition))))
    return sha256(identity + asked.encode()).digest()[:16]


def make_plan(subject: str, **choices: Unpack[Choices]) -> Plan:
    """The plan for these choices."""
    prompts = choices.get("prompts")
    pack_file = Path(prompts) if prompts else None
    n = choices.get("n")
    if n is not None and n < 1:
        raise UserError(f"--n {n}: expected at least 1 base item")
    names = choices.get("tasks") or [DEFAULT_TASK]
    data = choices.get("data") or {}
    for name in data:
        if name not in names:
            raise unknown("task in --data", name, names)
    roles = dict(choices.get("roles") or {})
    reader, judging = roles.pop(READING_ROLE, None), judges(roles.pop(JUDGE_ROLE, None))
    chosen: Choices = {**choices, "roles": roles}
    plan = Plan(
        subject=subject,
        parts=tuple(
            _judged(_part(find_task(name, data.get(name)), subject, chosen, pack_file), judging)
            for name in dict.fromkeys(names)
        ),
        paradigm_pack=load(pack_file or WORDING, PARADIGM_TABLE, fallback=WORDING),
        seed=choices.get("seed", 0),
        reader=find_subject(reader) if reader else None,
        judge_pack=load(pack_file or WORDING, JUDGE_TABLE, fallback=WORDING) if judging else None,
    )
    if plan.size == 0:
        raise UserError(f"nothing to ask: {_why_nothing(plan)}")
    return plan


def _why_nothing(plan: Plan) -> str:
    """Why no trial is left: someone cannot do it, the oracle knows nothing, or the items lack what is asked for."""
    reasons = [note for part in plan.parts for note in part.task.notes if note.startswith(NOT_APPLICABLE)]
    if plan.left_out:
        reasons.append("the oracle knows nothing about these items")
    if not reasons and any(block.get("modality") for part in plan.parts for block in part.design.blocks):
        ways = ", ".join(way.paradigm.name for part in plan.parts for way in part.ways)
        reasons.append(f"{ways} needs pictures, but only modality=text was chosen")
    levels = ", ".join(
        f"{name}={'|'.join(v)}" for part in plan.parts for b in part.design.blocks for name, v in b.items()
    )
    return (
        "; ".join(reasons)
        or f"no item of the set can be asked with {levels} (a published set may lack what that needs)"
    )


def _part(task: Task, subject: str, choices: Choices, pack_file: Path | None) -> Part:
    design = task.design(choices.get("design"))
    levels = choices.get("levels") or {}
    changed = task.changed(design, {name: (v,) if isinstance(v, str) else tuple(v) for name, v in levels.items()})
    names = choices.get("paradigms") or task.paradigms[:1]
    for name in names:
        if name not in task.paradigms:
            raise unknown(f"paradigm for task {task.name}", name, task.paradigms)
    part = Part(
        task,
        changed,
        choices.get("n") or design.n,
        load(pack_file or task.prompts, task.name),
        make_ways(subject, names, choices.get("roles") or {}),
        own_words=pack_file is None,
    )
    return _without_the_impossible(part, choices.get("seed", 0))


def _judged(part: Part, judging: Sequence[Subject]) -> Part:
    return replace(part, ways=with_judges(part.ways, judging))


def _without_the_impossible(part: Part, seed: int) -> Part:
    """The part without ways that ask for more than someone can do: not applicable, not zero."""
    players = {who.name: who for way in part.ways for who in way.players.values()}
    if all(who.abilities.pictures is None and not who.abilities.needs_twins for who in players.values()):
        return part
    first = next(part.task.stimuli(part.design, 1, seed, part.pack))
    reasons = {way: reason for way in part.ways if (reason := cannot(way, first))}
    task = replace(part.task, notes=(*part.task.notes, *reasons.values()))
    return replace(part, task=task, ways=tuple(way for way in part.ways if way not in reasons))
