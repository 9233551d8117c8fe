"""Free-form paths in words that a person could draw by.

"The same open path, large or small and turned any way: straight for 16, turn left by 60 degrees, bend right through 120
degrees with radius 6". Lengths are in whole steps, a twentieth of the pen's unit each, so only their proportions count.
A drawing follows the words if every stroke, length, bend and turn is as said, within what one can see; it may be drawn
from its other end.
"""

import re
from collections.abc import Iterator, Sequence

from snellen.tasks.bongard.draw.strokes import PenStroke
from snellen.tasks.bongard.strokes.truth import Truth, every, near, some

PATH = "the same open path, large or small and turned any way: "
_UNIT = 20
_MOVE = re.compile(
    r"(?:turn (?P<side>left|right) by (?P<turn>\d+) degrees, )?"
    r"(?:straight for (?P<length>\d+)|"
    r"bend (?P<way>left|right) through (?P<angle>\d+) degrees with radius (?P<radius>\d+))"
)
_TURN, _BEND, _LENGTH = (10.0, 30.0), (15.0, 40.0), (0.2, 0.4)
"""Up to the first a turn, a bend (degrees) and a length (its share) are as said, from the second on they are not."""


def told(plan: Sequence[PenStroke]) -> str:
    """The path in words."""
    return PATH + moves(plan)


def moves(plan: Sequence[PenStroke]) -> str:
    """What the pen does, one stroke after another."""
    return ", ".join(_move(stroke, place) for place, stroke in enumerate(plan))


def _move(stroke: PenStroke, place: int) -> str:
    turned = round(stroke.turn) if place else 0
    turn = f"turn {_side(turned)} by {abs(turned)} degrees, " if turned else ""
    steps = max(1, round(stroke.size * _UNIT))
    if not stroke.angle:
        return f"{turn}straight for {steps}"
    return f"{turn}bend {_side(stroke.angle)} through {abs(stroke.angle):.0f} degrees with radius {steps}"


def _side(degrees: float) -> str:
    return "left" if degrees > 0 else "right"


def heard(words: str) -> tuple[PenStroke, ...]:
    """The path that the words tell; nothing if they tell none."""
    return tuple(_heard(match) for match in _MOVE.finditer(words))


def _heard(match: re.Match[str]) -> PenStroke:
    turn = float(match["turn"] or 0) * (1 if match["side"] == "left" else -1)
    angle = float(match["angle"] or 0) * (1 if match["way"] == "left" else -1)
    return PenStroke(int(match["length"] or match["radius"]) / _UNIT, angle, turn)


def follows(drawn: Sequence[PenStroke], path: Sequence[PenStroke]) -> Truth:
    """Whether a drawing follows the path. Of its mirror image that is hard to say."""
    if len(drawn) != len(path) or not path:
        return False
    truth = some(_alike(way, path) for way in (drawn, _backwards(drawn)))
    mirrored = [PenStroke(stroke.size, -stroke.angle, -stroke.turn) for stroke in drawn]
    return None if truth is False and any(_alike(way, path) for way in (mirrored, _backwards(mirrored))) else truth


def _backwards(plan: Sequence[PenStroke]) -> list[PenStroke]:
    """The same path from its other end: every bend and turn to the other side."""
    turns = [0.0, *(-stroke.turn for stroke in reversed(plan[1:]))]
    return [PenStroke(stroke.size, -stroke.angle, turn) for stroke, turn in zip(reversed(plan), turns, strict=True)]


def _alike(drawn: Sequence[PenStroke], path: Sequence[PenStroke]) -> Truth:
    if any(bool(one.angle) != bool(other.angle) for one, other in zip(drawn, path, strict=True)):
        return False
    return every(_judged(drawn, path))


def _judged(drawn: Sequence[PenStroke], path: Sequence[PenStroke]) -> Iterator[Truth]:
    ratios = sorted(one.size / other.size for one, other in zip(drawn, path, strict=True))
    scale = ratios[len(ratios) // 2]
    for place, (one, other) in enumerate(zip(drawn, path, strict=True)):
        length = one.size / other.size / scale
        yield near(max(length, 1 / length), 1.0, *_LENGTH)
        yield near(one.angle, other.angle, *_BEND)
        if place:
            yield near((one.turn - other.turn + 180) % 360 - 180, 0.0, *_TURN)
