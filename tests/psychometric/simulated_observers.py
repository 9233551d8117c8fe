"""Simulated observers whose thresholds are known, and tracks to examine them on."""

from typing import Any

from snellen.answer import Outcome
from snellen.psychometric import Psychometric, PsychometricTrack, TrackResult, finding, next_levels
from snellen.rng import stream

LEVELS = {f"{k}": round(-0.3 + 0.05 * k, 3) for k in range(42)}


def letters(chance: float = 0.1, **settings: Any) -> PsychometricTrack:
    return PsychometricTrack("letters", LEVELS, chance, **settings)


def observe(track: PsychometricTrack, observer: Psychometric, number: int = 0) -> list[tuple[str, Outcome]]:
    """The whole history of an observer on a track."""
    source = stream(number, "observer")
    history: list[tuple[str, Outcome]] = []
    while levels := next_levels(track, history):
        for level in levels:
            history.append((level, "right" if source.chance(float(observer(track.levels[level]))) else "wrong"))
    return history


def some_observer(chance: float, number: int) -> Psychometric:
    source = stream(number, "somebody", str(chance))
    slope, lapse = source.choice([2.5, 4.0, 6.0]), source.choice([0.0, 0.02, 0.08])
    return Psychometric(source.between(0.1, 1.3), slope, chance, lapse)


def examined(chance: float, number: int) -> tuple[Psychometric, TrackResult]:
    track, observer = letters(chance, seed=number), some_observer(chance, number)
    return observer, finding(track, observe(track, observer, number))


def covers(observer: Psychometric, found: TrackResult) -> bool:
    """Whether the interval holds the truth; an open end holds everything beyond what was drawn."""
    assert found.threshold is not None
    low, high = found.threshold.low, found.threshold.high
    return (low is None or low <= observer.threshold) and (high is None or observer.threshold <= high)
