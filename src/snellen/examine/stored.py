"""Replies in a store, with the questions they answer: to read one again and see why it is read so.

A store keeps what a task knows of its items, but no forms: the task itself makes the question again. It is the same if
key and labels are those on record. Where it cannot be had (a task of somebody's own, a published set, another wording,
an item of an earlier version), the labels, the key and the prompt on record have to do.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.engine import Store
from snellen.errors import UserError, invocation
from snellen.item import Condition, Form, Item, Question
from snellen.tasks import Task, task
from snellen.tasks.packs import pack_of

_SHOWN, _LETTERS = 5, 12


@dataclass(frozen=True, slots=True)
class StoredReply:
    """One trial of a store. `row`: its tidy row. `is_exact`: whether the task made the question again; otherwise it is
    put together from the record."""

    row: Mapping[str, Any]
    question: Question
    is_exact: bool


def stored_reply(path: Path, trial: str) -> StoredReply:
    """The trial whose id begins so. An error if there is none, several, or if no reply came back.

    >>> stored_reply(Path("snellen.sqlite"), "3fa91c20").question.key  # doctest: +SKIP
    'X'
    """
    with Store.open(path, readonly=True) as store:
        rows = store.rows()
        fitting = rows.filter(rows["trial"].str.starts_with(trial.lower())) if trial else rows.clear()
        if fitting.height != 1:
            raise UserError(_not_one(path, trial, fitting["trial"].to_list()))
        row = fitting.row(0, named=True)
        if row["text"] is None:
            raise UserError(f"--trial {trial}: there is no reply ({row['how'] or row['reason'] or 'not on record'})")
        return StoredReply(row, *question_on_record(store, row))


def question_on_record(store: Store, row: Mapping[str, Any]) -> tuple[Question, bool]:
    """The question of a trial by its tidy row, and whether the task made it again from the truth on record; otherwise
    it is put together from labels, key and prompt."""
    exact = _made_again(store, row)
    return exact or _from_record(store, row), exact is not None


def _not_one(path: Path, trial: str, trials: list[str]) -> str:
    if not trials:
        listed = f"the report and `{invocation('read', path, '--unread')}` show ids"
        return f"--trial {trial}: no such trial in {path}; {listed}"
    several = ", ".join(name[:_LETTERS] for name in trials[:_SHOWN]) + (", ..." if len(trials) > _SHOWN else "")
    return f"--trial {trial}: {len(trials)} trials match ({several}); give more of the id"


def _made_again(store: Store, row: Mapping[str, Any]) -> Question | None:
    """The question as the task makes it, if that is the one that was asked."""
    if row["pack"]:
        return None
    for digest, truth in store.items_named(row["item"]):
        try:
            family = task(row["task"])
            item = Item(row["item"], family.name, _levels(family, row, of_item=True), truth, digest, row["cluster"])
            condition = Condition(_levels(family, row, of_item=False))
            question = family.stimulus(item, condition, pack_of(family)).question
        except Exception:  # noqa: S112 - any task's code, on an item that another version of it may have made
            continue
        if question.key == row["key"] and list(question.options) == (row["labels"] or []):
            return question
    return None


def _levels(family: Task, row: Mapping[str, Any], *, of_item: bool) -> dict[str, str]:
    """The levels of a trial that belong to its item, or to its condition; a name that is also a column's is kept with
    an underscore."""
    names = [factor.name for factor in family.factors if factor.of_item == of_item]
    levels = {name: row.get(f"{name}_") or row.get(name) for name in names}
    return {name: level for name, level in levels.items() if level is not None}


def _from_record(store: Store, row: Mapping[str, Any]) -> Question:
    """A question of the labels and the key, in the words of the prompt."""
    labels = tuple(row["labels"] or ())
    number = row["key"].removeprefix("-").isdecimal()
    form = Form("choice", labels) if labels else Form("number" if number else "text")
    call = store.call(row["calls"][-1]) if row["calls"] else None
    return Question(_words(call.request) if call else "", form, row["key"])


def _words(request: str) -> str:
    """The words of the last message of a recorded call."""
    _, *parts = json.loads(request)["messages"][-1]
    return "\n".join(part for part in parts if isinstance(part, str))
