"""What became of the trials, and what the wrong answers betray.

Every trial that brought a reply was right, unread, or wrong; a wrong answer betrays a mechanism that speaks of a
faculty (`mechanisms`), or has no name. Weighed as the overall score is (`weighing`), these shares add up to one.

What share of the **errors** a faculty has: kinds count by how much of the overall score they cost.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from snellen.analysis.estimates import AtLevels, Floats, Z, wilson
from snellen.analysis.rows import asked
from snellen.charts.blocks import Value
from snellen.tasks.capacity.study.kinds import SETTING, kind_order
from snellen.tasks.capacity.study.mechanisms import FACULTIES, UNNAMED, faculty_of
from snellen.tasks.capacity.study.scores import shares
from snellen.tasks.capacity.study.weighing import ratio, weighted, weights

BLAMED = (*FACULTIES, UNNAMED)
FATES = (*BLAMED, "right", "unread")
"""The faculties first, as among the errors: charts colour parts by their place, and so each keeps its colour."""


@dataclass(frozen=True, slots=True)
class Fate(AtLevels):
    """What became of the trials of a setting: shares of all, that sum to one (`all`), and of the wrong answers
    (`blame`). `lead`: the share of errors of the first faculty minus that of the second. `wrong`: how many errors;
    `told`: how many of them speak of a faculty."""

    all: dict[str, Value]
    blame: dict[str, Value]
    lead: Value
    wrong: int
    told: int

    @property
    def first(self) -> str:
        """The faculty that most errors are due to."""
        return max(FACULTIES, key=lambda name: self.blame[name].value or 0.0)

    @property
    def named(self) -> float:
        """The share of errors whose mechanism speaks of a faculty."""
        return sum(self.blame[name].value or 0.0 for name in FACULTIES)


def fated(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials that brought a reply, with their `fate` and their mechanism ('' unless wrong)."""
    names = {name: faculty_of(name) for name in rows["mechanism"].unique().to_list()}
    faculty = pl.col("mechanism").replace_strict(names, return_dtype=pl.String)
    wrong = pl.col("outcome") == "wrong"
    return asked(rows).with_columns(
        fate=pl.when(wrong).then(faculty).otherwise(pl.col("outcome")),
        mechanism=pl.when(wrong).then(pl.col("mechanism")).otherwise(pl.lit("")),
    )


def fates(rows: pl.DataFrame, seed: int) -> list[Fate]:
    """What became of the trials of every setting. `rows` have been given their fate."""
    whole = shares(rows, [*SETTING, "category", "kind"], "fate", FATES, seed)
    items = rows.group_by([*SETTING, "kind", "cluster"]).agg(
        pl.len().alias("trials"), *((pl.col("fate") == name).sum().alias(name) for name in BLAMED)
    )
    cells: dict[tuple[Any, ...], dict[tuple[str, str], dict[str, Value]]] = {}
    for key, values in whole.items():
        cells.setdefault(key[:-2], {})[key[-2], key[-1]] = values
    fates = []
    for setting, own in cells.items():
        weight = weights({kind: category for category, kind in own})
        here = items.filter(*(pl.col(n).eq_missing(v) for n, v in zip(SETTING, setting, strict=True)))
        parts = list(_parts(here.sort("kind", "cluster"), weight))
        wrong = int(sum(part[name].sum() for _, part in parts for name in BLAMED))
        blame = {name: _blame(parts, name) for name in BLAMED} if wrong else dict.fromkeys(BLAMED, Value(None))
        first, second, *_ = sorted(FACULTIES, key=lambda name: -(blame[name].value or 0.0))
        fates.append(
            Fate(
                levels=dict(zip(SETTING, setting, strict=True)),
                all={name: weighted((weight[k], cell[name]) for (_, k), cell in own.items()) for name in FATES},
                blame=blame,
                lead=_lead(parts, first, second) if wrong else Value(None),
                wrong=wrong,
                told=int(sum(part[name].sum() for _, part in parts for name in FACULTIES)),
            )
        )
    return fates


Part = tuple[float, dict[str, Floats]]
"""A kind: what it weighs, and item by item the trials and how many of them were put down to what."""


def _parts(items: pl.DataFrame, weight: Mapping[str, float]) -> Iterator[Part]:
    for (kind,), own in items.group_by(["kind"], maintain_order=True):
        yield weight[str(kind)], {name: own[name].to_numpy().astype(np.float64) for name in ("trials", *BLAMED)}


def _errors(part: dict[str, Floats]) -> Floats:
    return np.asarray(np.sum([part[name] for name in BLAMED], axis=0))


def _blame(parts: Sequence[Part], name: str) -> Value:
    """The share of the errors that is put down to something, with Wilson's interval at the effective number of errors.

    Where all or none are, that number rests on two imagined errors in each kind, one of them put down to it.
    """
    counts = [(weight, part[name], _errors(part), part["trials"]) for weight, part in parts]
    more = [(weight, *_with(hits, wrong, trials, (1, 0))) for weight, hits, wrong, trials in counts]
    share, variance = ratio(counts)
    imagined, spread = ratio(more)
    numbers = [p * (1 - p) / v for p, v in ((share, variance), (imagined, spread)) if v > 1e-12]
    low, high = wilson(share, min(numbers))
    return Value(share, min(low, share), max(high, share), round(sum(wrong.sum() for _, _, wrong, _ in counts)))


def _lead(parts: Sequence[Part], first: str, second: str) -> Value:
    """How much more of the errors is put down to one faculty than to another."""
    counts = [(weight, part[first] - part[second], _errors(part), part["trials"]) for weight, part in parts]
    more = [(weight, *_with(net, wrong, trials, (1, -1))) for weight, net, wrong, trials in counts]
    lead, variance = ratio(counts)
    half = Z * float(np.sqrt(max(variance, ratio(more)[1])))
    return Value(lead, max(lead - half, -1.0), min(lead + half, 1.0))


def _with(hits: Floats, wrong: Floats, trials: Floats, imagined: tuple[int, int]) -> tuple[Floats, Floats, Floats]:
    """The counts with two imagined errors, if the kind has any."""
    if not wrong.sum():
        return hits, wrong, trials
    return np.append(hits, imagined), np.append(wrong, [1, 1]), np.append(trials, [1, 1])


@dataclass(frozen=True, slots=True)
class MechanismShare(AtLevels):
    """A mechanism ('' if none) behind wrong answers of a kind: how many of so many wrong ones, and their share."""

    mechanism: str
    faculty: str
    count: int
    share: Value
    wrong: int


def mechanisms(rows: pl.DataFrame, by: Sequence[str], seed: int) -> list[MechanismShare]:
    """The mechanisms behind wrong answers for each combination of `by` and kind; the commonest first."""
    wrong = rows.filter(pl.col("outcome") == "wrong")
    if wrong.is_empty():
        return []
    names = wrong["mechanism"].unique().sort().to_list()
    made = []
    for key, values in shares(wrong, [*by, "kind"], "mechanism", names, seed).items():
        levels = dict(zip((*by, "kind"), key, strict=True))
        for name, value in values.items():
            if count := round((value.value or 0.0) * (value.n or 0)):
                made.append(MechanismShare(levels, name, faculty_of(name), count, value, value.n or 0))
    return sorted(made, key=lambda row: (kind_order(row["kind"]), row.mechanism == "", -row.count))
