"""Replies as they stand in logs, written by people who did not know the reader and were not known to its author.

`blind/first.jsonl` and `second.jsonl` have 1,096 replies to questions of all tasks and forms (`questions.jsonl`); an
empty answer means that a careful person would say: this gives none. The reader must not be mended by these replies: for
that are the golden sets.
"""

import json
from pathlib import Path
from typing import Any

from snellen.answer import read
from snellen.item import Field, Form, Question
from support.lengths import some_of

BLIND = Path(__file__).parent / "blind"
TUPLES = ("labels", "beyond", "about")
MOST_UNREAD = 0.03


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (BLIND / f"{name}.jsonl").read_text("utf-8").splitlines()]


def question(written: dict[str, Any]) -> Question:
    form: dict[str, Any] = {name: tuple(value) if name in TUPLES else value for name, value in written["form"].items()}
    parts = form.pop("fields", ())
    fields = tuple(Field(part["name"], part["kind"], tuple(part.get("labels", ()))) for part in parts)
    return Question(written["text"], Form(**form, fields=fields), "")


QUESTIONS = [question(written) for written in rows("questions")]


def plain(value: object) -> object:
    """A value without what does not matter: capitals, the order of a set, the look of a number."""
    words = sorted(str(value).lower().replace(",", " ").split())
    return float(words[0]) if len(words) == 1 and words[0].replace(".", "", 1).isdigit() else " ".join(words)


def same(answer: str | dict[str, str], reading: str, form: Form) -> bool:
    if form.kind != "fields" or not reading:
        return plain(answer) == plain(reading)
    said = dict(part.split(": ", 1) for part in reading.split("; "))
    return isinstance(answer, dict) and {name: plain(value) for name, value in answer.items()} == {
        name: plain(value) for name, value in said.items()
    }


@some_of("name", ["first", "second"], 2)
def test_nothing_is_misread_and_little_is_unread(name: str) -> None:
    false, unread, answered = [], [], 0
    for row in rows(name):
        asked = QUESTIONS[row["question"]]
        found = read(row["reply"], asked.form, row.get("finish", "stop"), asked).answer
        answered += bool(row["answer"])
        if row["answer"] and not found:
            unread.append(row["id"])
        elif not same(row["answer"], found, asked.form):
            false.append((row["id"], found))
    assert not false
    assert len(unread) <= MOST_UNREAD * answered, unread
    assert answered > 450
