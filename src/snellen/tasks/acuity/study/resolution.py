"""Effective resolution: from which size on somebody shrinks the picture before it is seen, and by which rule.

Letters of the same size are asked on canvases of many sizes and shapes. As long as a picture arrives as it is sent, the
threshold (in pixels of the picture sent) stays the same; once it is shrunk, the threshold rises as much as the picture
shrinks. Every rule that servers are known to use says by how much each canvas is shrunk:

    edge   the longer side is at most so many pixels
    short  the shorter side is, once the whole was fitted into a square of 2048 pixels
    area   there are at most so many pixels
    tiles  the picture fits into at most so many tiles of 512 pixels

Each rule with each cap is held against what the answers on every canvas say of the threshold there (the whole curve of
what is likely, not only its middle), together with no shrinking at all. A letter that was resampled may be harder than
one drawn in that size, by how much nobody knows. Nothing is said of a break that lies beyond the canvases asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, log10, sqrt
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from snellen.psychometric import Marginal, PosteriorEstimate
from snellen.tasks.acuity.eyes.scaling import FITTED, TILE, Size, area, long_edge, short_edge, tiles
from snellen.tasks.acuity.study.measuring import Measure

Floats = NDArray[np.float64]
Rule = Literal["edge", "short", "area", "tiles"]
RULES: Mapping[Rule, Callable[[Size, int], Size]] = {
    "edge": long_edge,
    "short": short_edge,
    "area": area,
    "tiles": tiles,
}

SURE = 0.95
_SMALLEST = 128
_STEPS = 12
"""Caps a doubling of the side."""
_TOUCHED = 2 ** (1 / (2 * _STEPS))
"""A canvas that shrinks by less arrives whole under another cap that the same one stands for: a cap of 767 px says
nothing of whether 768 px were resampled."""
_LEAST_SIZES = 3
_STRAYS = 0.001
_HARDER = (1.0, 1.12, 1.25, 1.4)
"""How much larger a letter may have to be because somebody has resampled it, beside being shrunk: by nothing or by up
to 40 %, as methods of shrinking differ. Without this, caps come out too low."""

_SURE = 9
"""Digits in which every machine agrees. On square canvases several rules say the very same: the first of them is taken,
not the one that rounding favours."""


@dataclass(frozen=True, slots=True)
class Cap:
    """A rule with its cap: the longer or the shorter side in pixels, the area in pixels, or the number of tiles."""

    rule: Rule
    cap: int

    def shrinks(self, size: Size) -> float:
        """How many pixels sent become one seen."""
        return float(sqrt(size[0] * size[1] / _area(RULES[self.rule](size, self.cap))))

    @property
    def side(self) -> float:
        """The largest square that arrives as it is sent."""
        if self.rule == "tiles":
            return TILE * float(int(sqrt(self.cap)))
        return sqrt(self.cap) if self.rule == "area" else float(self.cap)


def _area(size: Size) -> int:
    return size[0] * size[1]


class Point(NamedTuple):
    """The threshold of letters on one canvas, in pixels a stroke; None where there is no number, with `said` why."""

    size: Size
    threshold: float | None
    low: float | None
    high: float | None
    said: str


Kind = Literal["shrunk", "whole", "unclear"]


@dataclass(frozen=True)
class Resolution:
    """What the thresholds over canvases say.

    `kind`: pictures are shrunk, arrive whole, or it cannot be told (`why`). `side`: the largest square that arrives as
    it is sent. `up_to`: pictures arrive whole at least up to squares of this side (97.5 %). `rules`: how likely each
    rule is if pictures are shrunk. `caps`: of each rule its likely cap. `plain`: the threshold of a picture that
    arrives whole (px a stroke), `best`: the likeliest cap, `harder`: by what factor letters that were resampled most
    likely have to be larger beside that; to draw.
    """

    kind: Kind
    why: str
    points: tuple[Point, ...]
    shrunk: float
    side: PosteriorEstimate | None = None
    up_to: float | None = None
    rules: Mapping[Rule, float] | None = None
    caps: Mapping[Rule, PosteriorEstimate] | None = None
    plain: float | None = None
    best: Cap | None = None
    harder: float = 1.0

    @property
    def largest(self) -> Size:
        return max((point.size for point in self.points), key=_area)

    @property
    def told(self) -> tuple[Rule, ...]:
        """The rules that remain, the likeliest first."""
        ranked = sorted((self.rules or {}).items(), key=lambda each: -round(each[1], _SURE))
        kept: list[Rule] = []
        for rule, _ in ranked:
            if sum((self.rules or {})[each] for each in kept) < SURE:
                kept.append(rule)
        return tuple(kept)


def size_of(canvas: str) -> Size | None:
    """Width and height of a canvas: 512 is square, 1024x512 is wide."""
    sides = canvas.split("x")
    if len(sides) > 2 or not all(side.isdecimal() and side.isascii() and int(side) for side in sides):
        return None
    return int(sides[0]), int(sides[-1])


def resolution(own: Sequence[Measure]) -> Resolution | None:
    """What one subject's thresholds of letters over canvases say; None where too few sizes were asked."""
    sized = [(size, each) for each in own if (size := size_of(each.condition["canvas"])) is not None]
    sized.sort(key=lambda pair: (_area(pair[0]), pair[0]))
    if len({_area(size) for size, _ in sized}) < _LEAST_SIZES:
        return None
    points = tuple(_point(size, each) for size, each in sized)
    if sum(point.threshold is not None for point in points) < 2:
        return Resolution("unclear", _why_none([each for _, each in sized]), points, 0.0)
    return _judged(points, _Likely([(size, each.found.posterior.threshold) for size, each in sized]))


def _why_none(own: Sequence[Measure]) -> str:
    if all(each.found.kind == "better than drawn" for each in own):
        return "the smallest letters are read on every canvas"
    return "fewer than two canvases have a threshold"


def _point(size: Size, each: Measure) -> Point:
    found = each.found.threshold
    if found is None:
        return Point(size, None, None, None, each.found.why)
    low, high = (None if end is None else 10**end for end in (found.low, found.high))
    return Point(size, 10**found.value, low, high, "")


class _Likely:
    """How likely a rule is: what is held likely of the threshold on every canvas, on one grid."""

    def __init__(self, canvases: Sequence[tuple[Size, Marginal]]) -> None:
        self.sizes = [size for size, _ in canvases]
        self.grids = [marginal.values for _, marginal in canvases]
        step = float(self.grids[0][1] - self.grids[0][0])
        self.values = np.arange(min(grid[0] for grid in self.grids), max(grid[-1] for grid in self.grids), step)
        # Priors of thresholds are even, so masses are likelihoods but for a factor.
        self.logs = [np.log(np.maximum(marginal.masses, 1e-12) / marginal.masses.max()) for _, marginal in canvases]

    def of(self, shrunk: Sequence[float]) -> Floats:
        """The log likelihood of every threshold of a picture that arrives whole, if canvases shrink so."""
        total = np.zeros_like(self.values)
        for factor, grid, logs in zip(shrunk, self.grids, self.logs, strict=True):
            total += np.interp(self.values + log10(factor), grid, logs)
        return total

    def by_harder(self, cap: Cap) -> Floats:
        """The same of a cap, a row for everything that resampling may cost."""
        factors = [cap.shrinks(size) for size in self.sizes]
        return np.array(
            [self.of([by * factor if factor > _TOUCHED else factor for factor in factors]) for by in _HARDER]
        )

    def under(self, cap: Cap) -> Floats:
        """The same of a cap, over all that resampling may cost."""
        return np.asarray(scipy.special.logsumexp(self.by_harder(cap), axis=0) - log(len(_HARDER)))


class _Best(NamedTuple):
    """The likeliest of all: the threshold of a picture that arrives whole, what resampling costs, and how likely it is
    that thresholds stray so far from both."""

    plain: float
    harder: float
    fits: float


def _best(likely: _Likely, cap: Cap | None) -> _Best:
    """Under a cap, else without any. Every number that was chosen to fit leaves one canvas fewer to stray: the
    threshold and, under a cap, the cap itself and what resampling costs."""
    logs = likely.of([1.0] * len(likely.sizes))[None] if cap is None else likely.by_harder(cap)
    row, column = np.unravel_index(int(np.argmax(np.round(logs, _SURE))), logs.shape)
    left = len(likely.sizes) - (1 if cap is None else 3)
    fits = float(scipy.special.chdtrc(max(1, left), -2 * float(logs[row, column])))
    return _Best(float(10 ** likely.values[column]), 1.0 if cap is None else _HARDER[row], fits)


def _judged(points: tuple[Point, ...], likely: _Likely) -> Resolution:
    flat = likely.of([1.0] * len(likely.sizes))
    caps = list(_caps(likely.sizes))
    logs = np.array([likely.under(cap) for cap in caps])
    each = scipy.special.logsumexp(logs, axis=1) - _log_priors(caps)
    whole, shrunk = float(scipy.special.logsumexp(flat)), float(scipy.special.logsumexp(each))
    share = 1 / (1 + float(np.exp(min(whole - shrunk, 700.0))))
    masses = np.exp(each - scipy.special.logsumexp(each))
    best = caps[int(np.argmax(np.round(masses, _SURE)))]
    plain, harder, fits = _best(likely, best if share >= 0.5 else None)
    if fits < _STRAYS:
        why = "the thresholds across canvas sizes follow no known rule"
        return Resolution("unclear", why, points, share)
    sides = _between(_estimate([cap.side for cap in caps], masses))
    if share <= SURE:
        return _not_shrunk(points, share, _whole_up_to(points, caps, share * masses), plain)
    if not any(point.threshold is not None and best.shrinks(point.size) == 1 for point in points):
        # Where the smallest letters are read on all that arrives whole, nobody knows how much finer its eyes are.
        why = "large pictures are shrunk; finding the size limit needs smaller letters on small canvases"
        return Resolution("unclear", why, points, share)
    rules: dict[Rule, float] = {rule: float(masses[[cap.rule == rule for cap in caps]].sum()) for rule in RULES}
    likely_caps = {rule: _cap_of(rule, caps, masses) for rule, mass in rules.items() if mass > 1e-6}
    return Resolution("shrunk", "", points, share, sides, sides.low, rules, likely_caps, plain, best, harder)


def _whole_up_to(points: Sequence[Point], caps: Sequence[Cap], masses: Floats) -> float:
    """The side of a square below which a break has but one chance in forty."""
    largest = max(sqrt(_area(point.size)) for point in points)
    order = np.argsort([cap.side for cap in caps], kind="stable")
    over = np.flatnonzero(np.cumsum(masses[order]) > (1 - 0.95) / 2)
    return min(largest, caps[int(order[over[0]])].side) if len(over) else largest


def _not_shrunk(points: tuple[Point, ...], share: float, up_to: float, plain: float) -> Resolution:
    """Pictures arrive whole if that is known for more than half of what was asked."""
    if share < 0.5 and up_to >= max(sqrt(_area(point.size)) for point in points) / 2:
        return Resolution("whole", "", points, share, up_to=up_to, plain=plain)
    return Resolution("unclear", "the answers are consistent with and without shrinking", points, share)


def _caps(sizes: Sequence[Size]) -> Iterator[Cap]:
    """Every cap that shrinks at least one canvas."""
    longest, largest = max(max(size) for size in sizes), max(map(_area, sizes))
    across = np.arange(0, np.log2(longest / _SMALLEST), 1 / _STEPS)
    yield from (Cap("edge", round(_SMALLEST * 2**k)) for k in across)
    beside = np.arange(0, np.log2(min(FITTED, max(min(size) for size in sizes)) / _SMALLEST), 1 / _STEPS)
    yield from (Cap("short", round(_SMALLEST * 2**k)) for k in beside)
    over = np.arange(0, np.log2(sqrt(largest) / _SMALLEST), 1 / _STEPS)
    yield from (Cap("area", round(_SMALLEST * 2**k) ** 2) for k in over)
    most = max(-(-w // TILE) * -(-h // TILE) for w, h in sizes)
    yield from (Cap("tiles", n) for n in range(1, most))


def _log_priors(caps: Sequence[Cap]) -> Floats:
    """Rules are equally likely beforehand, and so are the caps of one rule (on a log scale; of tiles too)."""
    weights = {rule: np.array([1 / cap.cap if rule == "tiles" else 1.0 for cap in caps if cap.rule == rule])
               for rule in RULES}  # fmt: skip
    present = [rule for rule in RULES if len(weights[rule])]
    shares = np.concatenate([weights[rule] / weights[rule].sum() / len(present) for rule in present])
    return np.asarray(-np.log(shares))


def _estimate(values: Sequence[float], masses: Floats) -> PosteriorEstimate:
    """The median and the central interval of values with masses."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(masses[order]) / masses.sum()
    at = [float(np.asarray(values)[order][int(np.searchsorted(below, share - 1e-12))]) for share in (0.025, 0.5, 0.975)]
    return PosteriorEstimate(at[1], at[0], at[2])


def _cap_of(rule: Rule, caps: Sequence[Cap], masses: Floats) -> PosteriorEstimate:
    mine = np.array([cap.rule == rule for cap in caps])
    found = _estimate([float(cap.cap) for cap in caps if cap.rule == rule], masses[mine])
    return found if rule == "tiles" else _between(found, 2 if rule == "area" else 1)


def _between(found: PosteriorEstimate, power: int = 1) -> PosteriorEstimate:
    """An interval as far as half way to the next caps that were tried: none between them was."""
    half = 2 ** (power / (2 * _STEPS))
    low, high = (None if end is None else end * by for end, by in ((found.low, 1 / half), (found.high, half)))
    return PosteriorEstimate(found.value, low, high)
