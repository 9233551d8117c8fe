"""Where things stand in a panel: the box for what is counted, a strip for small extra dots, a rim for clutter."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import Box, Mark
from snellen.tasks.marvel.puzzle import PuzzleWish

_RIM = ((22, 58), (22, 122), (158, 58), (158, 122), (58, 22), (122, 22))
_STRIP = 154
COLOURS = ("red", "blue", "green", "orange", "purple", "brown", "teal")
BADGES = ("square", "triangle", "star", "diamond", "heart")


def box(wish: PuzzleWish, *, strip: bool = False) -> Box:
    """What is left for the things themselves."""
    edge = 34 if wish.clutter else 20
    return (edge, edge, 180 - edge, 138 if strip else 180 - edge)


def clutter(rng: Stream, wish: PuzzleWish, *, ticks: bool) -> list[Mark]:
    """Three tiny ticks or dots at the rim, if wanted: always as many, anywhere."""
    if not wish.clutter:
        return []
    if ticks:
        return [{"shape": "line", "x": x - 4, "y": y, "x2": x + 4, "y2": y} for x, y in rng.sample(_RIM, 3)]
    return [{"shape": "circle", "x": x, "y": y, "size": 4, "fill": "black"} for x, y in rng.sample(_RIM, 3)]


def strip(number: int, kind: str) -> list[Mark]:
    """So many small solid figures side by side below."""
    left = 90 - 12 * (number - 1)
    return [{"shape": kind, "x": left + 24 * i, "y": _STRIP, "size": 8, "fill": "black"} for i in range(number)]


def tinted(marks: list[Mark], colour: str) -> list[Mark]:
    """The marks in this colour, for when a puzzle is drawn in colour: always the same for the same kind of thing."""
    return [mark | {"colour": colour} for mark in marks]
