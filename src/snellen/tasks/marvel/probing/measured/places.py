"""Where things stand to each other and to the middle: what movement and spatial relationship turn on."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import atan2, degrees, hypot

import numpy as np

from snellen.draw.pens import Points
from snellen.tasks.marvel.probing.measured.seen import MeasuredDrawing
from snellen.tasks.marvel.probing.texts import NUMBERS, Fine
from snellen.tasks.marvel.solve.arranged import BETWEEN, between, growth, pointing, row_turn, stairs
from snellen.tasks.marvel.solve.character import closed, reach
from snellen.tasks.marvel.solve.ink import InkDrawing, StrokeMeetings, meetings, thing_strokes
from snellen.tasks.marvel.solve.pairs import alike_places, at_corner, closeness, line_up
from snellen.tasks.marvel.solve.scene import CENTRE
from snellen.tasks.marvel.solve.things import SolverThing

_OFF, _SLACK = 10, 3
_WAYS = (
    *("at the top", "at the upper right", "on the right", "at the lower right"),
    *("at the bottom", "at the lower left", "on the left", "at the upper left"),
)
_HOURS = ("twelve", *NUMBERS[1:12])
_TURN = tuple(sorted({*range(30, 360, 30), *range(45, 360, 45)}))
"""Angles between places of a dial or a wheel."""
_MEETINGS = {
    StrokeMeetings(1, 0, 0): "crossing",
    StrokeMeetings(0, 1, 0): "forming a T",
    StrokeMeetings(0, 0, 1): "joined at their ends",
    StrokeMeetings(0, 0, 0): "apart",
}
_CLOSE = {
    "apart": "apart",
    "touching": "just touching",
    "overlapping": "overlapping",
    "one in the other": "one inside the other",
}
_WHERE = ("inside", "on the edge of", "outside")
_COMPASS = (
    *("to the right of", "below and to the right of", "below", "below and to the left of"),
    *("to the left of", "above and to the left of", "above", "above and to the right of"),
)
_RUNS = ("from left to right", "falling to the right", "from top to bottom", "rising to the right")
_LARGER = 2.0


def places(look: MeasuredDrawing) -> Iterator[Fine]:
    panel = look.things
    yield from _halves(look)
    yield from _ahead(look)
    yield from _together(look)
    if len(panel) == 2:
        yield from _two(look, *sorted(panel, key=lambda thing: -reach(thing)))
    yield from _dots(look)
    if len(panel) == 3 and all(map(closed, panel)):
        yield from _in_line(look)
    elif len(panel) == 4 and all(map(closed, panel)):
        yield from _alike(look)


def _single(look: MeasuredDrawing) -> Iterator[tuple[str, Points]]:
    """The one thing of its fill, and the one small outline: how they are called, and their lines from the middle."""
    closed_ones = [thing for thing in look.things if closed(thing)]
    for fill, noun in (("black", "solid shape"), ("grey", "grey area"), ("white", "small white shape")):
        filled = [thing for thing in closed_ones if thing.fill == fill and thing.shape != "grid"]
        if len(filled) == 1 and (fill != "white" or filled[0].size < 20):
            yield noun, thing_strokes(filled[0])[0].line - CENTRE


def _halves(look: MeasuredDrawing) -> Iterator[Fine]:
    """In which half a single thing is."""
    for noun, points in _single(look):
        for axis, names in ((0, ("left", "right")), (1, ("upper", "lower"))):
            low, high, off = (float(value(points[:, axis])) for value in (np.min, np.max, np.mean))
            if high <= _SLACK and off < -_OFF:
                yield look.ask("location", "half", names[0], names, noun)
            elif low >= -_SLACK and off > _OFF:
                yield look.ask("location", "half", names[1], names, noun)
        middle = points.mean(axis=0)
        yield from _around(look, noun, float(middle[0]), float(middle[1]))


def _ahead(look: MeasuredDrawing) -> Iterator[Fine]:
    """How far one single thing is ahead of another around the middle: what is kept where both go round together."""
    around = []
    for noun, points in _single(look):
        x, y = (float(value) for value in points.mean(axis=0))
        if hypot(x, y) > _OFF:
            around.append((noun, degrees(atan2(x, -y))))
    for (noun, end), (behind, start) in combinations(around, 2):
        apart = (end - start) % 360
        for far in _TURN:
            if abs(apart - far) < 6:
                others = [f"{other} degrees" for other in _TURN if abs(other - far) > 20]
                yield look.ask("location", "ahead", f"{far} degrees", others, noun, behind)


def _around(look: MeasuredDrawing, noun: str, x: float, y: float) -> Iterator[Fine]:
    """In which of eight directions from the middle something is, or at which hour of a clock face."""
    if hypot(x, y) < 2 * _OFF:
        return
    angle = degrees(atan2(x, -y)) % 360
    for name, words, step in (("from_middle", _WAYS, 45), ("hour", _HOURS, 30)):
        if abs((angle + step / 2) % step - step / 2) < 7:
            way = words[round(angle / step) % len(words)]
            yield look.ask("location", name, way, words, noun)


def _two(look: MeasuredDrawing, first: SolverThing, second: SolverThing) -> Iterator[Fine]:
    if not closed(first) and not closed(second):
        met = _MEETINGS.get(meetings(InkDrawing(look.things)))
        if met:
            yield look.ask("comparison", "lines_meet", met, _MEETINGS.values())
    if not (closed(first) and closed(second)) or any(t.shape in ("grid", "letter") for t in look.things):
        return
    how = closeness(thing_strokes(first)[0].line, thing_strokes(second)[0].line)
    yield look.ask("comparison", "shapes_meet", _CLOSE[how], _CLOSE.values())
    if reach(first) > _LARGER * reach(second):
        place = {"one in the other": 0, "apart": 2}.get(how, 1)
        yield look.ask("location", "small_where", _WHERE[place], _WHERE)
        cornered = at_corner(first, second)
        if cornered is not None and how != "touching":
            yield look.ask("location", "cornered", "corner" if cornered else "side", ("corner", "side"))
        yield from _towards(look, first, second)
    yield from _compass(look, first, second)


def _towards(look: MeasuredDrawing, large: SolverThing, small: SolverThing) -> Iterator[Fine]:
    """On which side of the large one the small one stands, where it is straight above, below or beside its middle."""
    x, y = small.x - large.x, small.y - large.y
    if hypot(x, y) > 2 * _OFF and min(abs(x), abs(y)) < 0.25 * max(abs(x), abs(y)):
        sides = ("right", "bottom", "left", "top")
        side = sides[round(degrees(atan2(y, x)) / 90) % 4]
        yield look.ask("location", "towards", side, sides)


def _compass(look: MeasuredDrawing, first: SolverThing, second: SolverThing) -> Iterator[Fine]:
    """On which side of the white figure the solid one is."""
    black, white = ([t for t in (first, second) if t.fill == fill] for fill in ("black", "white"))
    if len(black) == len(white) == 1:
        angle = degrees(atan2(black[0].y - white[0].y, black[0].x - white[0].x)) % 360
        if hypot(black[0].y - white[0].y, black[0].x - white[0].x) > 2 * _OFF and abs((angle + 22.5) % 45 - 22.5) < 10:
            way = _COMPASS[round(angle / 45) % 8]
            yield look.ask("location", "compass", way, _COMPASS)


def _in_line(look: MeasuredDrawing) -> Iterator[Fine]:
    line = line_up(look.things)
    if line is None:
        return
    angle, ordered = line
    if abs((angle + 22.5) % 45 - 22.5) < 8:
        runs = _RUNS[round(angle / 45) % 4]
        yield look.ask("location", "row_runs", runs, _RUNS)
    fills = Counter(thing.fill for thing in ordered)
    if fills["black"] == 1:
        place = next(i for i, thing in enumerate(ordered) if thing.fill == "black")
        spots = ("at an end", "in the middle")
        yield look.ask("location", "in_line", spots[place == 1], spots)


_ALIKE = {
    frozenset({(0, 0), (2, 2)}): "on the diagonal falling to the right",
    frozenset({(2, 0), (0, 2)}): "on the diagonal rising to the right",
    frozenset({(0, 0), (2, 0)}): "in the upper row",
    frozenset({(0, 2), (2, 2)}): "in the lower row",
    frozenset({(0, 0), (0, 2)}): "in the left column",
    frozenset({(2, 0), (2, 2)}): "in the right column",
}


def _alike(look: MeasuredDrawing) -> Iterator[Fine]:
    """Where the two of four that are alike stand."""
    spots = alike_places(look.things)
    if spots in _ALIKE:
        yield look.ask("location", "alike", _ALIKE[spots], _ALIKE.values())


_POINTS = ("at the other figure", "with the other figure on its left", "away from the other figure")
_POINTS_AT = (*_POINTS, "with the other figure on its right")
_TURNS = {
    45: "an eighth clockwise",
    90: "a quarter clockwise",
    135: "three eighths clockwise",
    180: "by half",
    225: "three eighths anticlockwise",
    270: "a quarter anticlockwise",
    315: "an eighth anticlockwise",
    0: "not at all",
}
_SHIFTS = {
    -2: "two to the left",
    -1: "one to the left",
    0: "straight down",
    1: "one to the right",
    2: "two to the right",
}


_ROUND = {
    45: "an eighth clockwise",
    90: "a quarter clockwise",
    135: "three eighths clockwise",
    225: "three eighths anticlockwise",
    270: "a quarter anticlockwise",
    315: "an eighth anticlockwise",
}


def _together(look: MeasuredDrawing) -> Iterator[Fine]:
    """What things make together: where an arrow points, what is between two, how a row turns, how cells step down."""
    if (quarter := pointing(look.things)) is not None:
        yield look.ask("location", "arrow_at", _POINTS_AT[quarter], _POINTS_AT)
    if (where := between(look.things)) is not None:
        yield look.ask("location", "between", where, BETWEEN)
    if (turn := row_turn(look.things)) in _TURNS:
        yield look.ask("comparison", "row_turns", _TURNS[turn], _TURNS.values())
    if (way := growth(look.things)) in _ROUND:
        yield look.ask("location", "grows", _ROUND[way], _ROUND.values())
    if (shift := stairs(look.things)) in _SHIFTS:
        yield look.ask("location", "stairs", _SHIFTS[shift], _SHIFTS.values())


def _dots(look: MeasuredDrawing) -> Iterator[Fine]:
    """Where the dot of each of two outlines is, seen from that outline."""
    dots = [thing for thing in look.things if thing.kind == "circle" and thing.fill == "black"]
    bodies = [thing for thing in look.things if thing not in dots]
    if len(dots) != 2 or len(bodies) != 2 or not all(map(closed, bodies)):
        return
    for word, body in zip(("left", "right"), sorted(bodies, key=lambda thing: thing.x), strict=True):
        dot = min(dots, key=lambda thing: hypot(thing.x - body.x, thing.y - body.y))
        x, y = dot.x - body.x, dot.y - body.y
        if max(abs(x), abs(y)) > 1.5 * min(abs(x), abs(y)):
            sides = ("right", "bottom", "left", "top")
            side = sides[round(degrees(atan2(y, x)) / 90) % 4]
            yield look.ask("location", "dot_at", side, sides, word)
