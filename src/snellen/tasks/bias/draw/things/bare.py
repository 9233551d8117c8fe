"""What is left of parts and colours when nothing may name the thing: bare parts, bent outlines, other hues."""

from collections.abc import Callable, Sequence
from math import atan2, cos, degrees, hypot, pi, radians, sin

import numpy as np

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things.forms import Place, clockwise
from snellen.tasks.bias.draw.things.kind import ColouredPiece, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.marks import mark_outlines
from snellen.tasks.bias.draw.things.raster import Points

BEND = 14.0
"""By how many thousandths of the picture the drawing is bent at most, across and down."""
_STEP = 24.0
_SPANS = 0.8
"""One of a part's outlines stands for the part if it is so much of its extent."""
_STARS = (10, 14)
"""Corners of stars with five and seven points."""
_GREY = 0.09
"""The least chroma that has a hue."""
_MUTED = 0.8


class Recolouring:
    """Other hues of the same lightness, so that contrasts stay; a colour always becomes the same one. Parts in more
    than two colours get hues as far apart as can be, in another order, as their order may name the thing."""

    def __init__(self, look: ThingLook, parts: Sequence[Colour]) -> None:
        dice = look.stream("anonymous colours")
        self._turn, self._grey = dice.between(80, 280), dice.between(0, 360)
        inks = list(dict.fromkeys(parts))
        hues = [self._grey + 360 * k / len(inks) for k in range(len(inks))]
        dice.shuffle(hues)
        own = zip(inks, hues, strict=True) if len(inks) > 2 else ()
        self._own = {ink: hue_turned(ink, hue - _hue(ink), hue, _MUTED) for ink, hue in own}

    def __call__(self, ink: Colour) -> Colour:
        return self._own.get(ink) or hue_turned(ink, self._turn, self._grey)


def hue_turned(ink: Colour, turn: float, grey: float, keep: float = 1) -> Colour:
    """The colour with its hue turned at the same lightness (Y of YIQ) and `keep` of its chroma. Greys get a little
    colour, of the hue `grey`."""
    y, i, q = _yiq(ink)
    if hypot(i, q) < _GREY:
        chroma = _GREY * min(1.0, 4 * y * (1 - y))
        i, q = chroma * cos(radians(grey)), chroma * sin(radians(grey))
    else:
        c, s = keep * cos(radians(turn)), keep * sin(radians(turn))
        i, q = c * i - s * q, s * i + c * q
    shades = y + 0.956 * i + 0.619 * q, y - 0.272 * i - 0.647 * q, y - 1.106 * i + 1.703 * q
    red, green, blue = (min(1.0, max(0.0, shade)) for shade in shades)
    return round(255 * red), round(255 * green), round(255 * blue)


def _yiq(ink: Colour) -> tuple[float, float, float]:
    red, green, blue = (part / 255 for part in ink)
    y = 0.299 * red + 0.587 * green + 0.114 * blue
    return y, 0.5959 * red - 0.2746 * green - 0.3213 * blue, 0.2115 * red - 0.5227 * green + 0.3112 * blue


def _hue(ink: Colour) -> float:
    _, i, q = _yiq(ink)
    return degrees(atan2(q, i))


def bare_parts(scene: ThingScene, bars: bool = False) -> dict[int, ColouredPiece]:
    """Every part as one piece without what names it, in the ink of its largest outline; as its mark if `bars`."""
    own: dict[int, list[ColouredPiece]] = {}
    for piece in (piece for group in scene.groups for piece in group.pieces):
        if piece.part is not None:
            own.setdefault(piece.part, []).append(piece)
    parts = {}
    for number, pieces in own.items():
        lines = mark_outlines(scene.marks[number]) if bars else _bare([line for p in pieces for line in p.outlines])
        main = max(pieces, key=lambda piece: max(abs(_area(line)) for line in piece.outlines))
        parts[number] = ColouredPiece(lines, main.ink, number, main.round)
    return parts


def _bare(lines: Sequence[Points]) -> list[Points]:
    """The main outline of a part, or the hull of all if none is most of it; rings stay, and stars lose their points."""
    if any(_area(line) < 0 for line in lines):
        return list(lines)
    largest, whole = max(lines, key=_area), np.concatenate(list(lines))
    if len(lines) > 1:
        return [largest if _extent(largest) >= _SPANS * _extent(whole) else hull(whole)]
    if len(largest) not in _STARS:
        return [largest]
    middle = largest.mean(axis=0)
    return [middle + 0.85 * (hull(largest) - middle)]  # smaller, as they are to be as far apart as stars are


def _area(line: Points) -> float:
    """Area within an outline: above 0 if it runs the common way, below 0 for a hole."""
    x, y = line.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def _extent(line: Points) -> float:
    return float(np.hypot(*(line.max(axis=0) - line.min(axis=0))))


def hull(points: Points) -> Points:
    """The convex hull as an outline."""
    order = sorted({(float(x), float(y)) for x, y in points})
    return clockwise(np.array(_half_hull(order) + _half_hull(order[::-1])))


def _half_hull(places: Sequence[Place]) -> list[Place]:
    line: list[Place] = []
    for x, y in places:
        while len(line) > 1:
            (x0, y0), (x1, y1) = line[-2:]
            if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                break
            line.pop()
        line.append((x, y))
    return line[:-1]


def bent_placing(look: ThingLook, size: int, bend: float = BEND) -> Callable[[Sequence[Points]], list[Points]]:
    """What takes outlines of a scene to pixels, bent on the way by two shears: these tear nothing and let nothing
    overlap that did not."""
    dice, straight = look.stream("anonymous bend"), look.placing(size)
    waves = [(2 * pi / dice.between(230, 380), dice.between(0, 2 * pi)) for _ in (0, 1)]

    def bent(line: Points) -> Points:
        x, y = dense(line).T
        x = x + bend * np.sin(y * waves[0][0] + waves[0][1])
        y = y + bend * np.sin(x * waves[1][0] + waves[1][1])
        return np.stack((x, y), axis=1)

    return lambda outlines: straight([bent(line) for line in outlines])


def dense(line: Points) -> Points:
    """The same outline with corners no further apart than a bend needs."""
    after = np.roll(line, -1, axis=0)
    many = np.maximum(1, np.ceil(np.hypot(*(after - line).T) / _STEP).astype(int))
    if many.max() == 1:
        return line
    steps = zip(line, after, many, strict=True)
    return np.concatenate([begin + (end - begin) * (np.arange(n) / n)[:, None] for begin, end, n in steps])
