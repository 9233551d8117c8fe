"""Thresholds of difficulty: up to which size, number or amount somebody is right, where an exam was held in tracks.

How often somebody is right in tracks says nothing, for these ask what is as hard as can be: such trials are kept from
everything that counts accuracies, and say where the limit is. (The eye chart has a study of its own.)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

import polars as pl

from snellen.analysis.columns import positions, table
from snellen.analysis.rows import asked, of_task
from snellen.charts.blocks import Diagnosis, Section, Table, Value
from snellen.psychometric import PsychometricTrack, TrackResult, finding

TITLE = "Difficulty limits"
MANY_SLIPS = 0.1


@dataclass(frozen=True)
class Tracked:
    """A track as an exam recorded it: which trials are its own."""

    task: str
    track: PsychometricTrack
    factor: str
    held: Mapping[str, str]
    mixed: tuple[Mapping[str, str], ...]
    paradigms: tuple[str, ...]

    def own(self, columns: Sequence[str]) -> pl.Expr:
        """Which rows are trials of the track, or of another design that asks the same."""

        def levels(wanted: Mapping[str, str]) -> pl.Expr:
            known = (_is(name, (level,)) for name, level in wanted.items() if name in columns)
            return pl.all_horizontal(pl.lit(True), *known)

        here = _is("task", (self.task,)) & _is("paradigm", self.paradigms) & levels(self.held)
        if self.factor not in columns:
            return pl.lit(False)
        turns = reduce(or_, map(levels, self.mixed)) if self.mixed else pl.lit(True)
        return here & turns & _is(self.factor, tuple(self.track.levels))


def _is(column: str, levels: Sequence[str]) -> pl.Expr:
    return pl.col(column).cast(pl.String).is_in(list(levels)).fill_null(False)


@dataclass(frozen=True)
class TrackThreshold:
    """What a track found of a subject."""

    subject: str
    tracked: Tracked
    found: TrackResult

    @property
    def value(self) -> Value | None:
        """The threshold in the unit of its levels."""
        threshold = self.found.threshold
        if threshold is None:
            return None
        low, high = (None if end is None else 10.0**end for end in (threshold.low, threshold.high))
        return Value(10.0**threshold.value, low, high, self.found.trials)

    @property
    def words(self) -> str:
        """In a few words; never a number that was not measured."""
        easiest, hardest = _ends(self.tracked.track)
        value = self.value
        if value is not None and value.value is not None:
            reach = f"{_number(value.low, 'below ', easiest)} to {_number(value.high, 'beyond ', hardest)}"
            return f"up to {value.value:.3g} ({reach}){self._slips}"
        if self.found.kind == "better than drawn":
            return f"no limit up to the hardest level ({hardest:g}){self._slips}"
        if self.found.kind == "worse than drawn":
            return f"fails at the easiest level ({easiest:g})"
        return self.found.why

    @property
    def _slips(self) -> str:
        """Who slips often is not right up to a limit."""
        share = self.found.lapse.value
        return f", with {100 * share:.0f} % slips at any level" if share > MANY_SLIPS else ""


def _ends(track: PsychometricTrack) -> tuple[float, float]:
    """The easiest and the hardest level, in their unit."""
    first, *_, last = sorted(track.levels.values())
    ends = (10.0**first, 10.0**last)
    return ends if track.falling else ends[::-1]


def _number(end: float | None, side: str, last: float) -> str:
    """An end of an interval; where it is open, beyond which level that is."""
    return f"{side}{last:g}" if end is None else f"{end:.3g}"


def recorded(fingerprints: Sequence[Mapping[str, Any]], spared: Sequence[str] = ()) -> list[tuple[int, Tracked]]:
    """The tracks of every exam, with its number, but for those of tasks that are `spared`."""
    return [
        (fingerprint["exam"], tracked)
        for fingerprint in fingerprints
        for task, part in fingerprint.get("tasks", {}).items()
        if task not in spared and "exam" in fingerprint
        for tracked in _tracks(task, part)
    ]


def _tracks(task: str, part: Mapping[str, Any]) -> Iterator[Tracked]:
    for told in part.get("tracks", ()):
        track = PsychometricTrack(told["name"], told["levels"], told["chance"], told["falling"], most=told["most"])
        plain = {name: level for name, level in part.get("plainest", {}).items() if name != told.get("checked_by")}
        held = {**plain, **told["kind"], **told["condition"]}
        yield Tracked(
            task, track, told["factor"], held, tuple(told.get("mixed", ())), tuple(part.get("tracked_by", ()))
        )


def without_tracks(
    rows: pl.DataFrame, fingerprints: Sequence[Mapping[str, Any]], spared: Sequence[str] = ()
) -> pl.DataFrame:
    """The rows without those that tracks chose to ask. Spared are tasks whose study needs these: not spared by whoever
    counts accuracies alone."""
    tracks = recorded(fingerprints, spared)
    if not tracks or "exam" not in rows.columns:
        return rows
    chosen = reduce(or_, ((pl.col("exam") == exam) & tracked.own(rows.columns) for exam, tracked in tracks))
    return rows.filter(~chosen)


def limits(
    rows: pl.DataFrame, fingerprints: Sequence[Mapping[str, Any]], spared: Sequence[str] = ()
) -> tuple[TrackThreshold, ...]:
    """What every track found of everyone who was asked it; one that was asked over some levels and over all, once."""
    tracks = (tracked for _, tracked in recorded(fingerprints, spared))
    widest_last = sorted(tracks, key=lambda each: len(each.track.levels))
    distinct = {(tracked.task, tracked.track.name): tracked for tracked in widest_last}
    found = []
    for tracked in distinct.values():
        own = asked(of_task(rows, tracked.task))
        own = own.filter(tracked.own(own.columns))
        for subject in own["subject"].cast(pl.String).unique(maintain_order=True):
            answers = own.filter(_is("subject", (subject,))).select(tracked.factor, "outcome")
            history = [(str(level), outcome) for level, outcome in answers.iter_rows()]
            found.append(TrackThreshold(subject, tracked, finding(tracked.track, history)))
    return tuple(found)


_COLUMNS = positions("subject", "task", "varied", "limit", "trials", "unread")


def limit_table(thresholds: Sequence[TrackThreshold]) -> Table:
    return table(
        "difficulty",
        TITLE,
        "The level at which accuracy, corrected for guessing and slips, is about two in three; in brackets the 95 %"
        " credible interval, open where it exceeds the available levels. Interpolated between levels.",
        _COLUMNS,
        (
            (limit.subject, limit.tracked.task, limit.tracked.track.name, limit.words, result.trials, result.unread)
            for limit in thresholds
            for result in [limit.found]
        ),
    )


def difficulty_sections(found: Sequence[TrackThreshold]) -> tuple[Section, ...]:
    return (Section(TITLE, (limit_table(found),)),) if found else ()


def with_limits(diagnoses: Sequence[Diagnosis], found: Sequence[TrackThreshold]) -> tuple[Diagnosis, ...]:
    """The diagnoses of subjects whose faults were looked for, and one for each of whom only limits are known."""
    by_case: dict[tuple[str, str], list[str]] = {}
    for each in found:
        lines = by_case.setdefault((each.tracked.task, each.subject), [])
        lines.append(f"{each.tracked.track.name}: {each.words}.")
    told = [replace(one, details=(*one.details, *by_case.pop((one.task, one.subject), ()))) for one in diagnoses]
    return (*told, *(_measured(task, subject, lines) for (task, subject), lines in by_case.items()))


def _measured(task: str, subject: str, lines: Sequence[str]) -> Diagnosis:
    headline = f"{subject}: this design measures the difficulty limit of {task}, not why answers beyond it are wrong."
    return Diagnosis(
        subject=subject, headline=headline, verdict="measured", details=tuple(lines), badge="limits", task=task
    )
