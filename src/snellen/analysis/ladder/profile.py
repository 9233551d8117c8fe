"""The profile of a subject: its losses by faculty and task, and each faculty pooled over tasks. No single score.

Pooling is by a random-effects mean (DerSimonian and Laird): tasks differ in how much a faculty costs in them, and the
range across tasks is part of the finding.
"""

from collections.abc import Sequence
from math import sqrt

from snellen.charts.blocks import Diagnosis, Pooled, Profile, Value
from snellen.faculties import NAMES as FACULTIES


def profiles(diagnoses: Sequence[Diagnosis]) -> tuple[Profile, ...]:
    """The profile of every subject, in the order they come."""
    return tuple(
        _profile(subject, [diagnosis for diagnosis in diagnoses if diagnosis.subject == subject])
        for subject in dict.fromkeys(diagnosis.subject for diagnosis in diagnoses)
    )


def _profile(subject: str, own: Sequence[Diagnosis]) -> Profile:
    rows = []
    for faculty in FACULTIES:
        values = tuple(_loss(diagnosis, faculty) for diagnosis in own)
        if any(value is not None for value in values):
            rows.append((faculty, values))
    pooled = tuple(_pooled(faculty, [value for value in values if value is not None]) for faculty, values in rows)
    return Profile(subject, tuple(diagnosis.task for diagnosis in own), tuple(rows), pooled)


def _loss(diagnosis: Diagnosis, faculty: str) -> Value | None:
    """What the task loses to the faculty, of the items that can show it; None where it was not asked, or not told from
    another."""
    for loss in (*diagnosis.losses, *(beside for beside in diagnosis.beside if beside.faculties == ("saying",))):
        if loss.faculties == (faculty,) and loss.share.value is not None:
            return loss.among or loss.share
    return None


def _pooled(faculty: str, values: Sequence[Value]) -> Pooled:
    known = [
        (v.value, v.low, v.high) for v in values if v.value is not None and v.low is not None and v.high is not None
    ]
    if not known:
        return Pooled(faculty, Value(None), None, 0)
    if len(known) == 1:
        return Pooled(faculty, Value(*known[0], 1), None, 1)
    # Intervals at the edge are one-sided; the half that is there says how sure the value is.
    variances = [max((max(high - value, value - low) / 1.96) ** 2, 1e-6) for value, low, high in known]
    weights = [1 / variance for variance in variances]
    means = [value for value, _, _ in known]
    fixed = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    heterogeneity = sum(w * (m - fixed) ** 2 for w, m in zip(weights, means, strict=True))
    scale = sum(weights) - sum(w**2 for w in weights) / sum(weights)
    between = max(0.0, (heterogeneity - (len(known) - 1)) / scale) if scale > 0 else 0.0
    weights = [1 / (variance + between) for variance in variances]
    mean = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    half = 1.96 / sqrt(sum(weights))
    interval = Value(mean, max(0.0, mean - half), min(1.0, mean + half), len(known))
    return Pooled(faculty, interval, (min(means), max(means)), len(known))
