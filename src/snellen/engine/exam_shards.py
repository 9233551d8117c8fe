"""The records of exams in stores that become one: those of the shards of one exam become the record of that exam.

Shards know the whole of which they are a part: what was asked for and what results rest on is the same in all of them,
and the same as if one machine had asked it all. Which shards are in a record, each with its own numbers, is kept beside
what was asked for (`SHARDS`), so that one that is merged again, or later, changes nothing else.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from snellen.shard import SHARD

SHARDS = "shards"
AGAIN = "again"
"""In a fingerprint: how to ask again, with places of files on one machine; two machines may differ in it."""
ITEMS = "items"
ENDED, COMPLETE, INTERRUPTED = "ended", "complete", "interrupted"
_DIGEST = 1 << 128

ExamRow = tuple[int, str, str, float, float | None, str]
"""A row of the table of exams, without its checksum."""


def items_digest(names: Iterable[str]) -> str:
    """A digest of a set of names in any order; `joined` makes that of a union from those of its disjoint parts."""
    return f"{sum(int.from_bytes(sha256(name.encode('utf-8', 'replace')).digest()) for name in names) % _DIGEST:032x}"


def joined(digests: Iterable[str]) -> str:
    """The digest of a union; "" if that of a part is missing."""
    parts = list(digests)
    return f"{sum(int(part, 16) for part in parts) % _DIGEST:032x}" if all(parts) else ""


@dataclass
class MergedExam:
    """The record of an exam, of which `shards` are at hand, of `of`; 0 for an exam that was not divided."""

    spec: dict[str, Any]
    fingerprint: dict[str, Any]
    of: int
    shards: dict[int, dict[str, Any]] = field(default_factory=dict)
    """By number: when it started and finished, and its counts. An exam that was not divided is its only shard."""

    @property
    def missing(self) -> list[int]:
        """The shards that are not at hand, or not complete."""
        done = (number for number, own in self.shards.items() if own["counts"].get(ENDED) == COMPLETE)
        return sorted(set(range(1, self.of + 1)) - set(done))

    @property
    def started(self) -> float:
        return float(min(own["started"] for own in self.shards.values()))

    def row(self, number: int) -> ExamRow:
        """The record as a row under this number."""
        shards = sorted(self.shards.items())
        spec = self.spec
        if self.of:
            spec = {**spec, SHARDS: {"of": self.of, **{str(place): own for place, own in shards}}}
        ends = [own["finished"] for _, own in shards]
        finished = None if None in ends else max(ends)
        counts = _together([own["counts"] for _, own in shards], is_whole=not self.missing)
        return number, _json(spec), _json(self.fingerprint), self.started, finished, _json(counts)


def read_exam(row: Sequence[Any]) -> tuple[str, MergedExam]:
    """An exam from its row, and what is the same in all of its shards, and in no other exam."""
    _, spec, fingerprint, started, finished, counts = row
    spec, fingerprint, counts = json.loads(spec), json.loads(fingerprint), json.loads(counts)
    own = {"started": started, "finished": finished, "counts": counts}
    if shard := spec.pop(SHARD, None):
        number, of = map(int, shard.split("/"))
        exam = MergedExam(spec, fingerprint, of, {number: own})
    elif shards := spec.pop(SHARDS, None):
        of = shards.pop("of")
        exam = MergedExam(spec, fingerprint, of, {int(number): each for number, each in shards.items()})
    else:
        exam = MergedExam(spec, fingerprint, 0, {0: own})
    rests_on = {name: value for name, value in fingerprint.items() if name != AGAIN}
    what = json.dumps([spec, rests_on, exam.of, 0 if exam.of else started], sort_keys=True)
    return what, exam


class ExamUnion:
    """The exams of several stores, each once; `numbers`: by store and number there, the number in the union."""

    def __init__(self, rows: Iterable[Sequence[Any]]) -> None:
        self.exams: dict[str, MergedExam] = {}
        self.begun: dict[int, float] = {}
        """When each exam began, by its number in the union."""
        self._numbers: dict[str, int] = {}
        for row in rows:
            what = self._add(row)
            self._numbers.setdefault(what, row[0])

    def add(self, stores: Sequence[Sequence[Sequence[Any]]]) -> list[dict[int, int]]:
        """Add the rows of several stores; returns for each the numbers that its exams have here. New ones are numbered
        in the order in which they began."""
        named = [{row[0]: self._add(row) for row in rows} for rows in stores]
        new = [what for what in self.exams if what not in self._numbers]
        first = max(self._numbers.values(), default=0) + 1
        new.sort(key=lambda what: self.exams[what].started)
        self._numbers |= {what: number for number, what in enumerate(new, first)}
        self.begun = {self._numbers[what]: exam.started for what, exam in self.exams.items()}
        return [{number: self._numbers[what] for number, what in own.items()} for own in named]

    def rows(self) -> Iterator[ExamRow]:
        return (exam.row(self._numbers[what]) for what, exam in self.exams.items())

    def _add(self, row: Sequence[Any]) -> str:
        what, exam = read_exam(row)
        into = self.exams.setdefault(what, exam)
        for number, own in exam.shards.items():
            into.shards[number] = max(into.shards.get(number, own), own, key=_lateness)
        return what


def _lateness(shard: Mapping[str, Any]) -> tuple[float, bool]:
    """Of two runs of a shard the later one counts, and of two copies of a run the finished one."""
    return shard["started"], shard["finished"] is not None


def _together(counts: Sequence[Mapping[str, Any]], *, is_whole: bool) -> dict[str, Any]:
    """The numbers of an exam from those of its parts."""
    if len(counts) == 1 and is_whole:
        return dict(counts[0])
    merged: dict[str, Any] = _united(counts)
    if ENDED in merged:
        merged[ENDED] = COMPLETE if is_whole else INTERRUPTED
    if ITEMS in merged:
        merged[ITEMS] = joined(own.get(ITEMS, "") for own in counts) if is_whole else ""
    return merged


def _united(values: Sequence[Any]) -> Any:
    """Numbers added, lists joined, mappings united; of anything else the first."""
    first = values[0]
    if isinstance(first, dict):
        names = dict.fromkeys(name for value in values for name in value)
        return {name: _united([value[name] for value in values if name in value]) for name in names}
    if isinstance(first, list):
        return [entry for value in values for entry in value]
    return sum(values) if isinstance(first, int) and not isinstance(first, bool) else first


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
