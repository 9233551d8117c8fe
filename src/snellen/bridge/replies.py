"""`snellen import replies FOLDER REPLIES`: what another tool brought back on a made data set, into a store.

The folder is examined as `snellen exam --data TASK=FOLDER` would examine it, rungs of the ladder and all; every call is
answered with the reply to the row that shows the same words and pictures. The store is then as after any exam.
"""

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from snellen.call import FINISHES, Call, CallFailed, Finish, Reply
from snellen.errors import UserError
from snellen.examine import Exam, make_plan, run_plan
from snellen.item import Parts, Picture, content_digest
from snellen.subjects.own import own_subject
from snellen.tasks import task_names
from snellen.tasks.export import read_items

__all__ = ["import_replies"]

EXPECTED = '{"reply": "..."} on every line'
Seen = tuple[str, ...]
"""What a call shows: words, and pictures by digest."""


def import_replies(
    folder: str | Path, replies: str | Path, store: str | Path, *, subject: str | None = None, task: str | None = None
) -> Exam:
    """Mark replies to the rows of a folder that `snellen make` wrote, and keep them in a store.

    `replies`: a file with a line of JSON for every row, in the order of the rows: an object with `reply` (None if there
    is none) and, where it is known, `finish` (stop, length or refused). `subject`: what results call whoever replied,
    the file's name unless given. `task`: only for items of a task of your own, its Python file.

    `folder`: what `snellen make` wrote. `store`: the file to keep them in; made if it is not there. Returns the `Exam`
    of these replies. Raises `UserError` if there are more or fewer replies than rows, or if the task is not known here.

    >>> import_replies("boards", "replies.jsonl", "snellen.sqlite").rows  # doctest: +SKIP
    """
    folder, replies = Path(folder), Path(replies)
    heard: dict[Seen, Reply | None] = {}
    name = ""
    for number, (row, reply) in enumerate(zip_longest(read_items(folder), _lines(replies), fillvalue=None), 1):
        if row is None or reply is None:
            fewer = f"{replies}: has fewer replies" if row else f"{replies}: has more replies"
            raise UserError(
                f"{fewer} than {folder} has rows (line {number:,}); expected one per row, in the same order"
            )
        heard.setdefault(_seen(row.shown), reply.reply)
        name = row.item.task
    if task is None and name not in task_names():  # a name in a data set must never become a file to run
        raise UserError(f"folder {folder}: its task {name!r} is not known here; give its file with --tasks")
    digest = content_digest(*(reply.text if reply else "" for reply in heard.values()))[:12]
    who = own_subject(Collected(heard), name=subject or replies.stem, settings={"replies": digest})
    return run_plan(make_plan(who, tasks=task or name, data={name: str(folder)}), store)


class Collected:
    """Answers every call with the reply collected by another tool."""

    def __init__(self, replies: dict[Seen, Reply | None]) -> None:
        self._said = replies

    async def answer(self, call: Call) -> Reply:
        reply = self._said.get(_seen(call.messages[-1].parts))
        if reply is None:
            raise CallFailed("rejected", "no reply was collected for this row")
        return reply


def _seen(parts: Parts) -> Seen:
    return tuple(part.digest if isinstance(part, Picture) else f"words: {part}" for part in parts)


class _ReplyLine(NamedTuple):
    reply: Reply | None


def _lines(path: Path) -> Iterator[_ReplyLine]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _ReplyLine(_reply(line, f"{path} line {number}"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _reply(line: str, where: str) -> Reply | None:
    try:
        row: Any = json.loads(line)
    except ValueError as error:
        raise UserError(f"{where}: not JSON ({error}); expected {EXPECTED}") from None
    if not isinstance(row, dict) or not isinstance(text := row.get("reply", 0), str | None):
        raise UserError(f"{where}: has no text under 'reply'; expected {EXPECTED}")
    finish: Finish = row.get("finish") or "stop"
    if finish not in FINISHES:
        raise UserError(f"{where}: finish {finish!r}; expected one of {', '.join(FINISHES)}")
    return None if text is None else Reply(text, finish)
