"""Difficulty found by asking: tracks of a task, each over the levels of one factor, and what is still to be asked.

A track asks a batch, waits for all its answers and chooses the next. Which items these are is a function of the answers
alone: the number of an item is how often its level was asked before. So everyone who is asked a level is asked the same
items at it, and whoever was interrupted goes on by replaying: what is answered already is looked up, what is missing is
asked.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from snellen.answer import Outcome
from snellen.errors import UserError
from snellen.psychometric import PsychometricTrack, finding, next_levels, reach

__all__ = ["GradedTrack", "PsychometricTrack"]

Answered = Callable[[str, int], Outcome | None]
"""The outcome of the item of this level and number; None where there is none yet."""
_DIGITS = 9
"""Distances that are equal to so many digits are equal, on every machine."""
_STRIDE = 7
"""By so many turns the first of a level is after that of the level before."""


@dataclass(frozen=True)
class Check:
    """What a track ends with: is it true what its curve says? Items of its level `level` are asked under the condition
    that should get `share` of them right: of `levels`, those of the condition `factor` with the log10 intensity to
    which each brings these items, the nearest to what is enough. `many` are asked, but no more than the track may
    ask."""

    factor: str
    level: str
    levels: Mapping[str, float]
    share: float = 0.95
    many: int = 20

    def due(self, track: PsychometricTrack, history: Sequence[tuple[str, Outcome]]) -> str | None:
        """The level of the condition to ask under, after a track; None where there is nothing to check: no threshold,
        no intensity that is enough, or nothing to change for it."""
        result = finding(track, history)
        enough = reach(result.posterior, self.share).at if result.kind == "threshold" else None
        if enough is None or enough.value <= track.levels[self.level]:
            return None
        return min(self.levels, key=lambda name: round(abs(self.levels[name] - enough.value), _DIGITS))

    def asked(self, track: PsychometricTrack) -> int:
        """The number of items of the check."""
        return min(self.many, track.most)

    def spot(self, name: str) -> str:
        """What takes the place of a level where items are asked under this level of the condition."""
        return f"{self.factor}={name}"

    def condition(self, spot: str) -> dict[str, str]:
        """The condition of a spot; nothing if it is a level of the track."""
        factor, equals, name = spot.partition("=")
        return {factor: name} if equals and factor == self.factor else {}


@dataclass(frozen=True)
class GradedTrack:
    """A track of a task: which factor of its items is varied, and at which levels the others stay. `condition`: the
    levels of condition factors that it is asked under, where these are not the default. `mixed`: further levels of its
    items that take turns, where the difficulty is to be that of many kinds together. `turns`: conditions that take
    turns, where what is asked is whether they differ: all are asked near the one threshold that they have together.
    `share`: which of how many tracks of the same items this is; each has its own of them. `check`: what is asked after
    it, to see whether its curve is right."""

    track: PsychometricTrack
    factor: str
    kind: Mapping[str, str]
    condition: Mapping[str, str] = field(default_factory=dict)
    mixed: tuple[Mapping[str, str], ...] = ()
    turns: tuple[Mapping[str, str], ...] = ()
    share: tuple[int, int] = (0, 1)
    check: Check | None = None

    @property
    def most(self) -> int:
        """The maximum number of items asked, including the check."""
        return self.track.most + (self.check.asked(self.track) if self.check else 0)

    def turn(self, level: str, number: int) -> Mapping[str, str]:
        """The condition whose turn it is. Levels begin with different ones, so that those asked seldom are not all
        asked under the same."""
        if not self.turns:
            return {**self.condition, **(self.check.condition(level) if self.check else {})}
        first = _STRIDE * list(self.track.levels).index(level)
        return {**self.condition, **self.turns[(first + number) % len(self.turns)]}

    def place(self, level: str, number: int) -> tuple[Mapping[str, str], int]:
        """The item of this level and number, by its kind and its number among those."""
        if self.check and self.check.condition(level):
            level = self.check.level
        place, tracks = self.share
        number = tracks * number + place
        if not self.mixed:
            return {**self.kind, self.factor: level}, number
        index, turn = divmod(number, len(self.mixed))
        return {**self.kind, **self.mixed[turn], self.factor: level}, index

    def levels_of(self, factor: str, default: str) -> tuple[str, ...]:
        """The levels of a factor that the track is asked at: all of them, if it is the one that is varied."""
        if factor == self.factor:
            return tuple(self.track.levels)
        if several := next((kinds for kinds in (self.mixed, self.turns) if kinds and factor in kinds[0]), None):
            return tuple(dict.fromkeys(kind[factor] for kind in several))
        return (self.kind.get(factor) or self.condition.get(factor, default),)

    def among(self, factor: str, chosen: Sequence[str], default: str) -> "tuple[GradedTrack, ...]":
        """The track restricted to the chosen levels; empty if it has none of them."""
        kept = [level for level in self.levels_of(factor, default) if level in chosen]
        if self.mixed and factor in self.mixed[0]:
            mixed = tuple(kind for kind in self.mixed if kind[factor] in kept)
            return (replace(self, mixed=mixed),) if mixed else ()
        if self.turns and factor in self.turns[0]:
            turns = tuple(turn for turn in self.turns if turn[factor] in kept)
            return (replace(self, turns=turns),) if turns else ()
        if factor != self.factor or len(kept) == len(self.track.levels):
            return (self,) if kept else ()
        if len(kept) == 1:
            raise UserError(f"--set {factor}={kept[0]}: {self.track.name} varies it and needs two levels or more")
        levels = {level: self.track.levels[level] for level in kept}
        check = self.check if self.check and self.check.level in levels else None
        return (replace(self, track=replace(self.track, levels=levels), check=check),) if levels else ()

    def under(self, factor: str, chosen: Sequence[str]) -> "tuple[GradedTrack, ...]":
        """The track once under each of the chosen levels of a condition."""
        named = (replace(self.track, name=f"{self.track.name} {factor}={level}") for level in chosen)
        both = zip(chosen, named, strict=True)
        alone = replace(self, turns=()) if self.turns and factor in self.turns[0] else self
        if self.check and factor == self.check.factor:
            alone = replace(alone, check=None)
        return tuple(replace(alone, track=track, condition={**self.condition, factor: level}) for level, track in both)

    @property
    def block(self) -> Mapping[str, tuple[str, ...]]:
        """All levels of the track as a block of a design."""
        still = {name: (level,) for name, level in (*self.kind.items(), *self.condition.items())}
        several = (kinds for kinds in (self.mixed, self.turns) if kinds)
        taken = {name: tuple(dict.fromkeys(kind[name] for kind in kinds)) for kinds in several for name in kinds[0]}
        return {**still, **taken, self.factor: tuple(self.track.levels)}


def as_json(graded: GradedTrack) -> dict[str, Any]:
    """A track in JSON types; together with its answers it determines the threshold."""
    track = graded.track
    return {
        "name": track.name,
        "factor": graded.factor,
        "levels": dict(track.levels),
        "kind": dict(graded.kind),
        "condition": dict(graded.condition),
        **({"mixed": [dict(kind) for kind in graded.mixed]} if graded.mixed else {}),
        **({"turns": [dict(turn) for turn in graded.turns]} if graded.turns else {}),
        **({"share": list(graded.share)} if graded.share != (0, 1) else {}),
        **({"checked_by": graded.check.factor} if graded.check else {}),
        "chance": track.chance,
        "falling": track.falling,
        "most": track.most,
    }


class TrackProgress(NamedTuple):
    """How far a track is: what was answered, batch by batch, and what of the batch under way was not. It is over when
    nothing is missing."""

    history: Sequence[tuple[str, Outcome]]
    missing: Sequence[tuple[str, int]]


def typical(graded: GradedTrack) -> int:
    """About how many trials a track takes until it has found a threshold: more where guessing is often right. A rule of
    thumb through a few simulated means (10 alternatives 56, 8 64, 4 80); who sees everything or nothing is done
    sooner."""
    track = graded.track
    return min(track.most, round(48 + 128 * track.chance)) + graded.most - track.most


def replay(
    track: PsychometricTrack, answered: Answered, since: Sequence[tuple[str, Outcome]] = (), check: Check | None = None
) -> TrackProgress:
    """Go through a track as far as the answers reach, then through its check, whose answers are no part of the history;
    `since`: a history that an earlier replay came to."""
    history = list(since)
    asked = Counter(level for level, _ in history)
    while batch := list(_numbered(next_levels(track, history), asked)):
        outcomes = [answered(level, number) for level, number in batch]
        missing = [place for place, outcome in zip(batch, outcomes, strict=True) if outcome is None]
        if missing:
            return TrackProgress(history, missing)
        history += [(level, outcome) for (level, _), outcome in zip(batch, outcomes, strict=True) if outcome]
    if check is None or (name := check.due(track, history)) is None:
        return TrackProgress(history, ())
    spots = [(check.spot(name), number) for number in range(check.asked(track))]
    return TrackProgress(history, [spot for spot in spots if answered(*spot) is None])


def _numbered(levels: Sequence[str], asked: Counter[str]) -> Iterator[tuple[str, int]]:
    for level in levels:
        yield level, asked[level]
        asked[level] += 1
