"""Which pieces of a drawing are there: of panels that are added, overlaid or taken away piece by piece."""

from collections.abc import Iterator, Sequence

from snellen.rng import Stream
from snellen.tasks.marvel.probing.measured.seen import MeasuredDrawing
from snellen.tasks.marvel.probing.texts import Fine, yes_or_no
from snellen.tasks.marvel.solve.character import closed, slant
from snellen.tasks.marvel.solve.ink import thing_strokes
from snellen.tasks.marvel.solve.scene import CENTRE
from snellen.tasks.marvel.solve.things import SolverThing

_SLACK, _SMALL = 2, 10
_HALVES = {"left": (0, -1), "right": (0, 1), "upper": (1, -1), "lower": (1, 1)}
_SLANTS = {"upright": "upright", "lying": "level", "slanting": "slanting"}


def pieces(look: MeasuredDrawing, rng: Stream) -> Iterator[Fine]:
    up = rng.chance()
    if any(thing.shape in ("grid", "letter") for thing in look.things):
        return
    lines = [thing for thing in look.things if not closed(thing)]
    figures = [thing for thing in look.things if closed(thing)]
    small = [thing for thing in figures if thing.size <= _SMALL] if lines else []
    if small:
        yield from _in_halves(look, "small figures", small, up)
    if lines and len(figures) - len(small) <= 1:
        if lattice := _lattice(lines):
            yield from _sides(lattice, lines, rng)
            return
        yield from _in_halves(look, "lines", lines, up)
        for name, word in _SLANTS.items():
            straight = [thing for thing in lines if thing.shape == "line" and slant(thing) == name]
            if all(thing.shape == "line" for thing in lines):
                yield from look.count("slanted", len(straight), up, word)
    if figures and not lines:
        black = [thing for thing in figures if thing.fill == "black"]
        yield from _in_halves(look, "solid symbols" if len(black) < len(figures) else "symbols", black, up)


def _in_halves(look: MeasuredDrawing, what: str, some: Sequence[SolverThing], up: bool) -> Iterator[Fine]:
    """How many lie wholly in a half; none on whose side there is doubt."""
    for half, (axis, sign) in _HALVES.items():
        sides = [_side(thing, axis) for thing in some]
        if None not in sides:
            yield from look.count("in_half", sides.count(sign), up, what, half)


def _side(thing: SolverThing, axis: int) -> int | None:
    """-1 or 1 if it lies in the one or the other half, 0 if clearly in both or on the line between; None: doubtful."""
    points = thing_strokes(thing)[0].line[:, axis] - CENTRE
    low, high = float(points.min()), float(points.max())
    if high <= _SLACK and low < -3 * _SLACK:
        return -1
    if low >= -_SLACK and high > 3 * _SLACK:
        return 1
    return 0 if (low < -4 * _SLACK and high > 4 * _SLACK) or max(-low, high) <= _SLACK else None


Lattice = tuple[Sequence[int], Sequence[int]]


def _lattice(lines: Sequence[SolverThing]) -> Lattice | None:
    """The three columns and rows between which all lines run, if they are sides of four squares."""
    if any(thing.shape != "line" for thing in lines):
        return None
    ends = [(mark["x"], mark["y"], mark["x2"], mark["y2"]) for mark in (thing.mark for thing in lines)]
    xs, ys = (sorted({end[axis + 2 * k] for end in ends for k in (0, 1)}) for axis in (0, 1))
    short = all(abs(x2 - x) + abs(y2 - y) == xs[-1] - CENTRE and (x == x2 or y == y2) for x, y, x2, y2 in ends)
    return (xs, ys) if short and xs == ys and len(xs) == 3 and xs[1] == CENTRE else None


def _sides(lattice: Lattice, lines: Sequence[SolverThing], rng: Stream) -> Iterator[Fine]:
    """Whether one of the four squares has one of its outer sides."""
    (low, mid, high), _ = lattice
    drawn = {frozenset(((m["x"], m["y"]), (m["x2"], m["y2"]))) for m in (thing.mark for thing in lines)}
    for down, (top, bottom) in (("upper", (low, mid)), ("lower", (mid, high))):
        for across, (left, right) in (("left", (low, mid)), ("right", (mid, high))):
            for side, ends in (
                ("top", ((left, top), (right, top))),
                ("bottom", ((left, bottom), (right, bottom))),
                ("left", ((left, top), (left, bottom))),
                ("right", ((right, top), (right, bottom))),
            ):
                there = frozenset(ends) in drawn
                yield yes_or_no("shape", "has_side", "lacks_side", there, rng, f"{down} {across}", side)
