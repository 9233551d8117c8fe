"""What must be seen in the diagnoses of a fake: how often, over 20 seeds, a statement about a diagnosis holds."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from snellen.charts.blocks import Diagnosis, Loss, Value

SEEDS = 20
THINKING = frozenset({"thinking", "finding", "applying"})
_STEPS = THINKING | {"attention", "eyes", "clutter", "saying", "habit"}
"""Faculties that are charged at a step of the ladder."""
_NOTHING = 1e-6
"""A share that is as good as none: no page shows so small a number."""
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) %")


@dataclass(frozen=True)
class Seen:
    """One fake in one exam: the diagnosis, and the share of items that each lack decided."""

    task: str
    seed: int
    fake: str
    diagnosis: Diagnosis
    put_in: Mapping[str, float]

    @property
    def named(self) -> frozenset[str]:
        """Every fault that is named, in the verdict or beside it."""
        return frozenset(self.diagnosis.faults) | ({self.diagnosis.verdict} - {"none", "small", "unclear"})


@dataclass(frozen=True)
class Bar:
    """`least` and `most`: in how many of 20 exams the statement holds."""

    says: str
    holds: Callable[[Seen], bool]
    least: int = 0
    most: int = SEEDS

    def range_of(self, exams: int) -> tuple[int, int]:
        """The same for so many exams, rounded up to a whole exception, yet never half of them."""
        exceptions = [min(ceil(many * exams / SEEDS), (exams - 1) // 2) for many in (SEEDS - self.least, self.most)]
        return exams - exceptions[0] if self.least else 0, exams if self.least else exceptions[1]

    def limit(self, exams: int) -> str:
        least, most = self.range_of(exams)
        return f"at least {least}" if self.least else f"at most {most}"

    def is_met(self, times: int, exams: int) -> bool:
        least, most = self.range_of(exams)
        return least <= times <= most


def names(*faculties: str, least: int) -> Bar:
    return Bar(f"names {' and '.join(faculties)}", lambda seen: seen.named >= set(faculties), least=least)


def accuses(*faculties: str, most: int) -> Bar:
    """One of these is named though it is not lacking."""
    return Bar(f"names {' or '.join(faculties)}", lambda seen: bool(seen.named & set(faculties)), most=most)


def exactly(*faculties: str, least: int) -> Bar:
    """These are named and nothing else; the verdict is one of them."""

    def holds(seen: Seen) -> bool:
        return set(seen.diagnosis.faults) == set(faculties) and seen.diagnosis.verdict in seen.diagnosis.faults

    return Bar(f"names {' and '.join(faculties)}, nothing else", holds, least=least)


def verdict(*words: str, least: int) -> Bar:
    return Bar(f"verdict {' or '.join(words)}", lambda seen: seen.diagnosis.verdict in words, least=least)


def faultless(least: int) -> Bar:
    return Bar("no fault named", lambda seen: not seen.named, least=least)


def located(pattern: str, least: int) -> Bar:
    wanted = re.compile(pattern, re.IGNORECASE)
    return Bar(f"located: /{pattern}/", lambda seen: bool(wanted.search(seen.diagnosis.where)), least=least)


def unlocated(most: int) -> Bar:
    return Bar("located though uniform", lambda seen: bool(seen.diagnosis.where), most=most)


def near(faculty: str, points: float, least: int) -> Bar:
    """The loss is estimated within so many points of what was put in."""

    def holds(seen: Seen) -> bool:
        shares = [loss.share.value for loss in seen.diagnosis.losses if faculty in loss.faculties]
        return any(share is not None and abs(share - seen.put_in[faculty]) <= points / 100 for share in shares)

    return Bar(f"{faculty} within {points:g} points", holds, least=least)


def unmeasured(*faculties: str, least: int) -> Bar:
    """No number is given for the loss to these."""

    def holds(seen: Seen) -> bool:
        charged = (loss for loss in seen.diagnosis.losses if set(loss.faculties) & set(faculties))
        return all(loss.share.value is None for loss in charged)

    return Bar(f"no number for {' or '.join(faculties)}", holds, least=least)


def contradictions(seen: Seen) -> Iterator[str]:
    """What no diagnosis may say, whoever was examined."""
    diagnosis = seen.diagnosis
    losses = (*diagnosis.losses, *diagnosis.beside)
    shares = [loss.share.value for loss in diagnosis.losses]
    known = [share for share in (*shares, diagnosis.right.value) if share is not None]
    if len(known) == len(shares) + 1 and shares and abs(sum(known) - 1) > _NOTHING:
        yield f"losses and right sum to {sum(known):.4f}"
    for what, value in _values(diagnosis, losses):
        yield from (f"{what}: {problem}" for problem in _impossible(value))
    if diagnosis.verdict == "none":
        above = [loss.faculties for loss in diagnosis.losses if (loss.share.low or 0) > _NOTHING]
        yield from (f"verdict none beside a loss above 0 to {' or '.join(faculties)}" for faculties in above)
    for sentence in (diagnosis.headline, *diagnosis.details, *diagnosis.missing, diagnosis.where):
        yield from (f"{found[0]!r}" for found in _PERCENT.finditer(sentence) if float(found[1]) > 100)
    for faculty in _STEPS & set(diagnosis.faults):
        steps = [loss.step.value for loss in losses if faculty in loss.faculties]
        if not any(step is not None and step > 0 for step in steps):
            yield f"{faculty} is named, but its step is {steps}"


def _values(diagnosis: Diagnosis, losses: tuple[Loss, ...]) -> Iterator[tuple[str, Value]]:
    for loss in losses:
        name = " or ".join(loss.faculties)
        yield f"share of {name}", loss.share
        yield f"step of {name}", loss.step
        if loss.among is not None:
            yield f"{name} among the items that have its rung", loss.among
    yield "right", diagnosis.right
    yield "accuracy", diagnosis.accuracy
    yield from ((f"accuracy of {score.rung}", score.accuracy) for score in diagnosis.rungs)


def _impossible(value: Value) -> Iterator[str]:
    low, high = value.low, value.high
    if low is None or high is None:
        return
    if high - low <= _NOTHING:
        yield f"an interval of width {high - low:g} at {low:g}"
    if value.value is not None and not low - _NOTHING <= value.value <= high + _NOTHING:
        yield f"{value.value:g} is not between {low:g} and {high:g}"
