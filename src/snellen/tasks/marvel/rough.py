"""What a panel looks like roughly: the same for panels that differ in a few pixels of place or size.

Places are taken from the middle of what is drawn and told in coarse steps. Two looks that differ by less than a step
can still fall on either side of a boundary; most do not.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from snellen.tasks.marvel.puzzle import Panel

STEP = 14
"""So many pixels apart, of the 180 of a panel, two drawings may look the same."""
_MIDDLE, _FAR = 90, 28
_ACROSS, _DOWN = ("x", "x2"), ("y", "y2")
_LENGTHS = ("size", "cell")


def rough_look(panel: Panel) -> str:
    """The drawing in black, in whatever order its marks were put down."""
    spots = [spot for mark in panel["marks"] for spot in _spots(mark)]
    middle = [(min(values) + max(values)) / 2 for values in zip(*spots, strict=True)] if spots else [0.0, 0.0]
    aside = [round((value - _MIDDLE) / _FAR) for value in middle]  # in a corner is another look than in the middle
    return json.dumps([aside, sorted(json.dumps(_roughly(mark, middle), sort_keys=True) for mark in panel["marks"])])


def _spots(mark: Mapping[str, Any]) -> Iterator[tuple[float, float]]:
    """Where a mark lies: its middle or ends, or the points of its line; of a grid its corners."""
    yield from ((x, y) for x, y in mark.get("points", ()))
    if "x" in mark:
        yield mark["x"], mark["y"]
    if "x2" in mark:
        yield mark["x2"], mark["y2"]
    if "cell" in mark:
        rows = mark["rows"]
        yield mark["x"] + mark["cell"] * len(rows[0]), mark["y"] + mark["cell"] * len(rows)


def _roughly(mark: Mapping[str, Any], middle: list[float]) -> dict[str, Any]:
    """A mark without its colour; turns, counts and names stay as they are."""
    x, y = middle
    told = {name: value for name, value in mark.items() if name != "colour"}
    told |= {name: _steps(mark[name] - x) for name in _ACROSS if name in mark}
    told |= {name: _steps(mark[name] - y) for name in _DOWN if name in mark}
    told |= {name: _steps(mark[name]) for name in _LENGTHS if name in mark}
    if "points" in mark:
        told["points"] = [[_steps(px - x), _steps(py - y)] for px, py in mark["points"]]
    return told


def _steps(length: float) -> int:
    return round(length / STEP)
