"""A picture and its twin: what is drawn, in exact words."""

import json
from typing import Any

from snellen.item import Picture
from snellen.tasks.bongard.draw.strokes import SIDE, StrokeShape, draw
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.strokes.language import ATTRIBUTES
from snellen.tasks.bongard.strokes.measure import StrokeFigure
from snellen.tasks.bongard.strokes.names import name_of
from snellen.tasks.bongard.strokes.panels import figures_of, shapes_of

_ROWS, _COLUMNS = ("upper", "middle", "lower"), ("left", "centre", "right")


def draw_panel(panel: Panel) -> Picture:
    """The picture, with its twin."""
    many = len(panel["shapes"])
    alt = "a line drawing" if many == 1 else f"a line drawing of {many} shapes"
    return draw(shapes_of(panel), alt=alt, twin=twin(panel))


def twin(panel: Panel) -> str:
    """The shapes stroke by stroke, as compact JSON, with what the checker measures of each.

    Lengths and radii are in units of the shape's longest stroke or thereabouts, angles in degrees; a turn is made
    before each stroke but the first. Null means that an attribute is hard to judge or does not apply.
    """
    pairs = zip(shapes_of(panel), figures_of(panel), strict=True)
    return json.dumps({"shapes": [_described(shape, figure) for shape, figure in pairs]}, separators=(",", ":"))


def _described(shape: StrokeShape, figure: StrokeFigure) -> dict[str, Any]:
    return {
        "name": name_of(figure) or "unnamed",
        "strokes": [_stroke(stroke.size, stroke.angle, stroke.style) for stroke in shape.strokes],
        "turns": [_side(stroke.turn) for stroke in shape.strokes[1:]],
        "position": _position(shape),
        "size": size_of(figure.size * shape.scale),
        "straight strokes": figure.straight,
        "curved strokes": figure.arcs,
        **{attribute: test(figure) for attribute, test in ATTRIBUTES.items()},
    }


def _stroke(size: float, angle: float, style: str) -> dict[str, Any]:
    if angle:
        return {"arc": round(size, 2), "angle": _side(angle), "style": style}
    return {"line": round(size, 2), "style": style}


def _side(degrees: float) -> str:
    return f"{'left' if degrees > 0 else 'right'} {abs(degrees):.0f}"


def _position(shape: StrokeShape) -> str:
    row, column = _ROWS[int(shape.y * 3 / SIDE)], _COLUMNS[int(shape.x * 3 / SIDE)]
    return "centre" if (row, column) == ("middle", "centre") else f"{row} {column}"


def size_of(pixels: float) -> str:
    """How large a shape is on its page, in a word."""
    return "small" if pixels < SIDE / 3 else "large" if pixels > SIDE / 2 else "medium"
