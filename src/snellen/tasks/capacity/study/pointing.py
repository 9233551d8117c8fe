"""Directions and counts: how far off the wrong ones are, and which way.

An answer of several parts reads "sofa: northeast; lamp: south". Each part is compared with its own in the key.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import scipy

from snellen.analysis.estimates import AtLevels, variances
from snellen.analysis.rows import asked
from snellen.charts.blocks import Value
from snellen.tasks.capacity.study.kinds import SETTING
from snellen.tasks.capacity.study.scores import shares

COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
TURNS = ("0°", "+45°", "+90°", "+135°", "180°", "−135°", "−90°", "−45°")
"""Answer minus truth, clockwise, the truth first."""
BEYOND = 3
OFFS = ("−3 or less", "−2", "−1", "0", "+1", "+2", "+3 or more")
_SHORT = {"".join(word[0] for word in re.findall("north|south|east|west", name)): name for name in COMPASS}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def parts(answer: str) -> dict[str, str]:
    """The named parts of an answer; one without names is a single part named ''."""
    named = {}
    for piece in answer.split(";"):
        name, colon, value = piece.rpartition(":")
        named[name.strip() if colon else ""] = value.strip().lower()
    return named


def heading(word: str) -> int | None:
    """Where a direction stands on the compass, in eighths of a turn from north; None if it is none."""
    plain = re.sub(r"[\s_-]", "", word.lower())
    name = _SHORT.get(plain, plain)
    return COMPASS.index(name) if name in COMPASS else None


def turn(answer: str, truth: str) -> str | None:
    """How far a direction is turned from the true one."""
    given, true = heading(answer), heading(truth)
    return None if given is None or true is None else TURNS[(given - true) % len(TURNS)]


def off(answer: str, truth: str) -> float | None:
    """A count minus the true one."""
    given, true = _NUMBER.fullmatch(answer), _NUMBER.fullmatch(truth)
    return None if given is None or true is None else float(given[0]) - float(true[0])


def off_name(difference: float) -> str:
    """The column of a difference in counts."""
    return OFFS[round(max(-BEYOND, min(BEYOND, difference))) + BEYOND]


def _pieces(rows: pl.DataFrame, kind: str) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Row, answer and truth of every part of every answer of a kind that could be read."""
    read = asked(rows).filter(pl.col("kind") == kind, pl.col("outcome") != "unread")
    for row in read.select(*SETTING, "cluster", "views", "answer", "key").iter_rows(named=True):
        given, true = parts(row["answer"]), parts(row["key"])
        for name, value in true.items():
            if name in given:
                yield row, given[name], value


@dataclass(frozen=True, slots=True)
class Turned(AtLevels):
    """The shares of directions turned so far from the true ones, in the order of `TURNS`."""

    shares: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class CountsOff(AtLevels):
    """By number of `views`: the shares of counts so far off, in the order of `OFFS`, and the mean difference."""

    shares: tuple[Value, ...]
    mean: Value


def turns(rows: pl.DataFrame, seed: int) -> list[Turned]:
    """How directions are turned in every setting."""
    parts = [
        {**row, "turn": turned} for row, answer, true in _pieces(rows, "direction") if (turned := turn(answer, true))
    ]
    return [Turned(levels, shares) for levels, shares in _spread(parts, "turn", TURNS, SETTING, seed)]


def counts(rows: pl.DataFrame, seed: int) -> list[CountsOff]:
    """How far counts are off in every setting and number of views."""
    parts = [
        {**row, "by": gap, "off": off_name(gap)}
        for row, answer, true in _pieces(rows, "counting")
        if (gap := off(answer, true)) is not None
    ]
    return [
        CountsOff(levels, shares, _mean([row for row in parts if levels.items() <= row.items()], seed))
        for levels, shares in _spread(parts, "off", OFFS, (*SETTING, "views"), seed)
    ]


def _mean(parts: list[dict[str, Any]], seed: int) -> Value:
    """The mean difference, with a t interval from the spread between items."""
    items: dict[str, list[float]] = {}
    for row in parts:
        items.setdefault(row["cluster"], []).append(row["by"])
    tops, bottoms = (np.array([f(own) for _, own in sorted(items.items())], dtype=np.float64) for f in (sum, len))
    middle = float(tops.sum() / bottoms.sum())
    if len(items) < 2:
        return Value(middle, n=len(parts))
    half = float(scipy.special.stdtrit(len(items) - 1, 0.975) * np.sqrt(variances([(tops, bottoms)], seed)[0]))
    return Value(middle, middle - half, middle + half, len(parts))


def _spread(
    parts: list[dict[str, Any]], column: str, levels: tuple[str, ...], by: tuple[str, ...], seed: int
) -> list[tuple[dict[str, Any], tuple[Value, ...]]]:
    if not parts:
        return []
    cells = shares(pl.DataFrame(parts, schema_overrides={"cluster": pl.String}), by, column, levels, seed)
    return [(dict(zip(by, key, strict=True)), tuple(values[name] for name in levels)) for key, values in cells.items()]
