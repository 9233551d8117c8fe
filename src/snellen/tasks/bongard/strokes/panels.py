"""Pictures as plain data: strokes put on the page, in JSON types."""

from cmath import exp
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot, radians
from typing import Any

import numpy as np

from snellen.rng import Stream
from snellen.tasks.bongard.draw.strokes import SIDE, STYLES, PenStroke, Points, StrokeShape, box, legs, track
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.strokes.measure import StrokeFigure, measure
from snellen.tasks.bongard.strokes.outline import Plan

_MARGIN = 16
_APART = 16
"""Pixels kept free at the edges of the page and between two shapes."""
_ALONE, _TOGETHER = (120.0, 230.0), (85.0, 145.0)
"""Sizes of a shape that has the page to itself, and of one that shares it."""


def shapes_of(panel: Panel) -> tuple[StrokeShape, ...]:
    return tuple(
        StrokeShape(tuple(map(_stroke, shape["strokes"])), shape["x"], shape["y"], shape["scale"], shape["heading"])
        for shape in panel["shapes"]
    )


def _stroke(data: Mapping[str, Any]) -> PenStroke:
    if "arc" in data:
        return PenStroke(data["arc"], data["angle"], data["turn"], data["style"])
    return PenStroke(data["line"], 0.0, data["turn"], data["style"])


def figures_of(panel: Panel) -> tuple[StrokeFigure, ...]:
    """What the checker measures of each shape."""
    return tuple(measure(shape.strokes) for shape in shapes_of(panel))


def panel_of(shapes: Sequence[StrokeShape]) -> Panel:
    return {"shapes": [_shape_data(shape) for shape in shapes]}


def _shape_data(shape: StrokeShape) -> dict[str, Any]:
    strokes = [_stroke_data(stroke) for stroke in shape.strokes]
    return {"strokes": strokes, "x": shape.x, "y": shape.y, "scale": shape.scale, "heading": shape.heading}


def _stroke_data(stroke: PenStroke) -> dict[str, Any]:
    move = {"arc": stroke.size, "angle": stroke.angle} if stroke.angle else {"line": stroke.size}
    return {**move, "turn": stroke.turn, "style": stroke.style}


def styled(plan: Plan, rng: Stream, *, uniform: bool = False) -> Plan:
    """The strokes in styles: all plain, or each in its own (`uniform`: all in the same)."""
    if uniform:
        style = rng.choice(STYLES)
        return tuple(replace(stroke, style=style) for stroke in plan)
    if rng.chance(0.4):
        return plan
    return tuple(replace(stroke, style=rng.choice(STYLES)) for stroke in plan)


def placed(plans: Sequence[Plan], rng: Stream, turned: tuple[int, int] = (0, 360)) -> Panel:
    """The shapes at random places, turned at random (by degrees in that range), in random sizes, apart from one another
    and from the edges."""
    sizes = _ALONE if len(plans) == 1 else _TOGETHER
    tracks = [np.concatenate(track(legs(plan))) for plan in plans]
    while True:
        shapes = [_thrown(plan, points, rng, sizes, turned) for plan, points in zip(plans, tracks, strict=True)]
        if all(_apart(*a, *b) for k, a in enumerate(shapes) for b in shapes[:k]):
            return panel_of([shape for shape, _, _ in shapes])


def _thrown(
    plan: Plan, points: Points, rng: Stream, sizes: tuple[float, float], turned: tuple[int, int]
) -> tuple[StrokeShape, float, float]:
    """A shape somewhere on the page, with its width and height."""
    heading = float((turned[0] + rng.below(turned[1] - turned[0])) % 360)
    _, width, height = box(points * exp(1j * radians(heading)))
    length = sum(stroke.length for stroke in plan)
    # Between the size of the box and the length of the track: neither the one nor the ink gives a shape away.
    size = (hypot(width, height) + length / 3) / 2
    room = SIDE - 2 * _MARGIN
    scale = min(rng.between(*sizes) / size, room / width, room / height)
    scale = round(scale, 1)
    half_width, half_height = width * scale / 2 + _MARGIN, height * scale / 2 + _MARGIN
    x = round(rng.between(half_width, SIDE - half_width), 1)
    y = round(rng.between(half_height, SIDE - half_height), 1)
    return StrokeShape(plan, x, y, scale, heading), width * scale, height * scale


def _apart(
    a: StrokeShape, width: float, height: float, b: StrokeShape, other_width: float, other_height: float
) -> bool:
    return abs(a.x - b.x) > (width + other_width) / 2 + _APART or abs(a.y - b.y) > (height + other_height) / 2 + _APART
