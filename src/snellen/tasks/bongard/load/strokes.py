"""Bongard-LOGO's action programs in words.

A drawing is a list of shapes, a shape a list of strokes: `line_<style>_<length>-<turn>` or
`arc_<style>_<radius>_<angle>-<turn>`, every number scaled to 0..1. The turtle turns first, then draws: turn 0.5 is
straight on, 0.75 is 90 degrees to the left; arc angle 0.625 is 90 degrees to the left, below 0.5 the arc is drawn
backwards. Where a shape stands, how large it is and which way it starts is not part of a program.
"""

import re
from typing import Any

from snellen.tasks.bongard.draw.strokes import PenStroke
from snellen.tasks.bongard.strokes.path import moves
from snellen.tasks.panels import Unfit, shown

_NUMBER = r"(\d+(?:\.\d+)?)"
_LINE = re.compile(rf"line_([a-z]+)_{_NUMBER}-{_NUMBER}", re.ASCII)
_ARC = re.compile(rf"arc_([a-z]+)_{_NUMBER}_{_NUMBER}-{_NUMBER}", re.ASCII)
_STYLES = {
    "normal": "a plain line",
    "zigzag": "a zigzag line",
    "square": "a row of squares",
    "triangle": "a row of triangles",
    "circle": "a row of circles",
    "arrow": "a row of arrowheads",
    "classic": "a row of arrowheads",
}


def in_words(program: Any) -> str:
    """What the program draws; Unfit if it is none."""
    if not isinstance(program, list) or not program:
        raise Unfit("a drawing's program should be a list of shapes")
    return " ".join(_shape(i, len(program), shape) for i, shape in enumerate(program, 1))


def as_rule(program: Any) -> str:
    """A rule that one could draw the program's shapes by: what the pen does, stroke by stroke."""
    paths = [moves(_plan(strokes)) for strokes in program]
    return ", and ".join(f"a path, large or small and turned any way: {path}" for path in paths)


def _plan(strokes: list[str]) -> list[PenStroke]:
    """The strokes as a pen makes them that never goes backwards: it turns round, bends the other way and turns back."""
    plan: list[PenStroke] = []
    turned_round = 0.0
    for stroke in strokes:
        numbers = _LINE.fullmatch(stroke) or _ARC.fullmatch(stroke)
        if numbers is None:
            raise Unfit(f"{shown(stroke)!r} is no stroke")
        *_, turn = numbers.groups()
        degrees = float(turn) * 360 - 180 + turned_round
        turned_round = 0.0
        angle = 0.0  # of a line
        if len(numbers.groups()) == 4:
            angle = float(numbers[3]) * 720 - 360
            if angle < 0:
                degrees, turned_round = degrees + 180, 180.0
        plan.append(PenStroke(float(numbers[2]), angle, (degrees + 180) % 360 - 180))
    return plan


def _shape(i: int, of: int, strokes: Any) -> str:
    if not isinstance(strokes, list) or not all(isinstance(stroke, str) for stroke in strokes):
        raise Unfit("a shape's program should be a list of strokes")
    return f"Shape {i} of {of}, {len(strokes)} strokes: {'; '.join(map(_stroke, strokes))}."


def _stroke(stroke: str) -> str:
    if line := _LINE.fullmatch(stroke):
        style, length, turn = line.groups()
        return f"{_turn(turn)}straight for {float(length):g}, as {_style(style)}"
    if arc := _ARC.fullmatch(stroke):
        style, radius, angle, turn = arc.groups()
        degrees = round(float(angle) * 720 - 360)
        way = "bending left" if degrees >= 0 else "backwards"
        return f"{_turn(turn)}arc {way} through {abs(degrees)} degrees, radius {float(radius):g}, as {_style(style)}"
    raise Unfit(f"{shown(stroke)!r} is no stroke")


def _turn(turn: str) -> str:
    degrees = round(float(turn) * 360 - 180)
    if not degrees:
        return ""
    return f"turn {'left' if degrees > 0 else 'right'} {abs(degrees)} degrees, "


def _style(style: str) -> str:
    if style not in _STYLES:
        raise Unfit(f"{shown(style)!r} is no style of stroke")
    return _STYLES[style]
