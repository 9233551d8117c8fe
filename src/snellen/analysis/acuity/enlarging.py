"""What enlarging does for a subject: how many times small print must be enlarged until 95 % of its letters are read,
and whether that held when it was asked again.

The size at which 95 % are right follows from the curve of letters (`psychometric.reaching`). Small print has letters
10 px high; how many times it must be enlarged is that size over its own. An adaptive exam ends with charts of small
print, cut out and enlarged so many times (`tasks.adaptive.Check`): these are no part of the curve, so what it predicts
for them can fail.
"""

from dataclasses import dataclass
from math import floor, log10

import polars as pl

from snellen.analysis.acuity.measuring import CONDITION, Measure
from snellen.analysis.estimates import wilson
from snellen.psychometric import Estimate, Prediction, predicted
from snellen.tasks.acuity.battery import SMALL_PRINT
from snellen.tasks.acuity.view import USUALLY, page_of

ENLARGED = "enlarged"
_PRINT = float(SMALL_PRINT)
_HALF_STEP = 0.026
"""Of the enlargements that can be asked, in log10; they are written with three digits."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Charts of small print enlarged so many `times`: how many of those that could be read were `right`, and what the
    curve of letters had `predicted`."""

    times: float
    right: int
    read: int
    predicted: Prediction

    @property
    def as_predicted(self) -> bool:
        return self.predicted.least <= self.right <= self.predicted.most

    @property
    def reached(self) -> bool:
        """False where so few are right that 95 % is ruled out."""
        return wilson(self.right / self.read, self.read)[1] >= 0.95


@dataclass(frozen=True, slots=True)
class Enlargement:
    """`times`: how many times small print must be enlarged for 95 % right, with its 95 % interval (an end beyond what
    was drawn is None). `canvas`: the side of the page that a crop is enlarged to, in px."""

    times: Estimate
    canvas: int
    checked: Checked | None

    @property
    def needed(self) -> bool:
        return self.times.value > 1

    @property
    def advised(self) -> float:
        """The enlargement that was checked, if it is the nearest there was to the estimate; else the estimate."""
        asked = self.checked.times if self.checked is not None else self.times.value
        return asked if abs(log10(asked / self.times.value)) <= _HALF_STEP else self.times.value

    @property
    def crop(self) -> int:
        """The side of the crop, in px, that fills the page when enlarged as advised."""
        return floor(self.canvas / max(1.0, self.advised))


def enlargement(letters: Measure, rows: pl.DataFrame) -> Enlargement | None:
    """What the curve of letters prescribes for small print; None where 95 % is not reached at any size drawn. `rows`:
    the subject's, in which the charts to check it by are found."""
    found = letters.reached
    if found is None:
        return None
    value, low, high = (None if end is None else 10**end / _PRINT for end in (found.value, found.low, found.high))
    times = Estimate(value or 0.0, low, high)
    side = page_of(letters.condition["canvas"]).shorter
    return Enlargement(times, side, _checked(letters, times.value, rows))


def _checked(letters: Measure, times: float, rows: pl.DataFrame) -> Checked | None:
    """The answers at the enlargement nearest to the one prescribed."""
    here = [pl.col(name).cast(pl.String) == letters.condition[name] for name in CONDITION if name != ENLARGED]
    print_only = (pl.col("test") == letters.test) & (pl.col("level").cast(pl.String) == SMALL_PRINT)
    other = pl.col(ENLARGED).cast(pl.String) != USUALLY[ENLARGED]
    read = rows.filter(print_only, other, pl.col("outcome") != "unread", *here)
    if not read.height:
        return None
    counts = read.group_by(pl.col(ENLARGED).cast(pl.String)).agg((pl.col("outcome") == "right").sum(), pl.len())
    asked, right, many = min(counts.rows(), key=lambda row: (abs(log10(float(row[0]) / times)), -row[2]))
    expected = predicted(letters.found.posterior, log10(_PRINT * float(asked)), many)
    return Checked(float(asked), right, many, expected)
