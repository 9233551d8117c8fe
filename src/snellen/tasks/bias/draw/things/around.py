"""Parts around a middle: the points of a star, the hours of a clock, the arms of a starfish."""

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from snellen.rng import Stream
from snellen.tasks.bias.draw.things.forms import Place
from snellen.tasks.bias.draw.things.inks import Coat, full_coat
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.raster import Points
from snellen.tasks.bias.draw.things.sketch import Sketch, outlines, pieces


@dataclass(frozen=True, slots=True)
class Around:
    """A thing whose parts lie around `middle`.

    `part` is the sketch of the part that points up, in places seen from the middle; `mark` its neutral counterpart:
    from where to where along that ray, and how wide. Parts are spread over `sweep` degrees, a full circle or an arc
    with the upward direction in its middle. `upright` parts keep their own direction wherever they are.
    """

    part: Sketch
    mark: tuple[float, float, float]
    coats: tuple[Coat, ...]
    behind: Sketch = ()
    over: Sketch = ()
    middle: Place = (0, 0)
    sweep: float = 360
    spins: bool = True
    """Whether the first part may point anywhere (else up)."""
    upright: bool = False
    joined: bool = False
    """Whether the parts and what is over them are one body for the outline."""
    round: bool = True
    """Whether the shaded style shades the parts."""
    over_spins: bool = False
    """Whether what is over the parts may point anywhere."""
    apart: bool = False
    """Whether the outline goes around each part."""


def round_about(thing: Around, count: int, look: ThingLook) -> ThingScene:
    inks = full_coat(look.stream("coat").choice(thing.coats))
    angles = _angles(thing, count, look.stream("spin"))
    parts = [
        ColouredPiece([_turned(line, angle, thing) for line in outlines(shape)], inks[shape[1]], number, thing.round)
        for number, angle in enumerate(angles)
        for shape in thing.part
    ]
    over = pieces(thing.over, inks, thing.round)
    if thing.over_spins:
        angle = look.stream("over").between(0, 360)
        over = [ColouredPiece([_turned(line, angle, thing) for line in piece.outlines], piece.ink) for piece in over]
    front = [Group(parts + over)] if thing.joined else [*_groups(parts, thing.apart), Group(over)]
    groups = [Group(pieces(thing.behind, inks, thing.round)), *front]
    return ThingScene([group for group in groups if group.pieces], [_mark(thing, angle) for angle in angles])


def _groups(parts: list[ColouredPiece], apart: bool) -> list[Group]:
    if not apart:
        return [Group(parts)]
    numbers = dict.fromkeys(piece.part for piece in parts)
    return [Group([piece for piece in parts if piece.part == number]) for number in numbers]


def _angles(thing: Around, count: int, dice: Stream) -> list[float]:
    if thing.sweep < 360:
        return [thing.sweep * (k / (count - 1) - 0.5) if count > 1 else 0 for k in range(count)]
    begin = dice.between(0, 360) if thing.spins else 0
    return [begin + 360 * k / count for k in range(count)]


def _turn(angle: float) -> tuple[float, float]:
    return cos(radians(angle)), sin(radians(angle))


def _turned(points: Points, angle: float, thing: Around) -> Points:
    c, s = _turn(angle)
    if thing.upright:
        reach = thing.mark[0]
        return np.asarray(points + np.array((thing.middle[0] + s * reach, thing.middle[1] - c * reach)))
    return np.asarray(points @ np.array([[c, s], [-s, c]]) + np.array(thing.middle))


def _mark(thing: Around, angle: float) -> Mark:
    c, s = _turn(angle)
    near, far, width = thing.mark
    x, y = thing.middle
    return Mark((x + s * near, y - c * near), (x + s * far, y - c * far), width)
