"""How many there are of what the rule counts: symbols, kinds, strokes, crossings, closed areas, corners."""

from collections.abc import Iterator

from snellen.rng import Stream
from snellen.tasks.marvel.probing.measured.seen import MeasuredDrawing
from snellen.tasks.marvel.probing.texts import Fine
from snellen.tasks.marvel.solve.arranged import corners_and_dots, pips
from snellen.tasks.marvel.solve.character import closed, curved, reach
from snellen.tasks.marvel.solve.drawing import bulges, corners
from snellen.tasks.marvel.solve.ink import InkDrawing, meetings, regions

_LIGHT = ("none", "white")


def numbers(look: MeasuredDrawing, rng: Stream) -> Iterator[Fine]:
    up = rng.chance()
    yield from look.count("below", len(look.badges), up)
    if any(thing.shape in ("grid", "letter") for thing in look.things):
        return
    for name, n in _pieces(look):
        yield from look.count(name, n, up)
    yield from _lines(look, up)
    yield from _outline(look, up)
    if all(map(closed, look.things)) or any(thing.mark.get("name") for thing in look.things):
        yield from _symbols(look, up)


def _pieces(look: MeasuredDrawing) -> Iterator[tuple[str, int]]:
    """The dots of dominoes, of dice, and in polygons, and the corners of these."""
    panel = look.things
    above, below = pips(panel) or (0, 0)
    yield "pips_above", above
    yield "pips_below", below
    yield "dots", sum(thing.kind == "circle" and thing.fill == "black" for thing in panel)
    yield "outline_corners", (corners_and_dots(panel) or (0, 0))[0]


def _symbols(look: MeasuredDrawing, up: bool) -> Iterator[Fine]:
    panel = look.things
    yield from look.count("symbols", len(panel), up)
    yield from look.count("kinds", len({thing.kind for thing in panel}), up)
    yield from look.count("blacks", sum(thing.fill == "black" for thing in panel), up)
    yield from look.count("whites", sum(thing.fill in _LIGHT for thing in panel), up)


def _lines(look: MeasuredDrawing, up: bool) -> Iterator[Fine]:
    panel, drawing = look.things, InkDrawing(look.things)
    if not any(map(closed, panel)):
        yield from look.count("strokes", len(panel), up)
        yield from look.count("curves", sum(curved(thing) == "curved" for thing in panel), up)
    if all(thing.fill in _LIGHT for thing in panel):
        yield from look.count("cross_at", meetings(drawing).crossing, up)
        yield from look.count("areas", regions(drawing).areas, up)


def _outline(look: MeasuredDrawing, up: bool) -> Iterator[Fine]:
    if len(look.things) == 1:
        yield from look.count("corners", corners(look.things[0]), up)
        yield from look.count("bulges", bulges(look.things[0]), up)
    else:
        outer = max(look.things, key=reach)
        yield from look.count("outer_bulges", bulges(outer), up)
