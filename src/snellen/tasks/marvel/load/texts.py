"""Descriptions of puzzles: one JSON object a line, for as many puzzles as there are.

The user supplies the file, or takes the one that is kept here: `descriptions.jsonl`, 98 of the published puzzles
in our own words: five of each pattern in each configuration of flat puzzles, and three solids.

A line has "id", the number of a puzzle, and either "text", the whole puzzle in words, or what each panel shows:
"panels", a list of those of the context without the blank (of a solid: its net alone), and "choices", a list of four.
The paper described 95 puzzles panel by panel, five of each pattern in each configuration; its descriptions are not
published, nor which puzzles they are of.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from snellen.errors import UserError
from snellen.tasks.data import Unusable, file_of, records, text_at, value_at
from snellen.tasks.marvel.load.record import Described, PublishedPuzzle
from snellen.tasks.marvel.puzzle import CHOICES
from snellen.tasks.panels import Unfit, shown

OURS: Final = "snellen"
"""`text=snellen` names the descriptions that are kept here."""
_OURS = Path(__file__).with_name("descriptions.jsonl")
_EXPECTED = '{"id": 1, "panels": ["...", ...], "choices": ["...", "...", "...", "..."]} or {"id": 1, "text": "..."}'


@dataclass(frozen=True)
class Texts:
    """Texts by the number of their puzzle, and the lines that could not be used. `only`: no other puzzles."""

    of: Mapping[int, str | Described] = field(default_factory=dict)
    faults: tuple[Unusable, ...] = ()
    name: str = ""
    only: bool = False

    def put(self, entries: Iterator[PublishedPuzzle | Unusable]) -> Iterator[PublishedPuzzle | Unusable]:
        """The same entries, each puzzle with its text; afterwards what could not be used."""
        left = dict(self.of)
        for entry in entries:
            if isinstance(entry, Unusable):
                yield entry
            elif entry.number in left:
                yield self._with(entry, left.pop(entry.number))
            elif not self.only:
                yield entry
        yield from self.faults
        for number in left:
            yield Unusable(f"{self.name} id {number}", "no usable puzzle has this id")

    def _with(self, entry: PublishedPuzzle, text: str | Described) -> PublishedPuzzle | Unusable:
        if isinstance(text, str):
            return replace(entry, text=text)
        wanted = entry.rows * entry.columns - (entry.configuration != "reassembling")
        if len(text.context) != wanted:
            fault = f"panels has {len(text.context)} descriptions; its context has {wanted} panels without the blank"
            return Unusable(f"{self.name} id {entry.number}", fault)
        return replace(entry, described=text)


def read_texts(options: Mapping[str, str]) -> Texts:
    """The texts of the file that the option `text` names; `snellen` names our own."""
    only = options.get("only", "")
    if only not in ("", "described"):
        raise UserError(f"only={only}: expected only=described")
    path = _OURS if options.get("text") == OURS else file_of(options, "text", (), "")
    if path is None:
        if only:
            raise UserError(f"only=described needs text=FILE, a file of descriptions, or text={OURS} for ours")
        return Texts()
    texts: dict[int, str | Described] = {}
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
        raise UserError(f"{path}: no text in it{why}; expected lines like {_EXPECTED}")
    return Texts(texts, tuple(faults), path.name, bool(only))


def _lines(path: Path) -> Iterator[tuple[str, Any] | Unusable]:
    """Lines of JSON, whatever the file is called; an array only in a file called `.json`."""
    if path.suffix.lower() == ".json" and path.read_bytes()[:1] != b"[":
        raise UserError(f"{path}: expected a JSON array, or lines of JSON in a file whose name ends in .jsonl")
    return records(path)


def _entry(record: Any, seen: Mapping[int, str | Described]) -> tuple[int, str | Described]:
    number = value_at(record, "id")
    if isinstance(number, str) and number.rpartition("/")[2].isdecimal():
        number = int(number.rpartition("/")[2])
    if type(number) is not int:
        raise Unfit(f"id should be the number of a puzzle, but is {shown(str(number))}")
    text = _described(record) if "panels" in record or "choices" in record else text_at(record, "text").strip()
    if number in seen:
        raise Unfit(f"the id {number} is a duplicate; the first text is used")
    if not text:
        raise Unfit("text is empty")
    return number, text


def _described(record: Any) -> Described:
    context, choices = (_listed(record, name) for name in ("panels", "choices"))
    if len(choices) != CHOICES:
        raise Unfit(f"choices should hold {CHOICES} descriptions, but holds {len(choices)}")
    return Described(context, choices)


def _listed(record: Any, name: str) -> tuple[str, ...]:
    listed = value_at(record, name)
    if not isinstance(listed, list) or not all(isinstance(text, str) and text.strip() for text in listed):
        raise Unfit(f"{name} should be a list of descriptions, none of them empty")
    return tuple(" ".join(text.split()) for text in listed)
