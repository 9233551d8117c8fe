"""Directions and counts: how far off the wrong ones are, and which way.

An answer of several parts reads "sofa: northeast; lamp: south". Each part is compared with its own in the key.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import scipy

from snellen.analysis.estimates import variances
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
    found = {}
    for piece in answer.split(";"):
        name, colon, value = piece.rpartition(":")
        found[name.strip() if colon else ""] = value.strip().lower()
    return found


def heading(word: str) -> int | None:
    """Where a direction stands on the compass, in eighths of a turn from north; None if it is none."""
    plain = re.sub(r"[\s_-]", "", word.lower())
    name = _SHORT.get(plain, plain)
    return COMPASS.index(name) if name in COMPASS else None


def turn(answer: str, truth: str) -> str | None:
    """How far a direction is turned from the true one."""
    said, true = heading(answer), heading(truth)
    return None if said is None or true is None else TURNS[(said - true) % len(TURNS)]


def off(answer: str, truth: str) -> float | None:
    """A count minus the true one."""
    said, true = _NUMBER.fullmatch(answer), _NUMBER.fullmatch(truth)
    return None if said is None or true is None else float(said[0]) - float(true[0])


def off_name(difference: float) -> str:
    """The column of a difference in counts."""
    return OFFS[round(max(-BEYOND, min(BEYOND, difference))) + BEYOND]


def _pieces(rows: pl.DataFrame, kind: str) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Row, said and true of every part of every answer of a kind that could be read."""
    read = asked(rows).filter(pl.col("kind") == kind, pl.col("outcome") != "unread")
    for row in read.select(*SETTING, "cluster", "views", "answer", "key").iter_rows(named=True):
        said, true = parts(row["answer"]), parts(row["key"])
        for name, value in true.items():
            if name in said:
                yield row, said[name], value


def turns(rows: pl.DataFrame, seed: int) -> list[tuple[dict[str, Any], tuple[Value, ...]]]:
    """Settings, each with the shares of directions turned so far, in the order of `TURNS`."""
    found = [{**row, "turn": turned} for row, said, true in _pieces(rows, "direction") if (turned := turn(said, true))]
    return [(setting, values) for setting, _, values in _spread(found, "turn", TURNS, [], seed)]


def counts(rows: pl.DataFrame, seed: int) -> list[tuple[dict[str, Any], str, tuple[Value, ...], Value]]:
    """Settings and numbers of views, each with the shares of counts so far off (in the order of `OFFS`), and the mean
    difference."""
    found = [
        {**row, "by": gap, "off": off_name(gap)}
        for row, said, true in _pieces(rows, "counting")
        if (gap := off(said, true)) is not None
    ]
    spread = _spread(found, "off", OFFS, ["views"], seed)
    return [
        (setting, views, values, _mean([row for row in found if _at(row, setting, views)], seed))
        for setting, (views,), values in spread
    ]


def _at(row: dict[str, Any], setting: dict[str, Any], views: str) -> bool:
    return bool(row["views"] == views and all(row[name] == level for name, level in setting.items()))


def _mean(found: list[dict[str, Any]], seed: int) -> Value:
    """The mean difference, with a t interval from the spread between items."""
    items: dict[str, list[float]] = {}
    for row in found:
        items.setdefault(row["cluster"], []).append(row["by"])
    tops, bottoms = (np.array([each(own) for _, own in sorted(items.items())], dtype=np.float64) for each in (sum, len))
    middle = float(tops.sum() / bottoms.sum())
    if len(items) < 2:
        return Value(middle, n=len(found))
    half = float(scipy.special.stdtrit(len(items) - 1, 0.975) * np.sqrt(variances([(tops, bottoms)], seed)[0]))
    return Value(middle, middle - half, middle + half, len(found))


def _spread(
    found: list[dict[str, Any]], column: str, known: tuple[str, ...], more: list[str], seed: int
) -> list[tuple[dict[str, Any], tuple[str, ...], tuple[Value, ...]]]:
    if not found:
        return []
    frame = pl.DataFrame(found, schema_overrides={"cluster": pl.String})
    cells = shares(frame, [*SETTING, *more], column, known, seed)
    size = len(SETTING)
    return [
        (dict(zip(SETTING, key[:size], strict=True)), key[size:], tuple(values[name] for name in known))
        for key, values in cells.items()
    ]
