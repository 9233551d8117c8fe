"""Flags whose stripes are counted: bands of one size that fill the flag, and what lies over them."""

from dataclasses import dataclass

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things.forms import blob, box, poly, star
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene

WIDE, HIGH = 400.0, 262.0
"""Half the width and height of a flag."""
_WHITE: Colour = (252, 252, 252)


@dataclass(frozen=True, slots=True)
class Striped:
    """A flag of stripes in turn of these colours. `canton`: its share of the width, how many stripes high it is, and of
    how many; `field` its colour; `badge` what else lies over the stripes."""

    inks: tuple[Colour, ...]
    badge: str
    canton: tuple[float, int, int] | None = None
    field: Colour = _WHITE


def striped(flag: Striped, count: int, look: ThingLook) -> ThingScene:
    step = 2 * HIGH / count
    parts, marks = [], []
    for k in range(count):
        low, high = k * step, (k + 1) * step
        stripe = box(-WIDE, low - HIGH, WIDE, high - HIGH)
        parts.append(ColouredPiece([stripe], flag.inks[k % len(flag.inks)], k, round=False))
        marks.append(Mark((-WIDE, (low + high) / 2 - HIGH), (WIDE, (low + high) / 2 - HIGH), step / 2))
    rim = ColouredPiece([box(-WIDE - 3, -HIGH - 3, WIDE + 3, HIGH + 3)], (150, 152, 160), round=False)
    over = Group(_over(flag, count, step), edged=False, role="clutter")
    return ThingScene([Group([rim]), Group(parts, edged=False), over], marks)


def _over(flag: Striped, count: int, step: float) -> list[ColouredPiece]:
    if flag.canton:
        share, stripes, usual = flag.canton
        right, bottom = -WIDE + 2 * WIDE * share, -HIGH + step * round(count * stripes / usual)
        canton = ColouredPiece([box(-WIDE, -HIGH, right, bottom)], flag.field, round=False)
        return [canton, *_in_canton(flag.badge, right, bottom)]
    if flag.badge == "bird":
        return _bird()
    triangle = poly([(-WIDE, -HIGH), (-WIDE + 1.72 * HIGH, 0), (-WIDE, HIGH)])
    return [
        ColouredPiece([triangle], (200, 40, 52), round=False),
        ColouredPiece([star((-WIDE + 145, 0), 5, 78, 30)], _WHITE, round=False),
    ]


def _bird() -> list[ColouredPiece]:
    """A white triangle with a black edge, and on it a red star under a golden bird."""
    corners, middle = ((-WIDE, -HIGH), (-WIDE + 1.1 * HIGH, 0), (-WIDE, HIGH)), -WIDE + 95
    inner = [(-WIDE, -HIGH + 26), (-WIDE + 1.1 * HIGH - 20, 0), (-WIDE, HIGH - 26)]
    bird = blob([(middle - 30, 50), (middle - 16, -6), (middle + 6, -56), (middle + 30, -44), (middle + 22, 50)])
    return [
        ColouredPiece([poly(corners)], (24, 24, 26), round=False),
        ColouredPiece([poly(inner)], _WHITE, round=False),
        ColouredPiece([star((middle, 0), 5, 88, 36)], (206, 32, 40), round=False),
        ColouredPiece([bird], (240, 200, 44), round=False),
    ]


def _in_canton(badge: str, right: float, bottom: float) -> list[ColouredPiece]:
    middle = (right - WIDE) / 2, (bottom - HIGH) / 2
    if badge == "cross":
        arm = (right + WIDE) / 10
        cross = [
            box(-WIDE, middle[1] - arm, right, middle[1] + arm),
            box(middle[0] - arm, -HIGH, middle[0] + arm, bottom),
        ]
        return [ColouredPiece(cross, _WHITE, round=False)]
    if badge == "star":
        return [ColouredPiece([star(middle, 5, 78, 30)], _WHITE, round=False)]
    stars = [
        star((-WIDE + (right + WIDE) * (column + 1) / 12, -HIGH + (bottom + HIGH) * (row + 1) / 10), 5, 14, 5.5)
        for row in range(9)
        for column in range(row % 2, 11, 2)
    ]
    return [ColouredPiece(stars, _WHITE, round=False)]
