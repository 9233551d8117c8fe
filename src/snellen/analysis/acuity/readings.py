"""What a measure amounts to, in words and in numbers people read: a threshold, or the reason that there is none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import Literal

from snellen.analysis.acuity.measuring import Curve, Measure
from snellen.analysis.acuity.sights import Sight, number, sight
from snellen.psychometric import Counts, Estimate

Kind = Literal["threshold", "better than drawn", "worse than drawn", "not measurable", "not asked"]
NOT_ASKED = "not asked"
STRAY = 0.01
"""A fit less likely than this is told."""
_UNREAD = "could not be read"
_EXACT = 1e-6
"""A level that was asked is itself, whatever logarithms made of it."""
EM = 5
"""A letter is so many strokes high."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A line to read a test against: somebody known, what they see in words, and `at` which number the line stands
    (the end of what was drawn where they see beyond it). `within`: its interval in words. `since`: which version,
    measured when."""

    name: str
    kind: Kind
    at: float | None
    said: str
    within: str
    since: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One line of a card. Numbers are as they are told (contrast in percent); those that nobody knows are None.

    `said`: the finding in words, `within`: its interval in words ("1.9\u20132.4"). `hardest` and `easiest`: the ends of
    what was asked. `enough`: from where on 95 % are right. `fit`: how likely such a curve strays so far from the
    answers. `caught`: the answers at the easiest level, where only who does not look is wrong.
    `condition`: what differs from the usual condition. `anchors`: lines of others to read it against.
    """

    test: str
    title: str
    unit: str
    kind: Kind
    said: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    within: str = ""
    hardest: float | None = None
    easiest: float | None = None
    enough: Estimate | None = None
    slope: float | None = None
    lapse: float | None = None
    fit: float | None = None
    trials: int = 0
    unread: int = 0
    caught: Counts = field(default_factory=Counts)
    condition: str = ""
    curve: Curve | None = None
    chance: float = 0.0
    falling: bool = False
    anchors: tuple[Anchor, ...] = ()

    @property
    def unread_said(self) -> str:
        """How many answers could not be read; nothing where none, or where the finding itself is that."""
        if not self.unread or _UNREAD in self.said:
            return ""
        return f"{self.unread} of {self.trials} unread"


def reading(measure: Measure, usual: Mapping[str, str], *, brief: bool = False) -> Reading:
    """What a measure says; `usual`: the condition that needs no word; `brief`: without its curve and how it fits."""
    about, found = sight(measure.test), measure.found
    at = _told(about, found.threshold)
    value, low, high = (at.value, at.low, at.high) if at else (None, None, None)
    hardest, easiest = (about.scale * end for end in (measure.hardest, measure.easiest))
    return Reading(
        measure.test,
        about.title,
        about.unit,
        found.kind,
        _said(measure, about, value, hardest, easiest),
        *(value, low, high, "" if value is None else within(about, low, high, (hardest, easiest))),
        hardest=hardest,
        easiest=easiest,
        enough=_told(about, measure.reached),
        slope=found.slope.value,
        lapse=found.lapse.value,
        fit=None if brief else measure.fit,
        trials=found.trials,
        unread=found.unread,
        caught=measure.caught,
        condition=_condition(measure.condition, usual),
        curve=None if brief else measure.curve,
        chance=about.chance,
        falling=about.falling,
    )


def _told(about: Sight, found: Estimate | None) -> Estimate | None:
    """An estimate of a log10 intensity in the unit that it is told in."""
    if found is None:
        return None
    low, high = (None if end is None else about.scale * 10**end for end in (found.low, found.high))
    return Estimate(about.scale * 10**found.value, low, high)


def _condition(condition: Mapping[str, str], usual: Mapping[str, str]) -> str:
    """What differs from the usual condition, in words."""
    unusual = {name: level for name, level in condition.items() if level != usual.get(name)}
    return ", ".join(f"at {level}" if name == "place" else f"{name} {level}" for name, level in unusual.items())


def unread_of(several: Sequence[Reading]) -> str:
    """How many answers to several tests could not be read; nothing where none."""
    unread, trials = (sum(getattr(each, name) for each in several) for name in ("unread", "trials"))
    return f"{unread} of {trials} answers unread" if unread else ""


def not_asked(test: str) -> Reading:
    about = sight(test)
    return Reading(test, about.title, about.unit, "not asked", NOT_ASKED)


def amount(about: Sight, x: float) -> str:
    """A number as this test tells it: things are counted in whole ones, and who is right up to 6.6 counts to six."""
    return f"{floor(x + _EXACT)}" if about.falling else number(x)


def with_unit(about: Sight, x: float) -> str:
    said = amount(about, x)
    one = about.falling and said == "1"  # things are counted, and there is one
    return f"{said}\u00a0{about.unit.removesuffix('s') if one else about.unit}"


def within(about: Sight, low: float | None, high: float | None, ends: tuple[float, float]) -> str:
    """An interval in words; an end beyond what was asked is open."""
    if low is None and high is None:
        return f"anywhere from {amount(about, min(ends))} to {amount(about, max(ends))}"
    if low is None:
        return f"at most {amount(about, high or 0)}"
    return f"at least {amount(about, low)}" if high is None else f"{amount(about, low)}\u2013{amount(about, high)}"


def _said(measure: Measure, about: Sight, value: float | None, hardest: float, easiest: float) -> str:
    kind = measure.found.kind
    if value is not None:
        return with_unit(about, value)
    if kind == "better than drawn":
        return f"more than {with_unit(about, hardest)}" if about.falling else f"better than {with_unit(about, hardest)}"
    if kind == "worse than drawn":
        return f"fewer than {with_unit(about, easiest)}" if about.falling else f"worse than {with_unit(about, easiest)}"
    return measure.found.why
