"""Flags whose stripes are counted: bands of one size that fill the flag, and what lies over them."""

from dataclasses import dataclass

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things.forms import box, poly, star
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene

WIDE, HIGH = 400.0, 262.0
"""Half the width and height of a flag."""
_WHITE: Colour = (252, 252, 252)


@dataclass(frozen=True, slots=True)
class Striped:
    """A flag of stripes in turn of these colours; `canton` is a share of its width, the usual number of stripes it is
    high, and its colour; `badge` what else lies over them."""

    inks: tuple[Colour, ...]
    usual: int
    canton: tuple[float, int, Colour] | None = None
    badge: str = ""
    upright: bool = False


def striped(flag: Striped, count: int, look: ThingLook) -> ThingScene:
    step = 2 * (WIDE if flag.upright else HIGH) / count
    parts, marks = [], []
    for k in range(count):
        low, high = k * step, (k + 1) * step
        if flag.upright:
            stripe = box(low - WIDE, -HIGH, high - WIDE, HIGH)
            mark = Mark(((low + high) / 2 - WIDE, -HIGH), ((low + high) / 2 - WIDE, HIGH), step / 2)
        else:
            stripe = box(-WIDE, low - HIGH, WIDE, high - HIGH)
            mark = Mark((-WIDE, (low + high) / 2 - HIGH), (WIDE, (low + high) / 2 - HIGH), step / 2)
        parts.append(ColouredPiece([stripe], flag.inks[k % len(flag.inks)], k, round=False))
        marks.append(mark)
    rim = ColouredPiece([box(-WIDE - 3, -HIGH - 3, WIDE + 3, HIGH + 3)], (150, 152, 160), round=False)
    return ThingScene(
        [Group([rim]), Group(parts, edged=False), Group(_over(flag, count, step), edged=False, role="clutter")], marks
    )


def _over(flag: Striped, count: int, step: float) -> list[ColouredPiece]:
    pieces: list[ColouredPiece] = []
    if flag.canton:
        share, stripes, ink = flag.canton
        right, bottom = -WIDE + 2 * WIDE * share, -HIGH + step * round(count * stripes / flag.usual)
        pieces.append(ColouredPiece([box(-WIDE, -HIGH, right, bottom)], ink, round=False))
        pieces += _in_canton(flag.badge, right, bottom)
    elif flag.badge == "triangle":
        pieces.append(
            ColouredPiece([poly([(-WIDE, -HIGH), (-WIDE + 1.72 * HIGH, 0), (-WIDE, HIGH)])], (200, 40, 52), round=False)
        )
        pieces.append(ColouredPiece([star((-WIDE + 145, 0), 5, 78, 30)], _WHITE, round=False))
    return pieces


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
