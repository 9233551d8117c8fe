"""A track: one adaptive test with named levels, from its first question to what it found.

    track = Track("letters", {"0.50": -0.301, "0.56": -0.251, ...}, chance=0.1)
    history = []
    while levels := next_levels(track, history):
        history += zip(levels, outcomes of asking them)
    found = finding(track, history)

What was found is a threshold only where there is one: who reads the smallest that was drawn is "better than drawn", who
misses the largest "worse than drawn" (`CLAIMED` says how sure that must be), and who lapses too often is not
measurable. None of these is a number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from snellen.answer import Outcome
from snellen.errors import unknown
from snellen.psychometric import quest
from snellen.psychometric.marginal import Marginal, PosteriorEstimate
from snellen.psychometric.posterior import Posterior
from snellen.psychometric.quest import ENOUGH, QuestSettings
from snellen.rng import stream

History = Sequence[tuple[str, Outcome]]
"""What was asked, in the order of asking: level and outcome."""
Kind = Literal["threshold", "better than drawn", "worse than drawn", "not measurable"]

TOO_MANY_LAPSES = 0.3
TOO_MANY_UNREAD = 0.5
TOO_VAGUE = 0.3
"""The sd of the threshold in log10 (a factor of two) above which a number would tell the prior, not the answers."""
SURE = 0.975
"""How likely one of the findings without a number must be to need no further question."""
CLAIMED, MANY = 0.95, 48
"""How likely a threshold must be to lie beyond an end of what was drawn for that to be said; after so many charts,
likelier than not will do. One chart at each of eight levels never comes to it, whatever is answered."""


@dataclass(frozen=True)
class PsychometricTrack:
    """One test: its levels by name with their log10 intensities, what guessing gives, how many to ask.

    `falling`: higher intensities are harder. `seed`: moves catch trials and the order within a batch. `enough`: the sd
    of the threshold in log10 below which nobody needs to be asked more; 0 where all that may be asked is.
    """

    name: str
    levels: Mapping[str, float]
    chance: float
    falling: bool = False
    batch: int = 8
    most: int = 96
    seed: int = 0
    enough: float = ENOUGH

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", MappingProxyType(dict(self.levels)))
        self.settings.grid  # noqa: B018 - raises where these levels cannot be asked

    @cached_property
    def settings(self) -> QuestSettings:
        least = min(2 * self.batch, 16, self.most)
        levels = tuple(sorted(self.levels.values()))
        return QuestSettings(levels, self.chance, self.falling, self.batch, least, self.most, self.enough)

    @cached_property
    def names(self) -> Mapping[float, str]:
        return {x: name for name, x in self.levels.items()}

    @cached_property
    def own_seed(self) -> int:
        """Tracks side by side do not have their catch trials side by side."""
        return stream(self.seed, self.name).below(2**31)

    def intensities(self, history: History) -> list[tuple[float, Outcome]]:
        for level, _ in history:
            if level not in self.levels:
                raise unknown(f"level of {self.name}", level, self.levels)
        return [(self.levels[level], outcome) for level, outcome in history]


@dataclass(frozen=True)
class TrackResult:
    """What a track found: a threshold with its interval, or in `why` the reason that there is none."""

    kind: Kind
    why: str
    threshold: PosteriorEstimate | None
    slope: PosteriorEstimate
    lapse: PosteriorEstimate
    trials: int
    unread: int
    posterior: Posterior


def next_levels(track: PsychometricTrack, history: History) -> tuple[str, ...]:
    """The levels to ask next, in the order of asking; none when the track is over."""
    if _over(track, history):
        return ()
    batch = quest.next_batch(track.settings, track.intensities(history), track.own_seed)
    return tuple(track.names[x] for x in batch)


def finding(track: PsychometricTrack, history: History) -> TrackResult:
    """What the answers say: at the end of a track, on its way, or of any other design over its levels."""
    believed = quest.believe(track.settings, track.intensities(history))
    kind, why = _kind(track, history, believed)
    return TrackResult(
        kind,
        why,
        _inside(track, believed.threshold) if kind == "threshold" else None,
        believed.slope.estimate(),
        believed.lapse.estimate(),
        len(history),
        _unread(history),
        believed,
    )


def difference(first: TrackResult, second: TrackResult) -> PosteriorEstimate | None:
    """The first threshold less the second (log10), of independent answers; None where either is not a number."""
    if first.threshold is None or second.threshold is None:
        return None
    return (first.posterior.threshold - second.posterior.threshold).estimate()


def _over(track: PsychometricTrack, history: History) -> bool:
    """Asked enough: the threshold is known well, or it is clear that there is none, or nobody shall be asked more."""
    settings = track.settings
    if len(history) >= settings.most:
        return True
    if len(history) < settings.least:
        return False
    if _mostly_unread(history):
        return True
    believed = quest.believe(settings, track.intensities(history))
    better, worse = _outside(track, believed.threshold)
    lapsing = believed.lapse.beyond(TOO_MANY_LAPSES)
    return believed.threshold.sd < settings.enough or max(better, worse, lapsing) > SURE


def _kind(track: PsychometricTrack, history: History, believed: Posterior) -> tuple[Kind, str]:
    """What the answers amount to, and in words."""
    if _mostly_unread(history):
        return "not measurable", f"not measurable: {_unread(history)} of {len(history)} answers could not be read"
    threshold, lapse = believed.threshold, believed.lapse
    better, worse = _outside(track, threshold)
    # Who is at chance everywhere has no lapse to speak of: nothing was easy. Who lapses often is not better than
    # drawn, however flat the curve. Hence this order.
    enough = CLAIMED if len(history) < MANY else 0.5
    if worse >= enough:
        return "worse than drawn", "worse than drawn"
    if worse >= 0.5:
        return "not measurable", _too_few(history, "worse")
    if lapse.beyond(TOO_MANY_LAPSES) >= 0.5:
        return "not measurable", f"not measurable: {100 * lapse.median:.0f} % errors even on the easiest charts"
    if better >= enough:
        return "better than drawn", "better than drawn"
    if better >= 0.5:
        return "not measurable", _too_few(history, "better")
    if threshold.sd > TOO_VAGUE:
        return "not measurable", f"not measurable: {len(history)} trials are too few to locate the threshold"
    return "threshold", "threshold"


def _too_few(history: History, side: str) -> str:
    return f"not measurable: {len(history)} charts are too few to say whether it is {side} than the range drawn"


def _outside(track: PsychometricTrack, threshold: Marginal) -> tuple[float, float]:
    """How likely the threshold is better, and worse, than anything drawn."""
    levels = track.settings.levels
    below, above = 1 - threshold.beyond(levels[0]), threshold.beyond(levels[-1])
    return (above, below) if track.falling else (below, above)


def _inside(track: PsychometricTrack, threshold: Marginal) -> PosteriorEstimate:
    """The threshold with its interval, whose ends are open where they lie beyond what was drawn.

    The median is always inside: neither side beyond has half of the mass, else there would be no threshold to tell.
    """
    first, last = track.settings.levels[0], track.settings.levels[-1]
    low, high = threshold.interval()
    return PosteriorEstimate(threshold.median, low if low >= first else None, high if high <= last else None)


def _unread(history: History) -> int:
    return sum(outcome == "unread" for _, outcome in history)


def _mostly_unread(history: History) -> bool:
    return _unread(history) > TOO_MANY_UNREAD * len(history)
