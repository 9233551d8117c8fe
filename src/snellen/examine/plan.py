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
from typing import Any, TypedDict

from snellen import __version__
from snellen.answer import READER
from snellen.call import Subject
from snellen.defaults import DEFAULT_TASK
from snellen.errors import UserError, unknown
from snellen.item import Condition, Item
from snellen.paradigms import MAIN_ROLE, WORDING, Paradigm, paradigm
from snellen.prompts import Pack, load
from snellen.subjects import subject as find_subject
from snellen.tasks import Design, Levels, Task
from snellen.tasks import task as find_task

PARADIGM_TABLE = "paradigms"


class Choices(TypedDict, total=False):
    """What may be chosen about an exam; everything has a default."""

    tasks: Sequence[str]
    design: str | None
    n: int | None
    seed: int
    levels: Levels
    paradigms: Sequence[str]
    roles: Mapping[str, str]
    prompts: str | Path | None


@dataclass(frozen=True, slots=True)
class Trial:
    """One item under one condition by one paradigm."""

    part: "Part"
    item: Item
    condition: Condition
    paradigm: Paradigm
    key: bytes


@dataclass(frozen=True)
class Part:
    """One task's share of an exam."""

    task: Task
    design: Design
    n: int
    pack: Pack
    own_words: bool
    """Whether the wording is the built-in one."""


@dataclass(frozen=True)
class Plan:
    """An exam, ready to run."""

    subject: str
    parts: tuple[Part, ...]
    paradigms: tuple[Paradigm, ...]
    cast: Mapping[str, Subject]
    """Who plays which role; the one under examination plays `subject` and every role not named."""
    paradigm_pack: Pack
    seed: int

    def player(self, role: str) -> Subject:
        return self.cast.get(role, self.cast[MAIN_ROLE])

    @cached_property
    def label(self) -> str:
        """How the examined subject is called in results: with whoever plays the other roles."""
        others = [f"{role}={who.name}" for role, who in self.cast.items() if role != MAIN_ROLE]
        return f"{self.subject} [{', '.join(others)}]" if others else self.subject

    @property
    def size(self) -> int:
        """The number of trials planned."""
        return sum(p.task.size(_fitting(p.design, way), p.n) for p in self.parts for way in self.paradigms)

    def trials(self) -> Iterator[Trial]:
        prefixes = {(p.task.name, w.name): self._identity(p, w) for p in self.parts for w in self.paradigms}
        for part in self.parts:
            for item in part.task.items(part.task.item_levels(part.design), part.n, self.seed):
                for condition in part.task.conditions(part.design, item):
                    for way in self.paradigms:
                        if way.needs_pictures and condition.get("modality") == "text":
                            continue  # nothing to look at: not applicable, not zero
                        key = _key(prefixes[part.task.name, way.name], item, condition)
                        yield Trial(part, item, condition, way, key)

    def _identity(self, part: Part, way: Paradigm) -> bytes:
        """Everything a trial's key holds besides its item and condition."""
        players = {role: [self.player(role).name, dict(self.player(role).settings)] for role in way.roles}
        words = [part.pack.digest] + ([self.paradigm_pack.digest] if way.words else [])
        return json.dumps([part.task.name, way.name, players, words, READER], sort_keys=True).encode()

    def spec(self) -> dict[str, Any]:
        """What was asked for, in the words of the command line."""
        return {
            "subject": self.subject,
            "roles": {role: who.name for role, who in self.cast.items() if role != MAIN_ROLE},
            "tasks": [part.task.name for part in self.parts],
            "paradigms": [way.name for way in self.paradigms],
            "trials": self.size,
        }

    def fingerprint(self) -> dict[str, Any]:
        """What the results rest on, apart from the items themselves."""
        return {
            "snellen": __version__,
            "subject": self.label,
            "settings": {role: dict(who.settings) for role, who in self.cast.items()},
            "paradigms": [way.name for way in self.paradigms],
            "seed": self.seed,
            "reader": READER,
            "tasks": {
                part.task.name: {
                    "design": part.design.name,
                    "n": part.n,
                    "levels": {k: list(v) for block in part.design.blocks for k, v in block.items()},
                    "prompts": f"{part.pack.origin} {part.pack.digest[:12]}",
                }
                for part in self.parts
            },
        }


def _fitting(design: Design, way: Paradigm) -> Design:
    """The design without what the paradigm cannot do."""
    if not way.needs_pictures:
        return design
    blocks = (
        {**block, "modality": tuple(level for level in block["modality"] if level != "text")}
        if "modality" in block
        else block
        for block in design.blocks
    )
    return replace(design, blocks=tuple(b for b in blocks if b.get("modality", True)))


def _key(prefix: bytes, item: Item, condition: Condition) -> bytes:
    asked = "\x1f".join((item.id, item.digest, *(f"{k}={condition[k]}" for k in sorted(condition))))
    return sha256(prefix + asked.encode()).digest()[:16]


def make_plan(subject: str, **choices: Any) -> Plan:
    """The plan for these choices (see `Choices`)."""
    tasks = [find_task(name) for name in choices.get("tasks") or [DEFAULT_TASK]]
    ways = tuple(paradigm(name) for name in choices.get("paradigms") or ["direct"])
    prompts = choices.get("prompts")
    pack_file = Path(prompts) if prompts else None
    n = choices.get("n")
    if n is not None and n < 1:
        raise UserError(f"--n {n}: expected at least 1 base item")
    return Plan(
        subject=subject,
        parts=tuple(_part(t, choices, n, pack_file) for t in tasks),
        paradigms=ways,
        cast=_cast(subject, choices.get("roles") or {}, ways),
        paradigm_pack=load(pack_file or WORDING, PARADIGM_TABLE, fallback=WORDING),
        seed=choices.get("seed", 0),
    )


def _part(task: Task, choices: Mapping[str, Any], n: int | None, pack_file: Path | None) -> Part:
    design = task.design(choices.get("design"))
    changed = task.changed(design, choices.get("levels") or {})
    pack = load(pack_file or task.prompts, task.name)
    return Part(task, changed, n or design.n, pack, own_words=pack_file is None)


def _cast(subject: str, roles: Mapping[str, str], ways: Sequence[Paradigm]) -> dict[str, Subject]:
    known = list(dict.fromkeys(role for way in ways for role in way.roles if role != MAIN_ROLE))
    for role in roles:
        if role not in known:
            if not known:
                raise UserError(
                    f"--role {role}: the paradigm {ways[0].name} has no roles to give away; try --paradigm describe"
                )
            raise unknown("role", role, known)
    cast = {MAIN_ROLE: find_subject(subject)}
    cast.update((role, find_subject(name)) for role, name in roles.items())
    return cast
