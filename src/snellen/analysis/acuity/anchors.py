"""Lines to read a chart against: how far readers of letters get, which are neither simulated nor anybody's secret.

They were measured by an exam like any other, on whole pictures as a model gets them; `anchors.json` beside this file
holds what they answered at every level (`python tools/make_anchors.py` measures anew). Who has one of them in the store
gets that one's line instead. They take letters, plain and faint; on other tests there is no line, for none was
measured. A reader whose pictures are cropped to their ink is another one, with a name of its own, and gives no line.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from snellen.analysis.acuity.measuring import Measure, measured, measures
from snellen.analysis.acuity.readings import Anchor, Reading, reading
from snellen.analysis.acuity.results import USUAL, Results
from snellen.answer import Outcome

READERS = ("ocr/rapidocr", "ocr/tesseract")
TESTS = ("letters", "contrast")
SEEDS = (0, 1, 2)
"""Exams that a line rests on: one of each seed."""
FILE = Path(__file__).with_name("anchors.json")
HERE = "in this store"
WHOLE = "whole pictures"
"""What a reader must have been shown to be a line; the file says so of each."""
_OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "unread")
_SHOWN = ("threshold", "better than drawn", "worse than drawn")


def tallies(rows: pl.DataFrame) -> dict[str, dict[str, list[int]]]:
    """What was answered at every level of these tests: right, wrong, unread. For the file."""
    usual = [each for each in measures(rows) if dict(each.condition) == dict(USUAL)]
    return {
        each.test: {
            f"{10**x:.6g}": [counts.right, counts.wrong, counts.unread]
            for x, counts in each.found.posterior.tally.items()
        }
        for each in usual
    }


@cache
def shipped() -> Mapping[str, Mapping[str, Anchor]]:
    """The lines that come with the package, by reader and test."""
    told = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: {
            test: _anchor(name, _reading(name, test, levels), _since(each)) for test, levels in each["tests"].items()
        }
        for name, each in told.items()
        if each["shown"] == WHOLE
    }


def _since(told: Mapping[str, Any]) -> str:
    return f"{_versions(told)}, {told['shown']}, measured {told['date']} on {told['machine']}"


def _versions(told: Mapping[str, Any]) -> str:
    """Programs with their versions; digests of data stay in the file."""
    return " on ".join(f"{name} {version}" for name, version in told["versions"].items() if name != "data")


def _reading(name: str, test: str, levels: Mapping[str, Sequence[int]]) -> Reading:
    history: list[tuple[float, Outcome]] = [
        (float(level), outcome)
        for level, counts in levels.items()
        for outcome, n in zip(_OUTCOMES, counts, strict=True)
        for _ in range(n)
    ]
    asked = tuple(sorted(map(float, levels)))
    return reading(Measure(name, test, USUAL, asked, measured(test, history)), USUAL, brief=True)


def _anchor(name: str, read: Reading, since: str) -> Anchor:
    ends = {"threshold": read.value, "better than drawn": read.hardest, "worse than drawn": read.easiest}
    return Anchor(name, read.kind, ends.get(read.kind), read.said, read.within, since)


def anchors(found: Results) -> dict[str, tuple[Anchor, ...]]:
    """The lines of every test that has any."""
    return {test: tuple(_lines(found, test)) for test in TESTS}


def _lines(found: Results, test: str) -> Iterable[Anchor]:
    for name in READERS:
        own = found.sittings[name].readings.get(test) if name in found.sittings else None
        line = shipped().get(name, {}).get(test)
        if own is not None and not own.condition:
            line = _anchor(name, own, HERE)
        if line is not None and line.kind in _SHOWN:
            yield line


def anchored(read: Reading, lines: Mapping[str, Sequence[Anchor]], subject: str) -> Reading:
    """The reading with its lines; none where it was asked under another condition than they were, and none of its
    own."""
    if read.condition or read.kind == "not asked":
        return read
    return replace(read, anchors=tuple(line for line in lines.get(read.test, ()) if line.name != subject))


def _seen(line: Anchor) -> str:
    return f"{line.said} ({line.within})" if line.within else line.said


def told(readings: Iterable[Reading]) -> tuple[str, ...]:
    """Whose lines there are, since when, and what they see; a line of words each."""
    lines = [(read.title.lower(), line) for read in readings for line in read.anchors]
    who = dict.fromkeys((line.name, line.since) for _, line in lines)
    return tuple(
        f"{name} ({since}): "
        + ", ".join(f"{title} {_seen(line)}" for title, line in lines if (line.name, line.since) == (name, since))
        for name, since in who
    )
