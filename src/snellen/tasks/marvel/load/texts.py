"""Descriptions of puzzles that the user supplies: one JSON object with "id" and "text" a line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.tasks.data import Unusable, file_of, records, text_at, value_at
from snellen.tasks.marvel.load.record import Published
from snellen.tasks.panels import Unfit, shown


@dataclass(frozen=True)
class Texts:
    """Texts by the number of their puzzle, and the lines that could not be used."""

    of: Mapping[int, str] = field(default_factory=dict)
    faults: tuple[Unusable, ...] = ()
    name: str = ""

    def put(self, entries: Iterator[Published | Unusable]) -> Iterator[Published | Unusable]:
        """The same entries, each puzzle with its text; afterwards what could not be used."""
        left = dict(self.of)
        for entry in entries:
            if isinstance(entry, Unusable):
                yield entry
            else:
                yield replace(entry, text=left.pop(entry.number, ""))
        yield from self.faults
        for number in left:
            yield Unusable(f"{self.name} id {number}", "no puzzle that can be used has this id")


def read_texts(options: Mapping[str, str]) -> Texts:
    """The texts of the file that the option `text` names."""
    path = file_of(options, "text", (), "")
    if path is None:
        return Texts()
    texts: dict[int, str] = {}
    faults: list[Unusable] = []
    for line in _lines(path):
        if isinstance(line, Unusable):
            faults.append(line)
            continue
        try:
            number, text = _entry(line[1], texts)
        except Unfit as fault:
            faults.append(Unusable(line[0], str(fault)))
        else:
            texts[number] = text
    if not texts:
        why = f" ({faults[0]})" if faults else ""
        raise UserError(f'{path}: no text in it{why}; expected lines like {{"id": 1, "text": "..."}}')
    return Texts(texts, tuple(faults), path.name)


def _lines(path: Path) -> Iterator[tuple[str, Any] | Unusable]:
    """Lines of JSON, whatever the file is called; an array only in a file called `.json`."""
    if path.suffix.lower() == ".json" and path.read_bytes()[:1] != b"[":
        raise UserError(f"{path}: expected a JSON array, or lines of JSON in a file whose name ends in .jsonl")
    return records(path)


def _entry(record: Any, seen: Mapping[int, str]) -> tuple[int, str]:
    number, text = value_at(record, "id"), text_at(record, "text").strip()
    if isinstance(number, str) and number.rpartition("/")[2].isdecimal():
        number = int(number.rpartition("/")[2])
    if type(number) is not int:
        raise Unfit(f"id should be the number of a puzzle, but is {shown(str(number))}")
    if number in seen:
        raise Unfit(f"the id {number} is there a second time; the first text is used")
    if not text:
        raise Unfit("text is empty")
    return number, text
